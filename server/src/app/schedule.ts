import { forgetImports } from '../features/data-import/index.ts'
import { dataSyncWork } from '../features/data-sync/index.ts'
import { checkStock } from '../features/catalog/index.ts'
import { clearBounceEvidence, readBounceMailbox } from '../features/bounces/index.ts'
import { campaignWork } from '../features/campaigns/index.ts'
import { lineWork } from '../features/channels/index.ts'
import { makeCoupons, refillCoupons } from '../features/coupons/index.ts'
import { countByReceivers } from '../features/deliverability/index.ts'
import { deliveryWork } from '../features/deliveries/index.ts'
import { lineFriendWork } from '../features/line-friends/index.ts'
import { checkAddresses } from '../features/link-checks/index.ts'
import { lineRelayWork } from '../features/line-relays/index.ts'
import { restockWork } from '../features/restock-waves/index.ts'
import { restockCounting } from '../features/restocks/index.ts'
import { richMenuWork } from '../features/rich-menus/index.ts'
import { countFavorites } from '../features/favorites/index.ts'
import { mediaWork } from '../features/media/index.ts'
import { metafieldWork } from '../features/metafields/index.ts'
import { senderDomainWork } from '../features/sender-domains/index.ts'
import { judgeHits } from '../features/tracking/index.ts'
import { enterScenarios, sweepEvents } from '../features/entering/index.ts'
import { removeOldHistories } from '../features/executions/index.ts'
import { advanceExecutions, doEffects } from '../features/steps/index.ts'
import { checkClocks, settleGoods } from '../features/triggers/index.ts'
import { learnIntervalsEachNight } from '../features/orders/index.ts'
import { listRemoteSegmentsDaily, scoreEachNight, segmentWork } from '../features/segments/index.ts'
import { connectDemoLine, connectDemoStore, linkDemoFriends, makeDemoExamples } from '../features/demo/index.ts'
import { behaviorWork } from '../features/behavior/index.ts'
import { privacyWork } from '../features/privacy/index.ts'
import { recordHeartbeat } from '../kernel/installation.ts'
import { forgetOldAttempts } from '../kernel/rate-limits.ts'
import type { Recurring } from '../kernel/work/schedule.ts'

/** Everything the clock drives, on one page. Each finds its due work in the database. */
export const schedule: readonly Recurring[] = [
  ...privacyWork,
  ...behaviorWork,
  ...dataSyncWork,
  checkStock,
  forgetImports,
  ...metafieldWork,
  ...lineFriendWork,
  ...lineRelayWork,
  ...senderDomainWork,
  ...richMenuWork,
  ...mediaWork,
  recordHeartbeat,
  forgetOldAttempts,
  ...deliveryWork,
  readBounceMailbox,
  clearBounceEvidence,
  ...lineWork,
  checkAddresses,
  makeCoupons,
  refillCoupons,
  ...campaignWork,
  countByReceivers,
  countFavorites,
  ...restockCounting,
  ...segmentWork,
  ...restockWork,
  checkClocks,
  settleGoods,
  enterScenarios,
  advanceExecutions,
  doEffects,
  listRemoteSegmentsDaily,
  scoreEachNight,
  learnIntervalsEachNight,
  judgeHits,
  sweepEvents,
  removeOldHistories,
  connectDemoStore,
  connectDemoLine,
  linkDemoFriends,
  makeDemoExamples,
]
