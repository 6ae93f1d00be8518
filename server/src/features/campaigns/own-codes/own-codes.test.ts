import { listDiscounts } from '@okaeri/contract/coupons/routes'
import * as routes from '@okaeri/contract/campaigns/routes'
import { describe, expect, test } from 'vitest'
import {
  aDraft,
  addressOf,
  codesOf,
  couponRows,
  mailsTo,
  terms,
  withCodes,
} from '../../../../test/builders/own-codes.ts'
import { merchant, okaeri, play } from '../../../../test/with-okaeri.ts'

withCodes()

const HOUR = 3_600_000

/** The paths its links lead to. */
async function targetsOf(to: string): Promise<string[]> {
  const [mail = ''] = await mailsTo(to)
  const links = [...mail.matchAll(/href="([^"]+\/c\/[^"]+)"/g)].map(([, link = '']) => link)
  const answers = await Promise.all(links.map((link) => fetch(link, { redirect: 'manual' })))
  return answers.map(({ headers }) => new URL(headers.get('location') ?? '').pathname)
}

test('each recipient gets a code of their own, which the store takes once, and the report counts what was bought with it', async () => {
  const draft = await aDraft()
  const review = await draft.review()
  expect(review).toMatchObject({
    can_reserve: true,
    findings: [],
    coupon: { codes: 3, seconds: 2, sample_code: 'OWN-SAMPLE' },
  })
  expect(review.sample?.html).toContain('code=OWN-SAMPLE')
  await draft.reserve({ recipients_seen: 3, fingerprint_seen: review.fingerprint })
  await okaeri.settle()
  expect(await draft.campaign()).toMatchObject({ status: 'sent', balance: { sent: 3 } })
  const codes = (await codesOf(draft)).flat()
  expect(new Set(codes).size).toBe(3)
  for (const code of codes) expect(code).toMatch(/^OWN[ACDEFGHJKMNPRTUWXY34679]{10}$/)
  expect(await draft.coupons()).toMatchObject({ total: 3, made: 3, used: 0, failed: 0, error: null })
  expect(await targetsOf(addressOf(0))).toContain(`/discount/${codes[0]}`)

  await play('orders.json', {
    email: addressOf(0),
    items: [{ variant_id: null, quantity: 1 }],
    discount_codes: [codes[0]],
  })
  await okaeri.settle()
  const coupons = await draft.coupons()
  expect(coupons).toMatchObject({ used: 1, made: 3 })
  expect(coupons?.revenue.amount).toBeGreaterThan(0)
  const listed = await merchant.call(listDiscounts, { query: { campaign_id: draft.id, status: 'used' } })
  expect(listed).toMatchObject({
    total: 1,
    totals: { issued: 3, used: 1, revenue: coupons?.revenue },
    data: [{ code: codes[0], campaign_id: draft.id, campaign_name: '春のお知らせ', scenario_id: null }],
  })
})

test('an older worker beside, which knows of no codes, cannot release it before they are made', async () => {
  const draft = await aDraft({}, 2)
  await play('switches.json', { break_calls: { as: 'bad_gateway', times: 50 } })
  await draft.reserve()
  await okaeri.settle()
  const release = () =>
    okaeri.query`update messages set state = 'released' where merchant_id = ${merchant.id} and campaign_id = ${draft.id}`
  await expect(release()).rejects.toThrow('messages_released_with_codes')
  await play('switches.json', { break_calls: { as: 'bad_gateway', times: 0 } })
  okaeri.advance(2 * 60_000)
  await okaeri.settle()
  expect(await draft.campaign()).toMatchObject({ status: 'sent', balance: { sent: 2 } })
  expect((await codesOf(draft)).map((codes) => codes.length)).toEqual([1, 1])
})

test('who consents only after the codes were made gets one, too', async () => {
  const draft = await aDraft(
    { send_type: 'scheduled', scheduled_at: new Date(okaeri.clock.now().getTime() + HOUR).toISOString() },
    3,
  )
  const [late] = draft.customerIds
  await okaeri.query`update customers set marketing_state = 'withdrawn' where merchant_id = ${merchant.id} and id = ${late}`
  await draft.reserve()
  await okaeri.settle()
  // Long before it is sent.
  expect(await draft.coupons()).toMatchObject({ total: 2, made: 2 })
  expect(await draft.campaign()).toMatchObject({ status: 'reserved' })
  await okaeri.query`update customers set marketing_state = 'granted' where merchant_id = ${merchant.id} and id = ${late}`
  okaeri.advance(HOUR + 1000)
  await okaeri.settle()
  expect(await draft.campaign()).toMatchObject({ status: 'sent', balance: { sent: 3 } })
  expect((await codesOf(draft)).map((codes) => codes.length)).toEqual([1, 1, 1])
  okaeri.advance(-HOUR - 1000)
})

test('recipients without a code, for whatever cause, wait for it; no one else does', async () => {
  const draft = await aDraft(
    { send_type: 'scheduled', scheduled_at: new Date(okaeri.clock.now().getTime() + HOUR).toISOString() },
    3,
  )
  await draft.reserve()
  await okaeri.settle()
  await okaeri.query`update deliveries set variables = null where merchant_id = ${merchant.id} and campaign_id = ${draft.id}
    and customer_id = ${draft.customerIds[1]}`
  await okaeri.query`update messages set state = 'released', awaits_codes = false
    where merchant_id = ${merchant.id} and campaign_id = ${draft.id}`
  await okaeri.query`update campaigns set status = 'sending', started_at = ${okaeri.clock.now()}, scheduled_at = ${okaeri.clock.now()}
    where merchant_id = ${merchant.id} and id = ${draft.id}`
  await okaeri.settle()
  expect((await codesOf(draft)).map((codes) => codes.length)).toEqual([1, 0, 1])
  okaeri.advance(61_000)
  await okaeri.settle()
  expect((await codesOf(draft)).map((codes) => codes.length)).toEqual([1, 1, 1])
  expect(await draft.campaign()).toMatchObject({ status: 'sent', balance: { sent: 3 } })
})

describe('what is taken back', () => {
  test('while it can be undone the store is asked for nothing; then terms may change, and the codes are others', async () => {
    const draft = await aDraft({}, 2)
    await draft.reserve({ undo_seconds: 30 })
    await okaeri.settle()
    const before = await couponRows(draft)
    expect(before.map(({ status }) => status)).toEqual(['wanted', 'wanted'])
    await draft.undo()
    expect(await couponRows(draft)).toEqual([])
    expect(await draft.coupons()).toBeNull()
    await merchant.call(routes.changeCampaign, {
      params: { id: draft.id },
      body: { coupon: { ...terms, ratio_percent: 20 } },
    })
    await draft.reserve()
    await okaeri.settle()
    const [mail] = await mailsTo(addressOf(0))
    expect(mail).toContain('ratio=20')
    const after = await couponRows(draft)
    expect(after.map(({ code }) => code)).not.toEqual(before.map(({ code }) => code))
  })

  test('cancelled before they are made, no more are; what the store has stays there and is known', async () => {
    const draft = await aDraft({}, 2)
    await play('switches.json', { break_calls: { as: 'bad_gateway', times: 50 } })
    await draft.reserve()
    await okaeri.settle()
    await draft.cancel()
    await play('switches.json', { break_calls: { as: 'bad_gateway', times: 0 } })
    okaeri.advance(2 * 60_000)
    await okaeri.settle()
    expect(await couponRows(draft)).toEqual([])
    expect((await codesOf(draft)).flat()).toEqual([])
  })
})

test('codes past their last day are sent to no one', async () => {
  const draft = await aDraft(
    { send_type: 'scheduled', scheduled_at: new Date(okaeri.clock.now().getTime() + HOUR).toISOString() },
    2,
  )
  await draft.reserve()
  await okaeri.settle()
  await okaeri.query`update campaigns set coupon_ends_at = ${okaeri.clock.now()} where merchant_id = ${merchant.id} and id = ${draft.id}`
  okaeri.advance(HOUR + 1000)
  await okaeri.settle()
  expect(await draft.campaign()).toMatchObject({ status: 'waiting', wait_reason: 'coupons_ended' })
  expect((await codesOf(draft)).flat()).toEqual([])
  okaeri.advance(-HOUR - 1000)
})
