/* Rows of a store, its customers and what they order, and the values its switches take. Those of goods are in goods/rows.ts. */

export interface StoreRow {
  id: number
  shop: string
  name: string
  created_at: number
  app_url: string | null
  installed_at: number | null
  throttle_next: number
  fail_next_bulk: number
  throttling: number
  bulk_duration_ms: number
  /** It forgets at once which codes it was asked to make; the codes are made. */
  lose_code_jobs: number
  currency: Currency
  points: number | null
  points_at: number | null
  /** While it is set no webhook is sent, as if every one was lost. */
  lose_webhooks: number
  state: StoreState
  break_calls: string | null
  break_calls_left: number
  break_files: string | null
  break_files_left: number
  /** How the next bulk operation ends; `never`: it runs until it is canceled. */
  end_next_bulk: BulkEnd | null
  protected_data: ProtectedData
  /** The theme of the storefront, and how the app's script gets into it. */
  look: Look
  has_embed: number
  has_blocks: number
  has_script_tag: number
  /** The app's block on the platform's own pages: thank-you, order status, profile. */
  has_checkout_block: number
  strict_csp: number
  network: Network
}

/** What stores may sell in: as many as the schema names. */
export const currencies = ['JPY', 'USD', 'EUR', 'GBP', 'AUD', 'SGD', 'TWD'] as const
export type Currency = (typeof currencies)[number]

export const looks = ['light', 'dark'] as const
export type Look = (typeof looks)[number]

/** How what the app serves reaches the storefront's visitors. */
export const networks = ['normal', 'slow', 'failing', 'dead'] as const
export type Network = (typeof networks)[number]

export const bulkEnds = ['FAILED', 'CANCELED', 'EXPIRED', 'ACCESS_DENIED', 'never'] as const
export type BulkEnd = (typeof bulkEnds)[number]

/** All but `open` are closed to apps: not paid for, locked, refused, or taken down. */
export const storeStates = ['open', 'frozen', 'locked', 'forbidden', 'gone'] as const
export type StoreState = (typeof storeStates)[number]

/** `approved`; `without_names`: no approval for names, addresses, phones and e-mail; `none`: no protected customer data at all. */
export const protectedDataLevels = ['approved', 'without_names', 'none'] as const
export type ProtectedData = (typeof protectedDataLevels)[number]

export interface CustomerRow {
  id: number
  first_name: string | null
  last_name: string | null
  email: string | null
  phone: string | null
  locale: string
  note: string | null
  state: string
  tags: string
  email_state: EmailState
  email_opt_in_level: string | null
  email_consent_at: number | null
  sms_state: string
  address: string | null
  orders_count: number
  total_spent: number
  last_order_id: number | null
  created_at: number
  updated_at: number
}

export type EmailState = 'SUBSCRIBED' | 'NOT_SUBSCRIBED' | 'UNSUBSCRIBED' | 'PENDING'

export interface Address {
  id: number
  firstName: string | null
  lastName: string | null
  company: string | null
  address1: string | null
  address2: string | null
  city: string | null
  zip: string | null
  province: string | null
  provinceCode: string | null
  country: string | null
  countryCode: string | null
  phone: string | null
}

export interface OrderRow {
  id: number
  number: number
  name: string
  customer_id: number | null
  email: string | null
  token: string
  total: number
  current_total: number
  financial_status: string
  fulfillment_status: string
  cancel_reason: string | null
  discount_codes: string
  landing_site: string | null
  referring_site: string | null
  locale: string | null
  processed_at: number
  cancelled_at: number | null
  created_at: number
  updated_at: number
  tags: string
  checkout_token: string | null
  cart_token: string | null
}

export interface OrderItemRow {
  id: number
  order_id: number
  product_id: number | null
  variant_id: number | null
  title: string
  variant_title: string | null
  sku: string | null
  quantity: number
  current_quantity: number
  price: number
}

export interface RefundRow {
  id: number
  order_id: number
  amount: number
  note: string | null
  created_at: number
}

export interface CheckoutRow {
  id: number
  token: string
  cart_token: string
  customer_id: number | null
  email: string | null
  items: string
  landing_site: string | null
  referring_site: string | null
  created_at: number
  updated_at: number
  completed_at: number | null
}
