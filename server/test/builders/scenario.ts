import type { Endpoint } from '@okaeri/contract/endpoint'
import { createScenario } from '@okaeri/contract/scenarios/routes'
import type { TestMerchant } from '../harness.ts'

/** As a person would choose it. */
type Given = Partial<typeof createScenario extends Endpoint<infer T> ? T['inBody'] : never>

/** A draft from a template: what follows a purchase, where no other is named. One of nodes, active at once: `addScenario` of scenarios.ts. */
export const aScenario = async (
  merchant: TestMerchant,
  { template = 'PurchaseFollowUpAction', form = {}, ...given }: Given = {},
) => (await merchant.call(createScenario, { body: { name: '購入のお礼', template, form, ...given } })).action
