import { z } from 'zod'

/** The first group of a large campaign: one in a hundred, but at least enough to judge and never many. */
const SHARE = 0.01
const FEWEST = 100
const MOST = 2_000

export const CanaryFrom = z.int('not_a_number').min(500, 'too_small').max(1_000_000, 'too_big').nullable()
export const CanaryMinutes = z.int('not_a_number').min(5, 'too_small').max(720, 'too_big')

/** How many get it first; null: all get it at once. */
export function canaryPeople(recipients: number, from: number | null): number | null {
  if (from === null || recipients < from) return null
  return Math.min(MOST, Math.max(FEWEST, Math.ceil(recipients * SHARE)))
}

/** What came of the first few. */
export const CanaryResult = z
  .object({
    /** Handed over, or refused. */
    tried: z.int(),
    /** Addresses that do not exist, said at once or by a mail that came back. */
    hard: z.int(),
    /** Refused because of the sender or the mail. */
    blocked: z.int(),
    complaints: z.int(),
    /** Not handed over for another reason. */
    failed: z.int(),
  })
  .meta({ id: 'CanaryResult' })
export type CanaryResult = z.output<typeof CanaryResult>

export function sumResults(results: readonly CanaryResult[]): CanaryResult {
  const sum: CanaryResult = { tried: 0, hard: 0, blocked: 0, complaints: 0, failed: 0 }
  for (const one of results) for (const name of Object.keys(sum) as (keyof CanaryResult)[]) sum[name] += one[name]
  return sum
}

export const canaryProblems = ['hard', 'blocked', 'complaints', 'failed'] as const
export type CanaryProblem = (typeof canaryProblems)[number]

/**
 * Above these shares a mailbox provider begins to distrust a sender: 5 % of addresses that do not exist and 0.3 % of complaints are what
 * Amazon SES, Gmail and Yahoo name. Of few people one more or less says nothing, so there is a least number too.
 */
const limits: Record<CanaryProblem, { share: number; atLeast: number }> = {
  hard: { share: 0.05, atLeast: 5 },
  blocked: { share: 0.1, atLeast: 5 },
  complaints: { share: 0.003, atLeast: 2 },
  failed: { share: 0.2, atLeast: 5 },
}
export const canaryLimit = (problem: CanaryProblem): number => limits[problem].share

/** While a campaign is being sent, fewer say nothing of the rest. */
export const CIRCUIT_BREAKER_MIN_EMAILS = 300

/** What keeps the rest back; empty: it goes on. */
export const problemsOf = (result: CanaryResult): CanaryProblem[] =>
  canaryProblems.filter((problem) => {
    const { share, atLeast } = limits[problem]
    return result[problem] >= atLeast && result[problem] > result.tried * share
  })
