import { EndReason } from '@okaeri/contract/scenarios/execution'
import type { NodeCounts } from '@okaeri/contract/scenarios/scenario'
import { useWords } from '../../app/i18n.ts'
import { useReasonText } from '../deliveries/delivery-words.ts'
import { useCounted } from './counted.ts'

/** Something that happened to so many at a step, with its reasons in words. */
export interface OutcomeInWords {
  total: number
  lines: string[]
}

/** Whom the mail of a step was not sent to, and who ended at it, each reason with how many. */
export function useOutcomes(): (counts: NodeCounts) => { skipped: OutcomeInWords; ended: OutcomeInWords } {
  const t = useWords('scenarios')
  const reasonText = useReasonText()
  const { inWords } = useCounted()
  const endText = (reason: string): string => {
    const known = EndReason.safeParse(reason)
    return known.success ? t(`execution.end.${known.data}`) : reason
  }
  const told = (of: NodeCounts['skipped'], text: (reason: string) => string): OutcomeInWords => ({
    total: of.reduce((sum, { count }) => sum + count, 0),
    lines: of.map(({ reason, count }) => t('view.because', { reason: text(reason), n: inWords(count).n })),
  })
  return ({ skipped, ended }) => ({
    skipped: told(skipped, (reason) => reasonText({ status: 'skipped', reason }) ?? reason),
    ended: told(ended, endText),
  })
}
