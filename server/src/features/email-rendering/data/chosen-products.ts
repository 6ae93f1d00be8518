import type { ProductRule, StoreRule } from '@okaeri/contract/emails/product-rule'
import type { Locale } from '@okaeri/contract/locale'
import type { MerchantScope } from '../../../kernel/merchant-scope.ts'
import { listProductsOnSale } from '../../catalog/index.ts'
import { mailProduct } from './mail-product.ts'
import type { MailProduct, ProductLists } from './message-data.ts'
import { type ParsedChoice, choicesOf, isStoreRule } from './product-choice.ts'

/** What is known of one customer, as the store platform's numbers of products, the best first. */
export interface ProductsOfCustomer extends Readonly<Record<Exclude<ProductRule, StoreRule>, readonly number[]>> {
  bought: readonly number[]
}

declare module '../../../kernel/context.ts' {
  interface Ports {
    /** Products of the store in the rule's order, as the platform's numbers: a few dozen of those that can be bought. */
    productsRanked: (scope: MerchantScope, rule: StoreRule) => Promise<readonly number[]>
    /** What these rules find for these customers, in one statement; what was not asked for is empty. */
    productsOfCustomers: (
      scope: MerchantScope,
      asked: { customerIds: readonly string[]; wants: readonly (keyof ProductsOfCustomer)[] },
    ) => Promise<Map<string, ProductsOfCustomer>>
  }
}

/** Products as mails of one time slice show them, each read once. Null: it is not sold now. */
export interface ProductCards {
  read(scope: MerchantScope, numbers: Iterable<number>): Promise<ReadonlyMap<number, Card | null>>
}
interface Card {
  id: string
  shown: MailProduct
}

export function createProductCards(as: { locale: Locale; storeUrl: string }): ProductCards {
  const known = new Map<number, Card | null>()
  return {
    async read(scope, numbers) {
      const missing = [...new Set(numbers)].filter((number) => !known.has(number))
      if (missing.length > 0) {
        const sold = await listProductsOnSale(scope, { storeProductIds: missing })
        for (const number of missing) known.set(number, null)
        for (const product of sold)
          known.set(product.store_product_id, { id: product.id, shown: mailProduct(product, as) })
      }
      return known
    },
  }
}

/** The lists of the mail's `{% products_by %}` blocks that show the same to all. */
export async function readProductLists(
  scope: MerchantScope,
  templates: readonly string[],
  cards: ProductCards,
): Promise<{ product_lists?: ProductLists }> {
  const choices = choicesOf(templates).filter(({ isPersonal }) => !isPersonal)
  if (choices.length === 0) return {}
  const ranked = await rankedFor(scope, choices)
  const known = await cards.read(scope, [...ranked.values()].flat())
  return { product_lists: listsOf(choices, { ranked, known, own: null }) }
}

/** Whether each recipient has products of their own. */
export const choosesForEach = (templates: readonly string[]): boolean =>
  choicesOf(templates).some(({ isPersonal }) => isPersonal)

/**
 * What each of these customers is shown by blocks that differ by recipient, in one statement for all of them, and one for products that were
 * not read yet. `null` is an example recipient without data of their own.
 */
export async function readOwnProducts(
  scope: MerchantScope,
  {
    templates,
    customerIds,
    cards,
  }: { templates: readonly string[]; customerIds: readonly (string | null)[]; cards: ProductCards },
): Promise<Map<string | null, ProductLists>> {
  const choices = choicesOf(templates).filter(({ isPersonal }) => isPersonal)
  if (choices.length === 0) return new Map()
  const ranked = await rankedFor(scope, choices, { withExamples: customerIds.includes(null) })
  const wants = new Set<keyof ProductsOfCustomer>()
  for (const { rule, leavesOutBought } of choices) {
    if (!isStoreRule(rule)) wants.add(rule)
    if (leavesOutBought) wants.add('bought')
  }
  const known = customerIds.filter((id) => id !== null)
  const found =
    known.length === 0
      ? new Map<string, ProductsOfCustomer>()
      : await scope.context.ports.productsOfCustomers(scope, { customerIds: known, wants: [...wants] })
  const numbers = new Set([...ranked.values()].flat())
  for (const { bought: _, ...rules } of found.values())
    for (const some of Object.values(rules)) for (const number of some) numbers.add(number)
  const shown = await cards.read(scope, numbers)
  return new Map(
    customerIds.map((id) => [
      id,
      listsOf(choices, { ranked, known: shown, own: id === null ? 'anybody' : (found.get(id) ?? null) }),
    ]),
  )
}

/** Each order of the store's that is needed, once. */
async function rankedFor(
  scope: MerchantScope,
  choices: readonly ParsedChoice[],
  { withExamples = false } = {},
): Promise<Map<StoreRule, readonly number[]>> {
  const rules = new Set<StoreRule>(withExamples ? ['best_sold', 'new'] : [])
  for (const { rule, otherwise } of choices) {
    if (isStoreRule(rule)) rules.add(rule)
    if (otherwise === 'best_sold') rules.add('best_sold')
  }
  const ranked = new Map<StoreRule, readonly number[]>()
  for (const rule of rules) ranked.set(rule, await scope.context.ports.productsRanked(scope, rule))
  return ranked
}

interface From {
  ranked: ReadonlyMap<StoreRule, readonly number[]>
  known: ReadonlyMap<number, Card | null>
  own: ProductsOfCustomer | 'anybody' | null
}

function listsOf(choices: readonly ParsedChoice[], { ranked, known, own }: From): ProductLists {
  const customer = own === 'anybody' ? null : own
  const bought = new Set(customer?.bought)
  const lists = choices.map(({ key, rule, count, otherwise, leavesOutBought, excludedIds }) => {
    const some = (numbers: readonly number[]): MailProduct[] => {
      const shown: MailProduct[] = []
      for (const number of numbers) {
        const card = known.get(number)
        if (!card || card.shown.is_sold_out || excludedIds.includes(card.id)) continue
        if (leavesOutBought && bought.has(number)) continue
        if (shown.push(card.shown) === count) break
      }
      return shown
    }
    const bestSold = ranked.get('best_sold') ?? []
    const wanted = isStoreRule(rule) ? (ranked.get(rule) ?? []) : (customer?.[rule] ?? [])
    const found = some(wanted)
    if (found.length > 0) return [key, found] as const
    if (own === 'anybody') return [key, firstNotEmpty(some(bestSold), () => some(ranked.get('new') ?? []))] as const
    return [key, otherwise === 'best_sold' ? some(bestSold) : []] as const
  })
  return Object.fromEntries(lists)
}

const firstNotEmpty = <T>(one: readonly T[], other: () => readonly T[]): readonly T[] =>
  one.length > 0 ? one : other()
