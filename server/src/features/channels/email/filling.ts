import type { ClaimedRow, FilledRow } from '../../deliveries/index.ts'
import { type FilledTexts, fillMails } from '../../email-rendering/index.ts'
import type { FilledOrFailure } from '../filling.ts'
import { type RecipientPart, recipientPart } from '../recipient.ts'
import type { NoCards } from './product-cards.ts'
import type { ProductCards, Recipient } from './composing.ts'
import { languageFor, languagesOf, type OpenLanguage, type OpenMail } from './languages.ts'

/** A claimed row with what its mail says to this recipient alone. */
export interface FilledMail extends FilledRow, RecipientPart, Pick<Recipient, 'texts' | 'chosen'> {}

/** Has made of mails what more than values stand in, in a thread of the template's own: each language by itself. */
export async function makeTexts(open: OpenMail, rows: readonly ClaimedRow[]): Promise<FilledOrFailure<FilledMail>[]> {
  const made = new Map<ClaimedRow, FilledOrFailure<FilledMail>>()
  for (const language of languagesOf(open)) {
    const its = rows.filter((row) => languageFor(open, row) === language)
    for (const [at, one] of (await makeTextsIn(language, its)).entries()) made.set(its[at] as ClaimedRow, one)
  }
  // In their order, up to the first that was not made: the rest comes again.
  const answered: FilledOrFailure<FilledMail>[] = []
  for (const row of rows) {
    const one = made.get(row)
    if (!one) break
    answered.push(one)
  }
  return answered
}

async function makeTextsIn(
  language: OpenLanguage,
  rows: readonly ClaimedRow[],
): Promise<FilledOrFailure<FilledMail>[]> {
  if (rows.length === 0) return []
  const parts = rows.map((row) => recipientPart(language, row))
  const chosen = await chosenIn(language, rows)
  const { scope } = language.outgoing
  const filled: readonly FilledTexts[] = language.needsTexts
    ? await fillMails(scope, { mail: language.mail, recipients: parts.map(({ data }) => data) })
    : rows.map(() => NO_TEXTS)
  return filled.map((one, at) => {
    const products = chosen[at] as ChosenCards | NoCards
    if ('failure' in products) return notMade(products)
    if ('failure' in one) return notMade(one)
    return { ...(parts[at] as RecipientPart), ...products, row: rows[at] as ClaimedRow, texts: one.texts }
  })
}
const NO_TEXTS: FilledTexts = { texts: [] }
const notMade = ({ failure }: NoCards) => ({ failure: failure.message, isTooCostly: failure.fault !== 'broken' })

type ChosenCards = Pick<Recipient, 'chosen'>

/** What the mail says of the products that each of these is shown. */
async function chosenIn(
  { choices, readCards }: OpenLanguage,
  rows: readonly ClaimedRow[],
): Promise<(ChosenCards | NoCards)[]> {
  if (choices.length === 0) return rows.map(() => NO_PRODUCTS)
  const shown = rows.map(({ own_products: own }) => choices.map((choice) => own?.[choice] ?? []))
  const cardsOf = await readCards(shown.flat(2))
  return shown.map((lists) => {
    const chosen: Record<string, ProductCards[]> = {}
    for (const [at, products] of lists.entries()) {
      const cards: ProductCards[] = []
      for (const product of products) {
        const made = cardsOf(product)
        if ('failure' in made) return made
        cards.push(made)
      }
      chosen[choices[at] as string] = cards
    }
    return { chosen }
  })
}
const NO_PRODUCTS: ChosenCards = { chosen: {} }
