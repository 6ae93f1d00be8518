import { sql } from 'kysely'
import { newId } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { matchesFilter, type Filter } from './queries.ts'

/** A collection of the store. `productIds` null: this source does not have them, keep the known ones. */
export interface StoreCollection {
  storeCollectionId: number
  title: string
  handle: string | null
  updatedAt: Date
  productIds: readonly number[] | null
}

export interface CollectionRow {
  id: string
  store_collection_id: number
  title: string
  handle: string | null
  products_count: number
}

/** Returns the numbers of the rows written. */
export async function upsertCollections(
  scope: MerchantScope,
  collections: readonly (StoreCollection & { searchText: string })[],
): Promise<number[]> {
  const column = <T>(read: (collection: StoreCollection & { searchText: string }) => T): T[] => collections.map(read)
  const { rows } = await sql<{ number: number }>`
    insert into collections as c (merchant_id, id, store_collection_id, title, search_text, handle, store_updated_at)
    select ${scope.merchantId}, r.* from unnest(
      ${column(() => newId())}::uuid[], ${column((one) => one.storeCollectionId)}::bigint[],
      ${column((one) => one.title)}::text[], ${column((one) => one.searchText)}::text[],
      ${column((one) => one.handle)}::text[], ${column((one) => one.updatedAt)}::timestamptz[]) as r
    on conflict (merchant_id, store_collection_id) do update set
      title = excluded.title, search_text = excluded.search_text, handle = excluded.handle,
      store_updated_at = excluded.store_updated_at, deleted_at = null
    where c.store_updated_at is null or excluded.store_updated_at >= c.store_updated_at
    returning c.store_collection_id as number
  `.execute(scope.db)
  return rows.map(({ number }) => number)
}

export async function writeMemberships(
  scope: MerchantScope,
  storeCollectionId: number,
  productIds: readonly number[],
): Promise<void> {
  await sql`
    delete from collection_products
    where merchant_id = ${scope.merchantId} and store_collection_id = ${storeCollectionId}
      and store_product_id <> all(${productIds}::bigint[])
  `.execute(scope.db)
  await sql`
    insert into collection_products (merchant_id, store_collection_id, store_product_id)
    select ${scope.merchantId}, ${storeCollectionId}, id from unnest(${productIds}::bigint[]) as id
    on conflict do nothing
  `.execute(scope.db)
  await sql`
    update collections set products_count = (
      select count(*) from collection_products
      where merchant_id = ${scope.merchantId} and store_collection_id = ${storeCollectionId})
    where merchant_id = ${scope.merchantId} and store_collection_id = ${storeCollectionId}
  `.execute(scope.db)
}

export async function deleteMemberships(scope: MerchantScope, storeCollectionIds: readonly number[]): Promise<void> {
  await sql`
    delete from collection_products
    where merchant_id = ${scope.merchantId} and store_collection_id = any(${storeCollectionIds}::bigint[])
  `.execute(scope.db)
}

export async function markDeleted(scope: MerchantScope, storeCollectionIds: readonly number[]): Promise<void> {
  await sql`
    update collections set deleted_at = ${scope.now}, products_count = 0
    where merchant_id = ${scope.merchantId} and store_collection_id = any(${storeCollectionIds}::bigint[]) and deleted_at is null
  `.execute(scope.db)
}

/** Our copies, by the store's numbers; deleted ones are missing. `productIds` in the order of numbers. */
export async function selectKnownCollections(
  scope: MerchantScope,
  storeCollectionIds: readonly number[],
): Promise<Map<number, { updatedAt: Date | null; productIds: number[] }>> {
  const { rows } = await sql<{ number: number; updatedAt: Date | null; productIds: number[] }>`
    select c.store_collection_id as number, c.store_updated_at as "updatedAt",
      coalesce((select json_agg(p.store_product_id order by p.store_product_id) from collection_products p
        where p.merchant_id = ${scope.merchantId} and p.store_collection_id = c.store_collection_id), '[]') as "productIds"
    from collections c
    where c.merchant_id = ${scope.merchantId} and c.store_collection_id = any(${storeCollectionIds}::bigint[]) and c.deleted_at is null
  `.execute(scope.db)
  return new Map(rows.map(({ number, ...known }) => [number, known]))
}

export async function selectLiveCollectionIds(scope: MerchantScope, after: number, limit: number): Promise<number[]> {
  const { rows } = await sql<{ number: number }>`
    select store_collection_id as number from collections
    where merchant_id = ${scope.merchantId} and store_collection_id > ${after} and deleted_at is null
    order by store_collection_id limit ${limit}
  `.execute(scope.db)
  return rows.map(({ number }) => number)
}

export async function selectCollections(
  scope: MerchantScope,
  filter: Filter,
  page: { limit: number; offset: number },
): Promise<{ rows: CollectionRow[]; total: number }> {
  const wanted = matchesFilter(scope, filter)
  const [{ rows }, counted] = await Promise.all([
    sql<CollectionRow>`
      select id, store_collection_id, title, handle, coalesce(products_count, 0) as products_count from collections
      where ${wanted} order by title, id limit ${page.limit} offset ${page.offset}
    `.execute(scope.db),
    sql<{ count: number }>`select count(*) as count from collections where ${wanted}`.execute(scope.db),
  ])
  return { rows, total: counted.rows[0]?.count ?? 0 }
}
