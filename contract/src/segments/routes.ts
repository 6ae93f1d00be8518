import { z } from 'zod'
import { Customer } from '../customers/customer.ts'
import { endpoint } from '../endpoint.ts'
import { IdParams } from '../fields.ts'
import { PageQuery, pageOf } from '../paging.ts'
import { Condition } from './condition.ts'
import { Segment, SegmentName, TargetCounts } from './segment.ts'

const area = 'segments'

export const listSegments = endpoint('GET', '/customer_segments', {
  area,
  summary: 'Segments, newest first',
  access: 'member',
  query: PageQuery.extend({
    q: z.string().max(200, 'too_long').optional(),
    sort: z.enum(['created_at', 'name', 'customer_count']).default('created_at'),
    direction: z.enum(['asc', 'desc']).default('desc'),
  }),
  reply: pageOf(Segment),
})

export const createSegment = endpoint('POST', '/customer_segments', {
  area,
  summary: 'Make a segment; it is counted at once',
  access: 'marketer',
  status: 201,
  body: z.strictObject({ name: SegmentName, conditions: Condition }),
  reply: z.object({ customer_segment: Segment }),
})

export const getSegment = endpoint('GET', '/customer_segments/{id}', {
  area,
  summary: 'One segment, and what uses it',
  access: 'member',
  params: IdParams,
  reply: z.object({
    customer_segment: Segment,
    used_by: z.array(z.object({ type: z.literal('campaign'), id: z.uuid(), name: z.string(), status: z.string() })),
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
  summary: 'Delete a segment that no draft or reserved campaign uses',
  access: 'marketer',
  params: IdParams,
  status: 204,
  replyKind: 'empty',
})

export const recountSegment = endpoint('POST', '/customer_segments/{id}/refetch', {
  area,
  summary: 'Count again; `force` also when a count is under way',
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
export const listSegmentCustomers = endpoint('GET', '/customer_segments/{id}/customers', {
  area,
  summary: 'The customers the segment chooses now',
  access: 'member',
  params: IdParams,
  query: PageQuery.extend({ q: z.string().max(200, 'too_long').optional() }),
  reply: pageOf(Customer),
})
