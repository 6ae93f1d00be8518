import { sql } from 'kysely'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import type { Endable } from './entering-queries.ts'

export interface ProductOfEvent {
  store_product_id: number
  title: string
  handle: string | null
  image_url: string | null
}
/** Products that events name by the store platform's numbers; those no longer known are left out. */
export async function selectProductsOfEvents(
  scope: MerchantScope,
  storeProductIds: readonly number[],
): Promise<Map<number, ProductOfEvent>> {
  if (storeProductIds.length === 0) return new Map()
  const { rows } = await sql<ProductOfEvent>`
    select store_product_id, title, handle, image_url from products
    where merchant_id = ${scope.merchantId} and store_product_id = any(${[...storeProductIds]}::bigint[])`.execute(
    scope.db,
  )
  return new Map(rows.map((product) => [product.store_product_id, product]))
}

/** Executions that wait at these visits for something outside go on. */
export async function wakeVisits(
  scope: TransactionScope,
  visits: readonly { executionId: string; nodeId: string; round: number }[],
): Promise<void> {
  await sql`
    update executions e set woken_by = 'effect', awaits = null, wake_at = ${scope.now}
    from unnest(${visits.map(({ executionId }) => executionId)}::uuid[], ${visits.map(({ nodeId }) => nodeId)}::text[],
      ${visits.map(({ round }) => round)}::smallint[]) as v (id, node_id, round)
    where e.merchant_id = ${scope.merchantId} and e.id = v.id and e.node_id = v.node_id and e.round = v.round
      and e.asleep and e.awaits = 'effect' and e.ended_at is null`.execute(scope.db)
}

export async function selectUnderWay(scope: MerchantScope, executionId: string): Promise<Endable[]> {
  const { rows } = await sql<Endable>`
    select id, scenario_id, version from executions
    where merchant_id = ${scope.merchantId} and id = ${executionId} and ended_at is null and not test`.execute(scope.db)
  return rows
}
