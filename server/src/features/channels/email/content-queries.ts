import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope, TransactionScope } from '../../../kernel/merchant-scope.ts'
import { isConfirmedSql } from '../../merchants/index.ts'
import type { MailColumns } from './content.ts'
import { frozenMails } from './content-sql.ts'

/** Of a customer `c`. */
export const mailAddressKey = sql<string | null>`c.email_key`
export const mailAddress = sql<string | null>`c.email`

/** Whether the owner of the address agreed to tests. */
export const mayBeTested = (merchantId: string, address: RawBuilder<string>): RawBuilder<boolean> =>
  isConfirmedSql(merchantId, 'test', sql`lower(${address})`)

/** What a message of mail says, as it was frozen. */
export interface FrozenMail extends MailColumns {
  links: string[]
}

export async function insertMail(scope: TransactionScope, messageId: string, mail: MailColumns): Promise<void> {
  await scope.db
    .insertInto('email_contents')
    .values({ ...mail, merchant_id: scope.merchantId, message_id: messageId })
    .execute()
}

export async function deleteMail(scope: TransactionScope, messageId: string): Promise<void> {
  await scope.db
    .deleteFrom('email_contents')
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
  const { rows } = await sql<FrozenMail>`
    select subject, preheader, from_name, from_email, reply_to, html, text, links
    from ${frozenMails(scope.merchantId)} f where f.message_id = ${messageId}`.execute(scope.db)
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
  has_components: boolean
}

/** Without the content itself, which only a new message needs. */
export async function findEmailOfStep(scope: MerchantScope, emailId: string): Promise<EmailOfStep | null> {
  const { rows } = await sql<EmailOfStep>`
    select subject, preheader, from_name, from_email, md5(content) as content_hash, components <> '{}' as has_components from emails
    where merchant_id = ${scope.merchantId} and id = ${emailId} and deleted_at is null`.execute(scope.db)
  return rows[0] ?? null
}
