import type { Trigger } from '@okaeri/contract/scenarios/trigger'

export type AbandonmentTrigger = Extract<
  Trigger,
  { kind: 'cart_abandoned' | 'checkout_abandoned' | 'browse_abandoned' }
>
export const isAbandonment = (trigger: Trigger): trigger is AbandonmentTrigger => 'after_minutes' in trigger

const MINUTE_MS = 60_000
/** When a customer should enter by an event of this trigger. */
export const dueAt = (trigger: Trigger, occurredAt: Date): Date =>
  isAbandonment(trigger) ? new Date(occurredAt.getTime() + trigger.after_minutes * MINUTE_MS) : occurredAt
