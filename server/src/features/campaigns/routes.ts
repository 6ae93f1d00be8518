import * as contract from '@okaeri/contract/campaigns/routes'
import type { Routes } from '../../kernel/http/http.ts'
import { listCampaignDeliveries } from '../deliveries/index.ts'
import {
  acceptCanary,
  acceptLate,
  cancelCampaign,
  changeCampaign,
  chooseWinner,
  createCampaign,
  deleteCampaign,
  duplicateCampaign,
  listCampaigns,
  presentCampaign,
  resendUncertain,
  resolveCampaign,
  resyncCampaign,
  retryCoupons,
  stopCampaign,
  undoCampaign,
} from './campaign.ts'
import { presentCoupons } from './own-codes/own-codes.ts'
import { getCampaignRow } from './queries.ts'
import { reserveCampaign } from './reservation.ts'
import { reviewCampaign } from './review.ts'

export function campaignRoutes(on: Routes): void {
  on.merchant(contract.listCampaigns)(async ({ scope, query }) => listCampaigns(scope, query))
  on.merchant(contract.createCampaign)(async ({ scope, body }) => ({ campaign: await createCampaign(scope, body) }))
  on.merchant(contract.getCampaign)(async ({ scope, params }) => ({
    campaign: await presentCampaign(scope, params.id),
  }))
  on.merchant(contract.changeCampaign)(async ({ scope, params, body }) => ({
    campaign: await changeCampaign(scope, params.id, body),
  }))
  on.merchant(contract.deleteCampaign)(async ({ scope, params, reply }) => {
    await deleteCampaign(scope, params.id)
    return reply.send()
  })
  on.merchant(contract.duplicateCampaign)(async ({ scope, params, body }) => ({
    campaign: await duplicateCampaign(scope, params.id, body.language),
  }))
  on.merchant(contract.reviewCampaign)(async ({ scope, params, query }) => ({
    review: await reviewCampaign(scope, params.id, { customerId: query.customer_id }),
  }))
  on.merchant(contract.reserveCampaign)(async ({ scope, params, body }) => ({
    campaign: await reserveCampaign(scope, params.id, body),
  }))
  on.merchant(contract.undoCampaign)(async ({ scope, params }) => ({ campaign: await undoCampaign(scope, params.id) }))
  on.merchant(contract.cancelCampaign)(async ({ scope, params }) => ({
    campaign: await cancelCampaign(scope, params.id),
  }))
  on.merchant(contract.stopCampaign)(async ({ scope, params }) => ({ campaign: await stopCampaign(scope, params.id) }))
  on.merchant(contract.resyncCampaign)(async ({ scope, params }) => ({
    campaign: await resyncCampaign(scope, params.id),
  }))
  on.merchant(contract.resolveCampaign)(async ({ scope, params }) => ({
    campaign: await resolveCampaign(scope, params.id),
  }))
  on.merchant(contract.continueCampaign)(async ({ scope, params }) => ({
    campaign: await acceptCanary(scope, params.id),
  }))
  on.merchant(contract.chooseWinner)(async ({ scope, params, body }) => ({
    campaign: await chooseWinner(scope, params.id, body.winner),
  }))
  on.merchant(contract.getCampaignCoupons)(async ({ scope, params }) => ({
    coupons: await presentCoupons(scope, params.id),
  }))
  on.merchant(contract.retryCampaignCoupons)(async ({ scope, params }) => ({
    campaign: await retryCoupons(scope, params.id),
  }))
  on.merchant(contract.sendLateCampaign)(async ({ scope, params }) => ({
    campaign: await acceptLate(scope, params.id),
  }))
  on.merchant(contract.resendUncertain)(async ({ scope, params, body }) => ({
    campaign: await resendUncertain(scope, params.id, body.uncertain_seen),
  }))
  on.merchant(contract.listCampaignDeliveries)(async ({ scope, params, query }) => {
    const { id, name } = await getCampaignRow(scope, params.id)
    const { data, total } = await listCampaignDeliveries(scope, { id, name }, query)
    return { data, limit: query.limit, offset: query.offset, total }
  })
}
