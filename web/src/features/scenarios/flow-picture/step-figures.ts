import { EndReason } from '@okaeri/contract/scenarios/execution-status'
import type { NodeKindName } from '@okaeri/contract/scenarios/node-kinds/index'
import type { NodeCounts } from '@okaeri/contract/scenarios/scenario'
import { useFormat } from '../../../app/format.ts'
import { useWords } from '../../../app/i18n.ts'
import { useReasonText } from '../../deliveries/delivery-words.ts'
import { useCounted } from '../counted.ts'

export interface StepFigure {
  label: string
  value: string
  /** The total. */
  count: number
  /** The reasons, each with its number. */
  reasons: readonly string[]
}

export const isMailStep = (kind: NodeKindName): boolean => kind === 'send_email' || kind === 'send_line'

/** The reactions shown for a sending step: LINE reports no opens. */
export const reactionsOf = (
  kind: NodeKindName,
  { opened, clicked }: Record<'opened' | 'clicked', StepFigure>,
): StepFigure[] => (kind === 'send_line' ? [clicked] : [opened, clicked])

/** The figures of a step with their names. `short`, for a card: few digits, and opens and clicks as shares of what was sent. */
export function useStepFigures(counts: NodeCounts, short?: 'short') {
  const t = useWords('scenarios')
  const format = useFormat()
  const reasonText = useReasonText()
  const { counted, inWords } = useCounted(short)
  const number = short ? format.compact : format.number
  const share = (of: number): string => (counts.sent === 0 ? '—' : format.percent((of / counts.sent) * 100))
  const figure = (label: string, count: number, write: (count: number) => string): StepFigure => ({
    label,
    value: write(count),
    count,
    reasons: [],
  })
  const outcome = (label: string, of: NodeCounts['skipped'], text: (reason: string) => string): StepFigure => ({
    ...figure(
      label,
      of.reduce((sum, { count }) => sum + count, 0),
      counted,
    ),
    reasons: of.map(({ reason, count }) => t('view.because', { reason: text(reason), n: inWords(count).n })),
  })
  const endText = (reason: string): string => {
    const known = EndReason.safeParse(reason)
    return known.success ? t(`execution.end.${known.data}`) : reason
  }
  return {
    entered: figure(t('view.entered'), counts.entered, number),
    waiting: figure(t('view.waiting'), counts.waiting, counted),
    passed: figure(t('view.passed'), counts.passed, number),
    failed: figure(t('view.failed'), counts.failed, counted),
    sent: figure(t('view.sentShort'), counts.sent, number),
    opened: figure(t('view.opened'), counts.opened, short ? share : number),
    clicked: figure(t('view.clicked'), counts.clicked, short ? share : number),
    revenue: figure(t('view.revenue'), counts.revenue.amount, () => format.money(counts.revenue)),
    skipped: outcome(
      t('view.skipped'),
      counts.skipped,
      (reason) => reasonText({ status: 'skipped', reason }) ?? reason,
    ),
    ended: outcome(t('view.ended'), counts.ended, endText),
  }
}
