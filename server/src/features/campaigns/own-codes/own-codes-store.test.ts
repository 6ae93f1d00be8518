import { afterEach, describe, expect, test } from 'vitest'
import {
  aDraft,
  codesIn,
  codesOf,
  couponRows,
  lateAddress,
  mailsTo,
  terms,
  withCodes,
} from '../../../../test/builders/own-codes.ts'
import { addCustomers } from '../../../../test/fixtures.ts'
import { untilWaiting } from '../../../../test/locks.ts'
import { refusal } from '../../../../test/refusal.ts'
import { merchant, okaeri, play } from '../../../../test/with-okaeri.ts'
import { noteStoreChange, findCouponObstacle } from '../../coupons/index.ts'
import { listCampaignMessages, markAwaitsCodes, releaseMessage } from '../../deliveries/index.ts'

withCodes()

const HOUR = 3_600_000

test('nothing leaves before the last code is made: until then the campaign waits, and says for what', async () => {
  const draft = await aDraft({}, 2)
  await play('switches.json', { break_calls: { as: 'bad_gateway', times: 50 } })
  await draft.reserve()
  await okaeri.settle()
  expect(await draft.campaign()).toMatchObject({ status: 'waiting', wait_reason: 'coupons', balance: { pending: 2 } })
  expect(await draft.coupons()).toMatchObject({
    made: 0,
    total: 2,
    error: expect.any(String),
    next_try_at: expect.any(String),
  })
  await play('switches.json', { break_calls: { as: 'bad_gateway', times: 0 } })
  okaeri.advance(2 * 60_000)
  await okaeri.settle()
  expect(await draft.campaign()).toMatchObject({ status: 'sent', balance: { sent: 2 } })
  expect((await codesOf(draft)).map((codes) => codes.length)).toEqual([1, 1])
})

describe('where the store refuses for good', () => {
  const refuseAll = () =>
    okaeri.query`update store_connections set scopes = scopes, access_token = null where merchant_id = ${merchant.id}`

  test('the campaign stops with its words; a person has it tried again, and then it goes on', async () => {
    const draft = await aDraft({}, 2)
    const rows = await okaeri.query<{ access_token: string }>`select access_token from store_connections
      where merchant_id = ${merchant.id}`
    await refuseAll()
    await draft.reserve()
    await okaeri.settle()
    for (const minutes of [1, 5, 15, 60]) {
      okaeri.advance(minutes * 60_000)
      await okaeri.settle()
    }
    expect(await draft.campaign()).toMatchObject({ status: 'waiting', wait_reason: 'coupons_failed' })
    expect(await draft.coupons()).toMatchObject({ failed: 2, made: 0, error: expect.any(String) })
    expect((await codesOf(draft)).flat()).toEqual([])
    await okaeri.query`update store_connections set access_token = ${rows[0]?.access_token} where merchant_id = ${merchant.id}`
    await draft.retry()
    expect(await draft.campaign()).toMatchObject({ wait_reason: 'coupons' })
    expect(await refusal(draft.retry())).toMatchObject({ reason: 'coupons_not_failed' })
    await okaeri.settle()
    expect(await draft.campaign()).toMatchObject({ status: 'sent', balance: { sent: 2 } })
    expect((await codesOf(draft)).map((codes) => codes.length)).toEqual([1, 1])
  })
})

test('where the store sells in another currency no coupon with a minimum amount is made; then it is, once a person tries it again', async () => {
  const sellsIn = (currency: string) =>
    okaeri.query`update store_connections set currency = ${currency} where merchant_id = ${merchant.id}`
  const draft = await aDraft({ coupon: { ...terms, minimum: { kind: 'subtotal', amount: 5000 } } }, 2)
  await sellsIn('USD')
  await draft.reserve()
  await okaeri.settle()
  expect(await draft.campaign()).toMatchObject({ status: 'waiting', wait_reason: 'coupons_failed' })
  expect(await draft.coupons()).toMatchObject({ failed: 2, made: 0, error: 'currency_differs' })
  await sellsIn('JPY')
  await draft.retry()
  await okaeri.settle()
  expect(await draft.campaign()).toMatchObject({ status: 'sent', balance: { sent: 2 } })
})

describe('in the hour between making the codes and sending them', () => {
  type Discount = { id: number; title: string }
  const discounts = async () => (await play<{ discounts: Discount[] }>('discounts.json')).discounts
  afterEach(() => okaeri.advance(-HOUR - 1000))

  /** Scheduled; its codes are made. */
  async function madeAhead(people = 2) {
    const draft = await aDraft(
      { send_type: 'scheduled', scheduled_at: new Date(okaeri.clock.now().getTime() + HOUR).toISOString() },
      people,
    )
    await draft.reserve()
    await okaeri.settle()
    expect(await draft.coupons()).toMatchObject({ made: people })
    const [newest] = await discounts()
    if (!newest) throw new Error('the store has no discount')
    return { draft, discountId: newest.id, codes: (await couponRows(draft)).map(({ code }) => code) }
  }
  const whenDue = () => {
    okaeri.advance(HOUR + 1000)
    return okaeri.settle()
  }

  test('the discount was deleted in the store: no one gets a dead code; a person has the same codes made again', async () => {
    const { draft, discountId, codes } = await madeAhead()
    await play(`discounts/${discountId}/delete.json`, {})
    await whenDue()
    expect(await draft.campaign()).toMatchObject({ status: 'waiting', wait_reason: 'coupons_failed' })
    expect(await draft.coupons()).toMatchObject({ failed: 2, error: 'discount_gone' })
    expect((await codesOf(draft)).flat()).toEqual([])
    await draft.retry()
    await okaeri.settle()
    expect(await draft.campaign()).toMatchObject({ status: 'sent', balance: { sent: 2 } })
    expect((await codesOf(draft)).flat().toSorted()).toEqual(codes.toSorted())
    const [again] = await discounts()
    expect(again?.id).not.toBe(discountId)
  })

  test.each([
    ['ended', { ended: true }, 'discount_ends_early'],
    ['worth something else', { percent: 5 }, 'discount_worth_other'],
  ])(
    'it was %s there: nothing leaves, however often it is tried, until the store has it as the mails say',
    async (_, change, flaw) => {
      const { draft, discountId } = await madeAhead()
      await play(`discounts/${discountId}/update.json`, change)
      await whenDue()
      for (let tries = 0; tries < 2; tries += 1) {
        expect(await draft.campaign()).toMatchObject({ status: 'waiting', wait_reason: 'coupons_failed' })
        expect(await draft.coupons()).toMatchObject({ failed: 2, error: flaw })
        await draft.retry()
        await okaeri.settle()
      }
      expect((await codesOf(draft)).flat()).toEqual([])
    },
  )

  test('the store tells of it at once: long before it is due the pages say that the codes are dead', async () => {
    const { draft, discountId } = await madeAhead()
    await play(`discounts/${discountId}/delete.json`, {})
    await okaeri.settle()
    expect(await draft.coupons()).toMatchObject({ failed: 2, error: 'discount_gone' })
    okaeri.advance(HOUR + 1000)
  })

  test('one code alone was deleted: nothing leaves until a person has it made again, the same one', async () => {
    const { draft, discountId, codes } = await madeAhead()
    await play(`discounts/${discountId}/remove-code.json`, { code: codes[0] })
    await okaeri.settle()
    expect(await draft.coupons()).toMatchObject({ failed: 1, made: 1, error: 'code_gone' })
    await whenDue()
    expect(await draft.campaign()).toMatchObject({ status: 'waiting', wait_reason: 'coupons_failed' })
    await draft.retry()
    await okaeri.settle()
    expect(await draft.campaign()).toMatchObject({ status: 'sent', balance: { sent: 2 } })
    expect((await codesOf(draft)).flat().toSorted()).toEqual(codes.toSorted())
    const { discounts } = await play<{ discounts: { id: number; codes: number }[] }>('discounts.json')
    expect(discounts.find(({ id }) => id === discountId)).toMatchObject({ codes: 2 })
  })

  test('cancelled then, all that the store has stay known', async () => {
    const { draft, discountId, codes } = await madeAhead()
    await play(`discounts/${discountId}/update.json`, { percent: 5 })
    await whenDue()
    await draft.cancel()
    expect((await couponRows(draft)).map(({ code }) => code)).toEqual(codes)
  })

  test('the store is silent when it is due: it waits, says so, and goes on by itself', async () => {
    const { draft } = await madeAhead()
    await play('switches.json', { break_calls: { as: 'bad_gateway', times: 50 } })
    await whenDue()
    expect(await draft.campaign()).toMatchObject({ status: 'waiting', wait_reason: 'coupons' })
    expect(await draft.coupons()).toMatchObject({ made: 2, error: expect.any(String), next_try_at: expect.any(String) })
    await play('switches.json', { break_calls: { as: 'bad_gateway', times: 0 } })
    okaeri.advance(2 * 60_000)
    await okaeri.settle()
    okaeri.advance(-2 * 60_000)
    expect(await draft.campaign()).toMatchObject({ status: 'sent', balance: { sent: 2 } })
  })
})

describe('while it is being sent', () => {
  /** Two have got it; the third's server asks to come again later. */
  async function underWay() {
    const draft = await aDraft({}, 2)
    const [late] = await addCustomers(merchant.scope(), [{ email: lateAddress() }])
    await draft.reserve()
    await okaeri.settle()
    expect(await draft.campaign()).toMatchObject({ status: 'sending', balance: { sent: 2, pending: 1 } })
    const { discounts } = await play<{ discounts: { id: number }[] }>('discounts.json')
    const [code] = (await couponRows(draft)).filter((row) => row.customer_id === late).map((row) => row.code)
    const again = async (): Promise<void> => {
      okaeri.advance(HOUR)
      await okaeri.settle()
      okaeri.advance(-HOUR)
    }
    return { draft, discountId: discounts[0]?.id, code, again, to: lateAddress() }
  }

  test('the discount is deleted in the store: who waits still gets nothing, until the same code was made again', async () => {
    const { draft, discountId, code, again, to } = await underWay()
    await play(`discounts/${discountId}/delete.json`, {})
    await okaeri.settle()
    expect(await draft.campaign()).toMatchObject({
      status: 'waiting',
      wait_reason: 'coupons_failed',
      balance: { sent: 2, pending: 1 },
    })
    await again()
    expect(await mailsTo(to)).toEqual([])
    await draft.retry()
    await okaeri.settle()
    await again()
    expect(await draft.campaign()).toMatchObject({ status: 'sent', balance: { sent: 3 } })
    expect((await mailsTo(to)).flatMap(codesIn)).toEqual([code])
  })

  test('it is changed there without harm: it goes on by itself', async () => {
    const { draft, discountId, again, to } = await underWay()
    await play(`discounts/${discountId}/update.json`, { percent: 10 })
    await okaeri.settle()
    await again()
    expect(await draft.campaign()).toMatchObject({ status: 'sent', balance: { sent: 3 } })
    expect(await mailsTo(to)).toHaveLength(1)
  })

  test('the store does not answer when its report is checked: no one gets a code meanwhile, and then it continues', async () => {
    const { draft, discountId, again, to } = await underWay()
    const rows = await okaeri.query<{ id: string; store: string }>`select id, store_discount_id as store from discounts
      where merchant_id = ${merchant.id} and campaign_id = ${draft.id}`
    expect(rows[0]?.store).toContain(String(discountId))
    await play('switches.json', { break_calls: { as: 'bad_gateway', times: 500 } })
    // It says that the discount is over, and has it again as it was when it is asked.
    await merchant
      .scope()
      .transaction((scope) =>
        noteStoreChange(scope, { storeDiscountId: rows[0]?.store ?? '', holds: false, removedCode: null }),
      )
    await again()
    expect(await draft.campaign()).toMatchObject({ status: 'waiting', wait_reason: 'coupons' })
    expect(await mailsTo(to)).toEqual([])
    await play('switches.json', { break_calls: { as: 'bad_gateway', times: 0 } })
    okaeri.advance(2 * 60_000)
    await again()
    okaeri.advance(-2 * 60_000)
    expect(await draft.campaign()).toMatchObject({ status: 'sent', balance: { sent: 3 } })
    expect(await mailsTo(to)).toHaveLength(1)
  })

  test('a report in the middle of the step that would release it waits for that step', async () => {
    const { draft } = await underWay()
    const rows = await okaeri.query<{ id: string; store: string }>`select id, store_discount_id as store from discounts
      where merchant_id = ${merchant.id} and campaign_id = ${draft.id}`
    const { id: discountId = '', store = '' } = rows[0] ?? {}
    const its = { campaignId: draft.id, discountId }
    let reaction = Promise.resolve()
    await merchant.scope().transaction(async (scope) => {
      expect(await findCouponObstacle(scope, its)).toBeNull()
      reaction = merchant
        .scope()
        .transaction((other) => noteStoreChange(other, { storeDiscountId: store, holds: false, removedCode: null }))
      await untilWaiting(okaeri)
      await markAwaitsCodes(scope, draft.id, false)
      for (const { id } of await listCampaignMessages(scope, draft.id)) await releaseMessage(scope, id)
    })
    await reaction
    const messages = await listCampaignMessages(merchant.scope(), draft.id)
    expect(messages).toMatchObject([{ state: 'held', awaits_codes: true }])
    expect(await merchant.scope().transaction((scope) => findCouponObstacle(scope, its))).toBe('looking')
    await draft.stop()
    await okaeri.settle()
  })
})

test('a store that forgets what it was asked for is not asked without end: after some tries a person is', async () => {
  await play('switches.json', { lose_code_jobs: true })
  const draft = await aDraft({}, 3)
  await draft.reserve()
  await okaeri.settle()
  expect(await draft.campaign()).toMatchObject({ status: 'waiting', wait_reason: 'coupons' })
  expect(await draft.coupons()).toMatchObject({ made: 1, next_try_at: expect.any(String) })
  for (const minutes of [1, 5, 15, 60]) {
    okaeri.advance(minutes * 60_000)
    await okaeri.settle()
  }
  expect(await draft.campaign()).toMatchObject({ status: 'waiting', wait_reason: 'coupons_failed' })
  expect(await draft.coupons()).toMatchObject({ made: 1, failed: 2, error: 'codes_forgotten' })
  await play('switches.json', { lose_code_jobs: false })
  await draft.retry()
  await okaeri.settle()
  expect(await draft.campaign()).toMatchObject({ status: 'sent', balance: { sent: 3 } })
  expect((await codesOf(draft)).map((codes) => codes.length)).toEqual([1, 1, 1])
})

test('a clock that was an hour and more ahead, and was set right, keeps no codes waiting', async () => {
  await play('switches.json', { break_calls: { as: 'bad_gateway', times: 50 } })
  okaeri.advance(3 * HOUR)
  const draft = await aDraft({}, 2)
  await draft.reserve()
  await okaeri.settle()
  expect(await draft.coupons()).toMatchObject({ made: 0, next_try_at: expect.any(String) })
  await play('switches.json', { break_calls: { as: 'bad_gateway', times: 0 } })
  okaeri.advance(-3 * HOUR)
  await okaeri.settle()
  expect(await draft.coupons()).toMatchObject({ made: 2 })
})
