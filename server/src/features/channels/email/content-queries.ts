import { sql } from 'kysely'
import type { MerchantScope } from '../../../kernel/merchant-scope.ts'

/** Of a customer `c`. */
export const mailAddress = sql<string | null>`c.email`

/** What a message of mail says, as it was frozen. */
export interface FrozenMail {
  subject: string
  preheader: string
  from_name: string
  from_email: string
  reply_to: string | null
  html: string
  text: string
  links: string[]
}

export async function findFrozenMail(scope: MerchantScope, messageId: string): Promise<FrozenMail | null> {
  const row = await scope.db
    .selectFrom('messages')
    .select(['subject', 'preheader', 'from_name', 'from_email', 'reply_to', 'html', 'text', 'links'])
    .where('merchant_id', '=', scope.merchantId)
    .where('id', '=', messageId)
    .executeTakeFirst()
  return row ?? null
}

export async function findSenderAddress(scope: MerchantScope, messageId: string): Promise<string | null> {
  const row = await scope.db
    .selectFrom('messages')
    .select('from_email')
    .where('merchant_id', '=', scope.merchantId)
    .where('id', '=', messageId)
    .executeTakeFirst()
  return row?.from_email ?? null
}

export interface EmailOfStep {
  subject: string
  preheader: string
  from_name: string | null
  from_email: string | null
  content_hash: string
}

/** Without the content itself, which only a new message needs. */
export async function findEmailOfStep(scope: MerchantScope, emailId: string): Promise<EmailOfStep | null> {
  const { rows } = await sql<EmailOfStep>`
    select subject, preheader, from_name, from_email, md5(content) as content_hash from emails
    where merchant_id = ${scope.merchantId} and id = ${emailId} and deleted_at is null`.execute(scope.db)
  return rows[0] ?? null
}

/** With the content it has at the same moment. */
export async function findWholeEmail(
  scope: MerchantScope,
  emailId: string,
): Promise<(EmailOfStep & { content: string }) | null> {
  const { rows } = await sql<EmailOfStep & { content: string }>`
    select subject, preheader, from_name, from_email, md5(content) as content_hash, content from emails
    where merchant_id = ${scope.merchantId} and id = ${emailId} and deleted_at is null`.execute(scope.db)
  return rows[0] ?? null
}
