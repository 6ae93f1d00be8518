import { z } from 'zod'
import { SuppressionReason } from '../customers/customer.ts'

/** An address no mail goes to, or went to until it was lifted. */
export const Suppression = z
  .object({
    id: z.uuid(),
    channel: z.enum(['email', 'line']),
    address: z.string(),
    reason: SuppressionReason,
    /** A note in words. */
    detail: z.string().nullable(),
    /** What shows it: the receiving server's own answer. */
    proof: z.string().nullable(),
    /** The member who put it there; null: the product did. */
    added_by: z.string().nullable(),
    created_at: z.iso.datetime(),
    /** Null: in force. */
    lifted_at: z.iso.datetime().nullable(),
    lifted_by: z.string().nullable(),
    lift_reason: z.string().nullable(),
    /** One of those who have this address now. */
    customer_id: z.uuid().nullable(),
    customer_name: z.string().nullable(),
  })
  .meta({ id: 'Suppression' })
export type Suppression = z.output<typeof Suppression>
