import type { EventSubject } from '@okaeri/contract/scenarios/event'
import type { TriggerOf } from '@okaeri/contract/scenarios/trigger'
import type { TriggerKind } from '@okaeri/contract/scenarios/trigger-kinds/index'
import type { RawBuilder } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

/** The server's part of one kind of trigger. All kinds are listed in `trigger-kinds/index.ts`. */
export type TriggerRules<K extends TriggerKind> = Rules<TriggerOf<K>> & Clock<TriggerOf<K>>

interface Rules<T> {
  /** Whether an event of this kind meets the trigger's settings; absent: always. */
  matches?(trigger: T, subject: EventSubject): boolean
  /** Its event says only which customer, so a test needs no real event. */
  namesOnlyCustomer?: true
  /**
   * For rehearsals, if there is data older than the events: a query of `id`, the customer, and `at`. `trigger` is null if a step only
   * waits for it.
   */
  pastSql?(merchantId: string, within: TimeCondition, trigger: T | null): RawBuilder<unknown>
  /** For rehearsals: when it would have started the scenario, in order of time; absent: whenever it happened. */
  pastEvents?(scope: MerchantScope, trigger: T, asked: PastSource): Promise<PastEvent[]>
}

/** A trigger with a time of day is checked daily; one with minutes starts when a basket was left that long. */
type Clock<T> = [T] extends [{ time: string }]
  ? { daily: Daily<T>; pastEvents: NonNullable<Rules<T>['pastEvents']> }
  : [T] extends [{ after_minutes: number }]
    ? { findAbandoned: FindAbandoned<T> }
    : unknown

/** Times are milliseconds: there are hundreds of thousands of them. */
export interface PastEvent {
  customerId: string
  at: number
}
export interface Span {
  from: Date
  until: Date
}
export type TimeCondition = (column: RawBuilder<unknown>) => RawBuilder<boolean>
export interface PastSource {
  span: Span
  timezone: string
  /** All events of its kind. */
  happened(): Promise<PastEvent[]>
  /** How many orders a customer had made at a time of the span. */
  countOrders(): Promise<(customerId: string, at: number) => number>
}

export interface Daily<T> {
  /** Days from the day it starts the scenario to the day that matters: the birthday, the date in the metafield, the last order. */
  daysUntil(trigger: T): number
  /** Customers whose day it is, without those already recorded; null if there can be none. */
  finder(scope: MerchantScope, trigger: T, of: { day: string; timezone: string }): Promise<FindPeople | null>
  /** It is not looked at before all orders are copied. */
  needsOrders?: true
}
/** `key` comes before the customer's id in the event's key, `day` after it. */
export interface DayEventKey {
  key: string
  day: string
  limit: number
}
export type FindPeople = (eventKey: DayEventKey) => Promise<string[]>

export interface AbandonedBasket {
  /** The id of the cart or checkout; for viewed products, the customer's. */
  id: string
  customer_id: string | null
  guest_id: string | null
  store_updated_at: Date
  subject: EventSubject
}
/** Last changed within that time. `key` comes before the basket's id in the event's key, its last change after it. */
export interface AbandonedBasketSearch {
  key: string
  from: Date
  to: Date
  limit: number
}
/** `checkoutsToo`: another scenario has the checkout trigger, so carts with a begun checkout are left to it. */
export type FindAbandoned<T> = (
  scope: MerchantScope,
  search: AbandonedBasketSearch,
  given: { trigger: T; checkoutsToo: boolean },
) => Promise<AbandonedBasket[]>
