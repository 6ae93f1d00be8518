import type { NamespaceType } from '@okaeri/contract/metafields/metafield'
import type { MetafieldType } from '@okaeri/contract/metafields/value-type'
import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import type { ReadValue } from './value.ts'

export interface ValueRow extends ReadValue {
  settingId: string
  customerId: string
  value: string
  updatedAt: Date
}
/** A changed value; null if it was removed. */
export interface ChangedValue {
  settingId: string
  customerId: string
  value: string | null
}

/**
 * Hundreds of values in one statement. Older and equal values change nothing; deleted customers get none. Returns the changes. In the order of
 * the key, so that concurrent calls do not deadlock.
 */
export async function writeValues(scope: MerchantScope, rows: readonly ValueRow[]): Promise<ChangedValue[]> {
  if (rows.length === 0) return []
  const records = rows.map((row) => ({
    setting_id: row.settingId,
    customer_id: row.customerId,
    value: row.value,
    value_number: row.number,
    value_at: row.at,
    value_texts: row.texts,
    readable: row.readable,
    updated_at: row.updatedAt,
  }))
  const given = sql`jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as r(setting_id uuid, customer_id uuid, value text,
    value_number numeric, value_at timestamptz, value_texts text[], readable boolean, updated_at timestamptz)`
  // Two statements: one that reads what it writes over needs, on Citus, nodes on which nothing of the merchant is.
  const { rows: known } = await sql<ChangedValue>`
    select m.metafield_setting_id as "settingId", m.customer_id as "customerId", m.value from customer_metafields m
    join ${given} on m.metafield_setting_id = r.setting_id and m.customer_id = r.customer_id where m.merchant_id = ${scope.merchantId}`.execute(
    scope.db,
  )
  const { rows: written } = await sql<ChangedValue>`
    insert into customer_metafields as m (merchant_id, metafield_setting_id, customer_id, value, value_number, value_at, value_texts,
      readable, updated_at)
    select ${scope.merchantId}, r.setting_id, r.customer_id, r.value, r.value_number, r.value_at, r.value_texts, r.readable, r.updated_at
    from ${given} join customers c on c.merchant_id = ${scope.merchantId} and c.id = r.customer_id
    order by r.setting_id, r.customer_id
    on conflict (merchant_id, metafield_setting_id, customer_id) do update set value = excluded.value,
      value_number = excluded.value_number, value_at = excluded.value_at, value_texts = excluded.value_texts,
      readable = excluded.readable, updated_at = excluded.updated_at
    where excluded.updated_at >= m.updated_at and (m.value, m.updated_at) is distinct from (excluded.value, excluded.updated_at)
    returning metafield_setting_id as "settingId", customer_id as "customerId", value`.execute(scope.db)
  const before = new Map(known.map(({ settingId, customerId, value }) => [`${settingId} ${customerId}`, value]))
  return written.filter(({ settingId, customerId, value }) => before.get(`${settingId} ${customerId}`) !== value)
}

/** Deletes older values of these settings and customers that are not among `kept`; returns which. */
export async function deleteMissing(
  scope: MerchantScope,
  where: {
    settingIds: readonly string[]
    customerIds: readonly string[]
    kept: readonly { settingId: string; customerId: string }[]
    before: Date
  },
): Promise<ChangedValue[]> {
  const { rows } = await sql<ChangedValue>`
    delete from customer_metafields m
    where m.merchant_id = ${scope.merchantId} and m.metafield_setting_id = any(${[...where.settingIds]}::uuid[])
      and m.customer_id = any(${[...where.customerIds]}::uuid[]) and m.updated_at < ${where.before}
      and not exists (
        select from unnest(${where.kept.map(({ settingId }) => settingId)}::uuid[],
          ${where.kept.map(({ customerId }) => customerId)}::uuid[]) as k(setting_id, customer_id)
        where k.setting_id = m.metafield_setting_id and k.customer_id = m.customer_id
      )
    returning m.metafield_setting_id as "settingId", m.customer_id as "customerId", null as value
  `.execute(scope.db)
  return rows
}

/** Returns the deleted ones. */
export async function deleteValues(
  scope: MerchantScope,
  settingId: string,
  customerIds: readonly string[],
): Promise<ChangedValue[]> {
  const { rows } = await sql<ChangedValue>`
    delete from customer_metafields
    where merchant_id = ${scope.merchantId} and metafield_setting_id = ${settingId} and customer_id = any(${[...customerIds]}::uuid[])
    returning metafield_setting_id as "settingId", customer_id as "customerId", null as value
  `.execute(scope.db)
  return rows
}

export async function deleteValuesOfCustomer(scope: MerchantScope, customerId: string): Promise<void> {
  await sql`
    delete from customer_metafields where merchant_id = ${scope.merchantId} and customer_id = ${customerId}
  `.execute(scope.db)
}

/** Deletes some of a setting's values; returns how many. */
export async function deleteSomeValues(scope: MerchantScope, settingId: string, limit: number): Promise<number> {
  const result = await sql`
    delete from customer_metafields where merchant_id = ${scope.merchantId} and metafield_setting_id = ${settingId}
      and customer_id in (
        select customer_id from customer_metafields
        where merchant_id = ${scope.merchantId} and metafield_setting_id = ${settingId} limit ${limit}
      )
  `.execute(scope.db)
  return Number(result.numAffectedRows ?? 0)
}

export interface StoredValue {
  customerId: string
  value: string
  updatedAt: Date
}
/** The next values of a setting, in the order of customer ids. */
export async function listValues(
  scope: MerchantScope,
  settingId: string,
  page: { after: string; limit: number },
): Promise<StoredValue[]> {
  const { rows } = await sql<StoredValue>`
    select customer_id as "customerId", value, updated_at as "updatedAt" from customer_metafields
    where merchant_id = ${scope.merchantId} and metafield_setting_id = ${settingId} and customer_id > ${page.after}
    order by customer_id limit ${page.limit}
  `.execute(scope.db)
  return rows
}

/** Stores values that were read again, unless a newer one has come meanwhile. */
export async function rewriteReadings(scope: MerchantScope, rows: readonly Omit<ValueRow, 'value'>[]): Promise<void> {
  await sql`
    update customer_metafields m set value_number = r.value_number, value_at = r.value_at, value_texts = r.value_texts,
      readable = r.readable
    from jsonb_to_recordset(${JSON.stringify(
      rows.map((row) => ({
        setting_id: row.settingId,
        customer_id: row.customerId,
        value_number: row.number,
        value_at: row.at,
        value_texts: row.texts,
        readable: row.readable,
        updated_at: row.updatedAt,
      })),
    )}::jsonb) as r(setting_id uuid, customer_id uuid, value_number numeric, value_at timestamptz, value_texts text[],
      readable boolean, updated_at timestamptz)
    where m.merchant_id = ${scope.merchantId} and m.metafield_setting_id = r.setting_id and m.customer_id = r.customer_id
      and m.updated_at <= r.updated_at
  `.execute(scope.db)
}

export async function recount(scope: MerchantScope, settingId: string): Promise<void> {
  await sql`
    update metafield_settings s set value_count = n.all_of_them, unreadable_count = n.unreadable
    from (
      select count(*)::int as all_of_them, (count(*) filter (where not readable))::int as unreadable from customer_metafields
      where merchant_id = ${scope.merchantId} and metafield_setting_id = ${settingId}
    ) n
    where s.merchant_id = ${scope.merchantId} and s.id = ${settingId}
  `.execute(scope.db)
}

export interface CustomerValue {
  settingId: string
  name: string
  namespace: string
  key: string
  namespaceType: NamespaceType
  valueType: MetafieldType
  value: string | null
  readable: boolean | null
  updatedAt: Date | null
}
/** Every setting, with one customer's value. */
export async function listValuesOfCustomer(scope: MerchantScope, customerId: string): Promise<CustomerValue[]> {
  const { rows } = await sql<CustomerValue>`
    select s.id as "settingId", s.name, s.namespace, s.key, s.namespace_type as "namespaceType", s.value_type as "valueType", m.value,
      m.readable, m.updated_at as "updatedAt"
    from metafield_settings s
    left join customer_metafields m
      on m.merchant_id = s.merchant_id and m.metafield_setting_id = s.id and m.customer_id = ${customerId}
    where s.merchant_id = ${scope.merchantId} and s.deleted_at is null
    order by s.created_at, s.id
  `.execute(scope.db)
  return rows
}

/** Values of some settings for some customers, for filling in mails. */
export async function listValuesOfCustomers(
  scope: MerchantScope,
  settingIds: readonly string[],
  customerIds: readonly string[],
): Promise<{ settingId: string; customerId: string; value: string }[]> {
  const { rows } = await sql<{ settingId: string; customerId: string; value: string }>`
    select metafield_setting_id as "settingId", customer_id as "customerId", value from customer_metafields
    where merchant_id = ${scope.merchantId} and metafield_setting_id = any(${[...settingIds]}::uuid[])
      and customer_id = any(${[...customerIds]}::uuid[])
  `.execute(scope.db)
  return rows
}

/** Remembers which of these customers have a birthday metafield that is not a date, and clears the mark of the others. */
export async function writeUnreadableBirthdays(
  scope: MerchantScope,
  customerIds: readonly string[],
  unreadable: readonly { customerId: string; value: string }[],
): Promise<void> {
  await sql`
    delete from unreadable_birthdays where merchant_id = ${scope.merchantId} and customer_id = any(${[...customerIds]}::uuid[])
  `.execute(scope.db)
  if (unreadable.length === 0) return
  await sql`
    insert into unreadable_birthdays (merchant_id, customer_id, value)
    select ${scope.merchantId}, r.customer_id, left(r.value, 100)
    from unnest(${unreadable.map(({ customerId }) => customerId)}::uuid[], ${unreadable.map(({ value }) => value)}::text[])
      as r(customer_id, value)
    order by r.customer_id
    on conflict (merchant_id, customer_id) do update set value = excluded.value
  `.execute(scope.db)
}

/** The birthdays now come from another metafield. */
export async function deleteUnreadableBirthdays(scope: MerchantScope, customerId: string | null = null): Promise<void> {
  await sql`
    delete from unreadable_birthdays
    where merchant_id = ${scope.merchantId} and (${customerId}::uuid is null or customer_id = ${customerId})
  `.execute(scope.db)
}

/** The number of customers whose birthday metafield is not a date, and the first of them. */
export async function listUnreadableBirthdays(
  scope: MerchantScope,
  few: number,
): Promise<{ total: number; first: { customerId: string; name: string; value: string }[] }> {
  const [count, first] = await Promise.all([
    sql<{ total: number }>`
      select count(*)::int as total from unreadable_birthdays where merchant_id = ${scope.merchantId}
    `.execute(scope.db),
    sql<{ customerId: string; name: string; value: string }>`
      select c.id as "customerId", c.display_name as name, u.value
      from (select customer_id, value from unreadable_birthdays where merchant_id = ${scope.merchantId} order by customer_id limit ${few}) u
      join customers c on c.merchant_id = ${scope.merchantId} and c.id = u.customer_id order by c.id
    `.execute(scope.db),
  ])
  return { total: count.rows[0]?.total ?? 0, first: first.rows }
}

/** The store's number of a customer; null for one who is only here, undefined for an unknown one. */
export async function findStoreNumber(scope: MerchantScope, customerId: string): Promise<number | null | undefined> {
  const { rows } = await sql<{ store_customer_id: number | null }>`
    select store_customer_id from customers where merchant_id = ${scope.merchantId} and id = ${customerId}
  `.execute(scope.db)
  return rows[0]?.store_customer_id
}

export async function findBirthdayOf(
  scope: MerchantScope,
  customerId: string,
): Promise<{ birthday: string | null; storeCustomerId: number | null } | null> {
  const { rows } = await sql<{ birthday: string | null; storeCustomerId: number | null }>`
    select birthday, store_customer_id as "storeCustomerId" from customers
    where merchant_id = ${scope.merchantId} and id = ${customerId}
  `.execute(scope.db)
  return rows[0] ?? null
}

/** If both have a value of a setting, that of `intoId` stays. */
export async function moveValues(scope: MerchantScope, fromId: string, intoId: string): Promise<void> {
  await sql`
    update customer_metafields f set customer_id = ${intoId}
    where f.merchant_id = ${scope.merchantId} and f.customer_id = ${fromId} and not exists (
      select from customer_metafields k
      where k.merchant_id = ${scope.merchantId} and k.metafield_setting_id = f.metafield_setting_id and k.customer_id = ${intoId})
  `.execute(scope.db)
  await sql`
    delete from customer_metafields where merchant_id = ${scope.merchantId} and customer_id = ${fromId}
  `.execute(scope.db)
}
