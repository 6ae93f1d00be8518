import { cartAbandoned, checkoutAbandoned } from './baskets.ts'
import { birthday } from './birthday.ts'
import { consentGiven } from './consent-given.ts'
import { customerCreated } from './customer-created.ts'
import { daysWithoutOrder } from './days-without-order.ts'
import { flowAction } from './flow-action.ts'
import { lineFollowed, lineMessage } from './line.ts'
import { manual } from './manual.ts'
import { metafieldDate } from './metafield-date.ts'
import { orderCancelled, orderCreated, orderFulfilled, orderPaid } from './orders.ts'
import {
  favoriteAdded,
  favoriteBackInStock,
  favoriteLowStock,
  favoritePriceDropped,
  productRestocked,
} from './products.ts'
import { segmentEntered, segmentLeft } from './segments.ts'
import { browseAbandoned, viewedPriceDropped } from './views.ts'
import type { TriggerRules } from './trigger-kind.ts'

/**
 * What can happen to a customer or a guest. A kind with a shape can start a scenario. The kinds from `cart_abandoned` on are made by the
 * clock or a member for one scenario; the others come from the store or from Okaeri.
 */
export const eventKinds = {
  customer_created: customerCreated,
  order_created: orderCreated,
  order_paid: orderPaid,
  order_fulfilled: orderFulfilled,
  order_cancelled: orderCancelled,
  consent_given: consentGiven,
  segment_entered: segmentEntered,
  segment_left: segmentLeft,
  favorite_added: favoriteAdded,
  favorite_price_dropped: favoritePriceDropped,
  favorite_back_in_stock: favoriteBackInStock,
  favorite_low_stock: favoriteLowStock,
  product_restocked: productRestocked,
  viewed_price_dropped: viewedPriceDropped,
  line_followed: lineFollowed,
  line_message: lineMessage,
  coupon_used: { event: { ja: 'クーポンの利用', en: 'coupon used' }, icon: 'ticket' },
  flow_action: flowAction,
  cart_abandoned: cartAbandoned,
  checkout_abandoned: checkoutAbandoned,
  browse_abandoned: browseAbandoned,
  birthday,
  metafield_date: metafieldDate,
  days_without_order: daysWithoutOrder,
  manual,
} as const

export type EventKind = keyof typeof eventKinds
export const eventKindNames = Object.keys(eventKinds) as [EventKind, ...EventKind[]]

const { coupon_used: _startsNothing, ...triggerKinds } = eventKinds
export type TriggerKind = keyof typeof triggerKinds
type Shape = (typeof triggerKinds)[TriggerKind]['shape']
export const triggerShapes = Object.values(triggerKinds).map(({ shape }) => shape) as [Shape, ...Shape[]]
export const triggerRules = (kind: TriggerKind): TriggerRules<object> => triggerKinds[kind].rules
