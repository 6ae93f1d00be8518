import type { RestockSettings } from '@okaeri/contract/restocks/settings'
import type { Facts } from '../../kernel/facts.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import { type AwaitedItem, listAwaited, releaseRequests } from '../restocks/index.ts'
import { endReturn, insertReturns, wakeReading } from './return-queries.ts'
import { readRestockSettings } from './settings.ts'
import { selectUnanswered } from './wave-queries.ts'

/** Stock that fluctuates settles again at each change, but not longer than so many times. */
const SETTLES_AT_MOST = 6

/**
 * Opens a return for what is in stock again, where people wait for it. A change of thousands of variants is one statement. Where the earlier
 * stock is unknown, only a registration on the storefront proves that there was none: imported registrations wait for a change.
 */
export async function openReturns(scope: MerchantScope, { changes }: Facts['online_stock.changed']): Promise<void> {
  const back = changes.filter(({ before, after }) => after > 0 && (before === null || before <= 0))
  await openReturnsFor(scope, goodsOf(back.filter(({ before }) => before !== null)))
  await openReturnsFor(scope, goodsOf(back.filter(({ before }) => before === null)), { fromStorefront: true })
}

/** Also where it is as much as before. */
export const resumeReading = (scope: MerchantScope, { storeProductIds }: Facts['online_stock.read']): Promise<void> =>
  scope.transaction((scope) => wakeReading(scope, storeProductIds))

/** The variants, and their products as wholes. */
function goodsOf(those: readonly AwaitedItem[]): AwaitedItem[] {
  const variants = those.map(({ storeProductId, storeVariantId }) => ({ storeProductId, storeVariantId }))
  const wholes = [...new Set(those.map(({ storeProductId }) => storeProductId))]
  return [...variants, ...wholes.map((storeProductId) => ({ storeProductId, storeVariantId: 0 }))]
}

export async function openReturnsFor(
  scope: MerchantScope,
  those: readonly AwaitedItem[],
  { fromStorefront = false }: { fromStorefront?: boolean } = {},
): Promise<void> {
  if (those.length === 0) return
  await scope.transaction(async (scope) => {
    const settings = await readRestockSettings(scope)
    const awaited = await listAwaited(scope, those, { againToo: settings.asks_again, fromStorefront })
    if (awaited.length > 0) await insertReturns(scope, awaited, settling(settings))
  })
}

const settling = ({ settle_minutes: minutes, wave_minutes }: RestockSettings) => ({
  settleMs: minutes * 60_000,
  longestMs: minutes * 60_000 * SETTLES_AT_MOST,
  waveMs: wave_minutes * 60_000,
})

/** Those whom it did not reach wait for the next return. */
export async function finishReturn(
  scope: TransactionScope,
  returnId: string,
  as: 'all_told' | 'sold_out' | 'gone',
): Promise<void> {
  await endReturn(scope, returnId, as)
  await releaseRequests(scope, await selectUnanswered(scope, returnId))
}
