import type { ClaimedRow, Outgoing } from '../../deliveries/index.ts'
import type { createProductCards, MailToFill } from '../../email-rendering/index.ts'
import type { Shared } from '../recipient.ts'
import type { ReadCards } from './product-cards.ts'
import type { Compose } from './composing.ts'
import type { Pacing } from './pacing.ts'

/** A mail in one of its languages, compiled for this time slice. */
export interface OpenLanguage extends Shared {
  /** The content, with what is the same for every recipient. */
  mail: MailToFill
  compose: Compose
  cards: ReturnType<typeof createProductCards>
  /** More than values and products stand in it: a thread fills it in for each. */
  needsTexts: boolean
  /** Choices of products whose cards are joined; see `cards-of-products.ts`. */
  choices: readonly string[]
  readCards: ReadCards
}

/** A message's mail. */
export interface OpenMail {
  outgoing: Outgoing
  base: OpenLanguage
  /** By the language of a claimed row. */
  variants: ReadonlyMap<string, OpenLanguage>
  /** The sender's address, where mails come back to it. */
  from: string
  /** By the return path of the installation's domain. */
  returnsToUs: boolean
  pacing: Pacing
}

/** The claim has decided it. */
export const languageFor = (open: OpenMail, { variant }: Pick<ClaimedRow, 'variant'>): OpenLanguage =>
  (variant !== null && open.variants.get(variant)) || open.base

export const languagesOf = ({ base, variants }: OpenMail): OpenLanguage[] => [base, ...variants.values()]

export function rowsByLanguage(open: OpenMail, rows: readonly ClaimedRow[]): Map<OpenLanguage, ClaimedRow[]> {
  const groups = new Map<OpenLanguage, ClaimedRow[]>()
  for (const row of rows) {
    const language = languageFor(open, row)
    const group = groups.get(language)
    if (group) group.push(row)
    else groups.set(language, [row])
  }
  return groups
}
