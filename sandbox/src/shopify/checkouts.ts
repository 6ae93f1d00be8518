import { randomBytes } from 'node:crypto'
import { findCustomer, findCustomerByEmail } from './customers.ts'
import { type Basket, placeOrder, readBasket } from './orders.ts'
import { cartBody, checkoutBody } from './webhooks/payloads-goods.ts'
import { nextId, nowSeconds, type StoreScope } from './platform.ts'
import { execute, findRow, transaction } from '../sql.ts'
import { publish } from './webhooks/webhooks.ts'
import type { CheckoutRow, CustomerRow, OrderRow } from './rows.ts'
import type { BasketItem } from './goods/rows.ts'

export function findCheckout(scope: StoreScope, token: string): CheckoutRow | null {
  return (
    findRow<CheckoutRow>(scope.database)`SELECT * FROM store_checkout
      WHERE store_id = ${scope.store.id} AND token = ${token}` ?? null
  )
}

export function deleteCheckout(scope: StoreScope, token: string): string | null {
  const row = findCheckout(scope, token)
  if (!row) return 'There is no such checkout.'
  transaction(scope.database, () => {
    execute(scope.database)`DELETE FROM store_checkout WHERE store_id = ${scope.store.id} AND id = ${row.id}`
    publish(scope, 'CHECKOUTS_DELETE', () => ({ id: row.id, cart_token: row.cart_token, total_price: '0' }))
  })
  return null
}

export function checkoutItems(scope: StoreScope, row: CheckoutRow): BasketItem[] {
  const items = readBasket(scope, JSON.parse(row.items) as Basket['items'])
  return typeof items === 'string' ? [] : items
}

/**
 * Someone goes to the checkout with a cart, or with things that become one. It is reported once an address is known; left alone it is an
 * abandoned one then.
 */
export function beginCheckout(scope: StoreScope, basket: Basket): CheckoutRow | string {
  const items = readBasket(scope, basket.items)
  if (typeof items === 'string') return items
  const customer =
    basket.customerId !== null
      ? findCustomer(scope, basket.customerId)
      : basket.email === null
        ? null
        : findCustomerByEmail(scope, basket.email)
  const email = customer?.email ?? basket.email
  return transaction(scope.database, () => {
    const now = nowSeconds(scope)
    const token = randomBytes(12).toString('hex')
    execute(scope.database)`INSERT INTO store_checkout VALUES (${scope.store.id}, ${nextId(scope, 'checkout')},
      ${token}, ${basket.cartToken ?? randomBytes(12).toString('hex')}, ${customer?.id ?? null}, ${email},
      ${JSON.stringify(basket.items)}, ${basket.landingSite}, ${basket.referringSite}, ${now}, ${now}, NULL)`
    const row = findCheckout(scope, token)
    if (!row) throw new Error('checkout vanished')
    if (basket.cartToken === undefined) {
      publish(scope, 'CARTS_CREATE', () => cartBody(scope, row, items))
      publish(scope, 'CARTS_UPDATE', () => cartBody(scope, row, items))
    }
    if (email !== null) tell(scope, row, { topic: 'CHECKOUTS_CREATE', items, customer })
    return row
  })
}

/** Who it is for; false: there is no such checkout to be changed. */
export function setContact(scope: StoreScope, token: string, email: string): boolean {
  const before = findCheckout(scope, token)
  if (!before || before.completed_at !== null) return false
  if (before.email === email) return true
  return transaction(scope.database, () => {
    const customer =
      before.customer_id === null ? findCustomerByEmail(scope, email) : findCustomer(scope, before.customer_id)
    execute(scope.database)`UPDATE store_checkout SET email = ${email}, customer_id = ${customer?.id ?? null},
      updated_at = ${nowSeconds(scope)} WHERE store_id = ${scope.store.id} AND id = ${before.id}`
    const row = findCheckout(scope, token)
    const topic = before.email === null ? 'CHECKOUTS_CREATE' : 'CHECKOUTS_UPDATE'
    if (row) tell(scope, row, { topic, items: checkoutItems(scope, row), customer })
    return true
  })
}

/** The checkout ends in an order; with `asksStock` only if all of it can be had. */
export function completeCheckout(
  scope: StoreScope,
  token: string,
  { discountCodes = [], asksStock = false }: { discountCodes?: string[]; asksStock?: boolean } = {},
): OrderRow | string {
  const row = findCheckout(scope, token)
  if (!row) return 'There is no such checkout.'
  if (row.completed_at !== null) return 'This checkout is already completed.'
  const short = checkoutItems(scope, row).find(
    ({ variant, quantity }) => variant.inventory_policy === 'DENY' && variant.online_quantity < quantity,
  )
  if (asksStock && short) return `${short.product.title} is sold out.`
  return transaction(scope.database, () => {
    const order = placeOrder(scope, {
      customerId: row.customer_id,
      email: row.email,
      items: JSON.parse(row.items) as Basket['items'],
      landingSite: row.landing_site,
      referringSite: row.referring_site,
      checkoutToken: row.token,
      cartToken: row.cart_token,
      discountCodes,
    })
    if (typeof order === 'string') return order
    execute(scope.database)`UPDATE store_checkout SET completed_at = ${nowSeconds(scope)},
      updated_at = ${nowSeconds(scope)} WHERE store_id = ${scope.store.id} AND id = ${row.id}`
    const done = findCheckout(scope, token)
    const customer = row.customer_id === null ? null : findCustomer(scope, row.customer_id)
    if (done) tell(scope, done, { topic: 'CHECKOUTS_UPDATE', items: checkoutItems(scope, done), customer })
    return order
  })
}

function tell(
  scope: StoreScope,
  row: CheckoutRow,
  about: { topic: string; items: BasketItem[]; customer: CustomerRow | null },
): void {
  publish(scope, about.topic, () => checkoutBody(scope, row, about))
}
