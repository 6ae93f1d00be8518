import { z } from 'zod'

/** How a mail chooses products by itself. Those of the store: the same for all. Those of a customer: each recipient has their own. */
export const storeRules = ['best_sold', 'new'] as const
export const customerRules = ['bought_together', 'viewed', 'favorites', 'back_in_stock'] as const
export const productRules = [...storeRules, ...customerRules] as const
export const ProductRule = z.enum(productRules)
export type ProductRule = z.output<typeof ProductRule>
export type StoreRule = (typeof storeRules)[number]

/** Shown at once. */
export const MAX_CHOSEN = 6
/** What is shown where the rule finds nothing: what is sold best, or what stands after `else`. */
export const otherwises = ['best_sold', 'nothing'] as const
export const MAX_EXCLUDED = 20

export interface ProductChoice {
  rule: ProductRule
  count: number
  otherwise: (typeof otherwises)[number]
  leavesOutBought: boolean
  /** Products that never appear. */
  excludedIds: readonly string[]
}

/** `{% products_by "favorites", count: 3, otherwise: "best_sold", bought: "left_out", without: "…" %}`. What is said by default is left out. */
export const productChoiceTag = ({ rule, count, otherwise, leavesOutBought, excludedIds }: ProductChoice): string =>
  `{% products_by ${[
    `"${rule}"`,
    `count: ${count}`,
    ...(otherwise === 'best_sold' ? ['otherwise: "best_sold"'] : []),
    ...(leavesOutBought ? ['bought: "left_out"'] : []),
    ...(excludedIds.length > 0 ? [`without: "${excludedIds.join(' ')}"`] : []),
  ].join(', ')} %}`
