import { behaviorPersonalData } from '../features/behavior/index.ts'
import { birthdayPersonalData } from '../features/birthdays/index.ts'
import { bouncePersonalData } from '../features/bounces/index.ts'
import { checkoutPersonalData } from '../features/checkouts/index.ts'
import { consentPersonalData } from '../features/consent/index.ts'
import { couponPersonalData } from '../features/coupons/index.ts'
import { customerPersonalData } from '../features/customers/index.ts'
import { importFiles, importPersonalData, importWithoutPersonalData } from '../features/data-import/index.ts'
import { syncPersonalData } from '../features/data-sync/index.ts'
import { deliveryPersonalData, transmitLogFiles } from '../features/deliveries/index.ts'
import { eventPersonalData } from '../features/events/index.ts'
import { favoritePersonalData } from '../features/favorites/index.ts'
import { guestPersonalData } from '../features/guests/index.ts'
import { lineFriendPersonalData } from '../features/line-friends/index.ts'
import { lineLoginPersonalData } from '../features/line-login/index.ts'
import { lineRelayPersonalData } from '../features/line-relays/index.ts'
import { mediaFiles } from '../features/media/index.ts'
import { metafieldPersonalData } from '../features/metafields/index.ts'
import { orderPersonalData } from '../features/orders/index.ts'
import { privacyPersonalData } from '../features/privacy/index.ts'
import { restockNoticePersonalData } from '../features/restock-waves/index.ts'
import { restockPersonalData } from '../features/restocks/index.ts'
import { entryPersonalData } from '../features/entering/index.ts'
import { executionPersonalData } from '../features/executions/index.ts'
import { rehearsalPersonalData } from '../features/rehearsals/index.ts'
import { richMenuPersonalData } from '../features/rich-menus/index.ts'
import { segmentPersonalData } from '../features/segments/index.ts'
import { trackingPersonalData } from '../features/tracking/index.ts'
import type { PersonalFiles, PersonalDataEntry, NoPersonalData } from '../kernel/personal-data.ts'

const noPersonalData = (why: string, ...tables: NoPersonalData['table'][]): NoPersonalData[] =>
  tables.map((table) => ({ table, reason: why }))

/**
 * Every table, with what it holds about a customer of the store, or why it holds no personal data. A table that is missing here fails a
 * test. The order is the order of erasure: a table that is found through another one comes before it, and customers come last.
 */
export const personalDataInventory: {
  tables: readonly (PersonalDataEntry | NoPersonalData)[]
  files: readonly PersonalFiles[]
} = {
  tables: [
    ...noPersonalData(
      'the merchant’s own account and its members, who are not customers',
      'merchants',
      'members',
      'sign_in_directory',
      'sessions',
      'refresh_tokens',
      'one_time_tokens',
      'address_confirmations',
      'confirmed_domains',
      'senders',
      'own_mailers',
      'storefront_settings',
      'sender_domains',
      'link_host_directory',
      'warm_up_days',
      'sender_domain_keys',
    ),
    ...noPersonalData('of this installation, not of a merchant', 'installation', 'ledger_state'),
    ...noPersonalData(
      'sums over many people; small domains and forgotten people are among the others, answers without addresses',
      'receiver_figures',
      'receiver_countings',
      'step_brakes',
      'complaint_warnings',
    ),
    ...noPersonalData('how often something was tried: keyed hashes, for a day at most', 'rate_limits'),
    ...noPersonalData('what is said to many, without their names', 'line_contents'),
    ...noPersonalData('the merchant’s own LINE channels', 'line_accounts', 'line_channel_directory', 'line_relays'),
    ...noPersonalData(
      'menus and their pictures, which name no one',
      'rich_menus',
      'rich_menu_pictures',
      'rich_menu_uploads',
      'rich_menu_looks',
      'rich_menu_targets',
      'rich_menu_clicks',
    ),
    ...noPersonalData('the merchant’s own pictures and their names', 'media', 'media_copies', 'media_sweeps'),
    ...noPersonalData('the connection to the store', 'store_connections', 'store_directory', 'store_authorizations'),
    ...noPersonalData(
      'how far copying and comparing got: numbers and times',
      'sync_runs',
      'sync_steps',
      'store_watches',
      'store_checks',
    ),
    ...noPersonalData(
      'goods, and words that occur in the store',
      'products',
      'product_variants',
      'product_intervals',
      'settling_goods',
      'collections',
      'collection_products',
      'store_values',
    ),
    ...noPersonalData('what the merchant set about favorites', 'favorite_settings'),
    ...noPersonalData('what coupons are worth, not whose they are', 'discounts'),
    ...noPersonalData(
      'what the merchant writes to everyone',
      'emails',
      'email_components',
      'email_versions',
      'email_drafts',
      'email_component_drafts',
      'email_variant_drafts',
      'line_messages',
      'messages',
      'email_contents',
      'email_content_variants',
      'campaigns',
    ),
    ...noPersonalData('what came back from addresses that mails lead to', 'checked_addresses'),
    ...noPersonalData(
      'sums',
      'test_mail_days',
      'message_stats',
      'scenario_stats',
      'segment_following',
      'score_runs',
      'interval_runs',
      'favorite_counts',
      'favorite_changes',
      'restock_counts',
      'restock_changes',
      'restock_recounts',
    ),
    ...noPersonalData(
      'how sending stands: ids of deliveries for minutes',
      'delivery_leases',
      'channel_pauses',
      'receiver_paces',
      'mailer_pauses',
      'departure_journals',
    ),
    ...noPersonalData('how the shop’s pages look, not who looks at them', 'widget_settings'),
    ...noPersonalData(
      'which metafields there are, not whose',
      'metafield_settings',
      'customer_settings',
      'metafield_fills',
    ),
    ...noPersonalData('how far the clock was looked at for a scenario', 'scenario_clocks'),
    ...syncPersonalData,
    ...trackingPersonalData,
    ...bouncePersonalData,
    ...deliveryPersonalData,
    ...couponPersonalData,
    ...noPersonalData('what a scenario does, not with whom, and sums', 'scenarios', 'scenario_node_counts'),
    ...entryPersonalData,
    ...rehearsalPersonalData,
    ...executionPersonalData,
    ...eventPersonalData,
    ...segmentPersonalData,
    ...metafieldPersonalData,
    ...birthdayPersonalData,
    ...behaviorPersonalData,
    ...lineRelayPersonalData,
    ...richMenuPersonalData,
    ...lineLoginPersonalData,
    ...lineFriendPersonalData,
    ...importWithoutPersonalData,
    ...importPersonalData,
    ...favoritePersonalData,
    ...noPersonalData(
      'what sells, and how many were notified',
      'stock_looks',
      'stock_returns',
      'restock_waves',
      'restock_settings',
      'restock_looks',
    ),
    ...restockNoticePersonalData,
    ...restockPersonalData,
    ...checkoutPersonalData,
    ...orderPersonalData,
    ...consentPersonalData,
    ...privacyPersonalData,
    ...guestPersonalData,
    ...customerPersonalData,
  ],
  files: [importFiles, transmitLogFiles, mediaFiles],
}
