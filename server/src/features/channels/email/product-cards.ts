import type { MerchantScope } from '../../../kernel/merchant-scope.ts'
import { type FilledTexts, type MailProduct, type MailToFill, makeCards } from '../../email-rendering/index.ts'
import type { ProductCards } from './composing.ts'

/** Why nothing can be said of a product. */
export type NoCards = Exclude<FilledTexts, { texts: string[] }>
/** Returns what a mail says of each of these products. */
export type ReadCards = (products: readonly MailProduct[]) => Promise<(product: MailProduct) => ProductCards | NoCards>

/** Kept of one mail in one time slice. What is kept is encoded besides. */
const MAX_KEPT_CHARACTERS = 2 * 1024 * 1024

/** A thread makes the cards of each product once, not once for each recipient. A product is known by its object, that of one time slice. */
export function createCardReader(scope: MerchantScope, mail: MailToFill): ReadCards {
  let known = new Map<MailProduct, ProductCards | NoCards>()
  let characters = 0
  return async (products) => {
    if (characters > MAX_KEPT_CHARACTERS) {
      known = new Map()
      characters = 0
    }
    const found = known
    let missing = [...new Set(products)].filter((product) => !found.has(product))
    while (missing.length > 0) {
      const made = await makeCards(scope, { mail, products: missing })
      for (const [at, one] of made.entries()) {
        found.set(missing[at] as MailProduct, 'texts' in one ? { cards: one.texts } : one)
        if ('texts' in one) for (const { length } of one.texts) characters += length
      }
      missing = missing.slice(made.length)
    }
    return (product) => found.get(product) as ProductCards | NoCards
  }
}
