import { z } from 'zod'
import { ChannelName, DeliveryStatus, DeliveryView } from '../deliveries/delivery.ts'
import { endpoint } from '../endpoint.ts'
import { Finding } from '../emails/email.ts'
import { Id, IdParams } from '../fields.ts'
import { NamedIn } from '../locale.ts'
import { MAX_UNDO_SECONDS } from '../merchants/merchant.ts'
import { PageQuery, pageOf } from '../paging.ts'
import { AbChoice, AbGroup, AbPeople } from './ab-test.ts'
import { Campaign, CampaignFields, CampaignStatus, NO_PARAMETERS } from './campaign.ts'
import { CampaignCoupons, CampaignReport } from './report.ts'
import { CampaignReview } from './review.ts'

const area = 'campaigns'
const reply = z.object({ campaign: Campaign })

export const listCampaigns = endpoint('GET', '/campaigns', {
  area,
  summary: 'Campaigns, newest first, with their results',
  access: 'member',
  query: PageQuery.extend({
    q: z.string().max(200, 'too_long').optional(),
    status: CampaignStatus.optional(),
    /** Only tests, or only those that went, or will go, to customers. */
    test_mode: z.enum(['true', 'false']).optional(),
    sort: z.enum(['created_at', 'updated_at', 'name', 'scheduled_at', 'sent_at']).default('created_at'),
    direction: z.enum(['asc', 'desc']).default('desc'),
  }),
  reply: pageOf(Campaign),
})

const draft = z.strictObject({
  name: CampaignFields.name,
  send_type: CampaignFields.send_type.default('immediate'),
  scheduled_at: CampaignFields.scheduled_at.default(null),
  segment_type: CampaignFields.segment_type.default('own'),
  customer_segment_id: CampaignFields.customer_segment_id.default(null),
  channels: CampaignFields.channels.default('email'),
  email_id: CampaignFields.email_id.default(null),
  line_message_id: CampaignFields.line_message_id.default(null),
  send_to_all: CampaignFields.send_to_all.default(false),
  tracking_enabled: CampaignFields.tracking_enabled.default(true),
  tracking_parameters: CampaignFields.tracking_parameters.default(NO_PARAMETERS),
  ab_test: CampaignFields.ab_test.default(null),
  coupon: CampaignFields.coupon.default(null),
})

export const createCampaign = endpoint('POST', '/campaigns', {
  area,
  summary: 'Start a draft',
  access: 'marketer',
  status: 201,
  body: draft,
  reply,
})

export const getCampaign = endpoint('GET', '/campaigns/{id}', {
  area,
  summary: 'One campaign with its balance, and what it waits for',
  access: 'member',
  params: IdParams,
  reply,
})

export const changeCampaign = endpoint('PUT', '/campaigns/{id}', {
  area,
  summary: 'Change a draft',
  access: 'marketer',
  params: IdParams,
  body: z.strictObject(CampaignFields).partial(),
  reply,
})

export const deleteCampaign = endpoint('DELETE', '/campaigns/{id}', {
  area,
  summary: 'Delete a campaign that is not on its way; its messages stay in the customers’ history',
  access: 'marketer',
  params: IdParams,
  status: 204,
  replyKind: 'empty',
})

export const getCampaignReport = endpoint('GET', '/campaigns/{id}/report', {
  area,
  summary: 'What came of a campaign: humans counted, machines shown beside',
  access: 'member',
  params: IdParams,
  reply: z.object({ report: CampaignReport }),
})

const verb = (name: string, summary: string) =>
  endpoint('POST', `/campaigns/{id}/${name}`, { area, summary, access: 'marketer', params: IdParams, reply })

export const resyncCampaign = verb('resync', 'Put the failed messages back to pending and send again')
export const duplicateCampaign = endpoint('POST', '/campaigns/{id}/duplicate', {
  area,
  summary: 'A new draft with the same settings',
  access: 'marketer',
  params: IdParams,
  status: 201,
  body: NamedIn,
  reply,
})
export const cancelCampaign = verb('cancel', 'Cancel a reservation, until 15 minutes before its time')
export const resolveCampaign = verb('resolve', 'Accept what failed: the campaign is shown as done')

/** Not in the specification's list: transitions are verbs, so reserving, and answering a question of ours, are too. */
export const reviewCampaign = endpoint('GET', '/campaigns/{id}/review', {
  area,
  summary: 'Exactly who would get it, who not and why, and what stands in the way',
  access: 'member',
  params: IdParams,
  query: z.object({ customer_id: Id.optional() }),
  reply: z.object({ review: CampaignReview }),
})
export const reserveCampaign = endpoint('POST', '/campaigns/{id}/reserve', {
  area,
  summary: 'Freeze the audience and send at the time chosen, or now',
  access: 'marketer',
  params: IdParams,
  body: z
    .strictObject({
      /** The number of recipients the person saw and agreed to; a different number now is refused. Null does not compare. */
      recipients_seen: z.int('not_a_number').min(0, 'too_small').nullable().default(null),
      /** `fingerprint` of the review the person saw; another now is refused. Null does not compare. */
      fingerprint_seen: z.string().max(100, 'too_long').nullable().default(null),
      /** How many of them the person saw in each group of a test. Null does not compare. */
      groups_seen: AbPeople.nullable().default(null),
      /** Findings that warn and the person said yes to. One that needs a yes and is not named is refused. */
      accepted: z.array(Finding.shape.code).max(50, 'too_long').default([]),
      /** Where the LINE messages of the month do not suffice: those get it who have been customers for longest. Else it is refused. */
      send_what_fits: z.boolean('not_a_boolean').default(false),
      /** Everybody gets it at once, however many they are. */
      skips_canary: z.boolean('not_a_boolean').default(false),
      /** It can be undone for so long, and begins no earlier. */
      undo_seconds: z.int('not_a_number').min(0, 'too_small').max(MAX_UNDO_SECONDS, 'too_big').default(0),
    })
    .default({
      recipients_seen: null,
      fingerprint_seen: null,
      groups_seen: null,
      accepted: [],
      send_what_fits: false,
      skips_canary: false,
      undo_seconds: 0,
    }),
  reply,
})
export const undoCampaign = verb('undo', 'Take back what was just confirmed: the campaign is a draft again')
export const stopCampaign = verb(
  'stop',
  'Stop a campaign on its way: what has not left yet is kept back and recorded as cancelled',
)
export const sendLateCampaign = verb('send_late', 'Found due more than six hours late: send it all the same')
export const continueCampaign = verb(
  'continue',
  'Send the rest, before what came of the first few is known or whatever it was',
)
export const chooseWinner = endpoint('POST', '/campaigns/{id}/choose_winner', {
  area,
  summary: 'Send A, or B, to the rest of an A/B test, before its time is over or because a person decides',
  access: 'marketer',
  params: IdParams,
  body: z.strictObject({ winner: AbChoice }),
  reply,
})
export const getCampaignCoupons = endpoint('GET', '/campaigns/{id}/coupons', {
  area,
  summary: 'The codes made for the recipients of a campaign, one each, and what was bought with them',
  access: 'member',
  params: IdParams,
  /** Null: it has none. */
  reply: z.object({ coupons: CampaignCoupons.nullable() }),
})
export const retryCampaignCoupons = verb('retry_coupons', 'Ask the store again for the codes it did not make')
export const resendUncertain = endpoint('POST', '/campaigns/{id}/resend_uncertain', {
  area,
  summary: 'Send again to those of whom it is not known whether the mail reached them',
  access: 'marketer',
  params: IdParams,
  body: z.strictObject({ uncertain_seen: z.int('not_a_number').min(1, 'too_small') }),
  reply,
})
export const listCampaignDeliveries = endpoint('GET', '/campaigns/{id}/deliveries', {
  area,
  summary: 'The messages of a campaign, one per person, each with its state and reason',
  access: 'member',
  params: IdParams,
  query: PageQuery.extend({
    status: DeliveryStatus.optional(),
    channel: ChannelName.optional(),
    /** Only for a campaign with an A/B test. */
    group: AbGroup.optional(),
    q: z.string().max(200, 'too_long').optional(),
  }),
  reply: pageOf(DeliveryView),
})
