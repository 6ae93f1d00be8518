import { z } from 'zod'
import { line } from '../fields.ts'
import { Condition } from './condition.ts'

export const SegmentName = line(1, 100)

export const Segment = z
  .object({
    id: z.uuid(),
    name: z.string(),
    /** `remote` segments come from the store platform and cannot be edited here. */
    origin: z.enum(['own', 'remote']),
    conditions: Condition.nullable(),
    status: z.enum(['calculating', 'ready', 'failed']),
    customer_count: z.int().nullable(),
    /** Of all customers, 0–100 with one decimal. */
    customer_percentage: z.number().nullable(),
    counted_at: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'CustomerSegment' })
export type Segment = z.output<typeof Segment>

/** How many of a segment could be mailed now, and who could not. */
export const TargetCounts = z
  .object({
    /** Customers the conditions choose. */
    total: z.int(),
    /** Of them: would get a marketing mail now. */
    reachable: z.int(),
    no_consent: z.int(),
    no_address: z.int(),
    suppressed: z.int(),
    duplicate_address: z.int(),
    customer_percentage: z.number(),
  })
  .meta({ id: 'TargetCounts' })
export type TargetCounts = z.output<typeof TargetCounts>
