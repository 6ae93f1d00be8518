import { complaintRate, complaintLimits, FEWEST_COMPLAINTS } from '@okaeri/contract/deliverability/complaints'
import { type HintProblem, hintProblems, OTHERS, type ReceiverHint } from '@okaeri/contract/deliverability/routes'
import { rate } from '../stats/index.ts'
import { deliveredOf, triedOf } from './figures.ts'
import { type Counts, counts } from './receiver-sql.ts'

/** What came of the mails of one day that one receiver takes. */
export type ReceiverDay = Counts & { day: string; receiver: string }

/** Days that a judgment looks at; before them is what began earlier. */
export const JUDGED_DAYS = 7
/** A mail needs some days until most people who open it have done so. */
const OPENED_WITHIN_DAYS = 2

interface Rule {
  part: (of: Counts) => number
  whole: (of: Counts) => number
  /** In percent. Below, it is nothing to speak of, whatever others do. */
  least: number
  /** Fewer cases, or of fewer mails, are chance. */
  fewest: { part: number; whole: number }
}
/** The limits of a campaign's first few (contract campaigns/safeguards/canary.ts), of complaints what Gmail and Yahoo name. */
const rules: Record<Exclude<HintProblem, 'unopened'>, Rule> = {
  refused: {
    part: (of) => of.refused - of.refused_hard + of.bounced_blocked,
    whole: triedOf,
    least: 3,
    fewest: { part: 10, whole: 100 },
  },
  hard: { part: (of) => of.bounced_hard, whole: triedOf, least: 5, fewest: { part: 10, whole: 100 } },
  complaints: {
    part: (of) => of.complained,
    whole: deliveredOf,
    least: complaintLimits.high,
    fewest: { part: FEWEST_COMPLAINTS, whole: 300 },
  },
}
/** So much worse than elsewhere is about the receiver; else it is about the mail or the list. */
const TIMES_OTHERS = 2
const FEWEST_A_DAY = 20
/** Opens fell by half, and elsewhere they did not. */
const UNOPENED = { fewest: 300, share: 0.5, others: 0.7 }

function sumOf(days: readonly Counts[]): Counts {
  const sum = Object.fromEntries(counts.map((count) => [count, 0])) as Counts
  for (const day of days) for (const count of counts) sum[count] += day[count]
  return sum
}
const without = (all: Counts, theirs: Counts): Counts =>
  Object.fromEntries(counts.map((count) => [count, all[count] - theirs[count]])) as Counts
const percent = (part: number, whole: number): number => (whole > 0 ? (part / whole) * 100 : 0)

/** The spans a judgment compares. `readable`: as `now`, without the days on which a mail is too young to have been opened. */
interface Spans {
  now: Counts
  readable: Counts
  before: Counts
}
interface When {
  judgedFrom: string
  openedBefore: string
  usualFrom: string
}
const spansOf = (days: readonly ReceiverDay[], { judgedFrom, openedBefore }: When): Spans => ({
  now: sumOf(days.filter(({ day }) => day >= judgedFrom)),
  readable: sumOf(days.filter(({ day }) => day >= judgedFrom && day < openedBefore)),
  before: sumOf(days.filter(({ day }) => day < judgedFrom)),
})

/**
 * Where it goes worse than elsewhere now. `days`: of the days that are judged and of what is usual before them. Pure, so that every case is one line of a
 * test; each day is read a few times, however many receivers there are.
 */
export function judgeReceivers(days: readonly ReceiverDay[], when: When): ReceiverHint[] {
  const known = days.filter(({ day }) => day >= when.usualFrom)
  const all = spansOf(known, when)
  const hints: ReceiverHint[] = []
  for (const [receiver, theirs] of Map.groupBy(known, ({ receiver }) => receiver)) {
    if (receiver === OTHERS) continue
    const own = spansOf(theirs, when)
    const elsewhere: Spans = {
      now: without(all.now, own.now),
      readable: without(all.readable, own.readable),
      before: without(all.before, own.before),
    }
    for (const problem of hintProblems) {
      const found =
        problem === 'unopened'
          ? judgeOpens(own, elsewhere, when.judgedFrom)
          : judgeShare(rules[problem], theirs, own.now, elsewhere.now)
      if (found) hints.push({ receiver, problem, ...found })
    }
  }
  return hints.toSorted((a, b) => hintProblems.indexOf(a.problem) - hintProblems.indexOf(b.problem) || b.rate - a.rate)
}

type Found = Pick<ReceiverHint, 'rate' | 'compared' | 'since'> | null

function judgeShare(rule: Rule, theirs: readonly ReceiverDay[], now: Counts, elsewhere: Counts): Found {
  const [part, whole] = [rule.part(now), rule.whole(now)]
  if (part < rule.fewest.part || whole < rule.fewest.whole) return null
  const compared = percent(rule.part(elsewhere), rule.whole(elsewhere))
  const limit = Math.max(rule.least, compared * TIMES_OTHERS)
  if (percent(part, whole) < limit) return null
  // Back to the day it began: days with little mail say neither.
  let since: string | null = null
  for (const day of theirs.toSorted((a, b) => b.day.localeCompare(a.day))) {
    if (rule.whole(day) < FEWEST_A_DAY && since !== null) continue
    if (percent(rule.part(day), rule.whole(day)) < limit) {
      if (since !== null) break
      continue
    }
    since = day.day
  }
  if (since === null) return null
  const began = since
  const run = sumOf(theirs.filter(({ day }) => day >= began))
  return { ...figures(rule, run, compared), since }
}

function figures(rule: Rule, run: Counts, compared: number): { rate: number; compared: number } {
  if (rule === rules.complaints)
    return { rate: complaintRate(rule.part(run), rule.whole(run)), compared: Math.round(compared * 100) / 100 }
  return { rate: rate(rule.part(run), rule.whole(run)), compared: Math.round(compared * 10) / 10 }
}

function judgeOpens(own: Spans, others: Spans, judgedFrom: string): Found {
  const rateOf = (of: Counts): number => percent(of.opened, of.sent)
  const sizes = [own.readable.sent, own.before.sent, others.readable.sent, others.before.sent]
  if (Math.min(...sizes) < UNOPENED.fewest) return null
  if (rateOf(own.before) === 0 || rateOf(own.readable) >= rateOf(own.before) * UNOPENED.share) return null
  if (rateOf(others.readable) < rateOf(others.before) * UNOPENED.others) return null
  return {
    rate: rate(own.readable.opened, own.readable.sent),
    compared: rate(own.before.opened, own.before.sent),
    since: judgedFrom,
  }
}

export const openedBeforeOf = (daysAgo: (days: number) => string): string => daysAgo(OPENED_WITHIN_DAYS - 1)
