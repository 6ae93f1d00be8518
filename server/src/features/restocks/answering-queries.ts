import { type RawBuilder, sql } from 'kysely'
import type { RestockChannel } from '@okaeri/contract/restocks/channel'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'

/** What a registration waits for. */
export interface AwaitedItem {
  storeProductId: number
  /** 0: the product as a whole. */
  storeVariantId: number
}
export interface WaitingRequest {
  id: string
  /** Where only an address was given: the customer with that address; null if there is none. */
  customerId: string | null
  channel: RestockChannel
  createdAt: Date
}

/**
 * The next of those who wait, in the order of registration, locked. `again`: those who were notified before, at least so long ago and not
 * more often than that. Reads as many rows as it returns, however many wait.
 */
export async function lockWaiting(
  scope: TransactionScope,
  awaited: AwaitedItem,
  {
    channels,
    limit,
    again,
  }: { channels: readonly RestockChannel[]; limit: number; again: { before: Date; atMost: number } | null },
): Promise<WaitingRequest[]> {
  const { merchantId } = scope
  const which = again
    ? sql`status = 'sent' and sent_at < ${again.before} and notified_count < ${again.atMost}`
    : sql`status = 'active'`
  const next = (channel: RestockChannel): RawBuilder<unknown> => sql`(
    select id, customer_id, email_key, channel, created_at from restock_requests
    where merchant_id = ${merchantId} and store_product_id = ${awaited.storeProductId}
      and store_variant_id = ${awaited.storeVariantId} and channel = ${channel} and answering is null and ${which}
    order by created_at, id limit ${limit} for update)`
  if (channels.length === 0) return []
  const { rows } = await sql<WaitingRequest>`
    select w.id, coalesce(w.customer_id, (
        select c.id from customers c where c.merchant_id = ${merchantId} and c.email_key = w.email_key
        order by c.created_at, c.id limit 1)) as "customerId", w.channel, w.created_at as "createdAt"
    from (select * from (${sql.join(channels.map(next), sql` union all `)}) as n order by created_at, id limit ${limit}) w
    order by w.created_at, w.id`.execute(scope.db)
  return rows
}

/** Locks those of these that exist and that no other transaction holds; also returns those that are gone (two customers became one). */
export async function lockFreeRequests(scope: TransactionScope, ids: readonly string[]): Promise<string[]> {
  const { merchantId } = scope
  const { rows: locked } = await sql<{ id: string }>`
    select id from restock_requests where merchant_id = ${merchantId} and id = any(${[...ids]}::uuid[])
    order by id for update skip locked`.execute(scope.db)
  const { rows: gone } = await sql<{ id: string }>`
    select g.id from unnest(${[...ids]}::uuid[]) as g (id)
    where not exists (select from restock_requests k where k.merchant_id = ${merchantId} and k.id = g.id)`.execute(
    scope.db,
  )
  return [...locked, ...gone].map(({ id }) => id)
}

export async function markAnswering(
  scope: TransactionScope,
  ids: readonly string[],
  returnId: string | null,
): Promise<void> {
  await sql`update restock_requests set answering = ${returnId}
    where merchant_id = ${scope.merchantId} and id = any(${[...ids]}::uuid[])`.execute(scope.db)
}

/** A registration deleted meanwhile stays deleted. */
export async function markSent(scope: TransactionScope, sent: readonly { id: string; at: Date }[]): Promise<void> {
  await sql`
    update restock_requests k set status = case when k.status = 'deleted' then k.status else 'sent' end, sent_at = r.at, answering = null,
      notified_count = k.notified_count + 1
    from unnest(${sent.map(({ id }) => id)}::uuid[], ${sent.map(({ at }) => at)}::timestamptz[]) as r (id, at)
    where k.merchant_id = ${scope.merchantId} and k.id = r.id`.execute(scope.db)
}

/** It is unknown whether their message reached them: no wave notifies them again, they may register again. */
export async function markUnknown(scope: TransactionScope, ids: readonly string[]): Promise<void> {
  await sql`
    update restock_requests set status = case when status = 'active' then 'unknown' else status end, answering = null,
      notified_count = notified_count + 1
    where merchant_id = ${scope.merchantId} and id = any(${[...ids]}::uuid[])`.execute(scope.db)
}

/** They bought it: nothing is sent to them. */
export async function markBought(scope: TransactionScope, ids: readonly string[]): Promise<void> {
  await sql`
    update restock_requests set ended_by = 'bought', answering = null, deleted_at = coalesce(deleted_at, ${scope.now}),
      status = 'deleted'
    where merchant_id = ${scope.merchantId} and id = any(${[...ids]}::uuid[])`.execute(scope.db)
}

/** Those of these for which people wait (`fromStorefront`: who registered there), or who were notified before and may be notified again. */
export async function selectAwaited(
  scope: MerchantScope,
  given: readonly AwaitedItem[],
  { againToo, fromStorefront }: { againToo: boolean; fromStorefront: boolean },
): Promise<AwaitedItem[]> {
  const source = fromStorefront ? sql`and k.source = 'storefront'` : sql``
  const waits = (status: 'active' | 'sent') => sql`exists (
    select from restock_requests k where k.merchant_id = ${scope.merchantId} and k.store_product_id = g.p
      and k.store_variant_id = g.v and k.status = ${sql.lit(status)} and k.answering is null ${source})`
  const { rows } = await sql<AwaitedItem>`
    select g.p as "storeProductId", g.v as "storeVariantId"
    from unnest(${given.map(({ storeProductId }) => storeProductId)}::bigint[],
      ${given.map(({ storeVariantId }) => storeVariantId)}::bigint[]) as g (p, v)
    where ${waits('active')} or (${againToo} and ${waits('sent')})
    order by g.p, g.v`.execute(scope.db)
  return rows
}

/** What people wait for, each once: by the index alone, not by looking at all who wait. */
export async function selectEverythingAwaited(
  scope: MerchantScope,
  { after, limit }: { after: AwaitedItem | null; limit: number },
): Promise<AwaitedItem[]> {
  const next = (than: RawBuilder<unknown>) => sql`
    select k.store_product_id as p, k.store_variant_id as v from restock_requests k
    where k.merchant_id = ${scope.merchantId} and k.status = 'active' and k.answering is null
      and (k.store_product_id, k.store_variant_id) > ${than}
    order by k.store_product_id, k.store_variant_id limit 1`
  const { rows } = await sql<AwaitedItem>`
    with recursive awaited as (
      (${next(sql`(${after?.storeProductId ?? -1}::bigint, ${after?.storeVariantId ?? -1}::bigint)`)})
      union all
      select n.p, n.v from awaited a cross join lateral (${next(sql`(a.p, a.v)`)}) n
    )
    select p as "storeProductId", v as "storeVariantId" from awaited limit ${limit}`.execute(scope.db)
  return rows
}
