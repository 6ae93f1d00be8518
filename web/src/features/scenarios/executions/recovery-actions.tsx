import {
  dropWaitingEntries,
  dropFailedEntries,
  releaseEntryLimit,
  retryFailedEntries,
} from '@okaeri/contract/scenarios/entering-routes'
import { playFailedOnes, resolveFailedOnes, sendLateOnes, skipLateOnes } from '@okaeri/contract/scenarios/execution'
import type { Scenario } from '@okaeri/contract/scenarios/scenario'
import { IconPlayerTrackNext } from '@tabler/icons-react'
import { useFormat } from '../../../app/format.ts'
import { useWords } from '../../../app/i18n.ts'
import { useMerchant } from '../../../app/merchant.tsx'
import type { Action } from '../../../ui/actions.tsx'
import { asked } from '../../../ui/confirm.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { useCounted } from '../counted.ts'

export type RecoveryAction =
  | 'release'
  | 'drop'
  | 'sendLate'
  | 'skipLate'
  | 'playFailed'
  | 'resolveFailed'
  | 'retryEntries'
  | 'dropEntries'

/** Retries or gives up what a scenario could not do automatically: entries, late mails, failed executions. */
export function useRecoveryActions() {
  const t = useWords('scenarios')
  const format = useFormat()
  const { mayChange } = useMerchant()
  const { inWords } = useCounted()
  const release = useAction(releaseEntryLimit, { done: { message: t('done.released') } })
  const drop = useAction(dropWaitingEntries, { done: { message: t('done.dropped') } })
  const sendLate = useAction(sendLateOnes, { done: { message: t('done.lateSent') } })
  const skipLate = useAction(skipLateOnes, { done: { message: t('done.lateSkipped') } })
  const playFailed = useAction(playFailedOnes, { done: { message: t('done.failedPlayed') } })
  const resolveFailed = useAction(resolveFailedOnes, { done: { message: t('done.failedResolved') } })
  const retryEntries = useAction(retryFailedEntries, { done: { message: t('done.entriesRetried') } })
  const dropEntries = useAction(dropFailedEntries, { done: { message: t('done.entriesDropped') } })

  return (scenario: Scenario): Record<RecoveryAction, Action> => {
    const params = { id: scenario.id }
    const action = (
      { isPending: busy, mutate }: { isPending: boolean; mutate: (input: { params: { id: string } }) => void },
      label: string,
      question: { title: string; body: string; danger?: boolean; irreversible?: boolean },
    ): Action => ({
      label,
      busy,
      disabledReason: mayChange ? null : t('readOnly'),
      onClick: asked({ ...question, confirmLabel: label }, () => mutate({ params })),
    })
    const continuing: typeof action = (...of) => ({
      ...action(...of),
      icon: <IconPlayerTrackNext size={17} aria-hidden />,
    })
    const giveUp: typeof action = (run, label, question) =>
      action(run, label, { ...question, danger: true, irreversible: true })

    const counted = (count: number) => ({ count, n: format.number(count) })
    const waiting = counted(scenario.braked?.waiting ?? 0)
    const late = inWords(scenario.late_count)
    const failed = inWords(scenario.failed_count)
    const notLetIn = counted(scenario.failed_entries?.count ?? 0)
    const retry = continuing(retryEntries, t('failedEntries.retry'), {
      title: t('failedEntries.retryTitle', notLetIn),
      body: t('failedEntries.retryBody'),
    })
    return {
      release: continuing(release, t('entryLimit.release'), {
        title: t('entryLimit.releaseTitle', waiting),
        body: t('entryLimit.releaseBody'),
      }),
      drop: giveUp(drop, t('entryLimit.drop'), {
        title: t('entryLimit.dropTitle', waiting),
        body: t('entryLimit.dropBody'),
      }),
      sendLate: continuing(sendLate, t('late.send'), { title: t('late.sendTitle', late), body: t('late.sendBody') }),
      skipLate: giveUp(skipLate, t('late.skip'), { title: t('late.skipTitle', late), body: t('late.skipBody') }),
      playFailed: continuing(playFailed, t('failed.play'), {
        title: t('failed.playTitle', failed),
        body: t('failed.playBody'),
      }),
      resolveFailed: giveUp(resolveFailed, t('failed.resolve'), {
        title: t('failed.resolveTitle', failed),
        body: t('failed.resolveBody'),
      }),
      retryEntries:
        mayChange && scenario.status !== 'active' ? { ...retry, disabledReason: t('failedEntries.notActive') } : retry,
      dropEntries: giveUp(dropEntries, t('failedEntries.drop'), {
        title: t('failedEntries.dropTitle', notLetIn),
        body: t('failedEntries.dropBody'),
      }),
    }
  }
}
