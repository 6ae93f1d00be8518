import { type RawBuilder, sql } from 'kysely'
import type { TriggerRules, TimeCondition } from '../trigger-kind.ts'

const ordersOf = (
  merchantId: string,
  within: TimeCondition,
  { at = sql`o.processed_at`, where = sql`true` }: { at?: RawBuilder<unknown>; where?: RawBuilder<unknown> } = {},
): RawBuilder<unknown> => sql`select o.customer_id as id, ${at} as at from orders o
  where o.merchant_id = ${merchantId} and o.customer_id is not null and ${within(at)} and ${where}`

export const orderCreated: TriggerRules<'order_created'> = {
  pastSql: (merchantId, within) => ordersOf(merchantId, within),
}

export const orderPaid: TriggerRules<'order_paid'> = {
  matches: ({ nth }, subject) => typeof nth !== 'number' || subject.nth === nth,
  pastSql: (merchantId, within) =>
    ordersOf(merchantId, within, { where: sql`o.financial_status is distinct from 'PENDING'` }),
  async pastEvents(_, { nth }, { happened, countOrders }) {
    const events = await happened()
    if (typeof nth !== 'number') return events
    const ordersAt = await countOrders()
    return events.filter(({ customerId, at }) => ordersAt(customerId, at) === nth)
  },
}

export const orderFulfilled: TriggerRules<'order_fulfilled'> = {
  // The time of fulfillment is not stored. The order's day is taken instead.
  pastSql: (merchantId, within) => ordersOf(merchantId, within, { where: sql`o.fulfillment_status = 'FULFILLED'` }),
}

export const orderCancelled: TriggerRules<'order_cancelled'> = {
  pastSql: (merchantId, within) => ordersOf(merchantId, within, { at: sql`o.cancelled_at` }),
}
