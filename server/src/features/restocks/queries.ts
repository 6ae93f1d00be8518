import type { RestockChannel } from '@okaeri/contract/restocks/channel'
import type { RestockRequest, RestockStatus } from '@okaeri/contract/restocks/routes'
import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'

export interface RequestWrite {
  id: string
  customer_id: string | null
  guest_id: string | null
  email: string | null
  email_key: string | null
  store_product_id: number
  store_variant_id: number
  channel: string
  status: string
  source: string
  created_at: Date | null
  sent_at: Date | null
}

export interface StoredRequest {
  customerId: string | null
  storeProductId: number
  status: RestockStatus
  createdAt: Date
}

/**
 * If a batch has several rows for one person, product, variant and channel, the newest is used. Skipped are rows that are not newer than an
 * existing row of the same person: matched by customer or guest, or by the address if either side has nothing else. Ordered, so that
 * concurrent batches do not deadlock on the unique index.
 */
export async function insertRequests(scope: MerchantScope, records: readonly RequestWrite[]): Promise<StoredRequest[]> {
  const { rows } = await sql<StoredRequest>`
    with given as (
      select distinct on (channel, coalesce(customer_id, guest_id), email_key, store_product_id, store_variant_id) *
      from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as r(id uuid, customer_id uuid, guest_id uuid, email text, email_key text,
        store_product_id bigint, store_variant_id bigint, channel text, status text, source text, created_at timestamptz,
        sent_at timestamptz)
      order by channel, coalesce(customer_id, guest_id), email_key, store_product_id, store_variant_id, created_at desc nulls last
    )
    insert into restock_requests (merchant_id, id, customer_id, guest_id, email, email_key, store_product_id, store_variant_id, channel,
      status, source, created_at, sent_at)
    select ${scope.merchantId}, g.id, g.customer_id, g.guest_id, g.email, g.email_key, g.store_product_id, g.store_variant_id, g.channel,
      g.status, g.source, coalesce(g.created_at, ${scope.now}), g.sent_at
    from given g
    where not exists (
      select from restock_requests k
      where k.merchant_id = ${scope.merchantId} and k.store_product_id = g.store_product_id
        and k.store_variant_id = g.store_variant_id and k.channel = g.channel
        and (k.customer_id = g.customer_id or k.guest_id = g.guest_id or k.email_key = g.email_key)
        and (g.created_at is null or k.created_at >= g.created_at or k.status = 'active')
    )
    order by g.store_product_id, g.store_variant_id, g.email_key, g.customer_id
    on conflict do nothing
    returning customer_id as "customerId", store_product_id as "storeProductId", status, created_at as "createdAt"
  `.execute(scope.db)
  return rows
}

export interface RestockFilter {
  storeProductId?: number | undefined
  customerId?: string | undefined
  status?: RestockStatus | undefined
}

export async function selectRequests(
  scope: MerchantScope,
  filter: RestockFilter,
  page: { limit: number; offset: number },
): Promise<{ rows: RestockRequest[]; total: number }> {
  const wanted = sql.join(
    [
      sql`r.merchant_id = ${scope.merchantId}`,
      ...(filter.storeProductId === undefined ? [] : [sql`r.store_product_id = ${filter.storeProductId}`]),
      ...(filter.customerId === undefined ? [] : [sql`r.customer_id = ${filter.customerId}`]),
      ...(filter.status === undefined ? [] : [sql`r.status = ${filter.status}`]),
    ],
    sql` and `,
  )
  type Row = Omit<RestockRequest, 'first_registered_at' | 'sent_at' | 'deleted_at'> & {
    first_registered_at: Date
    sent_at: Date | null
    deleted_at: Date | null
  }
  const [{ rows }, counted] = await Promise.all([
    sql<Row>`
      select r.id, r.status, r.channel as restock_type, r.store_product_id::text, p.title as product_name,
        nullif(r.store_variant_id, 0)::text as store_variant_id, v.title as variant, v.sku, c.id as customer_id,
        c.display_name as customer_name, coalesce(r.email, c.email) as customer_email, r.source, r.ended_by,
        l.line_user_id as line_customer_id, r.created_at as first_registered_at, r.sent_at, r.deleted_at
      from (
        select * from restock_requests r where ${wanted} order by r.created_at desc, r.id desc limit ${page.limit} offset ${page.offset}
      ) r
      left join customers c on c.merchant_id = ${scope.merchantId} and c.id = r.customer_id
      left join products p on p.merchant_id = ${scope.merchantId} and p.store_product_id = r.store_product_id
      left join product_variants v on v.merchant_id = ${scope.merchantId} and v.store_variant_id = r.store_variant_id
      left join line_friends l on l.merchant_id = ${scope.merchantId} and l.customer_id = r.customer_id
      order by r.created_at desc, r.id desc
    `.execute(scope.db),
    sql<{ count: number }>`select count(*) as count from restock_requests r where ${wanted}`.execute(scope.db),
  ])
  const data = rows.map((row) => ({
    ...row,
    first_registered_at: row.first_registered_at.toISOString(),
    sent_at: row.sent_at?.toISOString() ?? null,
    deleted_at: row.deleted_at?.toISOString() ?? null,
  }))
  return { rows: data, total: counted.rows[0]?.count ?? 0 }
}

export interface FileRow {
  id: string
  created_at: Date
  product_name: string | null
  store_product_id: number
  variant: string | null
  sku: string | null
  store_variant_id: number
  customer_name: string | null
  customer_email: string | null
  channel: RestockChannel
  status: RestockStatus
  sent_at: Date | null
}
/** A page of a file, in the order of registration. */
export async function selectForFile(
  scope: MerchantScope,
  filter: Pick<RestockFilter, 'storeProductId' | 'status'>,
  { after, limit }: { after: Pick<FileRow, 'created_at' | 'id'> | null; limit: number },
): Promise<FileRow[]> {
  const { merchantId } = scope
  const { rows } = await sql<FileRow>`
    select r.id, r.created_at, p.title as product_name, r.store_product_id, v.title as variant, v.sku, r.store_variant_id,
      c.display_name as customer_name, coalesce(r.email, c.email) as customer_email, r.channel, r.status, r.sent_at
    from (
      select * from restock_requests r where r.merchant_id = ${merchantId}
        ${filter.storeProductId === undefined ? sql`` : sql`and r.store_product_id = ${filter.storeProductId}`}
        ${filter.status === undefined ? sql`` : sql`and r.status = ${filter.status}`}
        ${after ? sql`and (r.created_at, r.id) > (${after.created_at}, ${after.id})` : sql``}
      order by r.created_at, r.id limit ${limit}
    ) r
    left join customers c on c.merchant_id = ${merchantId} and c.id = r.customer_id
    left join products p on p.merchant_id = ${merchantId} and p.store_product_id = r.store_product_id
    left join product_variants v on v.merchant_id = ${merchantId} and v.store_variant_id = r.store_variant_id
    order by r.created_at, r.id`.execute(scope.db)
  return rows
}

/** As they are before a change, locked until its end. */
export async function lockRequests(
  scope: TransactionScope,
  ids: readonly string[],
): Promise<(StoredRequest & { id: string })[]> {
  const { rows } = await sql<StoredRequest & { id: string }>`
    select id, customer_id as "customerId", store_product_id as "storeProductId", status, created_at as "createdAt"
    from restock_requests where merchant_id = ${scope.merchantId} and id = any(${[...ids]}::uuid[])
    order by id for update`.execute(scope.db)
  return rows
}

/** One deleted before stays as it was. */
export async function markDeleted(scope: TransactionScope, id: string, by: 'person' | 'member'): Promise<void> {
  await sql`
    update restock_requests set status = 'deleted', deleted_at = coalesce(deleted_at, ${scope.now}), answering = null,
      ended_by = case when status = 'deleted' then ended_by else ${by} end
    where merchant_id = ${scope.merchantId} and id = ${id}`.execute(scope.db)
}

/** The registration by mail with which this customer waits; null if there is none. */
export async function selectActive(
  scope: MerchantScope,
  customerId: string,
  { storeProductId, storeVariantId }: { storeProductId: number; storeVariantId: number },
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from restock_requests
    where merchant_id = ${scope.merchantId} and customer_id = ${customerId} and channel = 'email' and status = 'active'
      and store_product_id = ${storeProductId}::bigint and store_variant_id = ${storeVariantId}::bigint limit 1`.execute(
    scope.db,
  )
  return rows[0]?.id ?? null
}

/**
 * If guest and customer both wait for the same at the same address (none means the customer's own), the customer's request takes the earlier
 * date and the guest's is deleted. Returns the products of those deleted.
 */
export async function deleteDoubled(scope: MerchantScope, guestId: string, customerId: string): Promise<number[]> {
  const { rows } = await sql<{ product: number }>`
    with doubled as (
      delete from restock_requests g using restock_requests k, customers c
      where g.merchant_id = ${scope.merchantId} and g.guest_id = ${guestId} and g.status = 'active'
        and k.merchant_id = ${scope.merchantId} and k.customer_id = ${customerId} and k.status = 'active'
        and c.merchant_id = ${scope.merchantId} and c.id = ${customerId}
        and k.channel = g.channel and k.store_product_id = g.store_product_id and k.store_variant_id = g.store_variant_id
        and coalesce(k.email_key, c.email_key, '') = coalesce(g.email_key, c.email_key, '')
      returning k.id, g.created_at
    )
    update restock_requests k set created_at = least(k.created_at, d.created_at)
    from doubled d where k.merchant_id = ${scope.merchantId} and k.id = d.id returning k.store_product_id as product
  `.execute(scope.db)
  return rows.map(({ product }) => product)
}

export async function moveToCustomer(scope: MerchantScope, guestId: string, customerId: string): Promise<number> {
  const { rows } = await sql`
    update restock_requests set customer_id = ${customerId}, guest_id = null
    where merchant_id = ${scope.merchantId} and guest_id = ${guestId} returning id
  `.execute(scope.db)
  return rows.length
}

/** Returns those that waited until now: nothing is sent for them. */
export async function detachRequests(scope: MerchantScope, customerId: string): Promise<StoredRequest[]> {
  const { rows } = await sql<StoredRequest>`
    update restock_requests set status = 'deleted', deleted_at = ${scope.now}
    where merchant_id = ${scope.merchantId} and customer_id = ${customerId} and status = 'active'
    returning customer_id as "customerId", store_product_id as "storeProductId", status, created_at as "createdAt"`.execute(
    scope.db,
  )
  await sql`
    update restock_requests set customer_id = null, email = null, email_key = null
    where merchant_id = ${scope.merchantId} and customer_id = ${customerId}`.execute(scope.db)
  return rows
}

/** Where both wait for the same, one stays, with the earlier date. Returns the products of those deleted. */
export async function moveBetweenCustomers(scope: MerchantScope, fromId: string, intoId: string): Promise<number[]> {
  // In the order in which a wave takes them, which waits for them too.
  await sql`
    select from restock_requests where merchant_id = ${scope.merchantId} and customer_id in (${fromId}, ${intoId})
    order by status = 'active' desc, channel, created_at, id for update`.execute(scope.db)
  const { rows } = await sql<{ product: number }>`
    with doubled as (
      delete from restock_requests f using restock_requests k
      where f.merchant_id = ${scope.merchantId} and f.customer_id = ${fromId} and f.status = 'active'
        and k.merchant_id = ${scope.merchantId} and k.customer_id = ${intoId} and k.status = 'active' and k.channel = f.channel
        and k.store_product_id = f.store_product_id and k.store_variant_id = f.store_variant_id
        and coalesce(k.email_key, '') = coalesce(f.email_key, '')
      returning k.id, f.created_at
    )
    update restock_requests k set created_at = least(k.created_at, d.created_at)
    from doubled d where k.merchant_id = ${scope.merchantId} and k.id = d.id
    returning k.store_product_id as product`.execute(scope.db)
  await sql`
    update restock_requests set customer_id = ${intoId} where merchant_id = ${scope.merchantId} and customer_id = ${fromId}`.execute(
    scope.db,
  )
  return rows.map(({ product }) => product)
}

/**
 * All that a customer or their address asked for here, by whatever way, also what was answered: it may be answered again. With a variant the
 * product as a whole is meant too, and with the whole its variants: one message answers both.
 */
export async function selectRequestsOf(
  scope: MerchantScope,
  customerId: string,
  { storeProductId, storeVariantId }: { storeProductId: number; storeVariantId: number },
): Promise<string[]> {
  const { merchantId } = scope
  const { rows } = await sql<{ id: string }>`
    select r.id from restock_requests r
    where r.merchant_id = ${merchantId} and r.store_product_id = ${storeProductId}::bigint
      and (${storeVariantId}::bigint = 0 or r.store_variant_id in (0, ${storeVariantId}::bigint)) and r.status <> 'deleted'
      and (r.customer_id = ${customerId} or (r.customer_id is null and r.email_key = (
        select c.email_key from customers c where c.merchant_id = ${merchantId} and c.id = ${customerId})))
    order by r.id`.execute(scope.db)
  return rows.map(({ id }) => id)
}

/**
 * The variants of a product that a customer or their address waits for, in the store's order; variant 0: the product as a whole. Answered ones
 * count where they are asked again. A variant that the store deleted has no title.
 */
export async function selectVariantsOf(
  scope: MerchantScope,
  customerId: string,
  { storeProductId, withAnswered }: { storeProductId: number; withAnswered: boolean },
): Promise<{ storeVariantId: number; title: string | null }[]> {
  const { merchantId } = scope
  const { rows } = await sql<{ storeVariantId: number; title: string | null }>`
    select r.id as "storeVariantId", v.title from (
      select distinct r.store_variant_id as id from restock_requests r
      where r.merchant_id = ${merchantId} and r.store_product_id = ${storeProductId}::bigint
        and (r.status = 'active' or (${withAnswered} and r.status in ('sent', 'unknown')))
        and (r.customer_id = ${customerId} or (r.customer_id is null and r.email_key = (
          select c.email_key from customers c where c.merchant_id = ${merchantId} and c.id = ${customerId})))
    ) r
    left join product_variants v on v.merchant_id = ${merchantId} and v.store_variant_id = r.id
    order by v.position nulls last, r.id`.execute(scope.db)
  return rows
}

export interface AskedGood {
  customerId: string
  storeProductId: number
  /** 0: the product as a whole. */
  storeVariantId: number
  /** When it came back, for what is past; null: just now. */
  at: Date | null
}
/**
 * The goods, of these that came back, of which the customer is notified because they registered by one of these channels: they wait, or were
 * notified within so many hours. For a product as a whole, a registration for one of its variants counts where that variant is in stock (for the
 * past: as it is today) or is the only one.
 */
export async function selectRegistered(
  scope: MerchantScope,
  goods: readonly AskedGood[],
  { channels, hours }: { channels: readonly string[]; hours: number },
): Promise<AskedGood[]> {
  const { merchantId } = scope
  const sentAfter = sql`coalesce(k.t, ${scope.now}::timestamptz) - make_interval(hours => ${hours})`
  const some = (who: RawBuilder<unknown>): RawBuilder<boolean> => sql`exists (
    select from restock_requests r
    where r.merchant_id = ${merchantId} and ${who} and r.store_product_id = k.p and r.channel = any(${[...channels]}::text[])
      and (k.t is null or r.created_at <= k.t)
      and (r.status = 'active' or ((r.status = 'sent' or r.deleted_at > k.t) and r.sent_at > ${sentAfter})
        or (r.deleted_at > k.t and r.sent_at is null))
      and (r.store_variant_id in (0, k.v) or (k.v = 0 and exists (
        select from product_variants v where v.merchant_id = ${merchantId} and v.store_variant_id = r.store_variant_id
          and (v.online_quantity > 0 or v.sells_without_stock or not exists (
            select from product_variants o where o.merchant_id = ${merchantId} and o.store_product_id = v.store_product_id
              and o.store_variant_id <> v.store_variant_id))))))`
  const { rows } = await sql<AskedGood>`
    select k.c as "customerId", k.p as "storeProductId", k.v as "storeVariantId", k.t as at
    from unnest(${goods.map(({ customerId }) => customerId)}::uuid[], ${goods.map(({ storeProductId }) => storeProductId)}::bigint[],
      ${goods.map(({ storeVariantId }) => storeVariantId)}::bigint[], ${goods.map(({ at }) => at)}::timestamptz[]) as k (c, p, v, t)
    where ${some(sql`r.customer_id = k.c`)} or ${some(sql`r.customer_id is null and r.email_key = (
      select c.email_key from customers c where c.merchant_id = ${merchantId} and c.id = k.c)`)}`.execute(scope.db)
  return rows
}
