import { z } from 'zod'
import { EmailSubject } from '../emails/email.ts'

/**
 * An A/B test of a campaign by mail: group A gets the campaign's email, group B another subject or another email, the rest waits and gets the
 * better one. Opens decide nothing: privacy proxies open mails that no one looked at.
 */
export const MIN_SHARE = 10
export const MAX_SHARE = 50
export const MAX_HOURS = 72

export const abMeasures = ['clicks', 'revenue', 'person'] as const
export const AbTest = z
  .strictObject({
    differs: z.enum(['subject', 'email'], 'not_allowed'),
    /** What B has instead, of the two the one that differs; what is missing keeps the campaign from being sent. */
    subject: EmailSubject.nullable(),
    email_id: z.uuid('not_an_id').nullable(),
    /** In percent: so many of the recipients are in the test, half of them in each group. */
    share: z.int('not_a_number').min(MIN_SHARE, 'too_small').max(MAX_SHARE, 'too_big'),
    decides_by: z.enum(abMeasures, 'not_allowed'),
    /** After both groups were sent it. */
    hours: z.int('not_a_number').min(1, 'too_small').max(MAX_HOURS, 'too_big'),
  })
  .meta({ id: 'AbTest' })
export type AbTest = z.output<typeof AbTest>

export const AbChoice = z.enum(['a', 'b'], 'not_allowed')
export type AbChoice = z.output<typeof AbChoice>
export const AbGroup = z.enum(['a', 'b', 'rest'])
export type AbGroup = z.output<typeof AbGroup>

/** The audience is divided into so many parts. Those below the first limit are group A, those below the second group B. */
export const WHOLE_AUDIENCE = 10_000
export const groupBounds = ({ share }: Pick<AbTest, 'share'>): { a: number; b: number } => ({
  a: share * 50,
  b: share * 100,
})

/** How many people are in each group. */
export const AbPeople = z.object({ a: z.int(), b: z.int(), rest: z.int() }).meta({ id: 'AbPeople' })
export type AbPeople = z.output<typeof AbPeople>

/** With fewer in a group one click more or less decides: it is refused. */
export const SMALLEST_GROUP = 10
/** With fewer the difference is likely to be chance (of 500, at a click rate of 3 %, 15 click): it is said before. */
export const ADVISED_GROUP = 500
export const isTooSmall = ({ a, b, rest }: AbPeople): boolean => Math.min(a, b) < SMALLEST_GROUP || rest === 0
export const isSmall = ({ a, b }: AbPeople): boolean => Math.min(a, b) < ADVISED_GROUP

/** What a group did when it was looked at. Money in minor units of the merchant's currency. */
const AbFigures = z.object({ sent: z.int(), clicks: z.int(), orders: z.int(), revenue: z.int() })
export type AbFigures = z.output<typeof AbFigures>
export const AbCompared = z.object({ a: AbFigures, b: AbFigures })
export type AbCompared = z.output<typeof AbCompared>

/** `more`: the winner had more for each mail sent. `tie`: both the same. `nothing`: neither had any. `person`: a member chose. */
export const abReasons = ['more', 'tie', 'nothing', 'person'] as const
export const AbResult = z
  .object({
    winner: AbChoice,
    why: z.enum(abReasons),
    decided_at: z.iso.datetime(),
    /** Who chose, where a member did. */
    by: z.string().nullable(),
    /** What was known then. */
    figures: AbCompared,
  })
  .meta({ id: 'AbResult' })
export type AbResult = z.output<typeof AbResult>

/** Which of the two had more for each mail sent. Where that cannot be said it is A, as the review says before. */
export function winnerOf(
  { a, b }: AbCompared,
  measure: 'clicks' | 'revenue',
): { winner: AbChoice; why: 'more' | 'tie' | 'nothing' } {
  // Compared without dividing: a[m] / a.sent against b[m] / b.sent. In sums of money it is more than a number holds.
  const ofA = BigInt(a[measure]) * BigInt(Math.max(1, b.sent))
  const ofB = BigInt(b[measure]) * BigInt(Math.max(1, a.sent))
  if (ofA === ofB) return { winner: 'a', why: a[measure] === 0 ? 'nothing' : 'tie' }
  return { winner: ofA > ofB ? 'a' : 'b', why: 'more' }
}

/**
 * How far it is. `planned`: nothing was sent yet. `sending`: to the groups. `testing`: until `decides_at`. `asks`: a person decides.
 * `ended`: without a winner, because the rest was stopped or no one was left.
 */
export const AbPhase = z.enum(['planned', 'sending', 'testing', 'asks', 'decided', 'ended'])
export type AbPhase = z.output<typeof AbPhase>
