import { type StarterKey, starters } from '@okaeri/contract/emails/starters'
import type { Locale } from '@okaeri/contract/locale'

/**
 * What a new email is called and says first. Its name is for those who work here, in the language they read (`shown`); subject and preheader
 * are for customers, in the language it is written in.
 */
export function firstTexts(
  starter: StarterKey,
  { shown, written }: { shown: Locale; written: Locale },
): { name: string; subject: string; preheader: string } {
  const { name, subject, preheader } = starters[starter]
  return { name: name[shown], subject: subject[written], preheader: preheader[written] }
}
