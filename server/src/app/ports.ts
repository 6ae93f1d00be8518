import { suppressionsOf } from '../features/consent/index.ts'
import { knownCampaigns, listCampaignsUsing } from '../features/campaigns/index.ts'
import { countMessagesShowing, sendTestLine, sendTestMail } from '../features/channels/index.ts'
import { customersAreCopied, presentWaitForStore, storeIsCopied } from '../features/data-sync/index.ts'
import {
  listComponentsShowing,
  listContentsNaming,
  listEmailsShowing,
  listEmailsUsingMetafield,
} from '../features/emails/index.ts'
import { listSegmentsUsingMetafield, membersAmong } from '../features/segments/index.ts'
import { presentHold } from '../features/deliveries/index.ts'
import { entriesOfEvents } from '../features/entering/index.ts'
import { eventsOfFavorites } from '../features/events/index.ts'
import { executionsKnown, executionRows, knownScenarios } from '../features/executions/index.ts'
import { listScenariosNaming } from '../features/flows/index.ts'
import { listLineMessagesShowing } from '../features/line-messages/index.ts'
import { presentLineAccount } from '../features/line-accounts/index.ts'
import { senderDomainStatus } from '../features/sender-domains/index.ts'
import { presentStore } from '../features/stores/index.ts'
import { productsOfCustomers, productsRanked } from '../features/product-rules/index.ts'
import { failingCodes } from '../features/coupons/index.ts'
import { answersKeptBack, restockFacts } from '../features/restock-waves/index.ts'
import { receivePrivacyTopic } from '../features/privacy/index.ts'
import { listMenusUsing } from '../features/rich-menus/index.ts'
import { favoriteFactsForShop } from '../features/favorites/index.ts'
import { visitorOf } from '../features/visitors/index.ts'
import { consentFacts } from '../features/subscriptions/index.ts'
import { creditedToMessages } from '../features/tracking/index.ts'
import { personalDataInventory } from './personal-data-inventory.ts'
import { channels } from './channels.ts'
import type { Ports } from '../kernel/context.ts'

/** Who answers what lower floors ask of higher ones. */
export const ports: Ports = {
  channels: () => channels,
  messagesKeptBack: answersKeptBack,
  failingCodes,
  personalDataInventory: () => personalDataInventory,
  visitorOf,
  writtenWithFavorites: eventsOfFavorites,
  storefrontFacts: async (scope) => ({
    favorites: await favoriteFactsForShop(scope),
    consent: await consentFacts(scope),
    restock: await restockFacts(scope),
  }),
  suppressionsOf,
  storeOfMerchant: presentStore,
  lineOfMerchant: presentLineAccount,
  senderDomainStatus,
  sendingHold: async (scope) => (await presentHold(scope)) ?? presentWaitForStore(scope),
  waitsForStore: async (scope) => (await presentWaitForStore(scope)) !== null,
  creditedToMessages,
  knownCampaigns,
  executionRows,
  knownScenarios,
  programsUsingSegment: async (scope, segmentId) => [
    ...(await listCampaignsUsing(scope, { segmentId })),
    ...(await listScenariosNaming(scope, segmentId)),
    ...(await listMenusUsing(scope, segmentId)),
    ...(await listContentsNaming(scope, segmentId)),
  ],
  programsUsingEmail: async (scope, emailId) => [
    ...(await listCampaignsUsing(scope, { emailId })),
    ...(await listScenariosNaming(scope, emailId)),
  ],
  programsUsingLineMessage: async (scope, lineMessageId) => [
    ...(await listCampaignsUsing(scope, { lineMessageId })),
    ...(await listScenariosNaming(scope, lineMessageId)),
  ],
  mediaUses: async (scope, text) => ({
    uses: [
      ...(await listEmailsShowing(scope, text)).map((one) => ({ type: 'email' as const, ...one })),
      ...(await listComponentsShowing(scope, text)).map((one) => ({ type: 'email_component' as const, ...one })),
      ...(await listLineMessagesShowing(scope, text)).map((one) => ({ type: 'line_message' as const, ...one })),
    ],
    messages: await countMessagesShowing(scope, text),
  }),
  sendTestEmail: sendTestMail,
  sendTestLine,
  segmentsUsingMetafield: listSegmentsUsingMetafield,
  emailsUsingMetafield: listEmailsUsingMetafield,
  membersAmong,
  productsRanked,
  productsOfCustomers,
  customersAreCopied,
  storeIsCopied,
  entriesOfEvents,
  executionsKnown,
  receivePrivacyTopic,
}
