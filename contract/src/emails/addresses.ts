import { z } from 'zod'
import { Locale } from '../locale.ts'

/** What is known of an address that a mail leads to. */
export const addressStates = [
  /** It answers; of a coupon: the store has it. */
  'answers',
  /** There is no such page, or no such code. */
  'gone',
  'no_host',
  /** It was not shown to us: that need not mean anything. */
  'unknown',
  /** It is looked at now. */
  'waits',
  /** It was not looked at yet. */
  'not_checked',
  /** Another address for each recipient, or one of ours: never opened. */
  'never_checked',
] as const
export const addressReasons = [
  'private',
  'port',
  'no_answer',
  'certificate',
  'too_many_redirects',
  'refused',
  'server_error',
  'not_visited',
  'store',
  /** A tag stands in it. */
  'personal',
  'ours',
] as const

export const EmailAddressSeen = z
  .object({
    kind: z.enum(['page', 'picture', 'coupon']),
    /** As written in the mail, tags too; of a coupon the code. */
    written: z.string(),
    /** The languages of the mail that it stands in; absent where the mail has but one. */
    languages: z.array(Locale).optional(),
    /** The variant that `line` and `block` are of; absent: the base. */
    variant: Locale.optional(),
    /** The line of the content as typed, from 1; absent where it was not typed. */
    line: z.int().optional(),
    /** The block of the design it is in. */
    block: z.string().optional(),
    /** How often it stands in the mail. */
    places: z.int(),
    state: z.enum(addressStates),
    reason: z.enum(addressReasons).nullable(),
    /** The HTTP status that came back. */
    status: z.int().nullable(),
    /** Where it led in the end, if that is another address. */
    leads_to: z.string().nullable(),
    size_bytes: z.int().nullable(),
    /** When the coupon ends; null: never, or it is no coupon. */
    ends_at: z.iso.datetime().nullable(),
    /** Null: not limited, not known, or no coupon. */
    uses_left: z.int().nullable(),
    checked_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'EmailAddressSeen' })
export type EmailAddressSeen = z.output<typeof EmailAddressSeen>
