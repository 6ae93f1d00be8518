import type { CustomerFilter } from '@okaeri/contract/customers/view'
import type { Condition, FieldName, Group, LeafValue, Operator } from '@okaeri/contract/segments/condition'
import { leafOf, newGroup } from './condition-tree.ts'

/**
 * The filters of the customer list as conditions, and the names of those that have no condition: search words look at several fields at once,
 * and no condition asks about the language.
 */
export function conditionsOf(filter: CustomerFilter): { conditions: Group | null; left: ('q' | 'language')[] } {
  const rows: Condition[] = []
  const add = (category: string, name: FieldName, operator: Operator, value: LeafValue) =>
    rows.push(leafOf(category, name, operator, value))
  const range = (category: string, name: FieldName, min: number | undefined, max: number | undefined) => {
    if (min !== undefined && max !== undefined) add(category, name, 'between', [min, max])
    else if (min !== undefined) add(category, name, 'greater_or_equal', min)
    else if (max !== undefined) add(category, name, 'less_or_equal', max)
  }
  const { marketing, notification, tag, suppressed, has_orders: bought, line } = filter
  if (marketing === 'not_granted') add('consent', 'accepts_marketing', 'is', false)
  else if (marketing) add('consent', 'marketing_state', 'is_one_of', [marketing])
  if (notification) add('consent', 'accepts_transactions', 'is', notification === 'granted')
  if (tag) add('customer', 'tags', 'has', [tag])
  if (suppressed) add('consent', 'suppressed', 'is', suppressed === 'yes')
  if (bought === 'yes') add('orders', 'orders_count', 'greater_or_equal', 1)
  if (bought === 'no') add('orders', 'orders_count', 'equals', 0)
  if (line) add('consent', 'line_connected', 'is', line === 'yes')
  const { created_from: from, created_to: to } = filter
  if (from || to) add('customer', 'created_at', 'between', [from ?? '1900-01-01', to ?? '2199-12-31'])
  range('orders', 'orders_count', filter.orders_min, filter.orders_max)
  range('orders', 'orders_amount', filter.sales_min, filter.sales_max)
  const { sent_min: min, sent_max: max } = filter
  if (min !== undefined || max !== undefined) {
    const value = min !== undefined && max !== undefined ? ([min, max] as [number, number]) : (min ?? max ?? 0)
    const operator = Array.isArray(value) ? 'between' : min === undefined ? 'at_most' : 'at_least'
    add('emails', 'emails_received', operator, { value, campaigns: null, window: null })
  }
  const left = (['q', 'language'] as const).filter((name) => filter[name] !== undefined)
  return { conditions: rows.length > 0 ? newGroup(rows) : null, left }
}
