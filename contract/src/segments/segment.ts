import { z } from 'zod'
import { Customer } from '../customers/customer.ts'
import { line } from '../fields.ts'
import { Condition } from './condition.ts'

/** What is seen of a text: blanks of other scripts (Hangul's, Braille's) count as letters and signs. */
const SEEN = /[\p{L}\p{N}\p{P}\p{S}]/u
const BLANKS = /[\u115f\u1160\u3164\uffa0\u2800]/g

/** Of one merchant, those of the store platform aside, and how large their conditions may be together. */
export const MAX_OWN_SEGMENTS = 500
export const MAX_CONDITION_BYTES = 10 * 1024 * 1024

/** Lists link to a segment by its name: a name of invisible characters would be no link. */
export const SegmentName = line(1, 100).refine((name) => name === '' || SEEN.test(name.replace(BLANKS, '')), 'required')

/** Spec §6: the name of a segment made without one; `dateTime` as the merchant's clock shows it. */
export const defaultSegmentName = (dateTime: string): string => `new segment_${dateTime}`

export const SegmentOrigin = z.enum(['own', 'remote'])
export type SegmentOrigin = z.output<typeof SegmentOrigin>

/** Why the last calculation or fetch came to nothing. */
export const segmentFailures = [
  /** The conditions name something that was deleted. */
  'conditions_unusable',
  'too_slow',
  'store_not_connected',
  'store_unreachable',
  /** The store platform would not evaluate its own segment. */
  'store_refused',
  'internal',
] as const
export const SegmentFailure = z.enum(segmentFailures)
export type SegmentFailure = z.output<typeof SegmentFailure>

/** What is known of a segment of the store platform beyond its members here. */
export const RemoteSegment = z
  .object({
    store_segment_id: z.string(),
    /** The segment in the platform's own query language, to be shown as it is. */
    query: z.string(),
    /** How many customers the platform counts, and when it was asked. Null before the first fetch. */
    store_count: z.int().nullable(),
    store_counted_at: z.iso.datetime().nullable(),
    /** Members the platform named that are not among the customers here. */
    unknown_count: z.int(),
    /** Of these, the platform's ids of the first few. */
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
    /** Of all customers, 0–100 with one decimal. */
    customer_percentage: z.number().nullable(),
    /** When the count last changed or was confirmed. */
    counted_at: z.iso.datetime().nullable(),
    /** When the kept members were last brought up to date; null before the first calculation. */
    members_at: z.iso.datetime().nullable(),
    /** No change to a customer, and no turn of the day, waits to be looked at. Of a remote segment: fetched, and none is under way. */
    up_to_date: z.boolean(),
    remote: RemoteSegment.nullable(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'CustomerSegment' })
export type Segment = z.output<typeof Segment>

/** What would be broken by deleting a segment. */
export const SegmentUse = z
  .object({
    type: z.enum(['campaign', 'scenario', 'segment', 'rich_menu']),
    id: z.uuid(),
    name: z.string(),
    status: z.string(),
  })
  .meta({ id: 'SegmentUse' })
export type SegmentUse = z.output<typeof SegmentUse>

/** The list of the store platform's segments, as a whole. */
export const RemoteSegments = z
  .object({
    /** `unavailable`: no store is connected. */
    status: z.enum(['unavailable', 'waiting', 'listing', 'ready', 'failed']),
    failure: SegmentFailure.nullable(),
    listed_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'RemoteSegments' })
export type RemoteSegments = z.output<typeof RemoteSegments>

/** How many of a segment could be mailed now, and who could not. */
export const TargetCounts = z
  .object({
    /** Customers the conditions choose. */
    total: z.int(),
    /** Of them: have a mail address. */
    with_address: z.int(),
    /** Of them: have permitted marketing, reachable or not. */
    with_consent: z.int(),
    /** Of them: would get a marketing mail now. */
    reachable: z.int(),
    /** Of them: are friends of the merchant's LINE account. */
    reachable_by_line: z.int(),
    no_consent: z.int(),
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
