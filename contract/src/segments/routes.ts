import { z } from 'zod'
import { Customer } from '../customers/customer.ts'
import { endpoint } from '../endpoint.ts'
import { IdParams } from '../fields.ts'
import { Locale } from '../locale.ts'
import { PageQuery, pageOf } from '../paging.ts'
import { Condition } from './condition.ts'
import {
  RemoteSegments,
  Segment,
  SegmentMember,
  SegmentName,
  SegmentOrigin,
  SegmentUse,
  TargetCounts,
} from './segment.ts'

const area = 'segments'

export const listSegments = endpoint('GET', '/customer_segments', {
  area,
  summary: 'Segments, newest first',
  access: 'member',
  query: PageQuery.extend({
    q: z.string().max(200, 'too_long').optional(),
    origin: SegmentOrigin.optional(),
    status: z.enum(['calculating', 'ready', 'failed']).optional(),
    sort: z.enum(['created_at', 'updated_at', 'name', 'customer_count']).default('created_at'),
    direction: z.enum(['asc', 'desc']).default('desc'),
  }),
  reply: pageOf(Segment),
})

export const createSegment = endpoint('POST', '/customer_segments', {
  area,
  summary: 'Make a segment; its members are found at once. Without a name it is called by the time',
  access: 'marketer',
  status: 201,
  body: z.strictObject({ name: SegmentName.optional(), conditions: Condition }),
  reply: z.object({ customer_segment: Segment }),
})

export const getSegment = endpoint('GET', '/customer_segments/{id}', {
  area,
  summary: 'One segment, and what uses it',
  access: 'member',
  params: IdParams,
  reply: z.object({
    customer_segment: Segment,
    used_by: z.array(SegmentUse),
  }),
})

export const changeSegment = endpoint('PUT', '/customer_segments/{id}', {
  area,
  summary: 'Change a segment; campaigns already reserved keep their audience',
  access: 'marketer',
  params: IdParams,
  body: z.strictObject({ name: SegmentName.optional(), conditions: Condition.optional() }),
  reply: z.object({ customer_segment: Segment }),
})

export const deleteSegment = endpoint('DELETE', '/customer_segments/{id}', {
  area,
  summary: 'Delete a segment that no draft or reserved campaign and no other segment uses',
  access: 'marketer',
  params: IdParams,
  status: 204,
  replyKind: 'empty',
})

export const recountSegment = endpoint('POST', '/customer_segments/{id}/refetch', {
  area,
  summary: 'Find the members again; of a remote segment, fetch them again. `force` also while that is under way',
  access: 'marketer',
  params: IdParams,
  body: z.strictObject({ force: z.boolean().default(false) }).default({ force: false }),
  status: 202,
  reply: z.object({ customer_segment: Segment }),
})

export const getTargetCounts = endpoint('GET', '/customer_segments/{id}/target_counts', {
  area,
  summary: 'How many of the segment could be mailed now, and who could not',
  access: 'member',
  params: IdParams,
  query: z.object({ send_to_all: z.stringbool().default(false) }),
  reply: z.object({ target_counts: TargetCounts }),
})

/** Not in the specification's list: the live count while editing, and the customers behind a segment. */
export const previewConditions = endpoint('POST', '/customer_segments/preview', {
  area,
  summary: 'Count unsaved conditions, with the first customers they choose',
  access: 'member',
  body: z.strictObject({ conditions: Condition }),
  reply: z.object({ target_counts: TargetCounts, customers: z.array(Customer) }),
})
/** The direction, and the id after which it begins. */
const MembersCursor = z.string().regex(/^(end|[np]_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/, 'invalid')

export const listSegmentCustomers = endpoint('GET', '/customer_segments/{id}/customers', {
  area,
  summary: 'The members of the segment as last brought up to date, the latest known customers first',
  access: 'member',
  params: IdParams,
  query: PageQuery.extend({
    q: z.string().max(200, 'too_long').optional(),
    /** `next` or `prev` of an answer, or `end` for the last page: equally fast at any depth. `offset` is then ignored. */
    cursor: MembersCursor.optional(),
  }),
  reply: pageOf(SegmentMember).extend({
    /** False if a search finds more than are counted; `total` is then a lower bound. */
    total_exact: z.boolean(),
    next: z.string().nullable(),
    prev: z.string().nullable(),
  }),
})

export const downloadSegmentMembers = endpoint('GET', '/customer_segments/{id}/download', {
  area,
  summary: 'CSV of the members of the segment',
  access: 'member',
  params: IdParams,
  /** The language of the header row; by default the browser's. */
  query: z.object({ lang: Locale.optional() }),
  replyKind: 'file',
  mediaTypes: ['text/csv'],
})

/** The list of remote segments: taken over at each sync, and on request. */
export const getRemoteSegments = endpoint('GET', '/customer_segments/remote', {
  area,
  summary: 'When the list of the store’s own segments was last taken over, and whether that is under way',
  access: 'member',
  reply: z.object({ remote_segments: RemoteSegments }),
})
export const resyncRemoteSegments = endpoint('POST', '/customer_segments/remote/refetch', {
  area,
  summary: 'Take over the list of the store’s own segments again; `force` also while that is under way',
  access: 'marketer',
  body: z.strictObject({ force: z.boolean().default(false) }).default({ force: false }),
  status: 202,
  reply: z.object({ remote_segments: RemoteSegments }),
})
