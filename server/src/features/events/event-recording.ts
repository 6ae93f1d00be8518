import type { EventKind } from '@okaeri/contract/scenarios/event'
import type { Ports } from '../../kernel/context.ts'
import type { Facts } from '../../kernel/facts.ts'
import { newIds } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { mayKeepLooks, withdrawnCustomers } from '../behavior/index.ts'
import { recordEvents } from './event.ts'
import {
  type NewEvent,
  copyNewEvents,
  deleteOf,
  insertOrderEvents,
  moveFromGuest,
  moveToCustomer,
  redactLooks,
} from './queries.ts'

/** Facts as events. The key of each identifies what happened. */

export const recordCustomerCreated = async (
  scope: MerchantScope,
  { customerId }: Facts['customer.created'],
): Promise<void> => {
  await recordEvents(scope, [
    { kind: 'customer_created', key: `customer_created:${customerId}`, customerId, occurredAt: scope.now },
  ])
}

export const recordOrdersCreated = (scope: MerchantScope, { orderIds }: Facts['orders.created']): Promise<void> =>
  insertOrderEvents(scope, 'order_created', orderIds)
export const recordOrdersPaid = (scope: MerchantScope, { orderIds }: Facts['orders.paid']): Promise<void> =>
  insertOrderEvents(scope, 'order_paid', orderIds)
export const recordOrdersFulfilled = (scope: MerchantScope, { orderIds }: Facts['orders.fulfilled']): Promise<void> =>
  insertOrderEvents(scope, 'order_fulfilled', orderIds)
export async function recordOrderCancelled(
  scope: MerchantScope,
  { orderId, asItHappened }: Facts['order.cancelled'],
): Promise<void> {
  if (asItHappened) await insertOrderEvents(scope, 'order_cancelled', [orderId])
}

/** Marketing consent given just now by the customer, a member or the store. Consent from a copy or a file was given long ago. */
export async function recordConsentGiven(
  scope: MerchantScope,
  { kind, source, changes }: Facts['consent.changed'],
): Promise<void> {
  if (kind !== 'marketing' || source === 'sync' || source === 'import') return
  const given = changes.filter(({ from, to }) => to === 'granted' && from !== 'granted')
  await recordEvents(
    scope,
    given.map(({ customerId }) => ({
      kind: 'consent_given',
      key: `consent_given:${customerId}:${scope.now.toISOString()}`,
      customerId,
      occurredAt: scope.now,
    })),
  )
}

const ofSegment =
  (kind: 'segment_entered' | 'segment_left') =>
  async (scope: MerchantScope, { segmentId, customerIds }: Facts['segment.entered']): Promise<void> => {
    const at = scope.now.toISOString()
    await recordEvents(
      scope,
      customerIds.map((customerId) => ({
        kind,
        key: `${kind}:${segmentId}:${customerId}:${at}`,
        customerId,
        subject: { segment_id: segmentId },
        occurredAt: scope.now,
      })),
    )
  }
export const recordSegmentEntered = ofSegment('segment_entered')
export const recordSegmentLeft = ofSegment('segment_left')

/** Their ids are new, so their events are. */
export const eventsOfFavorites: Ports['writtenWithFavorites'] = (scope, favorites) => {
  const ids = newIds(favorites.length)
  return copyNewEvents(
    scope,
    favorites.map(({ favoriteId, customerId, guestId, storeProductId, storeVariantId }, index) => ({
      id: ids[index] ?? '',
      kind: 'favorite_added',
      key: `favorite_added:${favoriteId}`,
      customerId,
      guestId,
      subject: aboutProduct(storeProductId, storeVariantId),
      occurredAt: scope.now,
    })),
  )
}

/** 0: the product as a whole. */
const aboutProduct = (storeProductId: number, storeVariantId: number) => ({
  store_product_id: storeProductId,
  ...(storeVariantId === 0 ? {} : { store_variant_id: storeVariantId }),
})

/** The customer the coupon was issued to, even if another one ordered with it. */
export async function recordCouponUsed(scope: MerchantScope, fact: Facts['coupon.used']): Promise<void> {
  await recordEvents(scope, [
    {
      kind: 'coupon_used',
      key: `coupon_used:${fact.couponId}`,
      customerId: fact.customerId,
      subject: {
        coupon_code: fact.code,
        store_order_id: fact.storeOrderId,
        ...(fact.orderName === null ? {} : { order_name: fact.orderName }),
      },
      occurredAt: scope.now,
    },
  ])
}

export async function recordLineFollowed(scope: MerchantScope, fact: Facts['line.followed']): Promise<void> {
  await recordEvents(scope, [onLine('line_followed', fact)])
}

/** Only text: a sticker or a picture contains no keyword. */
export async function recordLineMessage(scope: MerchantScope, fact: Facts['line.message']): Promise<void> {
  if (fact.text === null) return
  const line_text = [...fact.text].slice(0, MAX_TEXT).join('')
  await recordEvents(scope, [{ ...onLine('line_message', fact), subject: { line_text } }])
}
/** A keyword is shorter; a message has up to 5,000 characters. */
const MAX_TEXT = 500

const onLine = (kind: EventKind, { eventId, customerId, at }: Facts['line.followed']): NewEvent => ({
  kind,
  key: `${kind}:${eventId}`,
  customerId,
  occurredAt: at,
})

/** The guest's events become the customer's. */
export const joinEvents = (scope: MerchantScope, { guestId, customerId }: Facts['guest.joined']): Promise<void> =>
  moveFromGuest(scope, guestId, customerId)
/** Where the one who stays gives no permission, the products that either looked at go. */
export async function mergeEvents(scope: MerchantScope, { fromId, intoId }: Facts['customers.merged']): Promise<void> {
  await moveToCustomer(scope, fromId, intoId)
  if (!(await mayKeepLooks(scope, intoId))) await redactLooks(scope, [intoId])
}
export const forgetEvents = (scope: MerchantScope, { customerId }: Facts['customer.deleted']): Promise<void> =>
  deleteOf(scope, customerId)

/** Who takes the permission back takes back what they looked at, which is in events too. */
export async function redactLooksOfWithdrawn(scope: MerchantScope, fact: Facts['consent.changed']): Promise<void> {
  const ids = withdrawnCustomers(fact)
  if (ids.length > 0) await redactLooks(scope, ids)
}
