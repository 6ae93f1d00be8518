import { z } from 'zod'
import { type TriggerKind, triggerRules, triggerShapes } from './trigger-kinds/index.ts'

/**
 * What starts a scenario. Times of day and days are those of the merchant's zone. Where a field may be null the draft is incomplete and
 * cannot be enabled.
 */
export const Trigger = z.discriminatedUnion('kind', triggerShapes, 'not_allowed').meta({ id: 'Trigger' })
export type Trigger = z.output<typeof Trigger>
export type TriggerOf<K extends TriggerKind> = Extract<Trigger, { kind: K }>

export const isPostPurchase = (kind: TriggerKind): boolean => triggerRules(kind).isPostPurchase === true
