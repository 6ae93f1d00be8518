import type { Locale } from '@okaeri/contract/locale'
import { type RawBuilder, sql } from 'kysely'

/** A mail as it is kept with its message. */
export interface MailColumns {
  subject: string
  preheader: string
  from_name: string
  from_email: string
  reply_to: string | null
  html: string
  text: string
}

/** The same in another language. Its links are those of the message from `first_link` on. */
export interface MailVariant extends Pick<MailColumns, 'subject' | 'preheader' | 'html' | 'text'> {
  language: Locale
  first_link: number
}

export interface FrozenContent extends MailColumns {
  language: Locale | null
  /** The merchant's own host that its links lead over; null: the installation's. */
  link_host: string | null
  variants: readonly MailVariant[]
}

/**
 * The frozen mails of a merchant, by `message_id`. A process older than migration 0360 that runs at the same time freezes into columns of `messages` alone:
 * they stand behind. When those columns go, this is `email_contents`. The sender of a mail with variants stands in a column of its own: see migration 0457.
 */
export const frozenMails = (merchantId: string): RawBuilder<unknown> => sql`(
  select m.id as message_id, m.links, e.language, e.link_host, ${sql.join(mailColumns.map((name) => sql`coalesce(${name === 'from_email' ? sql`e.sender_email, ` : sql``}${sql.ref(`e.${name}`)}, ${sql.ref(`m.${name}`)}) as ${sql.ref(name)}`))}
  from messages m left join email_contents e on e.merchant_id = ${merchantId} and e.message_id = m.id
  where m.merchant_id = ${merchantId} and m.channel = 'email')`

const mailColumns = [
  'subject',
  'preheader',
  'from_name',
  'from_email',
  'reply_to',
  'html',
  'text',
] as const satisfies (keyof MailColumns)[]

/**
 * What the subject of delivery `d` said to its recipient. Null where that is not known: a subject with tags of a mail that was never made,
 * or was made before it was kept. The tags are never shown.
 */
export const subjectGot = (merchantId: string): RawBuilder<string | null> => sql`coalesce(d.filled_subject, (
  select f.subject from ${frozenMails(merchantId)} f
  where f.message_id = d.message_id and strpos(f.subject, '{{') = 0 and strpos(f.subject, '{%') = 0))`

/** Where delivery `d` went. */
export const addressSentTo: RawBuilder<string | null> = sql`d.address`

/** The sender of a message's mail, as JSON with `name` and `email`. */
export const senderOfMail = (merchantId: string, messageId: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select jsonb_build_object('name', f.from_name, 'email', f.from_email) from ${frozenMails(merchantId)} f
  where f.message_id = ${messageId})`
