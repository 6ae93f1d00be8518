import { complaintRate } from '@okaeri/contract/deliverability/complaints'
import { OTHERS, type ReceiverFigures } from '@okaeri/contract/deliverability/routes'
import { rate } from '../stats/index.ts'
import { joinAnswers } from './answers.ts'
import type { Answer } from './queries.ts'
import { type Counts, counts, type ReceiverRow } from './receiver-sql.ts'

/** More are not looked at one by one: what is small stands under the others. A file has all. */
export const MOST_SHOWN = 15

/** Counts of a receiver, or of several together. */
export interface ReceiverSum extends ReceiverRow {
  answers: readonly Answer[]
}

export const noCounts = (receiver: string): ReceiverSum => ({
  ...(Object.fromEntries(counts.map((count) => [count, 0])) as Counts),
  receiver,
  first_sent_at: null,
  last_sent_at: null,
  peak_per_minute: 0,
  answers: [],
})

const earlier = (a: Date | null, b: Date | null): Date | null => (a === null || (b !== null && b < a) ? b : a)
const later = (a: Date | null, b: Date | null): Date | null => (a === null || (b !== null && b > a) ? b : a)

export function sumOf(receiver: string, rows: readonly ReceiverSum[]): ReceiverSum {
  const sum = noCounts(receiver)
  for (const row of rows) {
    for (const count of counts) sum[count] += row[count]
    sum.first_sent_at = earlier(sum.first_sent_at, row.first_sent_at)
    sum.last_sent_at = later(sum.last_sent_at, row.last_sent_at)
    // Not in the same minute, so not their sum.
    sum.peak_per_minute = Math.max(sum.peak_per_minute, row.peak_per_minute)
  }
  sum.answers = joinAnswers(rows.flatMap(({ answers }) => answers))
  return sum
}

/** Those that came back after they had been taken did not arrive. */
export const deliveredOf = (of: Counts): number =>
  Math.max(0, of.sent - (of.bounced_hard - of.refused_hard) - of.bounced_soft - of.bounced_blocked)

export const triedOf = (of: Counts): number => of.sent + of.refused

export const ratesOf = (of: Counts) => ({
  refused_rate: rate(of.refused, triedOf(of)),
  hard_rate: rate(of.bounced_hard, triedOf(of)),
  complaint_rate: complaintRate(of.complained, deliveredOf(of)),
  open_rate: rate(of.opened, of.sent),
  click_rate: rate(of.clicked, of.sent),
})

export const presentReceiver = ({ first_sent_at, last_sent_at, answers, ...row }: ReceiverSum): ReceiverFigures => ({
  ...row,
  ...ratesOf(row),
  first_sent_at: first_sent_at?.toISOString() ?? null,
  last_sent_at: last_sent_at?.toISOString() ?? null,
  answers: [...answers],
})

/** Receivers with the most mails first, the others last; beyond {@link MOST_SHOWN} the small ones are among the others. */
export function ranked(rows: readonly ReceiverSum[], most = MOST_SHOWN): ReceiverSum[] {
  const size = (of: ReceiverSum): number => of.sent + of.refused + of.failed + of.waiting + of.uncertain
  const named = rows
    .filter(({ receiver }) => receiver !== OTHERS)
    .toSorted((a, b) => size(b) - size(a) || a.receiver.localeCompare(b.receiver))
  const rest = [...rows.filter(({ receiver }) => receiver === OTHERS), ...named.slice(most)]
  return [...named.slice(0, most), ...(rest.length > 0 ? [sumOf(OTHERS, rest)] : [])]
}
