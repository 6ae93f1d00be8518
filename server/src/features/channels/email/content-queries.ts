import type { Locale } from '@okaeri/contract/locale'
import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope, TransactionScope } from '../../../kernel/merchant-scope.ts'
import { isConfirmedSql } from '../../merchants/index.ts'
import { type FrozenContent, type MailColumns, type MailVariant, frozenMails } from './content-sql.ts'

/** Of a customer `c`. */
export const mailAddressKey = sql<string | null>`c.email_key`
export const mailAddress = sql<string | null>`c.email`

/** Whether the owner of the address agreed to tests. */
export const mayBeTested = (merchantId: string, address: RawBuilder<string>): RawBuilder<boolean> =>
  isConfirmedSql(merchantId, 'test', sql`lower(${address})`)

/** What a message of mail says, as it was frozen. */
export interface FrozenMail extends MailColumns {
  /** The language of the base; null: the merchant's. */
  language: Locale | null
  link_host: string | null
  /** The links of all its languages: those of the base are before the `first_link` of the first variant. */
  links: string[]
  variants: MailVariant[]
}

export async function insertMail(
  scope: TransactionScope,
  messageId: string,
  { variants, language, link_host, ...mail }: FrozenContent,
): Promise<void> {
  const key = { merchant_id: scope.merchantId, message_id: messageId }
  // A worker of the previous version does not know variants. It takes an empty sender for unconfirmed and waits.
  const sender = variants.length === 0 ? {} : { from_email: '', sender_email: mail.from_email }
  await scope.db
    .insertInto('email_contents')
    .values({ ...mail, ...sender, ...key, language, link_host })
    .execute()
  if (variants.length > 0)
    await scope.db
      .insertInto('email_content_variants')
      .values(variants.map((variant) => ({ ...variant, ...key })))
      .execute()
}

export async function deleteMail(scope: TransactionScope, messageId: string): Promise<void> {
  for (const table of ['email_content_variants', 'email_contents'] as const)
    await scope.db
      .deleteFrom(table)
      .where('merchant_id', '=', scope.merchantId)
      .where('message_id', '=', messageId)
      .execute()
}

export async function copyMail(scope: TransactionScope, fromId: string, toId: string): Promise<void> {
  const frozen = await findFrozenMail(scope, fromId)
  if (!frozen) return
  const { links: _, ...mail } = frozen
  await insertMail(scope, toId, mail)
}

export async function findFrozenMail(scope: MerchantScope, messageId: string): Promise<FrozenMail | null> {
  const { merchantId } = scope
  const { rows } = await sql<FrozenMail>`
    select subject, preheader, from_name, from_email, reply_to, html, text, links, language, link_host, (
      select coalesce(jsonb_agg(jsonb_build_object('language', v.language, 'subject', v.subject, 'preheader', v.preheader,
        'html', v.html, 'text', v.text, 'first_link', v.first_link) order by v.first_link, v.language), '[]')
      from email_content_variants v where v.merchant_id = ${merchantId} and v.message_id = ${messageId}) as variants
    from ${frozenMails(merchantId)} f where f.message_id = ${messageId}`.execute(scope.db)
  return rows[0] ?? null
}

export async function findSenderAddress(scope: MerchantScope, messageId: string): Promise<string | null> {
  const { rows } = await sql<{ from_email: string }>`
    select from_email from ${frozenMails(scope.merchantId)} f where f.message_id = ${messageId}`.execute(scope.db)
  return rows[0]?.from_email ?? null
}

export interface EmailOfStep {
  subject: string
  preheader: string
  from_name: string | null
  from_email: string | null
  content_hash: string
  /** The hash of a plain text that a member wrote. */
  text_hash: string | null
  /** It has components or variants: its state is not seen in these columns alone. */
  needs_whole: boolean
}

/** Without the content itself, which only a new message needs. */
export async function findEmailOfStep(scope: MerchantScope, emailId: string): Promise<EmailOfStep | null> {
  const { rows } = await sql<EmailOfStep>`
    select subject, preheader, from_name, from_email, md5(content) as content_hash, md5(plain_text) as text_hash,
      (components <> '{}' or variants <> '[]') as needs_whole
    from emails
    where merchant_id = ${scope.merchantId} and id = ${emailId} and deleted_at is null`.execute(scope.db)
  return rows[0] ?? null
}
