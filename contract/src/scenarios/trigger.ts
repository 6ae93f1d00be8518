import { z } from 'zod'
import type { ConsentKind } from '../customers/customer.ts'
import { type TriggerKind, triggerRules, triggerShapes } from './trigger-kinds/index.ts'

/** What starts a scenario. Days and times of day are in the merchant's zone. In a draft, fields may be null. */
export const Trigger = z.discriminatedUnion('kind', triggerShapes, 'not_allowed').meta({ id: 'Trigger' })
export type Trigger = z.output<typeof Trigger>
export type TriggerOf<K extends TriggerKind> = Extract<Trigger, { kind: K }>

export const isPostPurchase = (kind: TriggerKind): boolean => triggerRules(kind).isPostPurchase === true

/** The permission that the messages of such a scenario need. */
export const consentKindOf = (kind: TriggerKind): ConsentKind =>
  triggerRules(kind).isNotification ? 'notification' : 'marketing'
