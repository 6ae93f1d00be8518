import { behaviorRoutes } from '../features/behavior/index.ts'
import { birthdayRoutes } from '../features/birthdays/index.ts'
import { bounceRoutes } from '../features/bounces/index.ts'
import { deliverabilityRoutes } from '../features/deliverability/index.ts'
import { dataImportRoutes } from '../features/data-import/index.ts'
import { profileRoutes } from '../features/profiles/index.ts'
import { dataSyncRoutes } from '../features/data-sync/index.ts'
import { campaignRoutes } from '../features/campaigns/index.ts'
import { consentRoutes } from '../features/consent/index.ts'
import { customerRoutes } from '../features/customers/index.ts'
import { datasetRoutes } from '../features/datasets/index.ts'
import { catalogRoutes } from '../features/catalog/index.ts'
import { eventRoutes } from '../features/events/index.ts'
import { emailComponentRoutes, emailRoutes, emailVersionRoutes } from '../features/emails/index.ts'
import { lineQuotaRoutes, receiverPaceRoutes } from '../features/channels/index.ts'
import { lineAccountRoutes } from '../features/line-accounts/index.ts'
import { lineFriendRoutes } from '../features/line-friends/index.ts'
import { lineLoginRoutes } from '../features/line-login/index.ts'
import { lineMessageRoutes } from '../features/line-messages/index.ts'
import { lineRelayRoutes } from '../features/line-relays/index.ts'
import { richMenuRoutes } from '../features/rich-menus/index.ts'
import { ownMailerRoutes } from '../features/own-mailers/index.ts'
import { senderDomainRoutes } from '../features/sender-domains/index.ts'
import { mediaRoutes } from '../features/media/index.ts'
import { merchantRoutes } from '../features/merchants/index.ts'
import { conditionRoutes, segmentRoutes } from '../features/segments/index.ts'
import { reportRoutes } from '../features/reports/index.ts'
import { storefrontSettingsRoutes } from '../features/storefront-settings/index.ts'
import { subscriptionRoutes } from '../features/subscriptions/index.ts'
import { trackingRoutes } from '../features/tracking/index.ts'
import { sessionRoutes } from '../features/sessions/index.ts'
import { storeSignInRoutes } from '../features/store-sign-in/index.ts'
import { favoriteRoutes } from '../features/favorites/index.ts'
import { restockStorefrontRoutes, restockWaveRoutes } from '../features/restock-waves/index.ts'
import { restockRoutes } from '../features/restocks/index.ts'
import { metafieldRoutes } from '../features/metafields/index.ts'
import { privacyRoutes } from '../features/privacy/index.ts'
import { enteringRoutes } from '../features/entering/index.ts'
import { rehearsalRoutes } from '../features/rehearsals/index.ts'
import { scenarioMailRoutes, scenarioRoutes } from '../features/scenarios/index.ts'
import { executionRoutes } from '../features/steps/index.ts'
import { visitorRoutes } from '../features/visitors/index.ts'
import type { Routes } from '../kernel/http/http.ts'
import { systemRoutes } from './system-routes.ts'

/** Every feature that answers requests. */
export const featureRoutes: readonly ((routes: Routes) => void)[] = [
  bounceRoutes,
  deliverabilityRoutes,
  profileRoutes,
  dataSyncRoutes,
  dataImportRoutes,
  campaignRoutes,
  consentRoutes,
  customerRoutes,
  catalogRoutes,
  datasetRoutes,
  emailRoutes,
  emailComponentRoutes,
  emailVersionRoutes,
  eventRoutes,
  enteringRoutes,
  systemRoutes,
  merchantRoutes,
  ownMailerRoutes,
  senderDomainRoutes,
  lineAccountRoutes,
  lineFriendRoutes,
  lineLoginRoutes,
  lineMessageRoutes,
  lineQuotaRoutes,
  receiverPaceRoutes,
  lineRelayRoutes,
  richMenuRoutes,
  mediaRoutes,
  sessionRoutes,
  storeSignInRoutes,
  segmentRoutes,
  conditionRoutes,
  trackingRoutes,
  storefrontSettingsRoutes,
  birthdayRoutes,
  behaviorRoutes,
  subscriptionRoutes,
  reportRoutes,
  metafieldRoutes,
  favoriteRoutes,
  restockRoutes,
  restockWaveRoutes,
  restockStorefrontRoutes,
  privacyRoutes,
  scenarioRoutes,
  rehearsalRoutes,
  scenarioMailRoutes,
  executionRoutes,
  visitorRoutes,
]
