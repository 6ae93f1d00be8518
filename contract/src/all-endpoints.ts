import * as behavior from './behavior/routes.ts'
import * as birthdays from './birthdays/routes.ts'
import * as bounces from './bounces/routes.ts'
import * as campaigns from './campaigns/routes.ts'
import * as catalog from './catalog/routes.ts'
import * as consent from './consent/routes.ts'
import * as coupons from './coupons/routes.ts'
import * as customers from './customers/routes.ts'
import * as datasets from './datasets/routes.ts'
import * as deliverability from './deliverability/routes.ts'
import * as emailAddresses from './emails/address-routes.ts'
import * as emailComponents from './emails/component-routes.ts'
import * as emails from './emails/routes.ts'
import * as emailVersions from './emails/version-routes.ts'
import type { Endpoint } from './endpoint.ts'
import * as favorites from './favorites/routes.ts'
import * as favoriteSettings from './favorites/settings.ts'
import * as favoritesOnShop from './favorites/storefront.ts'
import * as imports from './imports/routes.ts'
import * as lineAccounts from './line-accounts/routes.ts'
import * as lineFriends from './line-friends/routes.ts'
import * as lineLogin from './line-login/routes.ts'
import * as lineMessages from './line-messages/routes.ts'
import * as lineQuota from './line-quota/routes.ts'
import * as lineRelays from './line-relays/routes.ts'
import * as richMenus from './rich-menus/routes.ts'
import * as ownMailers from './own-mailers/routes.ts'
import * as receiverPaces from './receiver-paces/routes.ts'
import * as media from './media/routes.ts'
import * as confirmation from './merchants/confirmation.ts'
import * as merchants from './merchants/routes.ts'
import * as senders from './merchants/senders.ts'
import * as metafields from './metafields/routes.ts'
import * as privacy from './privacy/routes.ts'
import * as reports from './reports/routes.ts'
import * as restocks from './restocks/routes.ts'
import * as restockStorefront from './restocks/storefront-routes.ts'
import * as restockWaves from './restocks/wave-routes.ts'
import * as executions from './scenarios/execution.ts'
import * as holdout from './scenarios/holdout.ts'
import * as couponFailures from './scenarios/coupon-failures.ts'
import * as moving from './scenarios/flow/moving.ts'
import * as outlook from './scenarios/outlook.ts'
import * as rehearsal from './scenarios/rehearsal.ts'
import * as entering from './scenarios/entering-routes.ts'
import * as stepBrake from './scenarios/step-circuit-breaker.ts'
import * as scenarioMail from './scenarios/mail-routes.ts'
import * as events from './scenarios/event.ts'
import * as scenarios from './scenarios/routes.ts'
import * as conditions from './segments/condition-routes.ts'
import * as segments from './segments/routes.ts'
import * as senderDomains from './sender-domains/routes.ts'
import * as sessions from './sessions/routes.ts'
import * as store from './store/routes.ts'
import * as storefrontSettings from './storefront-settings/routes.ts'
import * as subscriptions from './subscriptions/routes.ts'
import * as system from './system/routes.ts'
import * as tracking from './tracking/routes.ts'
import * as visitors from './visitors/routes.ts'

const modules = {
  system,
  sessions,
  merchants,
  confirmation,
  senderDomains,
  senders,
  store,
  lineAccounts,
  lineFriends,
  lineLogin,
  lineMessages,
  lineQuota,
  lineRelays,
  ownMailers,
  receiverPaces,
  richMenus,
  media,
  catalog,
  consent,
  customers,
  coupons,
  datasets,
  segments,
  conditions,
  emails,
  emailAddresses,
  emailComponents,
  emailVersions,
  bounces,
  campaigns,
  metafields,
  reports,
  deliverability,
  favorites,
  favoriteSettings,
  favoritesOnShop,
  restocks,
  restockStorefront,
  restockWaves,
  privacy,
  imports,
  storefrontSettings,
  birthdays,
  behavior,
  subscriptions,
  tracking,
  scenarios,
  entering,
  stepBrake,
  events,
  rehearsal,
  scenarioMail,
  holdout,
  couponFailures,
  moving,
  outlook,
  executions,
  visitors,
}

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value

/** Every endpoint of the contract by module, for the house test and the generated table of routes. */
export const allEndpoints: readonly { module: string; name: string; endpoint: Endpoint }[] = Object.entries(
  modules,
).flatMap(([module, exports]) =>
  Object.entries(exports).flatMap(([name, value]) => (isEndpoint(value) ? [{ module, name, endpoint: value }] : [])),
)
