import type { CustomerOrder } from '@okaeri/contract/customers/customer'
import { normalizeEmail } from '@okaeri/contract/fields'
import type { Page } from '@okaeri/contract/paging'
import { minorUnits } from '@okaeri/contract/money'
import { newId, NIL_ID } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { rememberStoreValues } from '../catalog/index.ts'
import { findForgotten, findStoreCustomers, recountOrders } from '../customers/index.ts'
import {
  type KnownOrder,
  lockKnown,
  markAnnounced,
  type OrderRow,
  type OrderWrite,
  replaceLines,
  markGone,
  moveToCustomer,
  selectCustomerOrders,
  selectCustomersToRecount,
  sumUp,
  upsertOrders,
  writeCurrentAmount,
  type StoreOrder,
} from './queries.ts'

declare module '../../kernel/facts.ts' {
  interface Facts {
    /** Placed now, reported by the store as it happened; never orders copied from the store's past. Each once. */
    'orders.placed': { orders: readonly PlacedOrder[] }
    /**
     * Reported by the store as it happened, in any order and perhaps more than once; never for orders copied in bulk, nor for orders
     * entered into the store more than a week after they were placed.
     */
    'orders.created': { orderIds: readonly string[] }
    'orders.paid': { orderIds: readonly string[] }
    'orders.fulfilled': { orderIds: readonly string[] }
    /** It no longer counts. `asItHappened`: not found by a copy or a comparison. */
    'order.cancelled': OrderFact & { asItHappened?: boolean }
    /** `amount` is the rest after the refund. */
    'order.refunded': OrderFact
  }
}
export interface PlacedOrder extends OrderFact {
  /** Lower case; a guest is known by it alone. */
  emailKey: string | null
  processedAt: Date
  landingSite: string | null
}
interface OrderFact {
  orderId: string
  /** Null for a guest. */
  customerId: string | null
  /** Minor units, after refunds. */
  amount: number
  currency: string
}

interface UpsertOptions {
  /** Numbers of the orders to be reported as placed, unless they were before. */
  announce?: ReadonlySet<number>
  /** Numbers of the orders the store says were paid just now. */
  paid?: ReadonlySet<number>
  /** Part of bulk work, whose end calls `recountAllOrders` and publishes `customers.changed_widely`. */
  bulk?: boolean
}

/**
 * Stores orders with their lines, updates the sums of their customers, and publishes what happened to orders known before. Data older than
 * ours changes nothing.
 */
export function upsertStoreOrders(
  scope: MerchantScope,
  given: readonly StoreOrder[],
  { announce = new Set(), paid = new Set(), bulk = false }: UpsertOptions = {},
): Promise<void> {
  const latest = [...new Map(given.map((order) => [order.storeOrderId, order])).values()]
  if (latest.length === 0) return Promise.resolve()
  return scope.transaction(async (scope) => {
    // Orders from before a customer's erasure stay, without a customer.
    const forgotten = await findForgotten(scope, latest, ({ processedAt }) => processedAt)
    const orders = latest.map((order) =>
      forgotten.has(order)
        ? { ...order, storeCustomerId: null, email: null, landingSite: null, checkoutToken: null, cartToken: null }
        : order,
    )
    const known = new Map(
      (
        await lockKnown(
          scope,
          orders.map(({ storeOrderId }) => storeOrderId),
        )
      ).map((row) => [row.storeOrderId, row]),
    )
    const customers = await findStoreCustomers(scope, [
      ...new Set(orders.flatMap(({ storeCustomerId }) => (storeCustomerId === null ? [] : [storeCustomerId]))),
    ])
    const writes = orders
      .filter((order) => !isStale(order, known.get(order.storeOrderId)))
      .map(
        (order): OrderWrite => ({
          ...order,
          id: known.get(order.storeOrderId)?.id ?? newId(),
          customerId: customers.get(order.storeCustomerId ?? -1) ?? null,
          announced: announce.has(order.storeOrderId),
        }),
      )
    const news: News = { placed: [], created: [], paid: [], fulfilled: [] }
    const written = writes.length > 0 ? await write(scope, writes, known, { paid, bulk, news }) : []
    await announceLate(scope, orders, known, { announce, paid, bulk, news })
    await publishNews(scope, news)
    for (const order of written) await publishChange(scope, order, known.get(order.storeOrderId), bulk)
  })
}

const isStale = (order: StoreOrder, known: KnownOrder | undefined): boolean =>
  known?.storeUpdatedAt != null && known.storeUpdatedAt > order.updatedAt

async function write(
  scope: MerchantScope,
  writes: readonly OrderWrite[],
  known: ReadonlyMap<number, KnownOrder>,
  { paid, bulk, news }: { paid: ReadonlySet<number>; bulk: boolean; news: News },
): Promise<readonly OrderWrite[]> {
  const ids = await upsertOrders(scope, writes)
  // Inserted by another process between our read and our write: the row has that process's id.
  const before = new Set<string>()
  const written = writes.flatMap((order) => {
    const id = ids.get(order.storeOrderId)
    if (!id) return []
    if (known.has(order.storeOrderId) || id !== order.id) before.add(id)
    return [{ ...order, id }]
  })
  await replaceLines(scope, written, before)
  const touched = written.flatMap(({ customerId, storeOrderId }) => [customerId, known.get(storeOrderId)?.customerId])
  if (!bulk) await recount(scope, [...new Set(touched.filter((id) => typeof id === 'string'))])
  await rememberStoreValues(scope, {
    order_tag: written.flatMap(({ tags }) => tags ?? []),
    discount_code: written.flatMap(({ discountCodes }) => discountCodes ?? []),
  })
  for (const order of written) {
    const before = known.get(order.storeOrderId)
    if (order.announced && !before?.announcedAt) news.placed.push(placed(order, factOf(order)))
    if (bulk || isHistory(order, order.announced ? (before?.announcedAt ?? scope.now) : before?.announcedAt)) continue
    if (order.announced) news.created.push(order.id)
    addProgressNews(news, order, before, paid.has(order.storeOrderId))
  }
  return written
}

/** Webhooks are retried for two days, and comparisons find lost ones. An order that comes later was entered into the store as history. */
const HISTORY_MS = 7 * 86_400_000
/** First reported long after it was placed: its owner moved in from another system. It triggers no thank-you mail, now or later. */
const isHistory = ({ processedAt }: Pick<StoreOrder, 'processedAt'>, announcedAt: Date | null | undefined): boolean =>
  announcedAt instanceof Date && announcedAt.getTime() - processedAt.getTime() > HISTORY_MS

/** What is reported about all orders at once. */
interface News {
  placed: PlacedOrder[]
  created: string[]
  paid: string[]
  fulfilled: string[]
}
async function publishNews(scope: MerchantScope, { placed, created, paid, fulfilled }: News): Promise<void> {
  const { publish } = scope.context
  if (placed.length > 0) await publish(scope, 'orders.placed', { orders: placed })
  if (created.length > 0) await publish(scope, 'orders.created', { orderIds: created })
  if (paid.length > 0) await publish(scope, 'orders.paid', { orderIds: paid })
  if (fulfilled.length > 0) await publish(scope, 'orders.fulfilled', { orderIds: fulfilled })
}

async function recount(scope: MerchantScope, customerIds: readonly string[]): Promise<void> {
  if (customerIds.length === 0) return
  await recountOrders(scope, customerIds, sumUp)
  await scope.context.publish(scope, 'customers.changed', { customerIds })
}

/** Counts all customers' orders again after bulk work, a few thousand customers at a time. May be repeated. */
export async function recountAllOrders(scope: MerchantScope, onPage: () => Promise<void>): Promise<void> {
  for (let after = NIL_ID; ; ) {
    const ids = await selectCustomersToRecount(scope, after, RECOUNTED_AT_ONCE)
    const last = ids.at(-1)
    if (!last) return
    await recountOrders(scope, ids, sumUp)
    await onPage()
    after = last
  }
}
const RECOUNTED_AT_ONCE = 2000

async function publishChange(
  scope: MerchantScope,
  order: OrderWrite,
  known: KnownOrder | undefined,
  bulk: boolean,
): Promise<void> {
  const { publish } = scope.context
  const fact = factOf(order)
  if (!known) return
  if (order.cancelledAt && !known.cancelledAt) await publish(scope, 'order.cancelled', { ...fact, asItHappened: !bulk })
  else if (order.currentAmount < known.currentAmount) await publish(scope, 'order.refunded', fact)
}

/** For an order first seen long after it was placed nothing is reported, unless the store says that it happened now. */
function addProgressNews(news: News, order: OrderWrite, known: KnownOrder | undefined, paidNow: boolean): void {
  const isNews = known !== undefined || order.announced
  const isPaid = order.financialStatus === 'PAID' && known?.financialStatus !== 'PAID'
  if (paidNow || (isNews && isPaid)) news.paid.push(order.id)
  const isFulfilled = order.fulfillmentStatus === 'FULFILLED' && known?.fulfillmentStatus !== 'FULFILLED'
  if (isNews && isFulfilled) news.fulfilled.push(order.id)
}

/** "Placed" may come after newer data of the order was stored (a sync, a later change): it is still reported. */
async function announceLate(
  scope: MerchantScope,
  orders: readonly StoreOrder[],
  known: ReadonlyMap<number, KnownOrder>,
  {
    announce,
    paid,
    bulk,
    news,
  }: { announce: ReadonlySet<number>; paid: ReadonlySet<number>; bulk: boolean; news: News },
): Promise<void> {
  for (const order of orders) {
    const row = known.get(order.storeOrderId)
    if (!row || !isStale(order, row)) continue
    const isAnnounced = announce.has(order.storeOrderId)
    const isOld = isHistory(order, isAnnounced ? (row.announcedAt ?? scope.now) : row.announcedAt)
    if (paid.has(order.storeOrderId) && !isOld) news.paid.push(row.id)
    if (!isAnnounced) continue
    if (!bulk && !row.cancelledAt && !isOld) news.created.push(row.id)
    if (row.announcedAt) continue
    await markAnnounced(scope, row.id)
    const fact = { orderId: row.id, customerId: row.customerId, amount: row.currentAmount, currency: order.currency }
    if (!row.cancelledAt) news.placed.push(placed(order, fact))
  }
}

const factOf = (order: OrderWrite): OrderFact => ({
  orderId: order.id,
  customerId: order.customerId,
  amount: order.currentAmount,
  currency: order.currency,
})
const placed = ({ email, processedAt, landingSite }: StoreOrder, fact: OrderFact): PlacedOrder => ({
  ...fact,
  emailKey: email ? normalizeEmail(email) : null,
  processedAt,
  landingSite,
})

/**
 * A refund that comes alone. If the order's state after the refund is already known, it is included; the order's own update sets the amount
 * again in any case. `amounts` are decimal texts in the order's currency.
 */
export function applyRefund(
  scope: MerchantScope,
  refund: { storeOrderId: number; amounts: readonly string[]; createdAt: Date },
): Promise<void> {
  return scope.transaction(async (scope) => {
    const [order] = await lockKnown(scope, [refund.storeOrderId])
    if (!order || (order.storeUpdatedAt && order.storeUpdatedAt >= refund.createdAt)) return
    const given = refund.amounts.reduce((sum, decimal) => sum + minorUnits(decimal, order.currency), 0)
    const amount = Math.max(0, order.currentAmount - given)
    if (amount === order.currentAmount) return
    await writeCurrentAmount(scope, order.id, amount)
    if (order.customerId) await recount(scope, [order.customerId])
    await scope.context.publish(scope, 'order.refunded', {
      orderId: order.id,
      customerId: order.customerId,
      amount,
      currency: order.currency,
    })
  })
}

/** Deleted in the store: no longer counts, as if cancelled. The row stays, because it may be credited to a delivery. */
export function removeStoreOrders(scope: MerchantScope, storeOrderIds: readonly number[]): Promise<void> {
  return scope.transaction(async (scope) => {
    const gone = (await lockKnown(scope, storeOrderIds)).filter(({ cancelledAt }) => !cancelledAt)
    await markGone(
      scope,
      gone.map(({ id }) => id),
    )
    await recount(scope, [...new Set(gone.flatMap(({ customerId }) => customerId ?? []))])
    for (const { id, customerId, currentAmount, currency } of gone)
      await scope.context.publish(scope, 'order.cancelled', {
        orderId: id,
        customerId,
        amount: currentAmount,
        currency,
      })
  })
}

/** Two customers of the store were merged: the orders of one become the other's. */
export function joinOrders(
  scope: MerchantScope,
  { fromId, intoId }: { fromId: string; intoId: string },
): Promise<void> {
  return scope.transaction(async (scope) => {
    await moveToCustomer(scope, fromId, intoId)
    await recount(scope, [intoId])
  })
}

/** The newest orders of a customer with their lines. */
export async function listCustomerOrders(
  scope: MerchantScope,
  customerId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<Page<CustomerOrder>> {
  const { rows, total } = await selectCustomerOrders(scope, customerId, { limit, offset })
  return { data: rows.map(presentOrder), limit, offset, total }
}

const presentOrder = (row: OrderRow): CustomerOrder => ({
  id: row.id,
  name: row.name,
  processed_at: row.processed_at.toISOString(),
  total: { amount: row.current_amount, currency: row.currency },
  financial_status: row.financial_status,
  cancelled_at: row.cancelled_at?.toISOString() ?? null,
  lines: row.lines.map(({ title, quantity, amount }) => ({
    title,
    quantity,
    total: { amount, currency: row.currency },
  })),
})
