import {
  clearBehaviorLater,
  emptyOrderedCarts,
  forgetBehavior,
  forgetBehaviorOfWithdrawn,
  mergeBehavior,
} from '../features/behavior/index.ts'
import { forgetBirthdayEntries, mergeBirthdayEntries } from '../features/birthdays/index.ts'
import { forgetReturned, recordRefusals } from '../features/bounces/index.ts'
import { detachBaskets, joinCheckouts, joinGuestBaskets } from '../features/checkouts/index.ts'
import {
  forgetCustomer,
  joinConsents,
  pushConsentLater,
  recallFor,
  recordPermissions,
} from '../features/consent/index.ts'
import { forgetCouponsOf, mergeCoupons, noteUsedCoupons } from '../features/coupons/index.ts'
import { refreshSearchLater, sendUnsentLanguages } from '../features/customers/index.ts'
import { storeMadeCodes, resumeKnown } from '../features/campaigns/index.ts'
import { copyConnectedStore, endSyncOfLostStore } from '../features/data-sync/index.ts'
import { requestComplaintCheck, noteSent } from '../features/deliverability/index.ts'
import {
  forgetRecipient,
  joinDeliveries,
  markRefusedStepsTroubled,
  withholdCodes,
} from '../features/deliveries/index.ts'
import {
  forgetEvents,
  joinEvents,
  mergeEvents,
  recordConsentGiven,
  recordCouponUsed,
  recordCustomerCreated,
  recordLineFollowed,
  recordLineMessage,
  recordOrderCancelled,
  recordOrdersCreated,
  recordOrdersFulfilled,
  recordOrdersPaid,
  recordSegmentEntered,
  recordSegmentLeft,
  redactLooksOfWithdrawn,
} from '../features/events/index.ts'
import { detachFavoritesOf, joinFavorites, mergeFavorites } from '../features/favorites/index.ts'
import { forgetGuests, mergeGuests } from '../features/guests/index.ts'
import {
  endFillOfLostStore,
  fillFromConnectedStore,
  forgetMetafields,
  mergeMetafields,
  pushBirthdayLater,
} from '../features/metafields/index.ts'
import { endOpenings } from '../features/channels/index.ts'
import { forgetFriend, mergeFriends, moveFriends, readFollowersLater } from '../features/line-friends/index.ts'
import { endAccountLink } from '../features/line-login/index.ts'
import { passOnLater } from '../features/line-relays/index.ts'
import { joinOrders, learnIntervalsAgain } from '../features/orders/index.ts'
import { detachNoticesOf, resumeReading, mergeNotices, openReturns } from '../features/restock-waves/index.ts'
import { detachRestocksOf, joinRestocks, mergeRestocks } from '../features/restocks/index.ts'
import {
  endExecutionsOf,
  endForRemovedFavorite,
  endForUnsubscribed,
  endForUsedCoupon,
  forgetEntries,
  joinEntries,
  joinExecutions,
  mergeEntries,
  mergeExecutions,
} from '../features/entering/index.ts'
import {
  recalculateWaitsLater,
  redactLooksOfExecutions,
  redactLooksOfMerged,
  resumeWithCoupons,
} from '../features/executions/index.ts'
import { compareRichMenus, checkDisconnectedMenus, checkNewChannel } from '../features/rich-menus/index.ts'
import { resumeKnownMail, warnOfHeldStep } from '../features/scenarios/index.ts'
import { calculateAllLater, listRemoteSegmentsLater, markCustomersDirty } from '../features/segments/index.ts'
import { takeStoreCurrency } from '../features/store-sign-in/index.ts'
import { endStoreSignIn } from '../features/stores/index.ts'
import { recordPriceChanges, recordStockChanges } from '../features/triggers/index.ts'
import { creditOrders, forgetTracked, lowerOrder, withdrawOrder } from '../features/tracking/index.ts'
import type { Subscriptions } from '../kernel/subscriptions.ts'
import { checkShopAgain } from '../features/visitors/index.ts'

/** Who reacts to which fact, in order, inside the publisher's transaction. */
export const subscriptions: Subscriptions = {
  'deliveries.counted': [noteSent],
  'mail.complained': [requestComplaintCheck],
  'deliveries.fate_known': [resumeKnown, resumeKnownMail],
  'account.claimed': [endStoreSignIn],
  // First: what is copied is read in the store's currency.
  'store.connected': [
    takeStoreCurrency,
    copyConnectedStore,
    fillFromConnectedStore,
    checkShopAgain,
    sendUnsentLanguages,
  ],
  'store.disconnected': [endSyncOfLostStore, endFillOfLostStore, checkShopAgain],
  'line.connected': [moveFriends, readFollowersLater, checkNewChannel, endOpenings],
  'line.disconnected': [checkDisconnectedMenus],
  'line.received': [passOnLater],
  'line.followed': [recordLineFollowed],
  'line.message': [recordLineMessage],
  'line.link_answered': [endAccountLink],
  'settings.changed': [recalculateWaitsLater],
  'mails.refused': [recordRefusals, markRefusedStepsTroubled],
  'step.held': [warnOfHeldStep],
  'consent.changed': [
    pushConsentLater,
    recordConsentGiven,
    endForUnsubscribed,
    forgetBehaviorOfWithdrawn,
    redactLooksOfWithdrawn,
    redactLooksOfExecutions,
  ],
  'behavior.switched_off': [clearBehaviorLater],
  'customer.created': [recordCustomerCreated],
  'segments.members_updated': [compareRichMenus],
  'segment.entered': [recordSegmentEntered],
  'segment.left': [recordSegmentLeft],
  'favorite.removed': [endForRemovedFavorite],
  'price.changed': [recordPriceChanges],
  'online_stock.read': [resumeReading],
  'online_stock.changed': [recordStockChanges, openReturns],
  'guest.joined': [joinFavorites, joinRestocks, joinGuestBaskets, joinEvents, joinEntries, joinExecutions],
  'customers.merged': [
    joinOrders,
    joinCheckouts,
    joinConsents,
    mergeFavorites,
    mergeRestocks,
    mergeNotices,
    mergeGuests,
    mergeMetafields,
    mergeBirthdayEntries,
    mergeBehavior,
    mergeFriends,
    mergeEvents,
    mergeEntries,
    mergeExecutions,
    redactLooksOfMerged,
    // After the executions, whose rows a worker holds while it writes mails for them.
    joinDeliveries,
    mergeCoupons,
  ],
  'customer.deleted': [
    forgetGuests,
    detachFavoritesOf,
    detachRestocksOf,
    detachNoticesOf,
    detachBaskets,
    forgetMetafields,
    forgetBirthdayEntries,
    forgetBehavior,
    forgetFriend,
    forgetCustomer,
    forgetTracked,
    forgetEvents,
    forgetEntries,
    forgetReturned,
    // Waiting deliveries are not sent, and their addresses are removed.
    endExecutionsOf,
    forgetRecipient,
    forgetCouponsOf,
  ],
  'customers.changed': [recallFor, markCustomersDirty],
  'customers.changed_widely': [refreshSearchLater, calculateAllLater, listRemoteSegmentsLater, learnIntervalsAgain],
  'customer.permissions_set': [recordPermissions],
  'customer.birthday_set': [pushBirthdayLater],
  'orders.placed': [creditOrders, noteUsedCoupons],
  'orders.created': [recordOrdersCreated, emptyOrderedCarts],
  'orders.paid': [recordOrdersPaid],
  'orders.fulfilled': [recordOrdersFulfilled],
  'order.cancelled': [withdrawOrder, recordOrderCancelled],
  'order.refunded': [lowerOrder],
  'coupon.used': [recordCouponUsed, endForUsedCoupon],
  'coupons.settled': [resumeWithCoupons],
  'coupons.made': [storeMadeCodes],
  'codes.doubted': [withholdCodes],
}
