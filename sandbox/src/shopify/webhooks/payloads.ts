import { discountsOfOrder } from '../goods/discounts.ts'
import { listItems } from '../order-items.ts'
import { plainAmount, unitOf } from '../goods/money.ts'
import { gid, type StoreScope, storeUrl } from '../platform.ts'
import type { Address, CustomerRow, OrderItemRow, OrderRow, RefundRow } from '../rows.ts'

/** Bodies of the webhooks: the keys the platform documents per topic, times in the shop's zone, amounts as text. */

export function at(seconds: number): string
export function at(seconds: number | null): string | null
export function at(seconds: number | null): string | null {
  return seconds === null ? null : `${new Date((seconds + 9 * 3600) * 1000).toISOString().slice(0, 19)}+09:00`
}

export function amount(scope: StoreScope, value: number) {
  const money = { amount: plainAmount(scope, value), currency_code: scope.store.currency }
  return { shop_money: money, presentment_money: money }
}

export function addressBody(address: Address) {
  return {
    first_name: address.firstName,
    address1: address.address1,
    phone: address.phone,
    city: address.city,
    zip: address.zip,
    province: address.province,
    country: address.country,
    last_name: address.lastName,
    address2: address.address2,
    company: address.company,
    name: [address.lastName, address.firstName].filter(Boolean).join(' '),
    country_code: address.countryCode,
    province_code: address.provinceCode,
  }
}

export function customerCore(scope: StoreScope, row: CustomerRow) {
  const address = row.address === null ? null : (JSON.parse(row.address) as Address)
  return {
    id: row.id,
    created_at: at(row.created_at),
    updated_at: at(row.updated_at),
    first_name: row.first_name,
    last_name: row.last_name,
    state: row.state.toLowerCase(),
    note: row.note,
    verified_email: row.email !== null,
    multipass_identifier: null,
    tax_exempt: false,
    email: row.email,
    phone: row.phone,
    currency: scope.store.currency,
    tax_exemptions: [],
    admin_graphql_api_id: gid('Customer', row.id),
    ...(address
      ? {
          default_address: {
            ...addressBody(address),
            id: address.id,
            customer_id: row.id,
            country_name: address.country,
            default: true,
          },
        }
      : {}),
  }
}

/** No consent, no tags, no totals: those left this body with 2025-01 and have topics of their own. */
export function customerBody(scope: StoreScope, row: CustomerRow): Record<string, unknown> {
  const core = customerCore(scope, row)
  return { ...core, addresses: 'default_address' in core ? [core.default_address] : [] }
}

export function customerDeletedBody(id: number): Record<string, unknown> {
  return { id, tax_exemptions: [], admin_graphql_api_id: gid('Customer', id) }
}

export function consentBody(row: CustomerRow): Record<string, unknown> {
  return {
    customer_id: row.id,
    email_address: row.email,
    email_marketing_consent: {
      state: row.email_state.toLowerCase(),
      opt_in_level: row.email_opt_in_level?.toLowerCase() ?? null,
      consent_updated_at: at(row.email_consent_at),
    },
  }
}

export function tagsBody(customerId: number, tags: string[], occurredAt: Date): Record<string, unknown> {
  return { customerId: gid('Customer', customerId), tags, occurredAt: occurredAt.toISOString() }
}

function itemBody(scope: StoreScope, row: OrderItemRow) {
  return {
    id: row.id,
    admin_graphql_api_id: gid('LineItem', row.id),
    attributed_staffs: [],
    current_quantity: row.current_quantity,
    fulfillable_quantity: row.current_quantity,
    fulfillment_service: 'manual',
    fulfillment_status: null,
    gift_card: false,
    grams: 200,
    name: row.variant_title === null ? row.title : `${row.title} - ${row.variant_title}`,
    price: plainAmount(scope, row.price),
    price_set: amount(scope, row.price),
    product_exists: row.product_id !== null,
    product_id: row.product_id,
    properties: [],
    quantity: row.quantity,
    requires_shipping: true,
    sales_line_item_group_id: null,
    sku: row.sku,
    taxable: true,
    title: row.title,
    total_discount: '0',
    total_discount_set: amount(scope, 0),
    variant_id: row.variant_id,
    variant_inventory_management: 'shopify',
    variant_title: row.variant_title,
    vendor: null,
    tax_lines: [],
    duties: [],
    discount_allocations: [],
  }
}

export function orderBody(scope: StoreScope, row: OrderRow, customer: CustomerRow | null): Record<string, unknown> {
  const address = customer?.address == null ? null : addressBody(JSON.parse(customer.address) as Address)
  const zero = amount(scope, 0)
  const discounts = discountsOfOrder(scope, row.id)
  const discounted = discounts.reduce((sum, { amount: off }) => sum + off, 0)
  return {
    id: row.id,
    admin_graphql_api_id: gid('Order', row.id),
    app_id: null,
    browser_ip: null,
    buyer_accepts_marketing: customer?.email_state === 'SUBSCRIBED',
    cancel_reason: row.cancel_reason?.toLowerCase() ?? null,
    cancelled_at: at(row.cancelled_at),
    cart_token: row.cart_token,
    checkout_token: row.checkout_token,
    client_details: null,
    closed_at: null,
    confirmation_number: row.token.slice(0, 9).toUpperCase(),
    confirmed: true,
    contact_email: row.email,
    created_at: at(row.created_at),
    currency: scope.store.currency,
    current_shipping_price_set: zero,
    current_subtotal_price: plainAmount(scope, row.current_total),
    current_subtotal_price_set: amount(scope, row.current_total),
    current_total_additional_fees_set: null,
    current_total_discounts: plainAmount(scope, discounted),
    current_total_discounts_set: amount(scope, discounted),
    current_total_duties_set: null,
    current_total_price: plainAmount(scope, row.current_total),
    current_total_price_set: amount(scope, row.current_total),
    current_total_tax: '0',
    current_total_tax_set: zero,
    customer_locale: row.locale,
    device_id: null,
    discount_codes: (JSON.parse(row.discount_codes) as string[]).map((code) => ({
      code,
      amount: plainAmount(scope, discounts.find((one) => one.code === code.trim().toUpperCase())?.amount ?? 0),
      type: 'percentage',
    })),
    duties_included: false,
    email: row.email ?? '',
    estimated_taxes: false,
    financial_status: row.financial_status.toLowerCase(),
    fulfillment_status: row.fulfillment_status === 'FULFILLED' ? 'fulfilled' : null,
    landing_site: row.landing_site,
    landing_site_ref: null,
    location_id: null,
    merchant_business_entity_id: 'sandbox',
    merchant_of_record_app_id: null,
    name: row.name,
    note: null,
    note_attributes: [],
    number: row.number - 1000,
    order_number: row.number,
    order_status_url: storeUrl(scope, `/orders/${row.token}`),
    original_total_additional_fees_set: null,
    original_total_duties_set: null,
    payment_gateway_names: ['bogus'],
    phone: customer?.phone ?? null,
    po_number: null,
    presentment_currency: scope.store.currency,
    processed_at: at(row.processed_at),
    reference: null,
    referring_site: row.referring_site,
    source_identifier: null,
    source_name: 'web',
    source_url: null,
    subtotal_price: plainAmount(scope, row.total),
    subtotal_price_set: amount(scope, row.total),
    tags: (JSON.parse(row.tags) as string[]).join(', '),
    tax_exempt: false,
    tax_lines: [],
    taxes_included: true,
    test: false,
    token: row.token,
    total_cash_rounding_payment_adjustment_set: zero,
    total_cash_rounding_refund_adjustment_set: zero,
    total_discounts: plainAmount(scope, discounted),
    total_discounts_set: amount(scope, discounted),
    total_line_items_price: plainAmount(scope, row.total + discounted),
    total_line_items_price_set: amount(scope, row.total + discounted),
    total_outstanding: row.financial_status === 'PENDING' ? plainAmount(scope, row.total) : '0',
    total_price: plainAmount(scope, row.total),
    total_price_set: amount(scope, row.total),
    total_shipping_price_set: zero,
    total_tax: '0',
    total_tax_set: zero,
    total_tip_received: '0',
    total_weight: 200,
    updated_at: at(row.updated_at),
    user_id: null,
    billing_address: address,
    ...(customer ? { customer: customerCore(scope, customer) } : {}),
    discount_applications: [],
    fulfillments: [],
    line_items: listItems(scope, row.id).map((item) => itemBody(scope, item)),
    payment_terms: null,
    refunds: [],
    shipping_address: address,
    shipping_lines: [],
    returns: [],
    line_item_groups: [],
  }
}

export function refundBody(
  scope: StoreScope,
  row: RefundRow,
  items: { item: OrderItemRow; quantity: number }[],
): Record<string, unknown> {
  return {
    id: row.id,
    order_id: row.order_id,
    created_at: at(row.created_at),
    note: row.note,
    user_id: null,
    processed_at: at(row.created_at),
    duties: [],
    total_duties_set: amount(scope, 0),
    return: null,
    refund_shipping_lines: [],
    restock: false,
    admin_graphql_api_id: gid('Refund', row.id),
    order_adjustments: [],
    refund_line_items: items.map(({ item, quantity }) => ({
      id: item.id,
      quantity,
      line_item_id: item.id,
      location_id: null,
      restock_type: 'no_restock',
      subtotal: (item.price * quantity) / unitOf(scope),
      total_tax: 0,
      subtotal_set: amount(scope, item.price * quantity),
      total_tax_set: amount(scope, 0),
      line_item: itemBody(scope, item),
    })),
    transactions: [
      {
        id: row.id,
        order_id: row.order_id,
        kind: 'refund',
        gateway: 'bogus',
        status: 'success',
        message: null,
        created_at: at(row.created_at),
        test: false,
        authorization: null,
        location_id: null,
        user_id: null,
        parent_id: null,
        processed_at: at(row.created_at),
        device_id: null,
        error_code: null,
        source_name: 'web',
        receipt: {},
        amount: plainAmount(scope, row.amount),
        currency: scope.store.currency,
        payment_id: null,
        manual_payment_gateway: false,
        amount_rounding: null,
        admin_graphql_api_id: gid('OrderTransaction', row.id),
      },
    ],
  }
}

export function bulkFinishedBody(row: {
  id: number
  status: string
  error_code: string | null
  created_at: number
  completed_at: number | null
}): Record<string, unknown> {
  return {
    admin_graphql_api_id: gid('BulkOperation', row.id),
    completed_at: at(row.completed_at),
    created_at: at(row.created_at),
    error_code: row.error_code?.toLowerCase() ?? null,
    status: row.status.toLowerCase(),
    type: 'query',
  }
}
