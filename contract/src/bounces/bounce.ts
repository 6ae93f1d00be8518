import { z } from 'zod'
import { Suppression } from '../consent/suppression.ts'

/** What a mail that came back says. The words are in `web`. */
export const BounceKind = z.enum(['hard', 'soft', 'full', 'blocked', 'complaint'])
export type BounceKind = z.output<typeof BounceKind>

/** A mail to this address that came back, or that the person reported as spam, with its proof. */
export const Bounce = z
  .object({
    id: z.uuid(),
    delivery_id: z.uuid(),
    kind: BounceKind,
    /** "No such user", as a carrier says it of filtered mail too. */
    doubted: z.boolean(),
    /** `refused`: while it was handed over; the others are how it came back. */
    way: z.enum(['refused', 'smtp', 'imap', 'ses', 'sendgrid']),
    /** The enhanced status code (RFC 3463). */
    status: z.string().nullable(),
    /** The server that answered. */
    server: z.string().nullable(),
    /** Its words, in one line. */
    diagnostic: z.string().nullable(),
    /** The report itself, shortened. */
    evidence: z.string().nullable(),
    at: z.iso.datetime(),
  })
  .meta({ id: 'Bounce' })
export type Bounce = z.output<typeof Bounce>

export const CustomerBounces = z
  .object({
    /** In force for the customer's address. */
    suppression: Suppression.nullable(),
    /** The newest first, twenty at most. */
    bounces: z.array(Bounce),
  })
  .meta({ id: 'CustomerBounces' })
export type CustomerBounces = z.output<typeof CustomerBounces>
