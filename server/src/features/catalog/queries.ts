import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { newId } from '../../kernel/ids.ts'
import type { StoreProduct } from './product.ts'

export interface ProductRow {
  id: string
  store_product_id: number
  title: string
  handle: string | null
  status: string
  image_url: string | null
  total_inventory: number | null
}

/** What is older than what we have is left out; a product told of again is not deleted any more. */
export async function upsertRows(
  scope: MerchantScope,
  products: readonly (StoreProduct & { searchText: string })[],
): Promise<void> {
  const column = <T>(read: (product: StoreProduct & { searchText: string }) => T): T[] => products.map(read)
  await sql`
    insert into products as p (merchant_id, id, store_product_id, title, search_text, handle, status, image_url, total_inventory,
      store_updated_at)
    select ${scope.merchantId}, r.* from unnest(
      ${column(() => newId())}::uuid[], ${column((product) => product.storeProductId)}::bigint[],
      ${column((product) => product.title)}::text[], ${column((product) => product.searchText)}::text[],
      ${column((product) => product.handle)}::text[], ${column((product) => product.status)}::text[],
      ${column((product) => product.imageUrl)}::text[], ${column((product) => product.totalInventory)}::int[],
      ${column((product) => product.updatedAt)}::timestamptz[]) as r
    on conflict (merchant_id, store_product_id) do update set
      title = excluded.title, search_text = excluded.search_text, handle = excluded.handle, status = excluded.status,
      image_url = excluded.image_url, total_inventory = excluded.total_inventory, store_updated_at = excluded.store_updated_at,
      deleted_at = null
    where p.store_updated_at is null or excluded.store_updated_at >= p.store_updated_at
  `.execute(scope.db)
}

export async function markDeleted(scope: MerchantScope, storeProductId: number): Promise<void> {
  await sql`
    update products set deleted_at = ${scope.now}
    where merchant_id = ${scope.merchantId} and store_product_id = ${storeProductId} and deleted_at is null
  `.execute(scope.db)
}

/** Chosen ones are found even when the store has deleted them: a segment may still name them. */
export async function selectProducts(
  scope: MerchantScope,
  filter: { words: readonly string[]; ids: readonly string[] | null },
  page: { limit: number; offset: number },
): Promise<{ rows: ProductRow[]; total: number }> {
  const wanted = sql.join(
    [
      sql`merchant_id = ${scope.merchantId}`,
      filter.ids ? sql`id = any(${filter.ids}::uuid[])` : sql`deleted_at is null`,
      ...filter.words.map((word) => sql`strpos(search_text, ${word}) > 0`),
    ],
    sql` and `,
  )
  const [{ rows }, counted] = await Promise.all([
    sql<ProductRow>`
      select id, store_product_id, title, handle, status, image_url, total_inventory from products where ${wanted}
      order by title, id limit ${page.limit} offset ${page.offset}
    `.execute(scope.db),
    sql<{ count: number }>`select count(*) as count from products where ${wanted}`.execute(scope.db),
  ])
  return { rows, total: counted.rows[0]?.count ?? 0 }
}
