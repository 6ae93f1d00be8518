import type { Localized } from '../../locale.ts'
import { z } from 'zod'
import type { EventField } from '../event-fields.ts'
import type { KindWords } from '../kind-words.ts'
import { type FlowSaying, quoted } from '../phrases.ts'

export const MAX_DAYS = 365
export const days = (min: number) => z.int('not_a_number').min(min, 'too_small').max(MAX_DAYS, 'too_big')

/** All that the contract knows about one kind of trigger, beside its shape. */
export interface TriggerRules<S> {
  words: KindWords
  /** Settings of a new one. */
  initial: S
  /** What a mail can write of its event. One that writes more has a gap there for everybody. */
  fills?: readonly EventField[]
  /** What comes after a purchase may be exempt from the allowed sending hours (spec §3). */
  isPostPurchase?: true
  /** Nothing that happens to somebody in a scenario: nobody waits for it there. */
  onlyStarts?: true
  /** The setting without which it cannot start anything; null when none is missing. */
  missing?(settings: S): string | null
  /** What starts the scenario, as a sentence. */
  sentence(settings: S, saying: FlowSaying): string
}

/** `event`: what happens, as a thing one can wait for and read in a history. */
export const triggerKind = <K extends string, S extends z.ZodRawShape>(
  kind: K,
  settings: S,
  event: { ja: string; en: string },
  rules: TriggerRules<z.output<z.ZodObject<S, z.core.$strict>>>,
) => ({ shape: z.strictObject({ kind: z.literal(kind), ...settings }), event, rules })

/** A sentence without settings in it. */
export const always =
  (text: Localized) =>
  (_: unknown, { language }: FlowSaying): string =>
    text[language]

export function segmentText(id: string | null, { language, names }: FlowSaying): string {
  if (id === null) return language === 'ja' ? '（未選択）' : '(not selected)'
  return quoted(names?.nameOf?.('segments', id) || id, language)
}
