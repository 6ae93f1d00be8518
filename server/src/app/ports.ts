import { suppressionsOf } from '../features/consent/index.ts'
import { listCampaignsUsing } from '../features/campaigns/index.ts'
import { recordTestDeliveries } from '../features/deliveries/index.ts'
import { presentStore } from '../features/stores/index.ts'
import type { Ports } from '../kernel/context.ts'

/** Who answers what lower floors ask of higher ones. */
export const ports: Ports = {
  suppressionsOf,
  storeOfMerchant: presentStore,
  campaignsUsingSegment: (scope, segmentId) => listCampaignsUsing(scope, { segmentId }),
  campaignsUsingEmail: (scope, emailId) => listCampaignsUsing(scope, { emailId }),
  sendTestEmail: recordTestDeliveries,
}
