import { z } from 'zod'
import { DeliveryKind, DeliveryStatus, DeliveryView } from '../deliveries/delivery.ts'
import { endpoint } from '../endpoint.ts'
import { Day, Id, IdParams } from '../fields.ts'
import { LineUserId, MAX_TESTERS } from '../line-friends/friend.ts'
import { Locale, NamedIn } from '../locale.ts'
import { PageQuery, pageOf } from '../paging.ts'
import { ProgramUse } from '../program-use.ts'
import { LineMessage, LineMessageFields, LineMessagePart, LineMessageSummary } from './message.ts'
import { sampleKeys } from './samples.ts'

const area = 'line_messages'
/** JSON of five of the largest messages, escapes included. */
const BODY_LIMIT_BYTES = 4 * 1024 * 1024

/** Whether LINE itself looked at what was saved. */
const CheckedByLine = z.enum(['accepted', 'not_connected', 'away', 'not_asked'])
export type CheckedByLine = z.output<typeof CheckedByLine>
const Saved = z.object({ line_message: LineMessage, checked_by_line: CheckedByLine })

export const listLineMessages = endpoint('GET', '/messages/line', {
  area,
  summary: 'LINE messages, newest first',
  access: 'member',
  query: PageQuery.extend({
    q: z.string().max(200, 'too_long').optional(),
    sort: z.enum(['created_at', 'updated_at', 'name']).default('created_at'),
    direction: z.enum(['asc', 'desc']).default('desc'),
  }),
  reply: pageOf(LineMessageSummary),
})

export const listLineSamples = endpoint('GET', '/messages/line/templates', {
  area,
  summary: 'Ready messages to start from',
  access: 'member',
  query: z.object({ language: Locale.optional() }),
  reply: z.object({
    data: z.array(z.object({ key: z.enum(sampleKeys), name: z.string(), about: z.string(), ...partsOfSample() })),
  }),
})
function partsOfSample() {
  return { messages: z.array(LineMessagePart), quick_replies: LineMessageFields.quick_replies }
}

export const createLineMessage = endpoint('POST', '/messages/line', {
  area,
  summary: 'Write a new LINE message: one to five messages in order, with quick replies below the last',
  access: 'marketer',
  status: 201,
  bodyLimitBytes: BODY_LIMIT_BYTES,
  body: z.strictObject({ ...LineMessageFields, quick_replies: LineMessageFields.quick_replies.default([]) }),
  reply: Saved,
})

export const getLineMessage = endpoint('GET', '/messages/line/{id}', {
  area,
  summary: 'One LINE message, and what uses it',
  access: 'member',
  params: IdParams,
  reply: z.object({ line_message: LineMessage, used_by: z.array(ProgramUse) }),
})

export const changeLineMessage = endpoint('PUT', '/messages/line/{id}', {
  area,
  summary: 'Change a LINE message',
  access: 'marketer',
  params: IdParams,
  bodyLimitBytes: 2 * BODY_LIMIT_BYTES,
  body: z
    .strictObject({
      ...LineMessageFields,
      /** The values the person began from: a field that another member has changed since is refused. Missing fields are not compared. */
      began: z.strictObject(LineMessageFields).partial(),
    })
    .partial(),
  reply: Saved,
})

export const deleteLineMessage = endpoint('DELETE', '/messages/line/{id}', {
  area,
  summary: 'Delete a LINE message that no scenario and no draft or reserved campaign uses',
  access: 'marketer',
  params: IdParams,
  status: 204,
  replyKind: 'empty',
})

export const duplicateLineMessage = endpoint('POST', '/messages/line/{id}/duplicate', {
  area,
  summary: 'A copy under a new name',
  access: 'marketer',
  params: IdParams,
  status: 201,
  body: NamedIn,
  reply: z.object({ line_message: LineMessage }),
})

export const testSendLineMessage = endpoint('POST', '/messages/line/{id}/testsend', {
  area,
  summary: 'Send the LINE message to friends who get test sends',
  access: 'marketer',
  params: IdParams,
  status: 202,
  body: z.strictObject({
    line_user_ids: z.array(LineUserId, 'not_a_list').min(1, 'required').max(MAX_TESTERS, 'too_many'),
    /** The customer whose data fills the tags; null: an example. */
    customer_id: Id.nullable().default(null),
  }),
  reply: z.object({ deliveries: z.array(DeliveryView) }),
})

/** What narrows the history of LINE messages. */
export const LineHistoryFilter = z.object({
  line_message_id: Id.optional(),
  customer_id: Id.optional(),
  kind: DeliveryKind.optional(),
  status: DeliveryStatus.optional(),
  /** In the customer's name, or the name on LINE. */
  q: z.string().max(200, 'too_long').optional(),
  /** Days of the merchant's zone, both included: of sending, or of being written where nothing was sent. */
  from: Day.optional(),
  to: Day.optional(),
})
export type LineHistoryFilter = z.output<typeof LineHistoryFilter>

/** A delivery by LINE, with the name the merchant gave what was sent. */
export const LineDelivery = DeliveryView.extend({
  line_message_name: z.string().nullable(),
  line_message_deleted: z.boolean(),
}).meta({
  id: 'LineDelivery',
})
export type LineDelivery = z.output<typeof LineDelivery>

export const listLineHistories = endpoint('GET', '/messages/line/histories', {
  area,
  summary: 'What was sent by LINE, newest first; a total of 10,000 means at least so many',
  access: 'member',
  query: PageQuery.extend(LineHistoryFilter.shape),
  reply: pageOf(LineDelivery),
})

export const downloadLineHistories = endpoint('GET', '/messages/line/histories/download', {
  area,
  summary: 'The same as a file (CSV)',
  access: 'member',
  query: LineHistoryFilter.extend({
    /** The language of the header row; without it, the browser's. */
    lang: Locale.optional(),
  }),
  replyKind: 'file',
  mediaTypes: ['text/csv'],
})

/** The texts, labels and addresses of one LINE message. */
const MAX_TEXTS = 500

export const previewLineTexts = endpoint('POST', '/messages/line/preview', {
  area,
  summary: 'Texts with content tags as one customer gets them; null: one that cannot be filled in',
  access: 'member',
  bodyLimitBytes: BODY_LIMIT_BYTES,
  body: z.strictObject({
    texts: z.array(z.string('not_a_text').max(20_000, 'too_long')).max(MAX_TEXTS, 'too_many'),
    customer_id: Id.nullable().default(null),
  }),
  reply: z.object({
    texts: z.array(z.object({ text: z.string().nullable(), problem: z.string().nullable() })),
  }),
})
