import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { IdParams } from '../fields.ts'
import { Locale } from '../locale.ts'

const area = 'reports'

/** All others together: domains at which few people are, and people who were forgotten. */
export const OTHERS = 'others'

/** Rates in percent: of refused mails, of those that were tried; else of those that were sent. */
const Rates = z.object({
  refused_rate: z.number(),
  hard_rate: z.number(),
  complaint_rate: z.number(),
  open_rate: z.number(),
  click_rate: z.number(),
})

/** What a mail server said when it refused mails, without addresses and names. */
const Answer = z.object({ words: z.string(), count: z.int(), at: z.iso.datetime() })

/** What came of the mails that one operator takes (or one domain, where at least fifty people of a campaign are there). */
export const ReceiverFigures = Rates.extend({
  /** A key of `emails/receivers`, a domain, or `others`. */
  receiver: z.string(),
  sent: z.int(),
  /** Waiting or being sent. */
  waiting: z.int(),
  /** Not taken by the receiving server. Of these, `refused_hard` because there is no such address; they count as bounced too. */
  refused: z.int(),
  refused_hard: z.int(),
  /** Not handed over for a reason of ours: settings, limits, content. */
  failed: z.int(),
  uncertain: z.int(),
  /** Addresses that do not exist, said at once or by a mail that came back. */
  bounced_hard: z.int(),
  /** Not this time, or mailbox full. */
  bounced_soft: z.int(),
  /** Came back because of the sender or the mail. */
  bounced_blocked: z.int(),
  complained: z.int(),
  /** By people. */
  opened: z.int(),
  clicked: z.int(),
  first_sent_at: z.iso.datetime().nullable(),
  last_sent_at: z.iso.datetime().nullable(),
  /** Mails handed over in the fastest minute. */
  peak_per_minute: z.int(),
  /** The last ones, the newest first. Of `others` the codes alone. */
  answers: z.array(Answer),
}).meta({ id: 'ReceiverFigures' })
export type ReceiverFigures = z.output<typeof ReceiverFigures>

export const CampaignReceivers = z.object({
  /** The largest first, `others` last. */
  receivers: z.array(ReceiverFigures),
  counted_at: z.iso.datetime(),
})
export type CampaignReceivers = z.output<typeof CampaignReceivers>

export const getCampaignReceivers = endpoint('GET', '/reports/{id}/receivers', {
  area,
  summary: 'What came of a campaign’s emails, by who takes them: Gmail, docomo, …',
  access: 'member',
  params: IdParams,
  reply: CampaignReceivers,
})

/** The language of the header row; the browser's where none is given. */
const FileQuery = z.object({ lang: Locale.optional() })
export const downloadCampaignReceivers = endpoint('GET', '/reports/{id}/download-receivers', {
  area,
  summary: 'CSV of what came of a campaign’s emails, by who takes them',
  access: 'member',
  params: IdParams,
  query: FileQuery,
  replyKind: 'file',
  mediaTypes: ['text/csv'],
})

export const deliverabilitySpans = [7, 30, 90] as const
const Days = z.coerce
  .number('not_a_number')
  .pipe(z.union([z.literal(7), z.literal(30), z.literal(90)], 'not_allowed'))
  .default(30)

export const hintProblems = ['refused', 'hard', 'complaints', 'unopened'] as const
export type HintProblem = (typeof hintProblems)[number]

/** Where it goes worse than elsewhere, or than usual there. */
export const ReceiverHint = z
  .object({
    receiver: z.string(),
    problem: z.enum(hintProblems),
    /** Since then. */
    rate: z.number(),
    /** The same figure of all other receivers in the same days; for `unopened`, what is usual there. */
    compared: z.number(),
    /** The local day it began. */
    since: z.iso.date(),
  })
  .meta({ id: 'ReceiverHint' })
export type ReceiverHint = z.output<typeof ReceiverHint>

/** Complaints for each hundred delivered mails, of a run of days. */
const Complaints = z.object({ delivered: z.int(), complained: z.int(), rate: z.number() })
export const ComplaintPoint = Complaints.extend({ at: z.string() }).meta({ id: 'ComplaintPoint' })
export type ComplaintPoint = z.output<typeof ComplaintPoint>

export const Deliverability = z.object({
  days: z.int(),
  /** Local days, both included. */
  from: z.iso.date(),
  to: z.iso.date(),
  timezone: z.string(),
  /** The largest first, `others` last. `usual`: of the ninety days before; null where they say too little. */
  receivers: z.array(ReceiverFigures.extend({ usual: Rates.nullable() })),
  total: ReceiverFigures,
  hints: z.array(ReceiverHint),
  complaints: z.object({
    unit: z.enum(['day', 'week']),
    series: z.array(ComplaintPoint),
    /** The last seven days; `few`: too little was sent to say anything. */
    recent: Complaints.extend({ level: z.enum(['none', 'few', 'high', 'over']) }),
  }),
  /** When the mails by receiver were last counted; null before the first time. */
  counted_at: z.iso.datetime().nullable(),
})
export type Deliverability = z.output<typeof Deliverability>

export const getDeliverability = endpoint('GET', '/deliverability', {
  area,
  summary:
    'What came of all emails of the last days by who takes them, and complaints against the limits of mailbox providers',
  access: 'member',
  query: z.object({ days: Days }),
  reply: Deliverability,
})

export const downloadDeliverability = endpoint('GET', '/deliverability/download', {
  area,
  summary: 'CSV of what came of all emails of the last days, by day and who takes them',
  access: 'member',
  query: FileQuery.extend({ days: Days }),
  replyKind: 'file',
  mediaTypes: ['text/csv'],
})
