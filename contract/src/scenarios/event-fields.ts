/** The `event.…` content tags: what an email can say about the event that started its scenario. */
export const eventFields = [
  'order_name',
  'total',
  'items',
  'lines',
  'subtotal',
  'other_costs',
  'recovery_url',
  'cancel_url',
  'product_title',
  'variant_title',
  'product_url',
  'product_image_url',
  'coupon_code',
  'day',
  'properties',
] as const
export type EventField = (typeof eventFields)[number]

export const ofProduct = ['product_title', 'variant_title', 'product_url', 'product_image_url'] as const
export const ofOrder = ['order_name', 'total', 'items', 'lines', 'subtotal', 'other_costs', ...ofProduct] as const
