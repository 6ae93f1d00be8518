import { z } from 'zod'
import type { Localized } from '../../locale.ts'
import type { EventField } from '../event-fields.ts'
import type { KindWords } from '../flow/kind-words.ts'
import { type FlowSaying, quoted } from '../flow/phrases.ts'

export const MAX_DAYS = 365
export const days = (min: number) => z.int('not_a_number').min(min, 'too_small').max(MAX_DAYS, 'too_big')

/** What the contract says of one kind of trigger, besides its shape. */
export interface TriggerRules<S> {
  words: KindWords
  /** Settings of a new one. */
  initial: S
  /** Content tags this event fills. In an email any other `event.` tag stays empty. */
  fills?: readonly EventField[]
  /** Spec §3: emails after a purchase may be exempt from the allowed sending hours. */
  isPostPurchase?: true
  /** domain.md §4: favorites and restock have a permission of their own. */
  isNotification?: true
  /** It can start a scenario, but no step can wait for it. */
  onlyStarts?: true
  /** The required setting that is missing; null when it can start a scenario. */
  missing?(settings: S): string | null
  /** What starts the scenario, as a sentence. */
  sentence(settings: S, saying: FlowSaying): Localized
}

/**
 * `event`: what happens, as a noun, for histories and steps that wait for it. `icon` names a picture of the pages:
 * flow-picture/node-icon.tsx.
 */
export const triggerKind = <K extends string, S extends z.ZodRawShape, const I extends string>(
  kind: K,
  settings: S,
  event: Localized,
  { icon, ...rules }: TriggerRules<z.output<z.ZodObject<S, z.core.$strict>>> & { icon: I },
) => ({ shape: z.strictObject({ kind: z.literal(kind), ...settings }), event, icon, rules })

export const notSelected: Localized = { ja: '（未選択）', en: '(not selected)' }

export function segmentText(id: string | null, { language, names }: FlowSaying): string {
  if (id === null) return notSelected[language]
  return quoted(names?.nameOf?.('segments', id) || id, language)
}
