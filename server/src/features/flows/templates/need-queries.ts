import { sql } from 'kysely'
import type { MerchantScope } from '../../../kernel/merchant-scope.ts'

/** Customers with a known birthday, counted up to `limit`. */
export async function countBirthdays(scope: MerchantScope, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from customers where merchant_id = ${scope.merchantId} and birthday is not null limit ${limit}) c`.execute(
    scope.db,
  )
  return rows[0]?.count ?? 0
}

/** Customers whose views are kept, counted up to `limit`. */
export async function countLookers(scope: MerchantScope, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select distinct customer_id from product_views where merchant_id = ${scope.merchantId} limit ${limit}) c`.execute(
    scope.db,
  )
  return rows[0]?.count ?? 0
}
