import type { OrderedValue, OrderFilter, ProductsValue } from '@okaeri/contract/segments/condition'
import { type RawBuilder, sql } from 'kysely'
import { among, minorUnit, not } from './comparison-sql.ts'
import type { ConditionContext, ConditionTypeSql } from './field-sql.ts'
import { hasAnyText } from './text-folding-sql.ts'
import {
  type CustomerRows,
  existenceField,
  inWindow,
  storedNewest,
  measuredField,
  ofCustomers,
  allOf,
} from './customer-rows-sql.ts'

/** Orders that match the filter and were not cancelled; if the filter asks about products, the matching lines. */
function ordersFound(value: OrderedValue, context: ConditionContext): CustomerRows {
  const { filter, measure, window } = value
  const unit = measure === 'amount' ? minorUnit(context) : 1
  const ofLines =
    measure === 'quantity' ||
    [filter.products, filter.variants, filter.collections, filter.vendors, filter.product_tags].some(Boolean)
  if (ofLines) return linesFound(value, context, unit)
  const unfiltered = !filter.order_tags && !filter.discount_codes
  const total = measure === 'count' ? sql<number>`c.orders_count` : sql<number>`c.orders_amount`
  return {
    rows: sql`from orders o where ${allOf([
      ordersThatStand(context),
      measure === 'amount' ? sql`o.currency = ${context.currency}` : null,
      ...orderFits(filter),
      inWindow(sql`o.processed_at`, window, context),
    ])}`,
    customer: sql`o.customer_id`,
    at: sql`o.processed_at`,
    measure: measure === 'count' ? sql`count(*)` : sql`sum(o.current_amount)`,
    counts: measure === 'count',
    unit,
    stored: unfiltered
      ? { ...(window === null ? { total } : {}), ...storedNewest(sql`c.last_order_at`, window, context) }
      : {},
  }
}

const ordersThatStand = (context: ConditionContext): RawBuilder<unknown> =>
  sql`o.merchant_id = ${context.merchantId} and ${ofCustomers(sql`o.customer_id`, context)} and o.cancelled_at is null`

const orderFits = ({ order_tags, discount_codes }: OrderedValue['filter']): (RawBuilder<unknown> | null)[] => [
  order_tags ? hasAnyText(sql`o.tags`, order_tags) : null,
  discount_codes ? hasAnyText(sql`o.discount_codes`, discount_codes) : null,
]

/** Of lines, which have no currency themselves. */
const inOwnCurrency = (context: ConditionContext): RawBuilder<unknown> =>
  not(
    among(
      sql`l.order_id`,
      // Two ranges of an index; `<>` would read all orders.
      sql`select o.id from orders o
        where o.merchant_id = ${context.merchantId} and (o.currency < ${context.currency} or o.currency > ${context.currency}) ${
          context.only ? sql`and ${ofCustomers(sql`o.customer_id`, context)}` : sql``
        }`,
    ),
  )

/**
 * Lines have their customer and time, but only the order says whether it was cancelled. Cancelled orders are few and have an index, so they
 * are excluded. Only a filter on the order itself reads all orders.
 */
function linesFound({ filter, measure, window }: OrderedValue, context: ConditionContext, unit: number): CustomerRows {
  const { merchantId } = context
  const orderAsked = filter.order_tags || filter.discount_codes
  const order = orderAsked
    ? among(
        sql`l.order_id`,
        sql`select o.id from orders o
          where ${allOf([ordersThatStand(context), ...orderFits(filter), inWindow(sql`o.processed_at`, window, context)])}`,
      )
    : not(
        among(
          sql`l.order_id`,
          sql`select o.id from orders o
            where o.merchant_id = ${merchantId} and o.cancelled_at is not null ${
              context.only ? sql`and ${ofCustomers(sql`o.customer_id`, context)}` : sql``
            }`,
        ),
      )
  const product = (found: RawBuilder<unknown>): RawBuilder<unknown> => sql`l.store_product_id = any(array(${found}))`
  const products = sql`select p.store_product_id from products p where p.merchant_id = ${merchantId}`
  return {
    rows: sql`from order_lines l where ${allOf([
      sql`l.merchant_id = ${merchantId} and ${ofCustomers(sql`l.customer_id`, context)}`,
      filter.products ? product(sql`${products} and p.id = any(${filter.products}::uuid[])`) : null,
      filter.vendors ? product(sql`${products} and ${hasAnyText(sql`array[p.vendor]`, filter.vendors)}`) : null,
      filter.product_tags ? product(sql`${products} and ${hasAnyText(sql`p.tags`, filter.product_tags)}`) : null,
      filter.collections
        ? product(sql`select cp.store_product_id from collection_products cp
            where cp.merchant_id = ${merchantId} and cp.store_collection_id in (
              select k.store_collection_id from collections k
              where k.merchant_id = ${merchantId} and k.id = any(${filter.collections}::uuid[]))`)
        : null,
      filter.variants
        ? sql`l.store_variant_id = any(array(select v.store_variant_id from product_variants v
            where v.merchant_id = ${merchantId} and v.id = any(${filter.variants}::uuid[])))`
        : null,
      inWindow(sql`l.processed_at`, window, context),
      order,
      measure === 'amount' ? inOwnCurrency(context) : null,
    ])}`,
    customer: sql`l.customer_id`,
    at: sql`l.processed_at`,
    measure: {
      count: sql<number>`count(distinct l.order_id)`,
      amount: sql<number>`sum(l.amount)`,
      quantity: sql<number>`sum(l.quantity)`,
    }[measure],
    counts: measure === 'count',
    unit,
  }
}

const goodsFilters: readonly (keyof OrderFilter)[] = ['collections', 'vendors', 'product_tags']

export const ordered: ConditionTypeSql<'ordered'> = {
  fields: { ordered: measuredField(ordersFound) },
  dependsOnCatalog: (value) => goodsFilters.some((key) => (value as OrderedValue).filter[key] !== undefined),
}

/** "Bought any of these" as an `ordered` value. */
const orderedOf = ({ ids, within_days }: ProductsValue): OrderedValue => ({
  measure: 'count',
  value: 1,
  filter: { products: ids },
  window: within_days === null ? null : { within_days },
})

export const product: ConditionTypeSql<'product'> = {
  fields: {
    product_bought: existenceField<ProductsValue>(
      (value, context) => ordersFound(orderedOf(value), context),
      'not_bought',
    ),
  },
}
