import type { TriggerKind } from '@okaeri/contract/scenarios/trigger-kinds/index'
import type { TriggerRules } from '../trigger-kind.ts'
import { cartAbandoned, checkoutAbandoned } from './baskets-sql.ts'
import { birthday } from './birthday-sql.ts'
import { consentGiven, customerCreated, favoriteAdded } from './customers-sql.ts'
import { daysWithoutOrder } from './days-without-order-sql.ts'
import { favoriteLowStock, favoritePriceDropped } from './favorites-sql.ts'
import { lineFollowed, lineMessage } from './line-sql.ts'
import { metafieldDate } from './metafield-date-sql.ts'
import { orderCancelled, orderCreated, orderFulfilled, orderPaid } from './orders-sql.ts'
import { segmentEntered, segmentLeft } from './segments-sql.ts'
import { browseAbandoned, viewedPriceDropped } from './views-sql.ts'

const triggerKinds: { readonly [K in TriggerKind]: TriggerRules<K> } = {
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
  favorite_back_in_stock: {},
  favorite_low_stock: favoriteLowStock,
  product_restocked: {},
  viewed_price_dropped: viewedPriceDropped,
  line_followed: lineFollowed,
  line_message: lineMessage,
  flow_action: { matches: ({ handle }, { properties }) => handle !== '' && properties?.['handle'] === handle },
  cart_abandoned: cartAbandoned,
  checkout_abandoned: checkoutAbandoned,
  browse_abandoned: browseAbandoned,
  birthday,
  metafield_date: metafieldDate,
  days_without_order: daysWithoutOrder,
  manual: { namesOnlyCustomer: true },
}

/** Any kind; rules that only some kinds have may be absent. */
export const triggerRules = <K extends TriggerKind>(kind: K) => triggerKinds[kind] as unknown as TriggerRules<K>

export const clockKinds = Object.entries(triggerKinds).flatMap(([kind, rules]) =>
  'daily' in rules || 'findAbandoned' in rules ? kind : [],
)
