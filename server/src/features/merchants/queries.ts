import type { SavedSender } from '@okaeri/contract/merchants/senders'
import type { MemberRole, PlanCode, SendingHours } from '@okaeri/contract/merchants/merchant'
import type { Locale } from '@okaeri/contract/locale'
import { sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import { isConfirmedSql } from './confirmation-queries.ts'

export interface MerchantRow {
  id: string
  site_name: string
  language: Locale
  timezone: string
  currency: string
  /** The currency that an owner agreed to, and what of typed amounts they had seen; taken with the next store that sells in it. */
  agreed_currency: string | null
  agreed_amounts: string | null
  sender_name: string
  sender_email: string
  reply_to: string | null
  email_provider: 'global' | 'domestic'
  /** The own account all mail goes by (own-mailers), and its mails at once; null: a mailer of the installation. */
  own_mailer_id: string | null
  own_mailer_connections: number | null
  test_mode: boolean
  test_emails: string[]
  sending_hours: SendingHours
  staff_email: string | null
  staff_phone: string | null
  postal_address: string
  attribution_days: number
  attribution_counts_opens: boolean
  /** Null: no cap. */
  frequency_cap_count: number | null
  frequency_cap_days: number
  canary_from: number | null
  canary_minutes: number
  undo_seconds: number
  plan: PlanCode
  trial_ends_at: Date | null
  /** An owner's address is known to be right: mail may be sent. */
  account_confirmed: boolean
  /** The test addresses whose owner agreed. */
  confirmed_test_emails: string[]
  /** Beside the one of the settings, by age. */
  senders: SavedSender[]
  created_at: Date
  updated_at: Date
}
export type MerchantChange = Partial<
  Omit<MerchantRow, 'id' | 'account_confirmed' | 'confirmed_test_emails' | 'senders' | 'created_at' | 'updated_at'>
>

export interface MemberRow {
  id: string
  merchant_id: string
  email: string
  name: string
  role: MemberRole
  language: Locale
  password_hash: string | null
  email_confirmed_at: Date | null
}

export async function findMerchantRow(
  scope: MerchantScope,
  { lock }: { lock: boolean } = { lock: false },
): Promise<MerchantRow | null> {
  const { rows } = await sql<MerchantRow>`
    select t.*,
      exists (select from members o where o.merchant_id = ${scope.merchantId} and o.role = 'owner' and o.email_confirmed_at is not null)
        as account_confirmed,
      array(select e from unnest(t.test_emails) with ordinality as u (e, position)
        where ${isConfirmedSql(scope.merchantId, 'test', sql`lower(u.e)`)} order by position) as confirmed_test_emails,
      coalesce((select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name, 'email', s.email, 'reply_to', s.reply_to) order by s.created_at, s.id)
        from senders s where s.merchant_id = ${scope.merchantId}), '[]'::jsonb) as senders
    from merchants t where t.id = ${scope.merchantId} ${lock ? sql`for update of t` : sql``}`.execute(scope.db)
  return rows[0] ?? null
}

export async function insertMerchantRow(
  scope: MerchantScope,
  init: MerchantChange & { site_name: string },
): Promise<void> {
  const { sending_hours, ...plain } = init
  await scope.db
    .insertInto('merchants')
    .values({
      id: scope.merchantId,
      ...plain,
      ...(sending_hours ? { sending_hours: JSON.stringify(sending_hours) } : {}),
      created_at: scope.now,
      updated_at: scope.now,
    })
    .execute()
}

export async function updateMerchantRow(scope: MerchantScope, change: MerchantChange): Promise<void> {
  const { sending_hours, ...plain } = change
  await scope.db
    .updateTable('merchants')
    .set({
      ...plain,
      ...(sending_hours ? { sending_hours: JSON.stringify(sending_hours) } : {}),
      updated_at: scope.now,
    })
    .where('id', '=', scope.merchantId)
    .execute()
}

const memberColumns = sql`id, merchant_id, email, name, role, language, password_hash, email_confirmed_at`

export async function findMemberRow(scope: MerchantScope, memberId: string): Promise<MemberRow | null> {
  const { rows } = await sql<MemberRow>`
    select ${memberColumns} from members where merchant_id = ${scope.merchantId} and id = ${memberId}`.execute(scope.db)
  return rows[0] ?? null
}

/** As they are now, held until the transaction ends. */
export async function findMemberForUpdate(scope: TransactionScope, memberId: string): Promise<MemberRow | null> {
  const { rows } = await sql<MemberRow>`
    select ${memberColumns} from members where merchant_id = ${scope.merchantId} and id = ${memberId}
    for no key update`.execute(scope.db)
  return rows[0] ?? null
}

/** The one who has owned the merchant longest. */
export async function findOwnerRow(scope: MerchantScope): Promise<MemberRow | null> {
  const { rows } = await sql<MemberRow>`
    select ${memberColumns} from members where merchant_id = ${scope.merchantId} and role = 'owner'
    order by created_at, id limit 1`.execute(scope.db)
  return rows[0] ?? null
}

export async function insertMember(
  scope: MerchantScope,
  member: Omit<MemberRow, 'merchant_id' | 'email_confirmed_at'> & { email_key: string },
): Promise<void> {
  await scope.db
    .insertInto('members')
    .values({ merchant_id: scope.merchantId, ...member, created_at: scope.now })
    .execute()
}

export async function updateMember(
  scope: MerchantScope,
  memberId: string,
  change: Partial<
    Pick<MemberRow, 'name' | 'email' | 'language' | 'password_hash' | 'email_confirmed_at'> & { email_key: string }
  >,
): Promise<void> {
  if (Object.keys(change).length === 0) return
  await scope.db
    .updateTable('members')
    .set(change)
    .where('merchant_id', '=', scope.merchantId)
    .where('id', '=', memberId)
    .execute()
}

export interface SignIn {
  merchant_id: string
  member_id: string
}

export async function findSignInRow(context: Context, emailKey: string): Promise<SignIn | null> {
  const { rows } = await sql<SignIn>`
    select merchant_id, member_id from sign_in_directory where email_key = ${emailKey}`.execute(context.db)
  return rows[0] ?? null
}

/** Returns whether the address was free (or was this member's already). */
export async function claimSignIn(scope: MerchantScope, memberId: string, emailKey: string): Promise<boolean> {
  const { rows } = await sql`
    insert into sign_in_directory (email_key, merchant_id, member_id) values (${emailKey}, ${scope.merchantId}, ${memberId})
    on conflict (email_key) do update set email_key = excluded.email_key
      where sign_in_directory.merchant_id = excluded.merchant_id and sign_in_directory.member_id = excluded.member_id
    returning 1`.execute(scope.db)
  return rows.length > 0
}

export async function releaseOtherSignIns(scope: MerchantScope, memberId: string, emailKey: string): Promise<void> {
  await sql`delete from sign_in_directory
    where merchant_id = ${scope.merchantId} and member_id = ${memberId} and email_key <> ${emailKey}`.execute(scope.db)
}

/** Whether this installation has a member yet. */
export async function hasAccounts(context: Context): Promise<boolean> {
  const { rows } = await sql<{ here: boolean }>`select exists (select 1 from merchants) as here`.execute(context.db)
  return rows[0]?.here ?? false
}

/** One after the other, until the end of the transaction: of two who would be the first, the second finds the first. */
export async function isFirstMerchant(scope: MerchantScope): Promise<boolean> {
  await sql`select from installation for update`.execute(scope.db)
  const { rows } = await sql<{ first: boolean }>`select not exists (select 1 from merchants) as first`.execute(scope.db)
  return rows[0]?.first ?? false
}

/** Across merchants, read only, for the operator's list. */
export async function listMembers(
  context: Context,
): Promise<{ email: string; role: string; site_name: string; plan: string; test_mode: boolean; signs_in: boolean }[]> {
  const { rows } = await sql<Awaited<ReturnType<typeof listMembers>>[number]>`
    select m.email, m.role, t.site_name, t.plan, t.test_mode, d.member_id is not null as signs_in
    from members m join merchants t on t.id = m.merchant_id
    left join sign_in_directory d on d.merchant_id = m.merchant_id and d.member_id = m.id
    order by m.created_at limit 1000`.execute(context.db)
  return rows
}
