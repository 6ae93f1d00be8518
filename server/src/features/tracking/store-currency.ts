import type { Facts } from '../../kernel/facts.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { getMerchant, setCurrency } from '../merchants/index.ts'
import { hasConversions } from './queries.ts'

/**
 * Reaction to `store.connected`: who signed up by an address began with yen, whatever their store sells in. Sums of revenue are in one
 * currency, so it stays once an order was credited.
 */
export async function takeStoreCurrency(scope: MerchantScope, { currency }: Facts['store.connected']): Promise<void> {
  const { currency: present } = await getMerchant(scope)
  if (present === currency) return
  if (!(await hasConversions(scope))) return setCurrency(scope, currency)
  const { log } = scope.context
  log.warn(
    { merchantId: scope.merchantId, present, currency },
    'the store sells in another currency than revenue is counted in',
  )
}
