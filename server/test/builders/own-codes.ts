import type { CouponTerms } from '@okaeri/contract/coupons/coupon'
import * as routes from '@okaeri/contract/campaigns/routes'
import { beforeEach } from 'vitest'
import { addCustomers, addEmail, GOOD_HTML } from '../fixtures.ts'
import { merchant, okaeri, sandbox, withSandboxStore } from '../with-okaeri.ts'
import { aCampaign, campaignOf } from './campaign.ts'

// Campaigns that give each recipient a code of their own.

export const HTML = GOOD_HTML.replace(
  '</p>',
  '</p><p>code={{ coupon.code }} ratio={{ coupon.ratio }} <a href="https://shop.test/discount/[coupon]">使う</a></p>',
)
export const terms: CouponTerms = {
  prefix: 'OWN',
  ratio_percent: 10,
  valid_days: 14,
  minimum: { kind: 'none' },
  applies_to: { kind: 'all' },
}

/** A store that makes codes. Each test has its own people, and finds no campaign of another under way. */
export function withCodes(): void {
  withSandboxStore({
    seed: { customers: 0, products: 3, orders: 0 },
    settings: { timezone: 'Asia/Tokyo' },
    switches: { throttling: false },
  })
  beforeEach(async () => {
    await okaeri.settle()
    await okaeri.query`update campaigns set status = 'deleted' where merchant_id = ${merchant.id}`
    await okaeri.query`update merchants set test_mode = false where id = ${merchant.id}`
    await otherPeople()
  })
}

let people = 0
/** Deletes all people there are; the next get other addresses. */
export async function otherPeople(): Promise<void> {
  people += 1
  await okaeri.query`delete from customers where merchant_id = ${merchant.id}`
}
export const addressOf = (one: number | string): string => `own-${people}-${one}@code.test`
/** The address whose server asks to come again later, once. */
export const lateAddress = (): string => `tempfail-once-${people}@code.test`

export async function aDraft(given: Parameters<typeof aCampaign>[1] = {}, recipients = 3) {
  const customerIds = await addCustomers(
    merchant.scope(),
    Array.from({ length: recipients }, (_, at) => ({ email: addressOf(at) })),
  )
  const email_id = await addEmail(merchant.scope(), { content: HTML })
  const { id } = await aCampaign(merchant, { email_id, coupon: terms, ...given })
  const params = { id }
  return {
    id,
    customerIds,
    review: async () => (await merchant.call(routes.reviewCampaign, { params, query: {} })).review,
    reserve: (body = {}) => merchant.call(routes.reserveCampaign, { params, body }),
    cancel: () => merchant.call(routes.cancelCampaign, { params }),
    undo: () => merchant.call(routes.undoCampaign, { params }),
    stop: () => merchant.call(routes.stopCampaign, { params }),
    retry: () => merchant.call(routes.retryCampaignCoupons, { params }),
    resend: (uncertain_seen: number) => merchant.call(routes.resendUncertain, { params, body: { uncertain_seen } }),
    coupons: async () => (await merchant.call(routes.getCampaignCoupons, { params })).coupons,
    campaign: () => campaignOf(merchant, id),
  }
}
export type Draft = Awaited<ReturnType<typeof aDraft>>

/** What each address got to read, one text a mail. */
export const mailsTo = (to: string): Promise<string[]> =>
  Promise.all(
    sandbox.mailbox.list({ to }).map(async ({ id }) => (await fetch(`${sandbox.url}/mail/${id}/html`)).text()),
  )
export const codesIn = (mail: string): string[] => [
  ...new Set([...mail.matchAll(/code=([A-Z0-9-]+)/g)].map((found) => found[1] ?? '')),
]
export const codesOf = async ({ customerIds }: Draft): Promise<string[][]> =>
  Promise.all(customerIds.map(async (_, at) => (await mailsTo(addressOf(at))).flatMap(codesIn)))

export const couponRows = async ({ id }: Draft) =>
  await okaeri.query<{
    code: string
    status: string
    customer_id: string
  }>`select code, status, customer_id from coupons
      where merchant_id = ${merchant.id} and campaign_id = ${id} order by customer_id`
