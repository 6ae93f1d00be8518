import { z } from 'zod'
import { Customer } from '../customers/customer.ts'
import { nameLine } from '../fields.ts'
import { Condition } from './condition.ts'

/** Limits per merchant, without remote segments: their number, and the size of all conditions together. */
export const MAX_OWN_SEGMENTS = 500
export const MAX_CONDITION_BYTES = 10 * 1024 * 1024

export const SegmentName = nameLine(100)

/** Spec §6: the name of a segment created without one; `dateTime` in the merchant's zone. */
export const defaultSegmentName = (dateTime: string): string => `new segment_${dateTime}`

export const SegmentOrigin = z.enum(['own', 'remote'])
export type SegmentOrigin = z.output<typeof SegmentOrigin>

/** Why the last calculation or fetch failed. */
export const segmentFailures = [
  /** The conditions name something that was deleted. */
  'conditions_unusable',
  'too_slow',
  'store_not_connected',
  'store_unreachable',
  /** The store platform refused to evaluate its own segment. */
  'store_refused',
  'internal',
] as const
export const SegmentFailure = z.enum(segmentFailures)
export type SegmentFailure = z.output<typeof SegmentFailure>

/** Data of a remote segment, besides its members here. */
export const RemoteSegment = z
  .object({
    store_segment_id: z.string(),
    /** The query in the platform's language, shown unchanged. */
    query: z.string(),
    /** The platform's count, and its time. Null before the first fetch. */
    store_count: z.int().nullable(),
    store_counted_at: z.iso.datetime().nullable(),
    /** Members on the platform that are unknown here. */
    unknown_count: z.int(),
    /** The platform's ids of the first few of these. */
    unknown_ids: z.array(z.string()),
    /** While members are being fetched; `total` is null until the platform has counted. */
    progress: z.object({ fetched: z.int(), total: z.int().nullable() }).nullable(),
  })
  .meta({ id: 'RemoteSegment' })
export type RemoteSegment = z.output<typeof RemoteSegment>

export const Segment = z
  .object({
    id: z.uuid(),
    name: z.string(),
    /** `remote` segments come from the store platform and cannot be edited here. */
    origin: SegmentOrigin,
    conditions: Condition.nullable(),
    status: z.enum(['calculating', 'ready', 'failed']),
    /** With `failed`; null otherwise. */
    failure: SegmentFailure.nullable(),
    customer_count: z.int().nullable(),
    /** The share of all customers, 0–100 with one decimal. */
    customer_percentage: z.number().nullable(),
    /** When the count last changed or was confirmed. */
    counted_at: z.iso.datetime().nullable(),
    /** When the stored members were last updated; null before the first calculation. */
    members_at: z.iso.datetime().nullable(),
    /** All changes of customers and of the day are processed. For a remote segment: fetched, and no fetch is in progress. */
    up_to_date: z.boolean(),
    remote: RemoteSegment.nullable(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'CustomerSegment' })
export type Segment = z.output<typeof Segment>

/** A use that prevents deleting a segment. */
export const SegmentUse = z
  .object({
    type: z.enum(['campaign', 'scenario', 'segment', 'rich_menu', 'email', 'email_component']),
    id: z.uuid(),
    name: z.string(),
    status: z.string(),
  })
  .meta({ id: 'SegmentUse' })
export type SegmentUse = z.output<typeof SegmentUse>

/** The list of remote segments as a whole. */
export const RemoteSegments = z
  .object({
    /** `unavailable`: no store is connected. */
    status: z.enum(['unavailable', 'waiting', 'listing', 'ready', 'failed']),
    failure: SegmentFailure.nullable(),
    listed_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'RemoteSegments' })
export type RemoteSegments = z.output<typeof RemoteSegments>

/** How many of a segment could be mailed now, and how many not, by reason. */
export const TargetCounts = z
  .object({
    /** Customers that match. */
    total: z.int(),
    /** Those with a mail address. */
    with_address: z.int(),
    /** Those with marketing consent, reachable or not. */
    with_consent: z.int(),
    /** Those who would get a marketing mail now. */
    reachable: z.int(),
    /** Friends of the merchant's LINE account. */
    reachable_by_line: z.int(),
    no_consent: z.int(),
    /** Asked for no marketing for a while. */
    paused: z.int(),
    no_address: z.int(),
    suppressed: z.int(),
    duplicate_address: z.int(),
    customer_percentage: z.number(),
  })
  .meta({ id: 'TargetCounts' })
export type TargetCounts = z.output<typeof TargetCounts>

/** A customer in a segment, and since when. */
export const SegmentMember = Customer.extend({ entered_at: z.iso.datetime() }).meta({ id: 'SegmentMember' })
export type SegmentMember = z.output<typeof SegmentMember>
