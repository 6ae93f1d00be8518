import { sql } from 'kysely'
import { inAnHour } from '../../kernel/work/due-merchants.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import type { AwaitedItem } from '../restocks/index.ts'

/** Returns whether it was due. The caller then is the only one to check the stock. */
export async function takeLook(scope: TransactionScope, next: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into restock_looks as l (merchant_id, next_at) values (${scope.merchantId}, ${next})
    on conflict (merchant_id) do update set next_at = excluded.next_at
    where l.next_at <= ${scope.now} or l.next_at > ${inAnHour(scope.now)} returning merchant_id`.execute(scope.db)
  return rows.length > 0
}

/** Why nothing was sent: what may be over while the product is still there. None: it went to the test addresses. */
const endsSoon = ['', 'out_of_stock', 'scenario_stopped', 'test_cap', 'no_test_address', 'test_day_cap']

export async function selectVariantsAwaited(scope: MerchantScope, awaited: readonly AwaitedItem[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct v.store_variant_id as id
    from unnest(${awaited.map(({ storeProductId }) => storeProductId)}::bigint[],
      ${awaited.map(({ storeVariantId }) => storeVariantId)}::bigint[]) as a (p, v)
    join product_variants v on v.merchant_id = ${scope.merchantId} and v.store_product_id = a.p
      and (a.v = 0 or v.store_variant_id = a.v)`.execute(scope.db)
  return rows.map(({ id }) => id)
}

/**
 * Awaited products that are in stock although no return was opened: someone registered at the moment the stock came back. Imported
 * registrations wait for a change, because the product may have been in stock when the file came. A person to whom nothing could be sent waits
 * for the next return.
 */
export async function selectMissed(scope: MerchantScope, awaited: readonly AwaitedItem[]): Promise<AwaitedItem[]> {
  const { merchantId } = scope
  const { rows } = await sql<AwaitedItem>`
    select a.p as "storeProductId", a.v as "storeVariantId"
    from unnest(${awaited.map(({ storeProductId }) => storeProductId)}::bigint[],
      ${awaited.map(({ storeVariantId }) => storeVariantId)}::bigint[]) as a (p, v)
    where exists (select from restock_requests k where k.merchant_id = ${merchantId} and k.store_product_id = a.p
        and k.store_variant_id = a.v and k.status = 'active' and k.answering is null and k.source = 'storefront'
        and not exists (select from restock_notices n where n.merchant_id = ${merchantId} and n.request_id = k.id
          and (n.outcome = 'no_customer'
            or n.outcome in ('failed', 'skipped', 'refused') and coalesce(n.reason, '') not in (${sql.join(endsSoon)}))))
      and exists (select from product_variants v where v.merchant_id = ${merchantId} and v.store_product_id = a.p
        and (a.v = 0 or v.store_variant_id = a.v) and (v.online_quantity > 0 or v.sells_without_stock))
      and not exists (select from stock_returns r where r.merchant_id = ${merchantId} and r.store_product_id = a.p
        and r.store_variant_id = a.v and r.ended_at is null)`.execute(scope.db)
  return rows
}
