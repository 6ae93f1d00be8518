import { execute, transaction } from '../../sql.ts'
import { addCode, type DiscountRow, findCode, findDiscount, type Items, type Minimum } from './discounts.ts'
import { gid, isoSeconds, nextId, nowSeconds, type StoreScope } from '../platform.ts'
import { publish } from '../webhooks/webhooks.ts'

// What changes discounts, and which webhooks that sends.

/** The code must be free. */
export function createDiscount(
  scope: StoreScope,
  discount: Omit<DiscountRow, 'id' | 'created_at' | 'minimum' | 'items'> & {
    minimum: Minimum
    items: Items
    code: string
  },
): DiscountRow {
  return transaction(scope.database, () => {
    const id = nextId(scope, 'discount')
    execute(scope.database)`INSERT INTO store_discount VALUES (${scope.store.id}, ${id}, ${discount.title},
      ${discount.share}, ${JSON.stringify(discount.minimum)}, ${JSON.stringify(discount.items)},
      ${discount.usage_limit}, ${discount.starts_at}, ${discount.ends_at}, ${nowSeconds(scope)})`
    addCode(scope, id, discount.code)
    const made = findDiscount(scope, id) as DiscountRow
    tell(scope, 'DISCOUNTS_CREATE', made)
    return made
  })
}

/** In the store's admin. Its codes go with it. */
export function deleteDiscount(scope: StoreScope, id: number): void {
  transaction(scope.database, () => {
    const discount = findDiscount(scope, id)
    if (!discount) return
    execute(scope.database)`DELETE FROM store_discount_code WHERE store_id = ${scope.store.id} AND discount_id = ${id}`
    execute(scope.database)`DELETE FROM store_discount WHERE store_id = ${scope.store.id} AND id = ${id}`
    tell(scope, 'DISCOUNTS_DELETE', discount)
  })
}

/** In the store's admin: one code alone. */
export function removeCode(scope: StoreScope, id: number, code: string): void {
  transaction(scope.database, () => {
    const row = findCode(scope, code)
    if (row?.discount_id !== id) return
    execute(scope.database)`DELETE FROM store_discount_code WHERE store_id = ${scope.store.id} AND code = ${row.code}`
    publish(scope, 'DISCOUNTS_REDEEMCODE_REMOVED', () => ({
      admin_graphql_api_id: gid('DiscountCodeNode', id),
      redeem_code: { id: gid('DiscountRedeemCode', id), code: row.code },
      updated_at: scope.clock.now().toISOString(),
    }))
  })
}

/** The body names neither worth nor codes. */
function tell(scope: StoreScope, topic: string, discount: DiscountRow): void {
  publish(scope, topic, () => ({
    admin_graphql_api_id: gid('DiscountCodeNode', discount.id),
    title: discount.title,
    status: statusOf(scope, discount),
    created_at: isoSeconds(discount.created_at),
    updated_at: scope.clock.now().toISOString(),
  }))
}
const statusOf = (scope: StoreScope, { starts_at, ends_at }: DiscountRow): string => {
  const now = nowSeconds(scope)
  if (ends_at !== null && ends_at <= now) return 'EXPIRED'
  return starts_at > now ? 'SCHEDULED' : 'ACTIVE'
}

/** In the store's admin: what it is worth, and until when. */
export function changeDiscount(
  scope: StoreScope,
  id: number,
  { share, endsAt }: { share: number | null; endsAt: Date | null },
): void {
  transaction(scope.database, () => {
    execute(scope.database)`UPDATE store_discount SET share = coalesce(${share}, share),
      ends_at = coalesce(${endsAt && Math.floor(endsAt.getTime() / 1000)}, ends_at)
      WHERE store_id = ${scope.store.id} AND id = ${id}`
    const discount = findDiscount(scope, id)
    if (discount) tell(scope, 'DISCOUNTS_UPDATE', discount)
  })
}
