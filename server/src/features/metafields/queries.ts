import type { MetafieldStatus, NamespaceType } from '@okaeri/contract/metafields/metafield'
import type { MetafieldType } from '@okaeri/contract/metafields/value-type'
import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

export interface SettingRow {
  id: string
  name: string
  namespace: string
  key: string
  namespaceType: NamespaceType
  valueType: MetafieldType
  status: MetafieldStatus
  error: string | null
  valueCount: number
  unreadableCount: number
  filledAt: Date | null
  subscribedSince: Date | null
  createdAt: Date
  updatedAt: Date
}

const columns = sql`s.id, s.name, s.namespace, s.key, s.namespace_type as "namespaceType", s.value_type as "valueType", s.status, s.error,
  s.value_count as "valueCount", s.unreadable_count as "unreadableCount", s.filled_at as "filledAt", s.told_since as "subscribedSince",
  s.created_at as "createdAt", s.updated_at as "updatedAt"`
const kept = (scope: MerchantScope) => sql`s.merchant_id = ${scope.merchantId} and s.deleted_at is null`

/** All settings; at most a hundred. */
export async function listSettings(scope: MerchantScope): Promise<SettingRow[]> {
  const { rows } = await sql<SettingRow>`
    select ${columns} from metafield_settings s where ${kept(scope)} order by s.created_at, s.id
  `.execute(scope.db)
  return rows
}

export type SettingSort = 'created_at' | 'name' | 'key' | 'value_count'
const sortColumns = {
  created_at: sql`s.created_at`,
  name: sql`s.name`,
  key: sql`s.namespace || '.' || s.key`,
  value_count: sql`s.value_count`,
} as const

export async function selectSettings(
  scope: MerchantScope,
  query: {
    q?: string | undefined
    namespace_type?: NamespaceType | undefined
    sort: SettingSort
    direction: 'asc' | 'desc'
    limit: number
    offset: number
  },
): Promise<{ rows: SettingRow[]; total: number }> {
  const pattern = query.q?.trim() ? `%${query.q.trim().replace(/[\\%_]/g, '\\$&')}%` : null
  const where = sql`${kept(scope)}
    and (${pattern}::text is null or s.name ilike ${pattern} or s.namespace || '.' || s.key ilike ${pattern})
    and (${query.namespace_type ?? null}::text is null or s.namespace_type = ${query.namespace_type ?? null})`
  const direction = query.direction === 'asc' ? sql`asc` : sql`desc`
  const [page, count] = await Promise.all([
    sql<SettingRow>`
      select ${columns} from metafield_settings s where ${where}
      order by ${sortColumns[query.sort]} ${direction}, s.id ${direction} limit ${query.limit} offset ${query.offset}
    `.execute(scope.db),
    sql<{ total: number }>`select count(*)::int as total from metafield_settings s where ${where}`.execute(scope.db),
  ])
  return { rows: page.rows, total: count.rows[0]?.total ?? 0 }
}

export async function findSetting(
  scope: MerchantScope,
  id: string,
  { lock }: { lock: boolean } = { lock: false },
): Promise<SettingRow | null> {
  const { rows } = await sql<SettingRow>`
    select ${columns} from metafield_settings s where ${kept(scope)} and s.id = ${id} ${lock ? sql`for update` : sql``}
  `.execute(scope.db)
  return rows[0] ?? null
}

export async function findSettingByKey(
  scope: MerchantScope,
  name: { namespace: string; key: string },
): Promise<SettingRow | null> {
  const { rows } = await sql<SettingRow>`
    select ${columns} from metafield_settings s where ${kept(scope)} and s.namespace = ${name.namespace} and s.key = ${name.key}
  `.execute(scope.db)
  return rows[0] ?? null
}

/** Until the transaction ends, no other can add a setting: at most a hundred, no key twice. */
export async function lockSettings(scope: MerchantScope): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`metafields ${scope.merchantId}`}, 0))`.execute(scope.db)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from metafield_settings s where ${kept(scope)}
  `.execute(scope.db)
  return rows[0]?.count ?? 0
}

export async function insertSetting(
  scope: MerchantScope,
  setting: Pick<SettingRow, 'id' | 'name' | 'namespace' | 'key' | 'namespaceType' | 'valueType' | 'status'>,
): Promise<void> {
  await sql`
    insert into metafield_settings (merchant_id, id, name, namespace, key, namespace_type, value_type, status, created_at, updated_at)
    values (${scope.merchantId}, ${setting.id}, ${setting.name}, ${setting.namespace}, ${setting.key}, ${setting.namespaceType},
      ${setting.valueType}, ${setting.status}, ${scope.now}, ${scope.now})
  `.execute(scope.db)
}

export async function updateSetting(
  scope: MerchantScope,
  id: string,
  change: Pick<SettingRow, 'name' | 'valueType'>,
): Promise<void> {
  await sql`
    update metafield_settings set name = ${change.name}, value_type = ${change.valueType}, updated_at = ${scope.now}
    where merchant_id = ${scope.merchantId} and id = ${id}
  `.execute(scope.db)
}

export async function markDeleted(scope: MerchantScope, id: string): Promise<void> {
  await sql`
    update metafield_settings set deleted_at = ${scope.now} where merchant_id = ${scope.merchantId} and id = ${id}
  `.execute(scope.db)
}

export async function markStatus(
  scope: MerchantScope,
  ids: readonly string[],
  state: { status: MetafieldStatus; error?: string; filledAt?: Date },
): Promise<void> {
  await sql`
    update metafield_settings set status = ${state.status}, error = ${state.error ?? null},
      filled_at = coalesce(${state.filledAt ?? null}::timestamptz, filled_at)
    where merchant_id = ${scope.merchantId} and id = any(${[...ids]}::uuid[])
  `.execute(scope.db)
}

/** All settings of the store wait to be fetched (again), and their webhook subscriptions are unknown. */
export async function markPlatformWaiting(scope: MerchantScope): Promise<void> {
  await sql`
    update metafield_settings set status = 'waiting', error = null, told_since = null
    where merchant_id = ${scope.merchantId} and namespace_type = 'platform' and deleted_at is null
  `.execute(scope.db)
}

/** Settings that were being fetched wait again. */
export async function markFillingWaiting(scope: MerchantScope): Promise<void> {
  await sql`
    update metafield_settings set status = 'waiting', error = null
    where merchant_id = ${scope.merchantId} and namespace_type = 'platform' and status = 'filling' and deleted_at is null
  `.execute(scope.db)
}

export async function markSubscribed(scope: MerchantScope, since: Date): Promise<void> {
  await sql`
    update metafield_settings set told_since = ${since}
    where merchant_id = ${scope.merchantId} and namespace_type = 'platform' and told_since is null and deleted_at is null
  `.execute(scope.db)
}

/** The setting whose values are the birthdays. */
export async function findBirthdaySettingId(scope: MerchantScope): Promise<string | null> {
  const { rows } = await sql<{ id: string | null }>`
    select birthday_setting_id as id from customer_settings where merchant_id = ${scope.merchantId}
  `.execute(scope.db)
  return rows[0]?.id ?? null
}

export async function writeBirthdaySettingId(scope: MerchantScope, id: string | null): Promise<void> {
  await sql`
    insert into customer_settings (merchant_id, birthday_setting_id, updated_at) values (${scope.merchantId}, ${id}, ${scope.now})
    on conflict (merchant_id) do update set birthday_setting_id = excluded.birthday_setting_id, updated_at = excluded.updated_at
  `.execute(scope.db)
}
