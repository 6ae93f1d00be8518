import { checkoutHoldings } from '../features/checkouts/index.ts'
import { consentHoldings } from '../features/consent/index.ts'
import { couponHoldings } from '../features/coupons/index.ts'
import { customerHoldings } from '../features/customers/index.ts'
import { importFiles, importHoldings, importHoldsNobody } from '../features/data-import/index.ts'
import { syncHoldings } from '../features/data-sync/index.ts'
import { deliveryHoldings, departureFiles } from '../features/deliveries/index.ts'
import { eventHoldings } from '../features/events/index.ts'
import { favoriteHoldings } from '../features/favorites/index.ts'
import { guestHoldings } from '../features/guests/index.ts'
import { metafieldHoldings } from '../features/metafields/index.ts'
import { orderHoldings } from '../features/orders/index.ts'
import { privacyHoldings } from '../features/privacy/index.ts'
import { restockHoldings } from '../features/restocks/index.ts'
import { entryHoldings } from '../features/entering/index.ts'
import { executionHoldings } from '../features/executions/index.ts'
import { rehearsalHoldings } from '../features/rehearsals/index.ts'
import { segmentHoldings } from '../features/segments/index.ts'
import { trackingHoldings } from '../features/tracking/index.ts'
import type { FilesHeld, Holding, HoldsNobody } from '../kernel/personal-data.ts'

const nobody = (why: string, ...tables: HoldsNobody['table'][]): HoldsNobody[] =>
  tables.map((table) => ({ table, nobody: why }))

/**
 * Every table, with what it holds about a customer of the store, or why nobody is in it. A table that is not here fails a test. In the
 * order in which a person is forgotten: what is found by something else stands before it, the customers last.
 */
export const holdings: { tables: readonly (Holding | HoldsNobody)[]; files: readonly FilesHeld[] } = {
  tables: [
    ...nobody(
      'the merchant’s own account and its members, who are not customers',
      'merchants',
      'members',
      'sign_in_directory',
      'sessions',
      'refresh_tokens',
      'one_time_tokens',
      'address_confirmations',
    ),
    ...nobody('of this installation, not of a merchant', 'installation', 'ledger_state'),
    ...nobody('how often something was tried: keyed hashes, for a day at most', 'rate_limits'),
    ...nobody('the connection to the store', 'store_connections', 'store_directory', 'store_authorizations'),
    ...nobody(
      'how far copying and comparing got: numbers and times',
      'sync_runs',
      'sync_steps',
      'store_watches',
      'store_checks',
    ),
    ...nobody(
      'goods, and words that occur in the store',
      'products',
      'product_variants',
      'product_intervals',
      'collections',
      'collection_products',
      'store_values',
    ),
    ...nobody('what coupons are worth, not whose they are', 'discounts'),
    ...nobody('what the merchant writes to everyone', 'emails', 'messages', 'campaigns'),
    ...nobody(
      'sums',
      'test_mail_days',
      'message_stats',
      'scenario_stats',
      'segment_following',
      'score_runs',
      'interval_runs',
    ),
    ...nobody(
      'how sending stands: ids of deliveries for minutes',
      'delivery_leases',
      'mailer_pauses',
      'departure_journals',
    ),
    ...nobody('which metafields there are, not whose', 'metafield_settings', 'customer_settings', 'metafield_fills'),
    ...nobody('how far the clock was looked at for a scenario', 'scenario_clocks'),
    ...syncHoldings,
    ...trackingHoldings,
    ...deliveryHoldings,
    ...couponHoldings,
    ...nobody('what a scenario does, not with whom, and sums', 'scenarios', 'scenario_node_counts'),
    ...entryHoldings,
    ...rehearsalHoldings,
    ...executionHoldings,
    ...eventHoldings,
    ...segmentHoldings,
    ...metafieldHoldings,
    ...importHoldsNobody,
    ...importHoldings,
    ...favoriteHoldings,
    ...restockHoldings,
    ...checkoutHoldings,
    ...orderHoldings,
    ...consentHoldings,
    ...privacyHoldings,
    ...guestHoldings,
    ...customerHoldings,
  ],
  files: [importFiles, departureFiles],
}
