import type { ConfirmationPurpose } from '@okaeri/contract/merchants/confirmation'
import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import { newId } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

export interface ConfirmationRow {
  id: string
  purpose: ConfirmationPurpose
  email: string
  email_key: string
  member_id: string | null
  asked_at: Date
  expires_at: Date
  confirmed_at: Date | null
  /** When the mail server took the link. */
  mailed_at: Date | null
}
const columns = sql`id, purpose, email, email_key, member_id, asked_at, expires_at, confirmed_at, mailed_at`

/**
 * Whether the owner of the address has agreed, in SQL over the key of an address (lower case). The address a member signs in by has been
 * agreed to for everything; all addresses of a domain whose owner proved it are senders.
 */
export const isConfirmedSql = (
  merchantId: string,
  purpose: 'test' | 'sender',
  emailKey: RawBuilder<string>,
): RawBuilder<boolean> => sql`(
  exists (select from address_confirmations a where a.merchant_id = ${merchantId} and a.purpose = ${purpose}
    and a.email_key = ${emailKey} and a.confirmed_at is not null)
  or exists (select from members e where e.merchant_id = ${merchantId} and e.email_key = ${emailKey}
    and e.email_confirmed_at is not null)
  or ${purpose} = 'sender' and exists (select from confirmed_domains d where d.merchant_id = ${merchantId}
    and d.domain = split_part(${emailKey}, '@', 2)))`

export async function listUnconfirmed(
  scope: MerchantScope,
  purpose: 'test' | 'sender',
  emailKeys: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ email_key: string }>`
    select k.email_key from unnest(${[...emailKeys]}::text[]) as k (email_key)
    where not ${isConfirmedSql(scope.merchantId, purpose, sql`k.email_key`)}`.execute(scope.db)
  return rows.map(({ email_key }) => email_key)
}

/** The newest 500, oldest first. What waits to be confirmed is among them: it lives four days, and so many are not asked in them. */
export async function listConfirmations(scope: MerchantScope): Promise<ConfirmationRow[]> {
  const { rows } = await sql<ConfirmationRow>`
    select ${columns} from address_confirmations where merchant_id = ${scope.merchantId} order by asked_at desc limit 500`.execute(
    scope.db,
  )
  return rows.reverse()
}

export async function findConfirmation(scope: MerchantScope, id: string): Promise<ConfirmationRow | null> {
  const { rows } = await sql<ConfirmationRow>`
    select ${columns} from address_confirmations where merchant_id = ${scope.merchantId} and id = ${id}`.execute(
    scope.db,
  )
  return rows[0] ?? null
}

/**
 * Asked again, the link stays the same and keeps its time. There is one pending sign-in address of a member at a time, each with its own
 * link: an older link leads nowhere. What is confirmed stays confirmed.
 */
export async function putConfirmation(
  scope: MerchantScope,
  asked: Omit<ConfirmationRow, 'id' | 'confirmed_at' | 'mailed_at'> & { confirmed_at?: Date },
): Promise<string> {
  const { merchantId } = scope
  await sql`delete from address_confirmations where merchant_id = ${merchantId} 
    and ((confirmed_at is null and expires_at < ${asked.asked_at}) or (${asked.purpose} = 'sign_in' and purpose = 'sign_in'
      and (member_id = ${asked.member_id} or email_key = ${asked.email_key})))`.execute(scope.db)
  const { rows } = await sql<{ id: string }>`
    insert into address_confirmations as a (merchant_id, id, purpose, email, email_key, member_id, asked_at, expires_at, confirmed_at)
    values (${merchantId}, ${newId()}, ${asked.purpose}, ${asked.email}, ${asked.email_key}, ${asked.member_id}, ${asked.asked_at},
      ${asked.expires_at}, ${asked.confirmed_at ?? null})
    on conflict (merchant_id, purpose, email_key) do update set asked_at = excluded.asked_at, expires_at = excluded.expires_at,
      mailed_at = null, member_id = excluded.member_id, confirmed_at = coalesce(a.confirmed_at, excluded.confirmed_at)
    returning id`.execute(scope.db)
  return rows[0]?.id as string
}

export async function markMailed(scope: MerchantScope, id: string, at: Date): Promise<void> {
  await sql`update address_confirmations set mailed_at = ${at}
    where merchant_id = ${scope.merchantId} and id = ${id}`.execute(scope.db)
}

export async function markConfirmed(scope: MerchantScope, id: string, at: Date): Promise<void> {
  await sql`update address_confirmations set confirmed_at = coalesce(confirmed_at, ${at})
    where merchant_id = ${scope.merchantId} and id = ${id}`.execute(scope.db)
}

export async function deleteSignInConfirmations(scope: MerchantScope, memberId: string): Promise<void> {
  await sql`delete from address_confirmations
    where merchant_id = ${scope.merchantId} and member_id = ${memberId} and purpose = 'sign_in'`.execute(scope.db)
}

/** Only while it is still the member's address. */
export async function markMemberConfirmed(
  scope: MerchantScope,
  { memberId, emailKey, at }: { memberId: string; emailKey: string; at: Date },
): Promise<boolean> {
  const { rows } = await sql`update members set email_confirmed_at = coalesce(email_confirmed_at, ${at})
    where merchant_id = ${scope.merchantId} and id = ${memberId} and email_key = ${emailKey} returning 1`.execute(
    scope.db,
  )
  return rows.length > 0
}

/** Its owner has proved it: mail may be sent from all its addresses. `domain`: lower case, A-labels. */
export async function confirmDomain(scope: MerchantScope, domain: string): Promise<void> {
  await sql`insert into confirmed_domains (merchant_id, domain, confirmed_at)
    values (${scope.merchantId}, ${domain}, ${scope.now}) on conflict do nothing`.execute(scope.db)
}

export async function unconfirmDomain(scope: MerchantScope, domain: string): Promise<void> {
  await sql`delete from confirmed_domains where merchant_id = ${scope.merchantId} and domain = ${domain}`.execute(
    scope.db,
  )
}

/** Across merchants, read only, for the operator: where an address waits to be confirmed. */
export async function listWaitingFor(
  context: Context,
  emailKey: string,
): Promise<
  { merchant_id: string; site_name: string; purpose: ConfirmationPurpose; email: string; member_id: string | null }[]
> {
  const { rows } = await sql<Awaited<ReturnType<typeof listWaitingFor>>[number]>`
    select w.merchant_id, t.site_name, w.purpose, w.email, w.member_id
    from (
      select merchant_id, 'account' as purpose, email, id as member_id from members
      where email_key = ${emailKey} and email_confirmed_at is null
      union all
      select merchant_id, purpose, email, member_id from address_confirmations
      where email_key = ${emailKey} and confirmed_at is null and purpose in ('test', 'sender')
      union all
      select id, 'sender', sender_email, null from merchants where lower(sender_email) = ${emailKey}
      union all
      select id, 'test', ${emailKey}, null from merchants where exists (select from unnest(test_emails) e where lower(e) = ${emailKey})
    ) w join merchants t on t.id = w.merchant_id
    where w.purpose = 'account' or not exists (select from address_confirmations a where a.merchant_id = w.merchant_id
      and a.purpose = w.purpose and a.email_key = ${emailKey} and a.confirmed_at is not null)
    limit 1000`.execute(context.db)
  return rows
}

/** How many mails went to test addresses today; the row is held until the transaction ends, so that two workers count one after the other. */
export async function holdTestMails(scope: MerchantScope): Promise<number> {
  await sql`delete from test_mail_days where merchant_id = ${scope.merchantId} and day < ${dayOf(scope)}::date - 7`.execute(
    scope.db,
  )
  const { rows } = await sql<{ mails: number }>`
    insert into test_mail_days as t (merchant_id, day, mails) values (${scope.merchantId}, ${dayOf(scope)}::date, 0)
    on conflict (merchant_id, day) do update set mails = t.mails returning mails`.execute(scope.db)
  return rows[0]?.mails ?? 0
}

export async function findTestMails(scope: MerchantScope): Promise<number> {
  const { rows } = await sql<{ mails: number }>`
    select mails from test_mail_days where merchant_id = ${scope.merchantId} and day = ${dayOf(scope)}::date`.execute(
    scope.db,
  )
  return rows[0]?.mails ?? 0
}

export async function addTestMails(scope: MerchantScope, mails: number): Promise<void> {
  await sql`update test_mail_days set mails = mails + ${mails}
    where merchant_id = ${scope.merchantId} and day = ${dayOf(scope)}::date`.execute(scope.db)
}

const dayOf = ({ now }: MerchantScope): string => now.toISOString().slice(0, 10)
