import type { TriggerKind } from './trigger.ts'

/** What a mail can write of the event that started its scenario: `event.<field>` of the content tags. */
export const eventFields = [
  'order_name',
  'total',
  'items',
  'lines',
  'recovery_url',
  'product_title',
  'product_url',
  'product_image_url',
  'coupon_code',
  'day',
  'properties',
] as const
export type EventField = (typeof eventFields)[number]

const ofProduct = ['product_title', 'product_url', 'product_image_url'] as const
const ofOrder = ['order_name', 'total', 'items', 'lines', ...ofProduct] as const

/** Which of them an event of each kind can fill. A mail that writes another has a gap there for everybody. */
export const eventFieldsOf: Record<TriggerKind, readonly EventField[]> = {
  customer_created: [],
  order_created: ofOrder,
  order_paid: ofOrder,
  order_fulfilled: ofOrder,
  order_cancelled: ofOrder,
  consent_given: [],
  favorite_added: ofProduct,
  favorite_price_dropped: ofProduct,
  favorite_back_in_stock: ofProduct,
  product_restocked: ofProduct,
  // The store tells of a cart without its prices.
  cart_abandoned: ['items', 'lines', ...ofProduct],
  checkout_abandoned: ['total', 'items', 'lines', 'recovery_url', ...ofProduct],
  birthday: ['day'],
  segment_entered: [],
  segment_left: [],
  metafield_date: ['day'],
  days_without_order: ['day'],
  flow_action: ['properties'],
  manual: [],
}
