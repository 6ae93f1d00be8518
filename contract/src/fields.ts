import { IANAZone } from 'luxon'
import { z } from 'zod'

/** Pieces that many request bodies are made of. Each names its {@link FieldReason} as the zod message. */

/** Any control character, line breaks included: in a subject or a sender name it would forge a header. */
const CONTROL = /\p{Cc}|[\u2028\u2029]/u
/** Whether there is any control character or line separator in it. */
export const hasControlCharacters = (value: string): boolean => CONTROL.test(value)

/** One line of text, trimmed, without control characters or halves of characters; lengths count Unicode code points. */
export const line = (min: number, max: number) =>
  z
    .string('not_a_text')
    .trim()
    .refine((value) => !hasControlCharacters(value), 'control_characters')
    // Half a surrogate pair: PostgreSQL refuses it in JSON, and as text it comes back as another character.
    .refine((value) => value.isWellFormed(), 'invalid')
    .refine((value) => [...value].length >= min, min === 1 ? 'required' : 'too_short')
    .refine((value) => [...value].length <= max, 'too_long')
    .meta({ minLength: min, maxLength: max })

/** Visible characters: blanks of other scripts (Hangul, Braille) count as letters and symbols. */
const SEEN = /[\p{L}\p{N}\p{P}\p{S}]/u
const BLANKS = /[\u115f\u1160\u3164\uffa0\u2800]/g

/** A name that can be seen: lists link to things by their names, and a name of invisible characters would be an invisible link. */
export const nameLine = (max: number) =>
  line(1, max).refine((text) => text === '' || SEEN.test(text.replace(BLANKS, '')), 'required')

export const Id = z.uuid('not_an_id')
export const IdParams = z.object({ id: Id })

/** A number the store platform gave something, as text in a query. */
export const StoreNumber = z
  .string('not_an_id')
  .regex(/^[1-9]\d{0,15}$/, 'not_an_id')
  .transform(Number)
  .refine(Number.isSafeInteger, 'not_an_id')
  .meta({ format: 'int64' })

/** Years an instant may name: outside them (and an offset leads outside) it cannot be written back as ISO 8601 of four digits. */
const FIRST_YEAR = 1900
const LAST_YEAR = 2199
export const Instant = z.iso.datetime({ offset: true, error: 'not_a_date' }).refine((text) => {
  const year = new Date(text).getUTCFullYear()
  return year >= FIRST_YEAR && year <= LAST_YEAR
}, 'not_a_date')

/** In whose zone it is, the field says. */
export const Day = z.iso
  .date('not_a_date')
  .refine((day) => day >= `${FIRST_YEAR}-01-01` && day <= `${LAST_YEAR}-12-31`, 'not_a_date')

export const TimeZone = z.string('not_a_timezone').refine((zone) => IANAZone.isValidZone(zone), 'not_a_timezone')

/** `HH:MM`, 24 hours. */
export const TimeOfDay = z.string('invalid').regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'invalid')

/** Domains of Japanese carriers whose old addresses break the dot-atom rule (`taro..x.@docomo.ne.jp`) and still receive mail. */
const LENIENT_DOMAINS = new Set([
  'docomo.ne.jp',
  'ezweb.ne.jp',
  'au.com',
  'softbank.ne.jp',
  'vodafone.ne.jp',
  'i.softbank.jp',
])
const ATOM = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+$/
const LABEL = /^(?!-)[A-Za-z0-9-]{1,63}(?<!-)$/

/**
 * Whether mail can be addressed to this: RFC 5321 addr-spec with a dot-atom local part (64 octets) and a domain of at least
 * two labels (254 octets in all), plus the irregular addresses of Japanese carriers. No quoted local parts, no address
 * literals, no full-width characters.
 */
export function isEmailAddress(value: string): boolean {
  const at = value.lastIndexOf('@')
  const local = value.slice(0, at)
  const domain = value.slice(at + 1).toLowerCase()
  if (at < 1 || value.length > 254 || local.length > 64 || !ATOM.test(local)) return false
  const labels = domain.split('.')
  if (labels.length < 2 || !labels.every((label) => LABEL.test(label)) || /^\d+$/.test(labels.at(-1) ?? ''))
    return false
  const irregular = local.startsWith('.') || local.endsWith('.') || local.includes('..')
  return !irregular || LENIENT_DOMAINS.has(domain)
}

/** Where an address is compared, the domain and the local part are taken without case. */
export const normalizeEmail = (value: string): string => value.trim().toLowerCase()

/**
 * The mailbox that mail to an address fills, for counting: `taro+1@…` and `taro+2@…` are one, and Gmail takes no notice of dots. What an
 * address is otherwise compared by is {@link normalizeEmail}.
 */
export function mailboxOf(value: string): string {
  const mailbox = normalizeEmail(value).replace(/\+[^@]*@/, '@')
  const [local = '', domain = ''] = mailbox.split('@')
  return domain === 'gmail.com' || domain === 'googlemail.com' ? `${local.replaceAll('.', '')}@gmail.com` : mailbox
}

export const EmailAddress = z
  .string('not_an_email')
  .trim()
  .refine((value) => isEmailAddress(value), 'not_an_email')
  .meta({ format: 'email', maxLength: 254 })

const PHONE = /^(\+[1-9]\d{6,14}|0\d{9,10})$/
const MAX_WRITTEN_PHONE = 30

/** Phone as people type it; digits, spaces, hyphens, brackets and a leading plus, full width folded. */
export const Phone = z
  .string('not_a_phone')
  .transform((value) => value.normalize('NFKC').replace(/[\s()‐-―ー−-]/g, ''))
  .refine((value) => PHONE.test(value), 'not_a_phone')

/** A phone that people are to read, as a shop writes its own: its groups stay (`03-1234-5678`), full width folded. */
export const PhoneAsWritten = z
  .string('not_a_phone')
  .transform((value) =>
    value
      .normalize('NFKC')
      .replace(/[‐-―ー−-]/g, '-')
      .replace(/\s+/g, ' ')
      .trim(),
  )
  .refine((value) => value.length <= MAX_WRITTEN_PHONE && PHONE.test(value.replace(/[\s()-]/g, '')), 'not_a_phone')
