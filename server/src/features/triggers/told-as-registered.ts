import type { EventSubject } from '@okaeri/contract/scenarios/event'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { selectAnsweringChannels } from '../flows/index.ts'
import { type AskedGood, listRegistered } from '../restocks/index.ts'

/** The message about a registration and that about a favorite speak of the same return, if there is no more between them. */
const SAME_RETURN_MS = 24 * 3_600_000

type Change = NonNullable<EventSubject['changes']>[number]
export const goodOf = (
  customerId: string,
  change: Pick<Change, 'store_product_id' | 'store_variant_id'>,
): AskedGood => ({
  customerId,
  storeProductId: change.store_product_id,
  storeVariantId: change.store_variant_id ?? 0,
})
const keyOf = ({ customerId, storeProductId, storeVariantId }: AskedGood): string =>
  `${customerId} ${storeProductId} ${storeVariantId}`

/** Of which of these goods the customer is told because they registered. Without an active scenario that answers nobody is. */
export async function listToldAsRegistered(
  scope: MerchantScope,
  goods: readonly AskedGood[],
): Promise<(good: AskedGood) => boolean> {
  if (goods.length === 0) return () => false
  const channels = await selectAnsweringChannels(scope)
  if (channels.length === 0) return () => false
  const sentAfter = new Date(scope.now.getTime() - SAME_RETURN_MS)
  const known = new Set((await listRegistered(scope, goods, { channels, sentAfter })).map(keyOf))
  return (good) => known.has(keyOf(good))
}
