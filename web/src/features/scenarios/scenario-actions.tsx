import { ApiError } from '@okaeri/contract/client'
import {
  dropBraked,
  dropFailedEntries,
  enterSegment,
  releaseBrake,
  retryFailedEntries,
} from '@okaeri/contract/scenarios/entering-routes'
import { playFailedOnes, resolveFailedOnes, sendLateOnes, skipLateOnes } from '@okaeri/contract/scenarios/execution'
import {
  deleteScenario,
  duplicateScenario,
  enableScenario,
  getScenario,
  stopScenario,
} from '@okaeri/contract/scenarios/routes'
import { type Scenario, scenarioAllows, type ScenarioVerb } from '@okaeri/contract/scenarios/scenario'
import { getSegment, getTargetCounts } from '@okaeri/contract/segments/routes'
import {
  IconCopy,
  IconPencil,
  IconPlayerPlay,
  IconPlayerStop,
  IconPlayerTrackNext,
  IconTrash,
  IconUsersGroup,
} from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { call } from '../../api/call.ts'
import { queryOf, refresh } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { currentLanguage, useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { useErrorText } from '../../app/reasons.ts'
import type { Action } from '../../ui/actions.tsx'
import { confirm, confirmDelete, showInUse } from '../../ui/confirm.tsx'
import { toast } from '../../ui/toast.ts'
import { useAction } from '../../ui/use-action.ts'
import { useSegmentUses } from '../segments/segment-removal.ts'
import { useCounted } from './counted.ts'
import { askToEnable } from './enable-dialog.tsx'

const icon = { size: 17, 'aria-hidden': true } as const
/** What a scenario changes besides scenarios: what its mails and segments are used by, the figures. */
const areas = ['emails', 'segments', 'reports']

const tellFailed = (error: unknown): null => {
  toast.failed(error)
  return null
}

export type ScenarioAction =
  | 'edit'
  | 'enable'
  | 'stop'
  | 'duplicate'
  | 'delete'
  | 'enterSegment'
  | 'release'
  | 'drop'
  | 'sendLate'
  | 'skipLate'
  | 'playFailed'
  | 'resolveFailed'
  | 'retryEntries'
  | 'dropEntries'

interface Options {
  /** The page is about nothing any more. */
  onDeleted?: () => void
  /** Enabling was refused because something is missing: the page says what. */
  onIncomplete?: () => void
  onEnabled?: () => void
}

/** Everything that can be done to a scenario; what its status forbids says why. */
export function useScenarioActions(options: Options = {}) {
  const t = useWords('scenarios')
  const format = useFormat()
  const errorText = useErrorText()
  const navigate = useNavigate()
  const { mayChange, setting } = useMerchant()
  const client = useQueryClient()
  const usesOf = useSegmentUses()
  const { inWords } = useCounted()

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
  const release = useAction(releaseBrake, { done: { message: t('done.released') } })
  const drop = useAction(dropBraked, { done: { message: t('done.dropped') } })
  const sendLate = useAction(sendLateOnes, { done: { message: t('done.lateSent') } })
  const skipLate = useAction(skipLateOnes, { done: { message: t('done.lateSkipped') } })
  const playFailed = useAction(playFailedOnes, { done: { message: t('done.failedPlayed') } })
  const resolveFailed = useAction(resolveFailedOnes, { done: { message: t('done.failedResolved') } })
  const retryEntries = useAction(retryFailedEntries, { done: { message: t('done.entriesRetried') } })
  const dropEntries = useAction(dropFailedEntries, { done: { message: t('done.entriesDropped') } })
  const enter = useAction(enterSegment, {
    onDone: ({ entering }) => toast.done(t('done.entering', { count: entering, n: format.number(entering) })),
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

  const askForSegment = async (scenario: Scenario, segmentId: string) => {
    const params = { id: segmentId }
    const sendToAll = scenario.include_all_customers
    const found = await Promise.all([
      call(getSegment, { params }),
      // Counted anew: who is in it at this moment.
      call(getTargetCounts, { params, query: { send_to_all: String(sendToAll) } }),
    ]).catch(tellFailed)
    if (!found) return
    const [{ customer_segment: segment }, { target_counts: people }] = found
    if (people.total === 0) return toast.error(t('ask.segmentEmpty', { segment: segment.name }))
    const n = format.number
    const notMailable = people.total - people.reachable
    const before = scenario.execution_count
    const sure = await confirm({
      title: t('ask.segmentTitle', { count: people.total, n: n(people.total), name: scenario.name }),
      body: [
        t('ask.segmentBody', { segment: segment.name }),
        notMailable > 0 &&
          t('ask.segmentNotMailable', { count: notMailable, n: n(notMailable), m: n(people.reachable) }),
        before > 0 && t('ask.segmentBefore', inWords(before)),
        setting.test_mode && t('ask.enableTestMode'),
      ]
        .filter(Boolean)
        .join('\n'),
      confirmLabel: t('ask.segmentConfirm'),
    })
    if (sure) enter.mutate({ params: { id: scenario.id }, body: { people_seen: people.total } })
  }

  const askToDelete = async ({ id, name, execution_count }: Scenario) => {
    const found = await client.fetchQuery(queryOf(getScenario, { params: { id } })).catch(tellFailed)
    if (!found) return
    const { used_by } = found
    if (used_by.length > 0) return showInUse(name, usesOf(used_by))
    const sure = await confirmDelete(t('ask.deleteTitle', { name }), {
      ...(execution_count > 0 && { body: t('ask.deleteBody') }),
    })
    if (sure) remove.mutate({ params: { id } })
  }

  return (scenario: Scenario): Record<ScenarioAction, Action> => {
    const { id, name, status, mode, trigger } = scenario
    const params = { id }
    const counted = (count: number) => ({ count, n: format.number(count) })
    const may = (verb: ScenarioVerb, reason: string): string | null =>
      mayChange ? (scenarioAllows(verb, status) ? null : reason) : t('readOnly')
    const changeOnly = mayChange ? null : t('readOnly')
    const ask = (question: Parameters<typeof confirm>[0], then: () => void) => () =>
      void confirm(question).then((sure) => sure && then())
    const held = scenario.running_count
    const waiting = scenario.braked?.waiting ?? 0
    const late = scenario.late_count
    const failed = scenario.failed_count
    const notLetIn = scenario.failed_entries?.count ?? 0
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
        // Where something is missing it is refused, which says what: no question before that.
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
        onClick: ask(
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
        onClick: ask(
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
        busy: enter.isPending,
        disabledReason:
          may('enter_segment', t('forbidden.enterSegment')) ?? (segmentId ? null : t('forbidden.noSegment')),
        onClick: () => {
          if (segmentId) void askForSegment(scenario, segmentId)
        },
      },
      release: {
        label: t('brake.release'),
        icon: <IconPlayerTrackNext {...icon} />,
        busy: release.isPending,
        disabledReason: changeOnly,
        onClick: ask(
          {
            title: t('brake.releaseTitle', counted(waiting)),
            body: t('brake.releaseBody'),
            confirmLabel: t('brake.release'),
          },
          () => release.mutate({ params }),
        ),
      },
      drop: {
        label: t('brake.drop'),
        busy: drop.isPending,
        disabledReason: changeOnly,
        onClick: ask(
          {
            title: t('brake.dropTitle', counted(waiting)),
            body: t('brake.dropBody'),
            confirmLabel: t('brake.drop'),
            danger: true,
            irreversible: true,
          },
          () => drop.mutate({ params }),
        ),
      },
      sendLate: {
        label: t('late.send'),
        icon: <IconPlayerTrackNext {...icon} />,
        busy: sendLate.isPending,
        disabledReason: changeOnly,
        onClick: ask(
          { title: t('late.sendTitle', inWords(late)), body: t('late.sendBody'), confirmLabel: t('late.send') },
          () => sendLate.mutate({ params }),
        ),
      },
      skipLate: {
        label: t('late.skip'),
        busy: skipLate.isPending,
        disabledReason: changeOnly,
        onClick: ask(
          {
            title: t('late.skipTitle', inWords(late)),
            body: t('late.skipBody'),
            confirmLabel: t('late.skip'),
            danger: true,
            irreversible: true,
          },
          () => skipLate.mutate({ params }),
        ),
      },
      playFailed: {
        label: t('failed.play'),
        icon: <IconPlayerTrackNext {...icon} />,
        busy: playFailed.isPending,
        disabledReason: changeOnly,
        onClick: ask(
          { title: t('failed.playTitle', inWords(failed)), body: t('failed.playBody'), confirmLabel: t('failed.play') },
          () => playFailed.mutate({ params }),
        ),
      },
      resolveFailed: {
        label: t('failed.resolve'),
        busy: resolveFailed.isPending,
        disabledReason: changeOnly,
        onClick: ask(
          {
            title: t('failed.resolveTitle', inWords(failed)),
            body: t('failed.resolveBody'),
            confirmLabel: t('failed.resolve'),
            danger: true,
            irreversible: true,
          },
          () => resolveFailed.mutate({ params }),
        ),
      },
      retryEntries: {
        label: t('failedEntries.retry'),
        icon: <IconPlayerTrackNext {...icon} />,
        busy: retryEntries.isPending,
        disabledReason: mayChange ? (status === 'active' ? null : t('failedEntries.notActive')) : t('readOnly'),
        onClick: ask(
          {
            title: t('failedEntries.retryTitle', counted(notLetIn)),
            body: t('failedEntries.retryBody'),
            confirmLabel: t('failedEntries.retry'),
          },
          () => retryEntries.mutate({ params }),
        ),
      },
      dropEntries: {
        label: t('failedEntries.drop'),
        busy: dropEntries.isPending,
        disabledReason: changeOnly,
        onClick: ask(
          {
            title: t('failedEntries.dropTitle', counted(notLetIn)),
            body: t('failedEntries.dropBody'),
            confirmLabel: t('failedEntries.drop'),
            danger: true,
            irreversible: true,
          },
          () => dropEntries.mutate({ params }),
        ),
      },
    }
  }
}
