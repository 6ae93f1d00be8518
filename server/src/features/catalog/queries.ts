import { type RawBuilder, sql } from 'kysely'
import { newId } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

export interface StoreVariant {
  storeVariantId: number
  title: string
  sku: string | null
  /** Minor units of the shop's currency; null if the source does not have it. */
  priceAmount: number | null
  /** Null: the store does not track it. */
  inventoryQuantity: number | null
  position: number
}

/** A product of the store. */
export interface StoreProduct {
  storeProductId: number
  title: string
  handle: string | null
  /** ACTIVE, DRAFT, ARCHIVED, UNLISTED. */
  status: string
  imageUrl: string | null
  totalInventory: number | null
  vendor?: string | null
  productType?: string | null
  tags?: readonly string[]
  /** Absent: this source does not have them, keep the known ones. */
  variants?: readonly StoreVariant[]
  updatedAt: Date
}

export interface ProductRow {
  id: string
  store_product_id: number
  title: string
  handle: string | null
  status: string
  image_url: string | null
  total_inventory: number | null
  vendor: string | null
  product_type: string | null
  tags: string[]
}

/** Data older than ours is skipped; a product that arrives again is no longer deleted. Returns the numbers of the rows written. */
export async function upsertRows(
  scope: MerchantScope,
  products: readonly (StoreProduct & { searchText: string })[],
): Promise<number[]> {
  const records = products.map((product) => ({
    id: newId(),
    store_product_id: product.storeProductId,
    title: product.title,
    search_text: product.searchText,
    handle: product.handle,
    status: product.status,
    image_url: product.imageUrl,
    total_inventory: product.totalInventory,
    vendor: product.vendor ?? null,
    product_type: product.productType ?? null,
    tags: product.tags ?? [],
    store_updated_at: product.updatedAt,
  }))
  const { rows } = await sql<{ number: number }>`
    insert into products as p (merchant_id, id, store_product_id, title, search_text, handle, status, image_url, total_inventory,
      vendor, product_type, tags, store_updated_at, updated_at)
    select ${scope.merchantId}, r.*, ${scope.now} from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as r(id uuid,
      store_product_id bigint, title text, search_text text, handle text, status text, image_url text, total_inventory int,
      vendor text, product_type text, tags text[], store_updated_at timestamptz)
    order by r.store_product_id
    on conflict (merchant_id, store_product_id) do update set
      title = excluded.title, search_text = excluded.search_text, handle = excluded.handle, status = excluded.status,
      image_url = excluded.image_url, total_inventory = excluded.total_inventory, vendor = excluded.vendor,
      product_type = excluded.product_type, tags = excluded.tags, store_updated_at = excluded.store_updated_at,
      updated_at = excluded.updated_at, deleted_at = null
    where p.store_updated_at is null or excluded.store_updated_at >= p.store_updated_at
    returning p.store_product_id as number
  `.execute(scope.db)
  return rows.map(({ number }) => number)
}

export type Goods = Pick<StoreVariant, 'storeVariantId' | 'priceAmount' | 'inventoryQuantity'> & {
  storeProductId: number
  /** The store was asked what sells online, or it is known to be nothing. */
  isOnlineKnown: boolean
}

/** The known prices and stock of these products' variants. */
export async function selectGoods(scope: MerchantScope, storeProductIds: readonly number[]): Promise<Goods[]> {
  const { rows } = await sql<Goods>`
    select store_product_id as "storeProductId", store_variant_id as "storeVariantId", price_amount as "priceAmount",
      inventory_quantity as "inventoryQuantity", online_quantity is not null or sells_without_stock as "isOnlineKnown"
    from product_variants
    where merchant_id = ${scope.merchantId} and store_product_id = any(${[...storeProductIds]}::bigint[])`.execute(
    scope.db,
  )
  return rows
}

/** The store was not asked yet, and there was nothing at any location. So what is there next is known to be back. */
export async function markSoldOutOnline(
  scope: MerchantScope,
  variants: readonly Pick<Goods, 'storeVariantId'>[],
): Promise<void> {
  if (variants.length === 0) return
  await sql`
    update product_variants set online_quantity = 0
    where merchant_id = ${scope.merchantId} and online_quantity is null
      and store_variant_id = any(${variants.map(({ storeVariantId }) => storeVariantId)}::bigint[])`.execute(scope.db)
}

/** Variants keep our ids as long as the store keeps theirs; those the store no longer has are deleted. */
export async function replaceVariants(
  scope: MerchantScope,
  products: readonly { storeProductId: number; variants: readonly StoreVariant[] }[],
): Promise<void> {
  const records = products.flatMap(({ storeProductId, variants }) =>
    variants.map((variant) => ({
      id: newId(),
      store_variant_id: variant.storeVariantId,
      store_product_id: storeProductId,
      title: variant.title,
      sku: variant.sku,
      price_amount: variant.priceAmount,
      inventory_quantity: variant.inventoryQuantity,
      position: variant.position,
    })),
  )
  await sql`
    delete from product_variants
    where merchant_id = ${scope.merchantId} and store_product_id = any(${products.map(({ storeProductId }) => storeProductId)}::bigint[])
      and store_variant_id <> all(${records.map((record) => record.store_variant_id)}::bigint[])
  `.execute(scope.db)
  // The platform's documented examples may contain a variant twice, because their ids are rounded.
  const once = [...new Map(records.map((record) => [record.store_variant_id, record])).values()]
  await sql`
    insert into product_variants (merchant_id, id, store_variant_id, store_product_id, title, sku, price_amount, inventory_quantity,
      position)
    select ${scope.merchantId}, r.* from jsonb_to_recordset(${JSON.stringify(once)}::jsonb) as r(id uuid, store_variant_id bigint,
      store_product_id bigint, title text, sku text, price_amount bigint, inventory_quantity int, position int)
    order by r.store_variant_id
    on conflict (merchant_id, store_variant_id) do update set
      store_product_id = excluded.store_product_id, title = excluded.title, sku = excluded.sku,
      price_amount = coalesce(excluded.price_amount, product_variants.price_amount),
      inventory_quantity = excluded.inventory_quantity, position = excluded.position
  `.execute(scope.db)
}

/** They are in a currency that is no longer the merchant's: unknown until the store gives them again, and compared with none. */
export async function forgetPrices(scope: MerchantScope): Promise<void> {
  await sql`
    update product_variants set price_amount = null
    where merchant_id = ${scope.merchantId} and price_amount is not null`.execute(scope.db)
}

export async function markDeleted(scope: MerchantScope, storeProductIds: readonly number[]): Promise<void> {
  await sql`
    update products set deleted_at = ${scope.now}, updated_at = ${scope.now}
    where merchant_id = ${scope.merchantId} and store_product_id = any(${storeProductIds}::bigint[]) and deleted_at is null
  `.execute(scope.db)
}

/** When the store last changed these products, by its numbers; unknown and deleted ones are missing. */
export async function selectKnownProducts(
  scope: MerchantScope,
  storeProductIds: readonly number[],
): Promise<Map<number, Date | null>> {
  const { rows } = await sql<{ number: number; at: Date | null }>`
    select store_product_id as number, store_updated_at as at from products
    where merchant_id = ${scope.merchantId} and store_product_id = any(${storeProductIds}::bigint[]) and deleted_at is null
  `.execute(scope.db)
  return new Map(rows.map(({ number, at }) => [number, at]))
}

/** A page of the store's numbers of products that are not deleted, in order. */
export async function selectLiveProductIds(scope: MerchantScope, after: number, limit: number): Promise<number[]> {
  const { rows } = await sql<{ number: number }>`
    select store_product_id as number from products
    where merchant_id = ${scope.merchantId} and store_product_id > ${after} and deleted_at is null
    order by store_product_id limit ${limit}
  `.execute(scope.db)
  return rows.map(({ number }) => number)
}

export interface Filter {
  words: readonly string[]
  ids: readonly string[] | null
}
interface PageOf {
  limit: number
  offset: number
}

/**
 * Rows with all of the words, or the chosen ones. Chosen ones are found even if the store has deleted them, because a segment may still name
 * them.
 */
export const matchesFilter = (scope: MerchantScope, { words, ids }: Filter): RawBuilder<unknown> =>
  sql.join(
    [
      sql`merchant_id = ${scope.merchantId}`,
      ids ? sql`id = any(${ids}::uuid[])` : sql`deleted_at is null`,
      ...words.map((word) => sql`strpos(search_text, ${word}) > 0`),
    ],
    sql` and `,
  )

export async function selectProducts(
  scope: MerchantScope,
  { words, ids, storeProductId }: Filter & { storeProductId: number | null },
  page: PageOf,
): Promise<{ rows: ProductRow[]; total: number }> {
  const wanted =
    storeProductId === null
      ? matchesFilter(scope, { words, ids })
      : sql`merchant_id = ${scope.merchantId} and store_product_id = ${storeProductId}`
  const [{ rows }, counted] = await Promise.all([
    sql<ProductRow>`
      select id, store_product_id, title, handle, status, image_url, total_inventory, vendor, product_type, tags from products
      where ${wanted} order by title, id limit ${page.limit} offset ${page.offset}
    `.execute(scope.db),
    sql<{ count: number }>`select count(*) as count from products where ${wanted}`.execute(scope.db),
  ])
  return { rows, total: counted.rows[0]?.count ?? 0 }
}

export interface ProductOnSale {
  id: string
  store_product_id: number
  title: string
  handle: string | null
  image_url: string | null
  /** The price of the cheapest variant. */
  price_amount: number | null
  currency: string
  /** Null: the store does not count it. */
  total_inventory: number | null
  vendor: string | null
}

/** Those of these products that the store sells. */
export async function selectProductsOnSale(
  scope: MerchantScope,
  named: { ids: readonly string[] } | { storeProductIds: readonly number[] },
): Promise<ProductOnSale[]> {
  const isNamed =
    'ids' in named
      ? sql`p.id = any(${named.ids}::uuid[])`
      : sql`p.store_product_id = any(${named.storeProductIds}::bigint[])`
  const { rows } = await sql<ProductOnSale>`
    select p.id, p.store_product_id, p.title, p.handle, p.image_url, p.total_inventory, p.vendor, m.currency, (
      select min(v.price_amount) from product_variants v
      where v.merchant_id = ${scope.merchantId} and v.store_product_id = p.store_product_id) as price_amount
    from products p join merchants m on m.id = ${scope.merchantId}
    where p.merchant_id = ${scope.merchantId} and ${isNamed} and p.deleted_at is null and p.status = 'ACTIVE'
  `.execute(scope.db)
  return rows
}

/** Those of these handles whose only products the store does not show: drafts, archived and deleted ones. */
export async function selectHiddenHandles(scope: MerchantScope, handles: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ handle: string }>`
    select handle from products where merchant_id = ${scope.merchantId} and handle = any(${[...handles]}::text[])
    group by handle having bool_and(deleted_at is not null or status in ('DRAFT', 'ARCHIVED'))`.execute(scope.db)
  return rows.map(({ handle }) => handle)
}

export interface VariantRow {
  id: string
  store_variant_id: number
  store_product_id: number
  title: string
  sku: string | null
  price_amount: number | null
  inventory_quantity: number | null
  currency: string
}
const SHOWN_VARIANTS = 100

export async function selectVariantsOf(
  scope: MerchantScope,
  storeProductIds: readonly number[],
): Promise<VariantRow[]> {
  const { rows } = await sql<VariantRow>`
    select v.id, v.store_variant_id, v.store_product_id, v.title, v.sku, v.price_amount, v.inventory_quantity, m.currency
    from unnest(${storeProductIds}::bigint[]) as wanted(id)
    join merchants m on m.id = ${scope.merchantId}
    cross join lateral (
      select * from product_variants where merchant_id = ${scope.merchantId} and store_product_id = wanted.id
      order by position limit ${SHOWN_VARIANTS}
    ) v
    order by v.store_product_id, v.position
  `.execute(scope.db)
  return rows
}

/** A word may match the product's title, the variant's title or its SKU. */
export async function selectVariants(
  scope: MerchantScope,
  filter: Filter,
  page: PageOf,
): Promise<{ rows: (VariantRow & { product_title: string })[]; total: number }> {
  const wanted = sql.join(
    [
      sql`v.merchant_id = ${scope.merchantId}`,
      filter.ids ? sql`v.id = any(${filter.ids}::uuid[])` : sql`p.deleted_at is null`,
      ...filter.words.map(
        (word) =>
          sql`(strpos(p.search_text, ${word}) > 0 or strpos(lower(v.title), ${word}) > 0 or strpos(lower(coalesce(v.sku, '')), ${word}) > 0)`,
      ),
    ],
    sql` and `,
  )
  const source = sql`product_variants v
    join products p on p.merchant_id = ${scope.merchantId} and p.store_product_id = v.store_product_id`
  const [{ rows }, counted] = await Promise.all([
    sql<VariantRow & { product_title: string }>`
      select v.id, v.store_variant_id, v.store_product_id, v.title, v.sku, v.price_amount, v.inventory_quantity,
        p.title as product_title, m.currency
      from ${source} join merchants m on m.id = ${scope.merchantId}
      where ${wanted} order by p.title, v.store_product_id, v.position, v.id limit ${page.limit} offset ${page.offset}
    `.execute(scope.db),
    sql<{ count: number }>`select count(*) as count from ${source} where ${wanted}`.execute(scope.db),
  ])
  return { rows, total: counted.rows[0]?.count ?? 0 }
}

export async function insertStoreValues(
  scope: MerchantScope,
  values: readonly { field: string; value: string; searchText: string }[],
): Promise<void> {
  await sql`
    insert into store_values (merchant_id, field, value, search_text)
    select ${scope.merchantId}, r.field, r.value, r.search_text
    from unnest(${values.map(({ field }) => field)}::text[], ${values.map(({ value }) => value)}::text[],
      ${values.map(({ searchText }) => searchText)}::text[]) as r(field, value, search_text)
    where not exists (
      select from store_values k where k.merchant_id = ${scope.merchantId} and k.field = r.field and k.value = r.value)
    order by r.field, r.value
    on conflict do nothing
  `.execute(scope.db)
}

export async function selectStoreValues(
  scope: MerchantScope,
  filter: { field: string; words: readonly string[] },
  page: PageOf,
): Promise<{ rows: { value: string }[]; total: number }> {
  const wanted = sql.join(
    [
      sql`merchant_id = ${scope.merchantId} and field = ${filter.field}`,
      ...filter.words.map((word) => sql`strpos(search_text, ${word}) > 0`),
    ],
    sql` and `,
  )
  const [{ rows }, counted] = await Promise.all([
    sql<{ value: string }>`
      select value from store_values where ${wanted} order by value limit ${page.limit} offset ${page.offset}
    `.execute(scope.db),
    sql<{ count: number }>`select count(*) as count from store_values where ${wanted}`.execute(scope.db),
  ])
  return { rows, total: counted.rows[0]?.count ?? 0 }
}
