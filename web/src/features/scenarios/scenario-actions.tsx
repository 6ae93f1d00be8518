import { ApiError } from '@okaeri/contract/client'
import { dropBraked, enterSegment, releaseBrake } from '@okaeri/contract/scenarios/entering-routes'
import { sendLateOnes, skipLateOnes } from '@okaeri/contract/scenarios/execution'
import { deleteScenario, duplicateScenario, enableScenario, stopScenario } from '@okaeri/contract/scenarios/routes'
import { type Scenario, scenarioAllows, type ScenarioVerb } from '@okaeri/contract/scenarios/scenario'
import { getSegment } from '@okaeri/contract/segments/routes'
import {
  IconCopy,
  IconPencil,
  IconPlayerPlay,
  IconPlayerStop,
  IconPlayerTrackNext,
  IconTrash,
  IconUsersGroup,
} from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { call } from '../../api/call.ts'
import { refresh } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { useErrorText } from '../../app/reasons.ts'
import type { Action } from '../../ui/actions.tsx'
import { confirm, confirmDelete } from '../../ui/confirm.tsx'
import { toast } from '../../ui/toast.ts'
import { useAction } from '../../ui/use-action.ts'

const icon = { size: 17, 'aria-hidden': true } as const
/** What a scenario changes besides scenarios: what its mails and segments are used by, the figures. */
const areas = ['emails', 'segments', 'reports']

export type ScenarioDeed =
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
    let segment: { name: string; customer_count: number | null }
    try {
      segment = (await call(getSegment, { params: { id: segmentId } })).customer_segment
    } catch (error) {
      return toast.failed(error)
    }
    const count = segment.customer_count
    if (count === null || count === 0) return toast.error(t('ask.segmentChanged'))
    const sure = await confirm({
      title: t('ask.segmentTitle', { count, n: format.number(count), name: scenario.name }),
      body: t('ask.segmentBody', { segment: segment.name }),
      confirmLabel: t('ask.segmentConfirm'),
    })
    if (sure) enter.mutate({ params: { id: scenario.id }, body: { people_seen: count } })
  }

  return (scenario: Scenario): Record<ScenarioDeed, Action> => {
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
            : ask(
                {
                  title: t('ask.enableTitle', { name }),
                  body: [
                    t('ask.enableBody'),
                    held > 0 && t('ask.enableHeld', counted(held)),
                    setting.test_mode && t('ask.enableTestMode'),
                  ]
                    .filter(Boolean)
                    .join(' '),
                  confirmLabel: t('do.enable'),
                },
                () => enable.mutate(id),
              ),
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
            body: held > 0 ? t('ask.stopBody', counted(held)) : t('ask.stopBodyNone'),
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
          () => copy.mutate({ params }),
        ),
      },
      delete: {
        label: t('do.delete'),
        icon: <IconTrash {...icon} />,
        danger: true,
        disabledReason: may('delete', status === 'active' ? t('forbidden.delete') : t('forbidden.deleted')),
        onClick: () =>
          void confirmDelete(t('ask.deleteTitle', { name }), {
            ...(scenario.execution_count > 0 && { body: t('ask.deleteBody') }),
          }).then((sure) => sure && remove.mutate({ params })),
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
          { title: t('late.sendTitle', counted(late)), body: t('late.sendBody'), confirmLabel: t('late.send') },
          () => sendLate.mutate({ params }),
        ),
      },
      skipLate: {
        label: t('late.skip'),
        busy: skipLate.isPending,
        disabledReason: changeOnly,
        onClick: ask(
          {
            title: t('late.skipTitle', counted(late)),
            body: t('late.skipBody'),
            confirmLabel: t('late.skip'),
            danger: true,
            irreversible: true,
          },
          () => skipLate.mutate({ params }),
        ),
      },
    }
  }
}
