import type { Suppression } from '@okaeri/contract/consent/suppression'
import type { SuppressionReason } from '@okaeri/contract/customers/customer'
import { type RawBuilder, sql } from 'kysely'
import { newId } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

export type SuppressionRow = Omit<Suppression, 'created_at' | 'lifted_at'> & {
  created_at: Date
  lifted_at: Date | null
}
export interface SuppressionListQuery {
  q?: string | undefined
  reason?: SuppressionReason | undefined
  state?: 'in_force' | 'lifted' | undefined
  sort: 'created_at' | 'address'
  direction: 'asc' | 'desc'
  limit: number
  offset: number
}

/** With the addresses of the members who added and lifted, and one of those who have the address now. */
async function select(
  scope: MerchantScope,
  chosen: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
): Promise<SuppressionRow[]> {
  const m = scope.merchantId
  const { rows } = await sql<SuppressionRow>`
    select s.id, s.channel, s.address_key as address, s.reason, s.detail, s.proof, a.email as added_by, s.created_at, s.lifted_at,
      l.email as lifted_by, s.lift_reason, c.id as customer_id, c.display_name as customer_name
    from (select * from suppressions s where s.merchant_id = ${m} and ${chosen}) s
    left join members a on a.merchant_id = ${m} and a.id = s.added_by
    left join members l on l.merchant_id = ${m} and l.id::text = s.lifted_by
    left join lateral (
      select id, display_name from customers c where c.merchant_id = ${m} and c.email_key = s.address_key
      order by created_at, id limit 1
    ) c on true
    ${order}
  `.execute(scope.db)
  return rows
}

export async function selectSuppressions(
  scope: MerchantScope,
  query: SuppressionListQuery,
): Promise<{ rows: SuppressionRow[]; total: number }> {
  const { q, reason, state, sort, direction, limit, offset } = query
  const part = q?.trim().normalize('NFKC').toLowerCase()
  const where = sql.join(
    [
      sql`true`,
      ...(part ? [sql`strpos(s.address_key, ${part}) > 0`] : []),
      ...(reason ? [sql`s.reason = ${reason}`] : []),
      ...(state ? [state === 'in_force' ? sql`s.lifted_at is null` : sql`s.lifted_at is not null`] : []),
    ],
    sql` and `,
  )
  const by = sql.ref(sort === 'created_at' ? 's.created_at' : 's.address_key')
  const way = direction === 'desc' ? sql`desc` : sql`asc`
  const order = sql`order by ${by} ${way}, s.id ${way}`
  const rows = await select(scope, sql`${where} ${order} limit ${limit} offset ${offset}`, order)
  const counted = await sql<{ total: number }>`
    select count(*) as total from suppressions s where s.merchant_id = ${scope.merchantId} and ${where}
  `.execute(scope.db)
  return { rows, total: counted.rows[0]?.total ?? 0 }
}

export async function findSuppression(scope: MerchantScope, id: string): Promise<SuppressionRow | null> {
  return (await select(scope, sql`s.id = ${id} for update`, sql``))[0] ?? null
}

export async function findInForce(scope: MerchantScope, addressKey: string): Promise<SuppressionRow | null> {
  const chosen = sql`s.channel = 'email' and s.address_key = ${addressKey} and s.lifted_at is null for update`
  return (await select(scope, chosen, sql``))[0] ?? null
}

export async function selectOneInForce(scope: MerchantScope, addressKey: string): Promise<SuppressionRow | null> {
  const chosen = sql`s.channel = 'email' and s.address_key = ${addressKey} and s.lifted_at is null`
  return (await select(scope, chosen, sql``))[0] ?? null
}

/**
 * Whether what happened at a time may still suppress an address (in lower case): not where a suppression was lifted since, and a complaint
 * not where a customer with this address consented since.
 */
export async function hasNotDecidedSince(
  scope: MerchantScope,
  { addressKey, reason, since }: { addressKey: string; reason: SuppressionReason; since: Date },
): Promise<boolean> {
  const { merchantId } = scope
  const { rows } = await sql`
    select from suppressions s
    where s.merchant_id = ${merchantId} and s.channel = 'email' and s.address_key = ${addressKey} and s.lifted_at > ${since}
    union all
    select from customers c
    where c.merchant_id = ${merchantId} and c.email_key = ${addressKey} and ${reason === 'complaint'}
      and c.marketing_state = 'granted' and c.marketing_changed_at > ${since}
    limit 1
  `.execute(scope.db)
  return rows.length === 0
}

export async function insertSuppression(
  scope: MerchantScope,
  suppression: { addressKey: string; reason: SuppressionReason; detail: string | null; proof: string | null },
): Promise<boolean> {
  const { addressKey, reason, detail, proof } = suppression
  const { rows } = await sql`
    insert into suppressions (merchant_id, id, address_key, reason, detail, proof, added_by, created_at)
    values (${scope.merchantId}, ${newId()}, ${addressKey}, ${reason}, ${detail}, ${proof},
      ${reason === 'manual' ? scope.memberId : null}, ${scope.now})
    on conflict (merchant_id, channel, address_key) where lifted_at is null do nothing returning id
  `.execute(scope.db)
  return rows.length > 0
}

/** By hand, of many at once. Returns those that are new; the first reason of the others stays. */
export async function insertSuppressions(
  scope: MerchantScope,
  addressKeys: readonly string[],
  detail: string | null,
): Promise<string[]> {
  const { rows } = await sql<{ addressKey: string }>`
    insert into suppressions (merchant_id, id, address_key, reason, detail, added_by, created_at)
    select ${scope.merchantId}, n.id, n.address_key, 'manual', ${detail}, ${scope.memberId}, ${scope.now}
    from unnest(${addressKeys.map(() => newId())}::uuid[], ${[...addressKeys]}::text[]) as n(id, address_key)
    order by n.address_key
    on conflict (merchant_id, channel, address_key) where lifted_at is null do nothing
    returning address_key as "addressKey"
  `.execute(scope.db)
  return rows.map(({ addressKey }) => addressKey)
}

/** The addresses of these customers, each once, and how many of them have none. */
export async function selectAddressesOf(
  scope: MerchantScope,
  customerIds: readonly string[],
): Promise<{ addresses: string[]; without: number }> {
  const { rows } = await sql<{ addresses: string[]; without: number }>`
    select coalesce(array_agg(distinct email_key) filter (where email_key is not null), '{}') as addresses,
      count(*) filter (where email_key is null) as without
    from customers where merchant_id = ${scope.merchantId} and id = any(${[...customerIds]}::uuid[])
  `.execute(scope.db)
  return rows[0] ?? { addresses: [], without: 0 }
}

/** Everybody with one of these addresses. */
export async function selectHolders(scope: MerchantScope, addressKeys: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from customers where merchant_id = ${scope.merchantId} and email_key = any(${[...addressKeys]}::text[])
  `.execute(scope.db)
  return rows.map(({ id }) => id)
}

export async function markLifted(scope: MerchantScope, id: string, reason: string | null): Promise<void> {
  await sql`
    update suppressions set lifted_at = ${scope.now}, lifted_by = ${scope.memberId}, lift_reason = ${reason}
    where merchant_id = ${scope.merchantId} and id = ${id} and lifted_at is null
  `.execute(scope.db)
}

export async function selectInForce(
  scope: MerchantScope,
  addressKeys: readonly string[],
): Promise<{ addressKey: string; reason: SuppressionReason }[]> {
  const { rows } = await sql<{ addressKey: string; reason: SuppressionReason }>`
    select address_key as "addressKey", reason from suppressions
    where merchant_id = ${scope.merchantId} and channel = 'email' and address_key = any(${addressKeys}::text[]) and lifted_at is null
  `.execute(scope.db)
  return rows
}
