import { z } from 'zod'
import { ChannelName, DeliveryStatus, DeliveryView } from '../deliveries/delivery.ts'
import { endpoint } from '../endpoint.ts'
import { IdParams } from '../fields.ts'
import { PageQuery, pageOf } from '../paging.ts'

const area = 'scenarios'

export const listScenarioDeliveries = endpoint('GET', '/actions/{id}/deliveries', {
  area,
  summary: 'The deliveries of a scenario, one per person and visit of a node, with status and reason',
  access: 'member',
  params: IdParams,
  query: PageQuery.extend({
    status: DeliveryStatus.optional(),
    node_id: z.string().max(40).optional(),
    channel: ChannelName.optional(),
  }),
  reply: pageOf(DeliveryView),
})
export const resendUncertainOfScenario = endpoint('POST', '/actions/{id}/resend_uncertain', {
  area,
  summary: 'Resend the emails with an unknown outcome',
  access: 'marketer',
  params: IdParams,
  body: z.strictObject({ uncertain_seen: z.int('not_a_number').min(1, 'too_small') }),
  reply: z.object({ count: z.int() }),
})
