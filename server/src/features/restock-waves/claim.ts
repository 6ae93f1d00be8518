import type { SkipReason } from '@okaeri/contract/deliveries/delivery'
import type { TransactionScope } from '../../kernel/merchant-scope.ts'
import { askForStock } from '../catalog/index.ts'
import type { ClaimedForScenario, PostponedOrSkipped } from '../deliveries/index.ts'
import { type AtClaim, selectAtClaim } from './notice-queries.ts'
import { selectStockOf, type StockOf } from './return-queries.ts'
import { FRESH_MS, isOld } from './wave.ts'

const AGAIN_MS = 60_000
/** If the store does not report its stock for so long, no one is notified. */
const GIVEN_UP_MS = 24 * 3_600_000

/** What the ledger asks of answers to registrations at the last moment: whether what they say is still true. */
export async function answersKeptBack(
  scope: TransactionScope,
  rows: readonly ClaimedForScenario[],
): Promise<PostponedOrSkipped[]> {
  const answers = await selectAtClaim(scope, rows)
  const stock = new Map<string, StockOf>()
  for (const answer of answers) {
    const key = keyOf(answer)
    if (stock.has(key)) continue
    const known = await selectStockOf(scope, awaitedOf(answer))
    stock.set(key, known)
    if (known.isOnSale && isOld(known, scope.now))
      await askForStock(scope, known.variantIds, { since: new Date(scope.now.getTime() - FRESH_MS) })
  }
  return answers.flatMap((answer): PostponedOrSkipped[] => {
    const id = answer.delivery_id
    const why = whyNot(answer, stock.get(keyOf(answer)), scope.now)
    if (why === null) return []
    return [why === 'unknown' ? { id, until: new Date(scope.now.getTime() + AGAIN_MS) } : { id, reason: why }]
  })
}

function whyNot(answer: AtClaim, stock: StockOf | undefined, now: Date): SkipReason | 'unknown' | null {
  if (answer.is_withdrawn) return 'cancelled'
  if (answer.has_opted_out) return 'no_consent'
  if (answer.has_bought) return 'already_bought'
  if (!stock?.isOnSale || (stock.quantity ?? 0) <= 0) return 'out_of_stock'
  if (!isOld(stock, now)) return null
  return now.getTime() - answer.notice_at.getTime() > GIVEN_UP_MS ? 'out_of_stock' : 'unknown'
}

const awaitedOf = ({ store_product_id, store_variant_id }: AtClaim) => ({
  storeProductId: store_product_id,
  storeVariantId: store_variant_id,
})
const keyOf = ({ store_product_id, store_variant_id }: AtClaim): string => `${store_product_id} ${store_variant_id}`
