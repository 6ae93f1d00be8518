import { ApiError } from '@okaeri/contract/client'
import {
  deleteScenario,
  duplicateScenario,
  enableScenario,
  getScenario,
  stopScenario,
} from '@okaeri/contract/scenarios/routes'
import { type Scenario, scenarioAllows, type ScenarioVerb } from '@okaeri/contract/scenarios/scenario'
import { IconCopy, IconPencil, IconPlayerPlay, IconPlayerStop, IconTrash, IconUsersGroup } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { call } from '../../api/call.ts'
import { queryOf, refresh } from '../../api/queries.ts'
import { currentLanguage, useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { useErrorText } from '../../app/reasons.ts'
import type { Action } from '../../ui/actions.tsx'
import { asked, confirmDelete, showInUse } from '../../ui/confirm.tsx'
import { toast } from '../../ui/toast.ts'
import { useAction } from '../../ui/use-action.ts'
import { useSegmentUses } from '../segments/segment-removal.ts'
import { useCounted } from './counted.ts'
import { askToEnable } from './settings/enable-dialog.tsx'
import { useEnterSegment } from './settings/enter-segment.ts'
import { type RecoveryAction, useRecoveryActions } from './executions/recovery-actions.tsx'

const icon = { size: 17, 'aria-hidden': true } as const
/** What else changes with a scenario: uses of emails and segments, and the figures. */
const areas = ['emails', 'segments', 'reports']

export type ScenarioAction = 'edit' | 'enable' | 'stop' | 'duplicate' | 'delete' | 'enterSegment' | RecoveryAction

interface Options {
  /** The page's scenario no longer exists. */
  onDeleted?: () => void
  /** Enabling was refused because of problems, which the page then shows. */
  onIncomplete?: () => void
  onEnabled?: () => void
}

/** The actions of a scenario. A disabled one says why. */
export function useScenarioActions(options: Options = {}) {
  const t = useWords('scenarios')
  const { mayChange } = useMerchant()
  const client = useQueryClient()
  const usesOf = useSegmentUses()
  const { inWords } = useCounted()
  const entering = useEnterSegment()
  const recovering = useRecoveryActions()
  const { enable, stop, remove, copy } = useChanges(options)

  const askToDelete = async ({ id, name }: Scenario) => {
    const found = await client.fetchQuery(queryOf(getScenario, { params: { id } })).catch(toast.failed)
    if (!found) return
    const { used_by, action } = found
    if (used_by.length > 0) return showInUse(name, usesOf(used_by))
    // As it is now: the list may be minutes old.
    const { execution_count, running_count: running } = action
    const sure = await confirmDelete(t('ask.deleteTitle', { name }), {
      ...(execution_count > 0 && {
        body: running > 0 ? t('ask.deleteBodyRunning', inWords(running)) : t('ask.deleteBody'),
      }),
    })
    if (sure) remove.mutate({ params: { id } })
  }

  return (scenario: Scenario): Record<ScenarioAction, Action> => {
    const { id, name, status, mode, trigger } = scenario
    const params = { id }
    const may = (verb: ScenarioVerb, reason: string): string | null =>
      mayChange ? (scenarioAllows(verb, status) ? null : reason) : t('readOnly')
    const held = scenario.running_count
    const segmentId = trigger.kind === 'manual' ? trigger.segment_id : null

    return {
      edit: {
        label: t('do.edit'),
        icon: <IconPencil {...icon} />,
        to: paths.scenarioEdit(id),
        ...(mode === 'flow' && { search: { mode: 'flow' } }),
        disabledReason: may('edit', t('forbidden.deleted')),
      },
      enable: {
        label: t('do.enable'),
        icon: <IconPlayerPlay {...icon} />,
        busy: enable.isPending,
        disabledReason: may('enable', t('forbidden.deleted')),
        // With problems the server refuses and says which, so there is no question before that.
        onClick:
          scenario.problems.length > 0
            ? () => enable.mutate(id)
            : () => void askToEnable(scenario).then((sure) => sure && enable.mutate(id)),
      },
      stop: {
        label: t('do.stop'),
        icon: <IconPlayerStop {...icon} />,
        danger: true,
        busy: stop.isPending,
        disabledReason: may('stop', t('forbidden.deleted')),
        onClick: asked(
          {
            title: t('ask.stopTitle', { name }),
            body: held > 0 ? t('ask.stopBody', inWords(held)) : t('ask.stopBodyNone'),
            confirmLabel: t('do.stop'),
            danger: true,
          },
          () => stop.mutate(id),
        ),
      },
      duplicate: {
        label: t('do.duplicate'),
        icon: <IconCopy {...icon} />,
        busy: copy.isPending,
        disabledReason: may('duplicate', t('forbidden.deleted')),
        onClick: asked(
          { title: t('ask.duplicateTitle', { name }), body: t('ask.duplicateBody'), confirmLabel: t('do.duplicate') },
          () => copy.mutate({ params, body: { language: currentLanguage() } }),
        ),
      },
      delete: {
        label: t('do.delete'),
        icon: <IconTrash {...icon} />,
        danger: true,
        disabledReason: may('delete', status === 'active' ? t('forbidden.delete') : t('forbidden.deleted')),
        onClick: () => void askToDelete(scenario).catch((error: unknown) => toast.failed(error)),
      },
      enterSegment: {
        label: t('do.enterSegment'),
        icon: <IconUsersGroup {...icon} />,
        busy: entering.busy,
        disabledReason:
          may('enter_segment', t('forbidden.enterSegment')) ?? (segmentId ? null : t('forbidden.noSegment')),
        onClick: () => {
          if (segmentId) void entering.ask(scenario, segmentId)
        },
      },
      ...recovering(scenario),
    }
  }
}

/** What is asked of the server, and what is said about its answer. */
function useChanges(options: Options) {
  const t = useWords('scenarios')
  const errorText = useErrorText()
  const navigate = useNavigate()
  // Spec §8: 'An error occurred:' plus detail.
  const statusFailed = (error: Error) => {
    if (error instanceof ApiError && error.reason === 'scenario_incomplete') {
      toast.error(errorText(error))
      options.onIncomplete?.()
    } else toast.error(t('statusFailed', { detail: errorText(error) }))
    void refresh('scenarios')
  }
  const changed = (message: string) => () => {
    toast.done(message)
    void refresh('scenarios', ...areas)
  }
  const enable = useMutation({
    mutationFn: (id: string) => call(enableScenario, { params: { id } }),
    onSuccess: () => {
      changed(t('done.enabled'))()
      options.onEnabled?.()
    },
    onError: statusFailed,
  })
  const stop = useMutation({
    mutationFn: (id: string) => call(stopScenario, { params: { id } }),
    onSuccess: changed(t('done.stopped')),
    onError: statusFailed,
  })
  const remove = useAction(deleteScenario, {
    done: 'deleted',
    areas,
    ...(options.onDeleted && { onDone: options.onDeleted }),
  })
  const copy = useAction(duplicateScenario, {
    done: 'duplicated',
    areas,
    onDone: ({ action }) => void navigate({ to: paths.scenario(action.id) }),
  })
  return { enable, stop, remove, copy }
}
