import type { EventSubject } from '@okaeri/contract/scenarios/event'
import type { TriggerOf } from '@okaeri/contract/scenarios/trigger'
import type { TriggerKind } from '@okaeri/contract/scenarios/trigger-kinds/index'
import type { RawBuilder } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

/** What the server knows of one kind of trigger. `trigger-kinds/index.ts` lists them. */
export type TriggerRules<K extends TriggerKind> = Rules<TriggerOf<K>> & Clock<TriggerOf<K>>

interface Rules<T> {
  /** Whether an event of its kind is one that it means; absent: each is. */
  means?(trigger: T, subject: EventSubject): boolean
  /** Its event tells nothing but of whom: a test can do without it having happened. */
  tellsOnlyWhom?: true
  /**
   * For rehearsals, where something is kept for longer than events are: a query of `id`, the customer, and `at`. `trigger` is null where it
   * is only waited for.
   */
  kept?(merchantId: string, within: Within, trigger: T | null): RawBuilder<unknown>
  /** For rehearsals, when it would have started the scenario; absent: whenever it happened. In the order of time. */
  past?(scope: MerchantScope, trigger: T, asked: AskedPast): Promise<PastEvent[]>
}

/** A trigger with a time of day comes once a day, one with minutes when something was left for so long. */
type Clock<T> = [T] extends [{ time: string }]
  ? { daily: Daily<T>; past: NonNullable<Rules<T>['past']> }
  : [T] extends [{ after_minutes: number }]
    ? { findLeft: FindLeft }
    : unknown

/** Moments are milliseconds: there are hundreds of thousands of them. */
export interface PastEvent {
  customerId: string
  at: number
}
export interface Span {
  from: Date
  until: Date
}
export type Within = (column: RawBuilder<unknown>) => RawBuilder<boolean>
export interface AskedPast {
  span: Span
  timezone: string
  /** All that happened of its kind. */
  happened(): Promise<PastEvent[]>
  /** How many orders somebody had made at a moment of the span. */
  countOrders(): Promise<(customerId: string, at: number) => number>
}

export interface Daily<T> {
  /** From the day it starts something to the day people have to do with: the birthday, the date in the metafield, the last order. */
  daysUntil(trigger: T): number
  /** Who has to do with that day, those told already left out; null where nobody can. */
  finder(scope: MerchantScope, trigger: T, of: { day: string; timezone: string }): Promise<FindPeople | null>
  /** It is looked at as soon as it is known who ordered when. */
  needsOrders?: true
}
/** `key`: what comes before the customer's id in the key of the event, `day` what comes after. */
export interface Telling {
  key: string
  day: string
  limit: number
}
export type FindPeople = (telling: Telling) => Promise<string[]>

export interface LeftBasket {
  id: string
  customer_id: string | null
  guest_id: string | null
  store_updated_at: Date
  subject: EventSubject
}
/** Last changed in that time. `key`: what comes before the basket's id in the key of the event; its last change comes after. */
export interface Leaving {
  key: string
  from: Date
  to: Date
  limit: number
}
/** `checkoutsToo`: another scenario is started by checkouts, and a cart whose checkout was begun is told of there alone. */
export type FindLeft = (
  scope: MerchantScope,
  leaving: Leaving,
  given: { checkoutsToo: boolean },
) => Promise<LeftBasket[]>
