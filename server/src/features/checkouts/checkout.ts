import { normalizeEmail } from '@okaeri/contract/fields'
import { newId } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { findForgotten, findStoreCustomers } from '../customers/index.ts'
import {
  clearCustomer,
  completeCheckouts,
  convertCarts,
  deleteCheckout,
  lockTokens,
  moveFromGuest,
  moveToCustomer,
  ownCarts,
  upsertCart,
  upsertCheckouts,
  type StoreCart,
  type StoreCheckout,
} from './queries.ts'

/** `quiet`: part of bulk work, whose end publishes `customers.changed_widely`. */
export function upsertStoreCheckouts(
  scope: MerchantScope,
  given: readonly StoreCheckout[],
  { quiet = false }: { quiet?: boolean } = {},
): Promise<void> {
  const latest = [...new Map(given.map((checkout) => [checkout.storeCheckoutId, checkout])).values()]
  if (latest.length === 0) return Promise.resolve()
  return scope.transaction(async (scope) => {
    // Begun before the customer was erased: it belongs to no one.
    const forgotten = await findForgotten(scope, latest, ({ createdAt }) => createdAt)
    const checkouts = latest.map((checkout) =>
      forgotten.has(checkout)
        ? { ...checkout, storeCustomerId: null, email: null, token: null, cartToken: null, recoveryUrl: null }
        : checkout,
    )
    const customers = await findStoreCustomers(
      scope,
      checkouts.flatMap(({ storeCustomerId }) => storeCustomerId ?? []),
    )
    await lockTokens(
      scope,
      checkouts.flatMap(({ token, cartToken }) => [token ?? [], cartToken ?? []].flat()),
    )
    const touched = await upsertCheckouts(
      scope,
      checkouts.map((checkout) => ({
        ...checkout,
        id: newId(),
        customerId: customers.get(checkout.storeCustomerId ?? -1) ?? null,
        emailKey: checkout.email ? normalizeEmail(checkout.email) : null,
      })),
    )
    const owned = await ownCarts(
      scope,
      checkouts.flatMap(({ cartToken, storeCheckoutId }) => (cartToken ? [{ cartToken, storeCheckoutId }] : [])),
    )
    if (!quiet) await publishChanged(scope, [...touched, ...owned])
  })
}

export const removeStoreCheckout = (scope: MerchantScope, storeCheckoutId: number): Promise<void> =>
  scope.transaction(async (scope) => publishChanged(scope, await deleteCheckout(scope, storeCheckoutId)))

/** A cart without lines was emptied. */
export const upsertStoreCart = (scope: MerchantScope, cart: StoreCart): Promise<void> =>
  scope.transaction(async (scope) => {
    await lockTokens(scope, [cart.token])
    await publishChanged(scope, await upsertCart(scope, { ...cart, id: newId() }))
  })

/** Completes the checkouts of these orders and converts their carts. Unknown ones are completed when they arrive. */
export const completeBaskets = (
  scope: MerchantScope,
  orders: readonly { checkoutToken?: string | null; cartToken?: string | null; placedAt: Date }[],
): Promise<void> =>
  scope.transaction(async (scope) => {
    const checkouts = orders.flatMap(({ checkoutToken: token, placedAt: at }) => (token ? [{ token, at }] : []))
    const carts = orders.flatMap(({ cartToken: token, placedAt: at }) => (token ? [{ token, at }] : []))
    if (checkouts.length + carts.length === 0) return
    await lockTokens(
      scope,
      [...checkouts, ...carts].map(({ token }) => token),
    )
    await publishChanged(scope, [...(await completeCheckouts(scope, checkouts)), ...(await convertCarts(scope, carts))])
  })

/** The guest's carts become the customer's. */
export const joinGuestBaskets = (
  scope: MerchantScope,
  { guestId, customerId }: { guestId: string; customerId: string },
): Promise<void> =>
  scope.transaction(async (scope) => {
    const moved = await moveFromGuest(scope, guestId, customerId)
    await publishChanged(scope, moved.length > 0 ? [customerId] : [])
  })

/** The customer was deleted here: their baskets lose them. */
export const detachBaskets = (scope: MerchantScope, { customerId }: { customerId: string }): Promise<void> =>
  clearCustomer(scope, customerId)

/** Two customers of the store were merged. */
export const joinCheckouts = (
  scope: MerchantScope,
  { fromId, intoId }: { fromId: string; intoId: string },
): Promise<void> => moveToCustomer(scope, fromId, intoId)

async function publishChanged(scope: MerchantScope, customerIds: readonly string[]): Promise<void> {
  if (customerIds.length > 0)
    await scope.context.publish(scope, 'customers.changed', { customerIds: [...new Set(customerIds)] })
}
