import type { StoreRule } from '@okaeri/contract/emails/product-rule'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { createMemory } from './memory.ts'
import { selectBestSold, selectNewest } from './queries.ts'

const BEST_SOLD_OF_MS = 30 * 86_400_000
/** All that was sold in a month is read for it: not at each letter typed in an editor, nor in each time slice of sending. */
const memory = createMemory<readonly number[]>({ lastsMs: 5 * 60_000, most: 500 })

/** The platform's numbers of products that can be bought, in the rule's order. */
export async function productsRanked(scope: MerchantScope, rule: StoreRule): Promise<readonly number[]> {
  if (rule === 'new') return selectNewest(scope)
  const known = memory.find(scope.context, scope.merchantId)
  if (known) return known
  const found = await selectBestSold(scope, new Date(scope.now.getTime() - BEST_SOLD_OF_MS))
  memory.keep(scope.context, scope.merchantId, found)
  return found
}
