import { randomBytes } from 'node:crypto'
import { applyCode, useCode } from './goods/discounts.ts'
import { findCustomer, findCustomerByEmail, recountCustomer } from './customers.ts'
import { listItems } from './order-items.ts'
import { orderBody, refundBody } from './webhooks/payloads.ts'
import { nextId, nowSeconds, type StoreScope } from './platform.ts'
import { findProduct, findVariant } from './goods/products.ts'
import { findResource } from './resources.ts'
import { takeFromStock } from './goods/stock.ts'
import { execute, findRow, listRows, transaction } from '../sql.ts'
import { publish } from './webhooks/webhooks.ts'
import type { CustomerRow, OrderRow, RefundRow } from './rows.ts'
import type { BasketItem } from './goods/rows.ts'

export const findOrder = (scope: StoreScope, id: number): OrderRow | null => findResource(scope, 'Order', id)

export function listRefunds(scope: StoreScope, orderId: number): RefundRow[] {
  return listRows<RefundRow>(scope.database)`SELECT * FROM store_refund INDEXED BY store_refund_order
    WHERE store_id = ${scope.store.id} AND order_id = ${orderId} ORDER BY id`
}

export interface Basket {
  customerId: number | null
  /** A guest's address; ignored when there is a customer. */
  email: string | null
  items: { variantId: number; quantity: number }[]
  landingSite: string | null
  referringSite: string | null
  /** Codes of a discount lower the total; others are only stored. */
  discountCodes?: string[]
  tags?: string[]
  /** The tokens of its checkout and its cart. */
  checkoutToken?: string
  cartToken?: string
  /** Replaces the sum of the items, for tests that need a round number. */
  amount?: number | null
}

export function readBasket(scope: StoreScope, items: Basket['items']): BasketItem[] | string {
  const read: BasketItem[] = []
  for (const { variantId, quantity } of items) {
    const variant = findVariant(scope, variantId)
    const product = variant ? findProduct(scope, variant.product_id) : null
    if (!variant || !product) return `There is no product variant ${variantId}.`
    if (!Number.isInteger(quantity) || quantity < 1) return 'A quantity is a whole number from 1.'
    read.push({ variant, product, quantity })
  }
  return read.length === 0 ? 'An order needs at least one item.' : read
}

/** Places a paid order. A guest whose address belongs to a customer is that customer, as at the platform's checkout. */
export function placeOrder(scope: StoreScope, basket: Basket): OrderRow | string {
  const items = readBasket(scope, basket.items)
  if (typeof items === 'string') return items
  const customer =
    basket.customerId === null
      ? basket.email === null
        ? null
        : findCustomerByEmail(scope, basket.email)
      : findCustomer(scope, basket.customerId)
  if (basket.customerId !== null && !customer) return `There is no customer ${basket.customerId}.`
  const codes = basket.discountCodes ?? []
  const taken: { code: string; amount: number }[] = []
  for (const code of codes) {
    const applied = applyCode(scope, code, items)
    if (typeof applied === 'string') return applied
    if (applied !== null) taken.push({ code, amount: applied })
  }
  return transaction(scope.database, () => {
    const [id, number, now] = [nextId(scope, 'order'), nextId(scope, 'number'), nowSeconds(scope)]
    const sum = items.reduce((total, { variant, quantity }) => total + variant.price * quantity, 0)
    const total =
      basket.amount ??
      sum -
        Math.min(
          sum,
          taken.reduce((off, { amount }) => off + amount, 0),
        )
    execute(scope.database)`INSERT INTO store_order VALUES (${scope.store.id}, ${id}, ${number}, ${`#${number}`},
      ${customer?.id ?? null}, ${customer?.email ?? basket.email}, ${randomBytes(12).toString('hex')}, ${total},
      ${total}, 'PAID', 'UNFULFILLED', NULL, ${JSON.stringify(basket.discountCodes ?? [])},
      ${basket.landingSite}, ${basket.referringSite}, ${customer?.locale ?? 'ja'}, ${now}, NULL, ${now}, ${now},
      ${JSON.stringify(basket.tags ?? [])}, ${basket.checkoutToken ?? null}, ${basket.cartToken ?? null})`
    for (const { variant, product, quantity } of items) {
      execute(scope.database)`INSERT INTO store_order_item VALUES (${scope.store.id}, ${nextId(scope, 'item')}, ${id},
        ${product.id}, ${variant.id}, ${product.title}, ${variant.title === 'Default Title' ? null : variant.title},
        ${variant.sku}, ${quantity}, ${quantity}, ${variant.price})`
      takeFromStock(scope, variant, quantity)
    }
    for (const { code, amount } of taken) useCode(scope, id, code, amount)
    if (customer) recountCustomer(scope, customer.id)
    const order = findOrder(scope, id)
    if (!order) throw new Error('order vanished')
    tell(scope, order, ['ORDERS_CREATE', 'ORDERS_PAID'])
    return order
  })
}

function tell(scope: StoreScope, order: OrderRow, topics: string[]): void {
  const customer: CustomerRow | null = order.customer_id === null ? null : findCustomer(scope, order.customer_id)
  for (const topic of topics) publish(scope, topic, () => orderBody(scope, order, customer))
}

export function cancelOrder(scope: StoreScope, id: number): OrderRow | string {
  const order = findOrder(scope, id)
  if (!order) return `There is no order ${id}.`
  if (order.cancelled_at !== null) return 'This order is already cancelled.'
  return transaction(scope.database, () => {
    const now = nowSeconds(scope)
    execute(scope.database)`UPDATE store_order SET cancelled_at = ${now}, cancel_reason = 'CUSTOMER',
      financial_status = 'VOIDED', current_total = 0, updated_at = ${now}
      WHERE store_id = ${scope.store.id} AND id = ${id}`
    execute(scope.database)`UPDATE store_order_item SET current_quantity = 0
      WHERE store_id = ${scope.store.id} AND order_id = ${id}`
    return changed(scope, id, ['ORDERS_CANCELLED', 'ORDERS_UPDATED'])
  })
}

/** Everything of it leaves the warehouse. */
export function fulfillOrder(scope: StoreScope, id: number): OrderRow | string {
  const order = findOrder(scope, id)
  if (!order) return `There is no order ${id}.`
  if (order.cancelled_at !== null) return 'This order is cancelled.'
  if (order.fulfillment_status === 'FULFILLED') return 'This order is already fulfilled.'
  return transaction(scope.database, () => {
    execute(scope.database)`UPDATE store_order SET fulfillment_status = 'FULFILLED', updated_at = ${nowSeconds(scope)}
      WHERE store_id = ${scope.store.id} AND id = ${id}`
    return changed(scope, id, ['ORDERS_FULFILLED', 'ORDERS_UPDATED'])
  })
}

/** Replaces the tags. */
export function tagOrder(scope: StoreScope, id: number, tags: string[]): OrderRow | string {
  if (!findOrder(scope, id)) return `There is no order ${id}.`
  return transaction(scope.database, () => {
    execute(scope.database)`UPDATE store_order SET tags = ${JSON.stringify(tags)}, updated_at = ${nowSeconds(scope)}
      WHERE store_id = ${scope.store.id} AND id = ${id}`
    return changed(scope, id, ['ORDERS_UPDATED'])
  })
}

/** The platform has a separate topic for this; here it behaves as if that webhook was lost. */
export function deleteOrder(scope: StoreScope, id: number): string | null {
  const order = findOrder(scope, id)
  if (!order) return `There is no order ${id}.`
  transaction(scope.database, () => {
    execute(scope.database)`DELETE FROM store_order_item WHERE store_id = ${scope.store.id} AND order_id = ${id}`
    execute(scope.database)`DELETE FROM store_order WHERE store_id = ${scope.store.id} AND id = ${id}`
    if (order.customer_id !== null) recountCustomer(scope, order.customer_id)
  })
  return null
}

/** Gives back an amount, or all that is left. */
export function refundOrder(scope: StoreScope, id: number, amount: number | null): OrderRow | string {
  const order = findOrder(scope, id)
  if (!order) return `There is no order ${id}.`
  const given = amount ?? order.current_total
  if (!Number.isInteger(given) || given < 1 || given > order.current_total)
    return 'There is not that much left to refund.'
  return transaction(scope.database, () => {
    const now = nowSeconds(scope)
    const left = order.current_total - given
    const refundId = nextId(scope, 'refund')
    const items = left === 0 ? listItems(scope, id).filter((item) => item.current_quantity > 0) : []
    execute(scope.database)`INSERT INTO store_refund VALUES (${scope.store.id}, ${refundId}, ${id}, ${given}, NULL,
      ${now})`
    execute(scope.database)`UPDATE store_order SET current_total = ${left},
      financial_status = ${left === 0 ? 'REFUNDED' : 'PARTIALLY_REFUNDED'}, updated_at = ${now}
      WHERE store_id = ${scope.store.id} AND id = ${id}`
    if (left === 0)
      execute(scope.database)`UPDATE store_order_item SET current_quantity = 0
        WHERE store_id = ${scope.store.id} AND order_id = ${id}`
    const refund = listRefunds(scope, id).find((row) => row.id === refundId)
    if (refund)
      publish(scope, 'REFUNDS_CREATE', () =>
        refundBody(
          scope,
          refund,
          items.map((item) => ({ item, quantity: item.current_quantity })),
        ),
      )
    return changed(scope, id, ['ORDERS_UPDATED'])
  })
}

function changed(scope: StoreScope, id: number, topics: string[]): OrderRow {
  const order = findOrder(scope, id)
  if (!order) throw new Error('order vanished')
  if (order.customer_id !== null) recountCustomer(scope, order.customer_id)
  tell(scope, order, topics)
  return order
}

/** A landing address as the platform keeps it: path and query within the store. */
export function landingPath(scope: StoreScope, given: string | null | undefined): string | null {
  if (!given) return null
  const path = URL.canParse(given) ? new URL(given).pathname + new URL(given).search : given
  const prefix = `/stores/${scope.store.shop}`
  const own = path.startsWith(prefix) ? path.slice(prefix.length) : path
  return own.startsWith('/') ? own : `/${own}`
}

export function findOrderByToken(scope: StoreScope, token: string): OrderRow | null {
  return (
    findRow<OrderRow>(scope.database)`SELECT * FROM store_order WHERE store_id = ${scope.store.id}
      AND token = ${token}` ?? null
  )
}
