import { type Address, type Customer } from '@okaeri/contract/customers/customer'
import { notFound } from '../../kernel/errors.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { type CustomerRow, selectCustomers } from './queries.ts'

declare module '../../kernel/context.ts' {
  interface Ports {
    /** The suppressed ones of these addresses (lower case), and why. */
    suppressionsOf(
      scope: MerchantScope,
      addressKeys: readonly string[],
    ): Promise<Map<string, NonNullable<Customer['suppressed']>>>
  }
}

export async function getCustomerView(scope: MerchantScope, id: string): Promise<Customer> {
  const [customer] = await listCustomerViews(scope, [id])
  if (!customer) throw notFound('there is no such customer')
  return customer
}

/** In the order of the ids; unknown ids are missing. */
export async function listCustomerViews(scope: MerchantScope, ids: readonly string[]): Promise<Customer[]> {
  if (ids.length === 0) return []
  const rows = new Map((await selectCustomers(scope, ids)).map((row) => [row.id, row]))
  const keys = [...rows.values()].flatMap(({ email_key }) => (email_key === null ? [] : [email_key]))
  const suppressed = await scope.context.ports.suppressionsOf(scope, keys)
  return ids.flatMap((id) => {
    const row = rows.get(id)
    return row ? [present(row, suppressed.get(row.email_key ?? '') ?? null)] : []
  })
}

export function present(row: CustomerRow, suppressed: Customer['suppressed']): Customer {
  return {
    id: row.id,
    store_customer_id: row.store_customer_id === null ? null : String(row.store_customer_id),
    name: row.display_name,
    first_name: row.first_name,
    last_name: row.last_name,
    email: row.email,
    phone: row.phone,
    language: row.language,
    birthday: row.birthday,
    address: row.address && presentAddress(row.address),
    tags: row.tags,
    accepts_marketing: row.marketing_state === 'granted',
    marketing_state: row.marketing_state,
    accepts_transactions: row.notification_state === 'granted',
    suppressed,
    line_connected: row.line_connected_at !== null,
    email_sent_count: row.email_sent_count,
    line_sent_count: row.line_sent_count,
    orders_count: row.orders_count,
    total_revenue: { amount: row.orders_amount, currency: row.currency },
    orders_in_other_currencies: row.orders_other_currency,
    last_order_at: row.last_order_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

export const presentAddress = (address: Partial<Record<string, string | null>> | null): Address => ({
  zip: address?.['zip'] ?? null,
  country: address?.['country'] ?? null,
  province: address?.['province'] ?? null,
  city: address?.['city'] ?? null,
  address1: address?.['address1'] ?? null,
  address2: address?.['address2'] ?? null,
  company: address?.['company'] ?? null,
  phone: address?.['phone'] ?? null,
})
