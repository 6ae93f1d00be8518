import type { CustomerFilter, CustomerRange, CustomerSort } from '@okaeri/contract/customers/view'
import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope } from '../../../kernel/merchant-scope.ts'
import type { Searched } from './search-queries.ts'

// What a list is filtered by, as SQL over `c`, a row of `customers`.

/** The contract's filters, with folded words and tag, and days as instants. */
export interface ListFilter
  extends Omit<CustomerFilter, 'q' | 'tag' | 'created_from' | 'created_to' | 'sales_min' | 'sales_max'> {
  searched: Searched
  /** Minor units. */
  salesMin: number | null
  salesMax: number | null
  createdFrom: Date | null
  /** The first instant after the span. */
  createdBefore: Date | null
}

export const isSearched = ({ words, tag }: Searched): boolean => words.length > 0 || tag !== undefined

export type Conditions = Partial<Record<keyof CustomerFilter | 'created' | CustomerRange, RawBuilder<unknown>>>

/** One for each filter except words and tag. */
export function conditionsOf(scope: MerchantScope, filter: ListFilter): Conditions {
  const {
    marketing,
    notification,
    suppressed,
    has_orders: hasOrders,
    language,
    line,
    createdFrom,
    createdBefore,
  } = filter
  const orders = between('orders_count', filter.orders_min, filter.orders_max)
  const sales = between('orders_amount', filter.salesMin, filter.salesMax)
  const sent = between('email_sent_count', filter.sent_min, filter.sent_max)
  const isSuppressed = sql`c.email_key in (select address_key from suppressions
    where merchant_id = ${scope.merchantId} and channel = 'email' and lifted_at is null)`
  const NOT_GRANTED = sql`('unknown', 'withdrawn', 'pending')`
  return {
    ...(marketing && {
      marketing:
        marketing === 'not_granted' ? sql`c.marketing_state in ${NOT_GRANTED}` : sql`c.marketing_state = ${marketing}`,
    }),
    ...(notification && {
      notification:
        notification === 'granted'
          ? sql`c.notification_state = 'granted'`
          : sql`c.notification_state in ${NOT_GRANTED}`,
    }),
    ...(suppressed && { suppressed: suppressed === 'yes' ? isSuppressed : sql`(${isSuppressed}) is not true` }),
    ...(hasOrders && { has_orders: hasOrders === 'yes' ? sql`c.orders_count > 0` : sql`c.orders_count = 0` }),
    ...(language && { language: sql`c.language = ${language}` }),
    ...(line && { line: line === 'yes' ? sql`c.line_connected_at is not null` : sql`c.line_connected_at is null` }),
    ...((createdFrom || createdBefore) && {
      created: sql.join(
        [
          ...(createdFrom ? [sql`c.created_at >= ${createdFrom}`] : []),
          ...(createdBefore ? [sql`c.created_at < ${createdBefore}`] : []),
        ],
        sql` and `,
      ),
    }),
    ...(orders && { orders }),
    ...(sales && { sales }),
    ...(sent && { sent }),
  }
}

/** Both ends included; null if neither is given. */
function between(
  column: 'orders_count' | 'orders_amount' | 'email_sent_count',
  min: number | null | undefined,
  max: number | null | undefined,
): RawBuilder<unknown> | null {
  const value = sql.ref(`c.${column}`)
  const ends = [
    ...(typeof min === 'number' ? [sql`${value} >= ${min}`] : []),
    ...(typeof max === 'number' ? [sql`${value} <= ${max}`] : []),
  ]
  return ends.length > 0 ? sql.join(ends, sql` and `) : null
}

export const matchesAll = (scope: MerchantScope, conditions: Conditions): RawBuilder<unknown> =>
  and([sql`c.merchant_id = ${scope.merchantId}`, ...Object.values(conditions)])
export const and = (parts: readonly RawBuilder<unknown>[]): RawBuilder<unknown> => sql.join([...parts], sql` and `)

/**
 * The conditions as ranges of the sort order, so that a walk along it covers only this range. Customers without orders have no amount and no
 * last order (projections.ts).
 */
export function inOrder(sort: CustomerSort, filter: ListFilter, conditions: Conditions): RawBuilder<unknown>[] {
  const { created, has_orders: bought, orders, sales, sent } = conditions
  const given = (...parts: (RawBuilder<unknown> | undefined)[]) => parts.filter((part) => part !== undefined)
  const has = filter.has_orders === 'yes'
  switch (sort) {
    case 'created_at':
      return given(created)
    case 'orders_count':
      return given(bought, orders)
    case 'email_sent_count':
      return given(sent)
    case 'total_revenue':
      // This condition makes PostgreSQL use the partial index of customers with orders.
      return given(bought, bought && !has ? sql`c.orders_amount = 0` : undefined, sales)
    case 'last_order_at':
      return bought ? [has ? sql`c.last_order_at is not null` : sql`c.last_order_at is null`] : []
    default:
      return []
  }
}

/** The conditions that {@link inOrder} turns into ranges of the order. */
export const ledBy: Record<CustomerSort, readonly (keyof Conditions)[]> = {
  created_at: ['created'],
  name: [],
  total_revenue: ['has_orders', 'sales'],
  orders_count: ['has_orders', 'orders'],
  last_order_at: ['has_orders'],
  email_sent_count: ['sent'],
}
