import { randomBytes } from 'node:crypto'
import { type CustomerRow, findCustomer, findCustomerByEmail } from './customers.ts'
import { type Basket, type BasketItem, type OrderRow, placeOrder, readBasket } from './orders.ts'
import { cartBody, checkoutBody } from './payloads-goods.ts'
import { nextId, nowSeconds, type StoreScope } from './platform.ts'
import { execute, findRow, transaction } from '../sql.ts'
import { publish } from './webhooks.ts'

export interface CheckoutRow {
  id: number
  token: string
  cart_token: string
  customer_id: number | null
  email: string | null
  items: string
  landing_site: string | null
  referring_site: string | null
  created_at: number
  updated_at: number
  completed_at: number | null
}

export function findCheckout(scope: StoreScope, token: string): CheckoutRow | null {
  return (
    findRow<CheckoutRow>(
      scope.database,
      'SELECT * FROM store_checkout WHERE store_id = ? AND token = ?',
      scope.store.id,
      token,
    ) ?? null
  )
}

export function deleteCheckout(scope: StoreScope, token: string): string | null {
  const row = findCheckout(scope, token)
  if (!row) return 'There is no such checkout.'
  transaction(scope.database, () => {
    execute(scope.database, 'DELETE FROM store_checkout WHERE store_id = ? AND id = ?', scope.store.id, row.id)
    publish(scope, 'CHECKOUTS_DELETE', () => ({ id: row.id, cart_token: row.cart_token, total_price: '0' }))
  })
  return null
}

export function checkoutItems(scope: StoreScope, row: CheckoutRow): BasketItem[] {
  const items = readBasket(scope, JSON.parse(row.items) as Basket['items'])
  return typeof items === 'string' ? [] : items
}

/** Someone has filled a cart and left an address: a cart and a checkout begin. Left alone it is an abandoned one. */
export function beginCheckout(scope: StoreScope, basket: Basket): CheckoutRow | string {
  const items = readBasket(scope, basket.items)
  if (typeof items === 'string') return items
  const customer =
    basket.customerId !== null
      ? findCustomer(scope, basket.customerId)
      : basket.email === null
        ? null
        : findCustomerByEmail(scope, basket.email)
  return transaction(scope.database, () => {
    const now = nowSeconds(scope)
    const token = randomBytes(12).toString('hex')
    execute(
      scope.database,
      'INSERT INTO store_checkout VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      scope.store.id,
      nextId(scope, 'checkout'),
      token,
      randomBytes(12).toString('hex'),
      customer?.id ?? null,
      customer?.email ?? basket.email,
      JSON.stringify(basket.items),
      basket.landingSite,
      basket.referringSite,
      now,
      now,
      null,
    )
    const row = findCheckout(scope, token)
    if (!row) throw new Error('checkout vanished')
    publish(scope, 'CARTS_CREATE', () => cartBody(row, items))
    publish(scope, 'CARTS_UPDATE', () => cartBody(row, items))
    tell(scope, row, { topic: 'CHECKOUTS_CREATE', items, customer })
    return row
  })
}

/** The checkout ends in an order. */
export function completeCheckout(scope: StoreScope, token: string, discountCodes: string[] = []): OrderRow | string {
  const row = findCheckout(scope, token)
  if (!row) return 'There is no such checkout.'
  if (row.completed_at !== null) return 'This checkout is already completed.'
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
    execute(
      scope.database,
      'UPDATE store_checkout SET completed_at = ?, updated_at = ? WHERE store_id = ? AND id = ?',
      nowSeconds(scope),
      nowSeconds(scope),
      scope.store.id,
      row.id,
    )
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
