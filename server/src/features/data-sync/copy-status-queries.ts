import { sql } from 'kysely'
import type { CopiedKind } from '../../integrations/shopify/sync-operations.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { findStore } from '../stores/index.ts'

/**
 * Whether these kinds are complete: they were copied once and, unless `once` is enough, are not being copied again. After a change of the store
 * also what the earlier one had is removed: it would be chosen with the rest.
 */
async function areCopied(scope: MerchantScope, kinds: readonly CopiedKind[], { once = false } = {}): Promise<boolean> {
  const { rows } = await sql<{ copied: boolean }>`
    select not exists (
      select from unnest(${[...kinds]}::text[]) as wanted (kind)
      where not exists (
        select from sync_steps s
        join sync_runs r on r.merchant_id = ${scope.merchantId} and r.id = s.sync_run_id and r.purpose = 'copy'
        where s.merchant_id = ${scope.merchantId} and s.kind = wanted.kind and s.status = 'done'
      ) or exists (
        select from store_watches w
        where w.merchant_id = ${scope.merchantId} and w.kind = wanted.kind and w.has_another_stores_rows
      ) or not ${once} and exists (
        select from sync_runs r
        join sync_steps s on s.merchant_id = ${scope.merchantId} and s.sync_run_id = r.id and s.kind = wanted.kind and s.status <> 'done'
        where r.merchant_id = ${scope.merchantId} and r.status = 'running' and r.purpose = 'copy'
      )
    ) as copied`.execute(scope.db)
  return rows[0]?.copied ?? false
}

export const customersAreCopied = (scope: MerchantScope): Promise<boolean> => areCopied(scope, ['customers'])

/** What the caller reads. `once`: a copy in progress does not matter if there was one before. */
interface AskedOfCopy {
  orders: boolean
  once?: boolean
}

/**
 * Whether customers can be identified and, with `orders`, conditions be evaluated: the data is complete, or no store is connected. While
 * orders are being copied, or were never copied completely, regular customers would look like customers who never bought.
 */
export async function storeIsCopied(scope: MerchantScope, { orders, once = false }: AskedOfCopy): Promise<boolean> {
  const store = await findStore(scope)
  if (store?.status !== 'connected') return true
  return areCopied(scope, orders ? ['customers', 'orders'] : ['customers'], { once })
}
