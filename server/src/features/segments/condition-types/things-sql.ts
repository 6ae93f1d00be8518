import type { ThingsValue } from '@okaeri/contract/segments/condition'
import { type RawBuilder, sql } from 'kysely'
import { inUnits, minorUnit } from './comparison-sql.ts'
import type { ConditionContext, ConditionTypeSql, FieldSql } from './field-sql.ts'
import { type CustomerRows, existenceField, inWindow, ofCustomers, allOf } from './customer-rows-sql.ts'

/** The rows that count, and their time. */
interface Kind {
  table: string
  holds: RawBuilder<unknown>
  at: string
  hasLines: boolean
}

function itemsFound(kind: Kind, value: ThingsValue, context: ConditionContext): CustomerRows {
  const { merchantId } = context
  const { table, holds, at, hasLines } = kind
  const column = sql.ref<Date>(`k.${at}`)
  const wanted = sql`any(array(
    select p.store_product_id from products p where p.merchant_id = ${merchantId} and p.id = any(${value.products}::uuid[])))`
  const withProduct = hasLines
    ? sql`exists (select from jsonb_array_elements(k.lines) as line where (line ->> 'store_product_id')::bigint = ${wanted})`
    : sql`k.store_product_id = ${wanted}`
  return {
    rows: sql`from ${sql.table(table)} k where ${allOf([
      sql`k.merchant_id = ${merchantId} and ${ofCustomers(sql`k.customer_id`, context)} and ${holds}`,
      value.products ? withProduct : null,
      value.min_amount === null ? null : sql`k.total_amount >= ${inUnits(value.min_amount, minorUnit(context))}`,
      inWindow(column, value.window, context),
    ])}`,
    customer: sql`k.customer_id`,
    at: column,
    measure: sql`count(*)`,
    counts: true,
    unit: 1,
  }
}

const field = (kind: Kind): FieldSql =>
  existenceField<ThingsValue>((value, context) => itemsFound(kind, value, context), 'has_not')

export const things: ConditionTypeSql<'things'> = {
  fields: {
    checkout_unfinished: field({
      table: 'checkouts',
      holds: sql`k.completed_at is null`,
      at: 'created_at',
      hasLines: true,
    }),
    checkout_completed: field({
      table: 'checkouts',
      holds: sql`k.completed_at is not null`,
      at: 'completed_at',
      hasLines: true,
    }),
    cart_unfinished: field({
      table: 'carts',
      holds: sql`k.converted_at is null and k.items_count > 0`,
      at: 'store_updated_at',
      hasLines: true,
    }),
    cart_completed: field({
      table: 'carts',
      holds: sql`k.converted_at is not null`,
      at: 'converted_at',
      hasLines: true,
    }),
    viewed: field({ table: 'product_views', holds: sql`true`, at: 'viewed_at', hasLines: false }),
    in_cart: field({ table: 'cart_products', holds: sql`k.quantity > 0`, at: 'seen_at', hasLines: false }),
    cart_seen: field({ table: 'cart_products', holds: sql`true`, at: 'seen_at', hasLines: false }),
    favorite: field({ table: 'favorites', holds: sql`k.status = 'active'`, at: 'created_at', hasLines: false }),
    restock_waiting: field({
      table: 'restock_requests',
      holds: sql`k.status = 'active'`,
      at: 'created_at',
      hasLines: false,
    }),
    restock_notified: field({
      table: 'restock_requests',
      holds: sql`k.status = 'sent'`,
      at: 'sent_at',
      hasLines: false,
    }),
  },
}
