import type { TriggerOf } from '@okaeri/contract/scenarios/trigger'
import type { TriggerKind } from '@okaeri/contract/scenarios/trigger-kinds/index'
import type { ComponentType } from 'react'
import { BasketForm } from './baskets.tsx'
import { BirthdayForm } from './birthday.tsx'
import { DaysWithoutOrderForm } from './days-without-order.tsx'
import { LowStockForm, PriceFallForm } from './favorites.tsx'
import { FlowActionForm } from './flow-action.tsx'
import { LineMessageForm } from './line-message.tsx'
import { MetafieldDateForm } from './metafield-date.tsx'
import { OrderPaidForm } from './order-paid.tsx'
import { SegmentForm } from './segments.tsx'
import type { TriggerFormProps } from './trigger-form.tsx'
import { BrowseForm, ViewedPriceForm } from './views.tsx'

/** In the order of the list. */
export const triggerGroups = ['customer', 'order', 'cart', 'time', 'product', 'line', 'other'] as const

interface Offered<K extends TriggerKind> {
  group: (typeof triggerGroups)[number]
  Form?: ComponentType<TriggerFormProps<TriggerOf<K>>>
}
const kinds: { readonly [K in TriggerKind]: Offered<K> } = {
  customer_created: { group: 'customer' },
  consent_given: { group: 'customer' },
  segment_entered: { group: 'customer', Form: SegmentForm },
  segment_left: { group: 'customer', Form: SegmentForm },
  order_created: { group: 'order' },
  order_paid: { group: 'order', Form: OrderPaidForm },
  order_fulfilled: { group: 'order' },
  order_cancelled: { group: 'order' },
  cart_abandoned: { group: 'cart', Form: BasketForm },
  checkout_abandoned: { group: 'cart', Form: BasketForm },
  browse_abandoned: { group: 'cart', Form: BrowseForm },
  birthday: { group: 'time', Form: BirthdayForm },
  days_without_order: { group: 'time', Form: DaysWithoutOrderForm },
  metafield_date: { group: 'time', Form: MetafieldDateForm },
  favorite_added: { group: 'product' },
  favorite_price_dropped: { group: 'product', Form: PriceFallForm },
  favorite_back_in_stock: { group: 'product' },
  favorite_low_stock: { group: 'product', Form: LowStockForm },
  viewed_price_dropped: { group: 'product', Form: ViewedPriceForm },
  product_restocked: { group: 'product' },
  line_followed: { group: 'line' },
  line_message: { group: 'line', Form: LineMessageForm },
  manual: { group: 'other', Form: SegmentForm },
  flow_action: { group: 'other', Form: FlowActionForm },
}

export const offeredTriggers = Object.keys(kinds) as TriggerKind[]
/** The form of each kind. It accepts only triggers of that kind. */
export const triggerForms = kinds as Readonly<Record<TriggerKind, Offered<TriggerKind>>>
