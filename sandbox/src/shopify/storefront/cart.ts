import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { readBasket } from '../orders.ts'
import { cartBody } from '../webhooks/payloads-goods.ts'
import { nowSeconds, type StoreScope } from '../platform.ts'
import { findProduct, findVariant } from '../goods/products.ts'
import { isForSale } from '../goods/variants.ts'
import { execute, findRow, transaction } from '../../sql.ts'
import { publish } from '../webhooks/webhooks.ts'
import { cookieOf, setCookie } from './visit.ts'
import type { BasketItem } from '../goods/rows.ts'

export interface Cart {
  token: string
  items: { variantId: number; quantity: number }[]
  created_at: number
  updated_at: number
}

const cartCookie = 'store_cart'
const mostOfOne = 99

export function readCart(scope: StoreScope, request: FastifyRequest): Cart | null {
  const token = cookieOf(request, cartCookie)
  const row =
    token === null
      ? undefined
      : findRow<Omit<Cart, 'items'> & { items: string }>(scope.database)`SELECT token, items, created_at, updated_at
        FROM store_cart WHERE store_id = ${scope.store.id} AND token = ${token}`
  return row ? { ...row, items: JSON.parse(row.items) as Cart['items'] } : null
}

export const cartCount = (cart: Cart | null): number =>
  cart?.items.reduce((sum, { quantity }) => sum + quantity, 0) ?? 0

/** What lies in it, without what the store no longer has. */
export function cartItems(scope: StoreScope, cart: Cart | null): BasketItem[] {
  return (cart?.items ?? []).flatMap((item) => {
    const read = readBasket(scope, [item])
    return typeof read === 'string' ? [] : read
  })
}

export const cartTotal = (items: BasketItem[]): number =>
  items.reduce((sum, { variant, quantity }) => sum + variant.price * quantity, 0)

export type CartProblem = 'unknown' | 'sold_out' | 'too_many'

/** Puts so many of a variant into the visitor's cart, or makes them so many; 0 removes it. */
export function changeCart(
  scope: StoreScope,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  change: { variantId: number; quantity: number; adds: boolean },
): Cart | CartProblem {
  const variant = Number.isInteger(change.variantId) ? findVariant(scope, change.variantId) : null
  const product = variant && findProduct(scope, variant.product_id)
  if (!variant || product?.status !== 'ACTIVE') return 'unknown'
  const before = readCart(scope, request)
  const had = before?.items.find(({ variantId }) => variantId === variant.id)?.quantity ?? 0
  const wanted = change.adds ? had + change.quantity : change.quantity
  if (!Number.isInteger(change.quantity) || wanted < 0) return 'unknown'
  if (wanted > had && !isForSale(variant)) return 'sold_out'
  const most = variant.inventory_policy === 'CONTINUE' ? mostOfOne : Math.min(mostOfOne, variant.online_quantity)
  if (wanted > had && wanted > most) return 'too_many'
  const items = (before?.items ?? []).filter(({ variantId }) => variantId !== variant.id)
  if (wanted > 0) items.push({ variantId: variant.id, quantity: wanted })
  return keepCart(scope, reply, before, items)
}

export function emptyCart(scope: StoreScope, reply: FastifyReply, cart: Cart | null): void {
  if (!cart) return
  execute(scope.database)`DELETE FROM store_cart WHERE store_id = ${scope.store.id} AND token = ${cart.token}`
  setCookie(scope, reply, cartCookie, '')
}

function keepCart(scope: StoreScope, reply: FastifyReply, before: Cart | null, items: Cart['items']): Cart {
  return transaction(scope.database, () => {
    const now = nowSeconds(scope)
    const cart: Cart = {
      token: before?.token ?? randomBytes(12).toString('hex'),
      items,
      created_at: before?.created_at ?? now,
      updated_at: now,
    }
    execute(scope.database)`INSERT INTO store_cart VALUES (${scope.store.id}, ${cart.token}, ${JSON.stringify(items)},
      ${cart.created_at}, ${now}) ON CONFLICT DO UPDATE SET items = excluded.items, updated_at = excluded.updated_at`
    if (!before) setCookie(scope, reply, cartCookie, cart.token)
    const body = () => cartBody(scope, { ...cart, cart_token: cart.token }, cartItems(scope, cart))
    if (!before) publish(scope, 'CARTS_CREATE', body)
    publish(scope, 'CARTS_UPDATE', body)
    return cart
  })
}
