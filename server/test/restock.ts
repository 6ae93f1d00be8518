import { sql } from 'kysely'
import { setOnlineStock } from '../src/features/catalog/index.ts'
import { addRestockRequests } from '../src/features/restocks/index.ts'
import { newId } from '../src/kernel/ids.ts'
import type { MerchantScope } from '../src/kernel/merchant-scope.ts'
import { addCustomers, addEmail } from './fixtures.ts'
import { addScenario, flowOf, mailNode } from './scenarios.ts'

// A product that people wait for, and the messages they get about it.

export const PRODUCT = 9001
export const VARIANT = 9101

/** On sale, with one variant that is sold out. */
export async function addAwaitedProduct(
  scope: MerchantScope,
  { product = PRODUCT, variant = VARIANT }: { product?: number; variant?: number } = {},
): Promise<void> {
  await sql`insert into products (merchant_id, id, store_product_id, title, handle, status)
    values (${scope.merchantId}, ${newId()}, ${product}, '煎茶', 'sencha', 'ACTIVE')`.execute(scope.db)
  await sql`insert into product_variants (merchant_id, id, store_variant_id, store_product_id, title)
    values (${scope.merchantId}, ${newId()}, ${variant}, ${product}, 'S')`.execute(scope.db)
  await setStock(scope, 0, variant)
}

/** As the store answers now. */
export const setStock = (scope: MerchantScope, quantity: number, variant = VARIANT): Promise<void> =>
  setOnlineStock(scope, [{ storeVariantId: variant, quantity }])

/** Customers who registered one after another, a minute apart; returns their ids in that order. */
export async function addWaiting(
  scope: MerchantScope,
  count: number,
  { product = PRODUCT, variant = VARIANT, prefix = 'w' }: { product?: number; variant?: number; prefix?: string } = {},
): Promise<string[]> {
  const customerIds = await addCustomers(
    scope,
    Array.from({ length: count }, (_, index) => ({
      email: `${prefix}${String(index).padStart(3, '0')}@example.test`,
      // Their registration is permission enough.
      marketing_state: 'unknown' as const,
    })),
  )
  const first = scope.now.getTime() - (count + 60) * 60_000
  await addRestockRequests(
    scope,
    customerIds.map((customerId, index) => ({
      customerId,
      storeProductId: product,
      storeVariantId: variant,
      source: 'storefront' as const,
      createdAt: new Date(first + index * 60_000),
    })),
  )
  return customerIds
}

/** An active scenario with one mail. */
export const addRestockScenario = async (scope: MerchantScope, name = '再入荷のお知らせ'): Promise<string> =>
  addScenario(
    scope,
    flowOf([mailNode('mail', await addEmail(scope, { subject: '再入荷しました' }), null)], {
      trigger: { kind: 'product_restocked' },
    }),
    name,
  )

let orderNumber = 70_000
/** They bought one of it now. */
export async function buy(
  scope: MerchantScope,
  customerId: string,
  { product = PRODUCT, variant = VARIANT }: { product?: number; variant?: number } = {},
): Promise<void> {
  const id = newId()
  orderNumber += 1
  await sql`insert into orders (merchant_id, id, store_order_id, customer_id, name, processed_at, total_amount, current_amount, currency)
    values (${scope.merchantId}, ${id}, ${orderNumber}, ${customerId}, ${`#${orderNumber}`}, ${scope.now}, 1200, 1200, 'JPY')`.execute(
    scope.db,
  )
  await sql`insert into order_lines (merchant_id, order_id, position, customer_id, store_product_id, store_variant_id, title, quantity, amount, processed_at)
    values (${scope.merchantId}, ${id}, 0, ${customerId}, ${product}, ${variant}, '煎茶', 1, 1200, ${scope.now})`.execute(
    scope.db,
  )
}
