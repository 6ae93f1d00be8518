import type { Facts } from '../../kernel/facts.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import type { PlacedOrder } from '../orders/index.ts'
import { addStats, type StatsIncrement } from '../stats/index.ts'
import { judgeHitsOfCustomers } from './hit-judgment.ts'
import {
  clearConversions,
  clearHits,
  type ConversionRow,
  type CreditRow,
  findAttributionSettings,
  findConversionForUpdate,
  findLastTouched,
  insertConversion,
  listCustomersOfOrder,
  listOrdersOfRecipients,
  markAmount,
  markWithdrawn,
} from './queries.ts'

const DAY_MS = 86_400_000
/** The platform's times are whole seconds: a click in the same second came before the order. */
const WHOLE_SECOND_MS = 999

/** Most orders come from customers who got no mail; one query excludes them. */
export async function creditOrders(scope: MerchantScope, { orders }: Facts['orders.placed']): Promise<void> {
  const written = await listOrdersOfRecipients(scope, orders)
  for (const order of orders) if (written.has(order.orderId)) await creditOrder(scope, order)
}

/**
 * Credits an order to the last delivery its customer clicked within the merchant's window before it (domain.md §6). A second call for the same
 * order changes nothing, however the order became known.
 */
export async function creditOrder(scope: MerchantScope, order: Omit<PlacedOrder, 'landingSite'>): Promise<void> {
  await scope.transaction(async (inside) => {
    const customerIds = await listCustomersOfOrder(inside, order)
    if (customerIds.length === 0) return
    await judgeHitsOfCustomers(inside, customerIds)
    const settings = await findAttributionSettings(inside)
    const span = {
      customerIds,
      from: new Date(order.processedAt.getTime() - settings.attribution_days * DAY_MS),
      to: new Date(order.processedAt.getTime() + WHOLE_SECOND_MS),
    }
    let creditedBy: 'click' | 'open' = 'click'
    let credit: CreditRow | null = await findLastTouched(inside, { ...span, kind: 'click' })
    if (!credit && settings.attribution_counts_opens) {
      creditedBy = 'open'
      credit = await findLastTouched(inside, { ...span, kind: 'open' })
    }
    if (!credit) return
    const { amount, currency } = order
    const isNew = await insertConversion(inside, {
      program: credit.program,
      delivery_id: credit.delivery_id,
      email_id: credit.email_id,
      customer_id: credit.customer_id,
      order_id: order.orderId,
      credited_by: creditedBy,
      amount,
      currency,
      ordered_at: order.processedAt,
    })
    if (!isNew) return
    await addStats(inside, [
      change({ ...credit, ordered_at: order.processedAt }, 1, inCurrency(settings.currency, currency, amount)),
    ])
  })
}

/** Takes a cancelled order out again, from the quarter of an hour it was counted in. */
export async function withdrawOrder(scope: MerchantScope, { orderId }: { orderId: string }): Promise<void> {
  await scope.transaction(async (inside) => {
    const conversion = await findConversionForUpdate(inside, orderId)
    if (!conversion) return
    const { currency } = await findAttributionSettings(inside)
    await markWithdrawn(inside, orderId)
    await addStats(inside, [change(conversion, -1, -inCurrency(currency, conversion.currency, conversion.amount))])
  })
}

/** After a refund an order counts with the rest; if nothing is left, it is taken out. */
export async function lowerOrder(
  scope: MerchantScope,
  { orderId, amount }: { orderId: string; amount: number },
): Promise<void> {
  if (amount <= 0) return withdrawOrder(scope, { orderId })
  await scope.transaction(async (inside) => {
    const conversion = await findConversionForUpdate(inside, orderId)
    if (!conversion || conversion.amount === amount) return
    const { currency } = await findAttributionSettings(inside)
    await markAmount(inside, orderId, amount)
    await addStats(inside, [
      change(conversion, 0, inCurrency(currency, conversion.currency, amount - conversion.amount)),
    ])
  })
}

const change = (
  at: Pick<ConversionRow, 'program' | 'channel' | 'email_id' | 'ordered_at'>,
  orders: number,
  revenue: number,
): StatsIncrement => ({
  at: at.ordered_at,
  program: at.program,
  channel: at.channel,
  contentId: at.email_id,
  orders,
  revenue,
})

/** Sums are in the merchant's currency. An order in another currency counts as an order, without its amount. */
const inCurrency = (own: string, currency: string, amount: number): number => (own === currency ? amount : 0)

/** For a deleted customer only the counts stay, without agent and network. */
export const forgetTracked = (scope: MerchantScope, { customerId }: { customerId: string }): Promise<void> =>
  scope.transaction(async (inside) => {
    await clearHits(inside, customerId)
    await clearConversions(inside, customerId)
  })
