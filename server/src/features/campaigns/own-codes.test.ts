import type { CouponTerms } from '@okaeri/contract/coupons/coupon'
import { listDiscounts } from '@okaeri/contract/coupons/routes'
import * as routes from '@okaeri/contract/campaigns/routes'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { aCampaign, campaignOf } from '../../../test/builders/campaign.ts'
import { aLineMessage } from '../../../test/builders/line-message.ts'
import { befriend, connectLine, openLineAccount, ordinaryPeople, playLine } from '../../../test/line-platform.ts'
import { addCustomers, addEmail, GOOD_HTML } from '../../../test/fixtures.ts'
import { onCluster } from '../../../test/one-node.ts'
import { refusal } from '../../../test/refusal.ts'
import { untilWaiting } from '../../../test/locks.ts'
import { dumpDatabase, restoreDatabase } from '../../../test/dumps.ts'
import { merchant, okaeri, play, sandbox, withSandboxStore } from '../../../test/with-okaeri.ts'
import { armCrashPoint } from '../../kernel/crash-point.ts'
import { noteStoreChange, whatCouponsLack } from '../coupons/index.ts'
import {
  compareWithJournals,
  listCampaignMessages,
  markAwaitsCodes,
  releaseHold,
  releaseMessage,
} from '../deliveries/index.ts'

withSandboxStore({
  seed: { customers: 0, products: 3, orders: 0 },
  settings: { timezone: 'Asia/Tokyo' },
  switches: { throttling: false },
})

const HTML = GOOD_HTML.replace(
  '</p>',
  '</p><p>code={{ coupon.code }} ratio={{ coupon.ratio }} <a href="https://shop.test/discount/[coupon]">使う</a></p>',
)
const terms: CouponTerms = {
  prefix: 'OWN',
  ratio_percent: 10,
  valid_days: 14,
  minimum: { kind: 'none' },
  applies_to: { kind: 'all' },
}
const HOUR = 3_600_000

let number = 0
beforeEach(async () => {
  number += 1
  await okaeri.settle()
  // Each test has its own people.
  await sql`delete from customers where merchant_id = ${merchant.id}`.execute(okaeri.context.db)
  await sql`update merchants set test_mode = false where id = ${merchant.id}`.execute(okaeri.context.db)
})

async function aDraft(given: Parameters<typeof aCampaign>[1] = {}, people = 3) {
  const customerIds = await addCustomers(
    merchant.scope(),
    Array.from({ length: people }, (_, at) => ({ email: `own-${number}-${at}@code.test` })),
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
type Draft = Awaited<ReturnType<typeof aDraft>>

/** What each address got to read, one text a mail. */
const mailsTo = (to: string): Promise<string[]> =>
  Promise.all(
    sandbox.mailbox.list({ to }).map(async ({ id }) => (await fetch(`${sandbox.url}/mail/${id}/html`)).text()),
  )
/** The paths its links lead to. */
async function targetsOf(to: string): Promise<string[]> {
  const [mail = ''] = await mailsTo(to)
  const links = [...mail.matchAll(/href="([^"]+\/c\/[^"]+)"/g)].map(([, link = '']) => link)
  const answers = await Promise.all(links.map((link) => fetch(link, { redirect: 'manual' })))
  return answers.map(({ headers }) => new URL(headers.get('location') ?? '').pathname)
}
const codesIn = (mail: string): string[] => [
  ...new Set([...mail.matchAll(/code=([A-Z0-9-]+)/g)].map((found) => found[1] ?? '')),
]
const codesOf = async ({ customerIds }: Draft): Promise<string[][]> =>
  Promise.all(customerIds.map(async (_, at) => (await mailsTo(`own-${number}-${at}@code.test`)).flatMap(codesIn)))

const couponRows = async ({ id }: Draft) =>
  (
    await sql<{ code: string; status: string; customer_id: string }>`select code, status, customer_id from coupons
      where merchant_id = ${merchant.id} and campaign_id = ${id} order by customer_id`.execute(okaeri.context.db)
  ).rows

/** A worker that died gives back what it held only when its time is over. */
const endLeases = () =>
  sql`update discounts set lease_expires_at = null where merchant_id = ${merchant.id}`.execute(okaeri.context.db)

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
  expect(await targetsOf(`own-${number}-0@code.test`)).toContain(`/discount/${codes[0]}`)

  await play('orders.json', {
    email: `own-${number}-0@code.test`,
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

test('an older worker beside, which knows of no codes, cannot release it before they are made', async () => {
  const draft = await aDraft({}, 2)
  await play('switches.json', { break_calls: { as: 'bad_gateway', times: 50 } })
  await draft.reserve()
  await okaeri.settle()
  const release = () =>
    sql`update messages set state = 'released' where merchant_id = ${merchant.id} and campaign_id = ${draft.id}`.execute(
      okaeri.context.db,
    )
  await expect(release()).rejects.toThrow('messages_released_with_codes')
  await play('switches.json', { break_calls: { as: 'bad_gateway', times: 0 } })
  okaeri.advance(2 * 60_000)
  await okaeri.settle()
  expect(await draft.campaign()).toMatchObject({ status: 'sent', balance: { sent: 2 } })
  expect((await codesOf(draft)).map((codes) => codes.length)).toEqual([1, 1])
})

describe('where the store refuses for good', () => {
  const refuseAll = () =>
    sql`update store_connections set scopes = scopes, access_token = null where merchant_id = ${merchant.id}`.execute(
      okaeri.context.db,
    )

  test('the campaign stops with its words; a person has it tried again, and then it goes on', async () => {
    const draft = await aDraft({}, 2)
    const { rows } = await sql<{ access_token: string }>`select access_token from store_connections
      where merchant_id = ${merchant.id}`.execute(okaeri.context.db)
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
    await sql`update store_connections set access_token = ${rows[0]?.access_token} where merchant_id = ${merchant.id}`.execute(
      okaeri.context.db,
    )
    await draft.retry()
    expect(await draft.campaign()).toMatchObject({ wait_reason: 'coupons' })
    expect(await refusal(draft.retry())).toMatchObject({ reason: 'coupons_not_failed' })
    await okaeri.settle()
    expect(await draft.campaign()).toMatchObject({ status: 'sent', balance: { sent: 2 } })
    expect((await codesOf(draft)).map((codes) => codes.length)).toEqual([1, 1])
  })
})

describe('the codes of one person', () => {
  test.each(['codes_answered', 'codes_stored', 'codes_wanted'])(
    'are one code, whenever a worker dies (%s): nobody is sent two, nobody is sent a mail without',
    async (point) => {
      for (const pass of [1, 2, 3, 4]) {
        number += 100
        await sql`delete from customers where merchant_id = ${merchant.id}`.execute(okaeri.context.db)
        const draft = await aDraft({}, 3)
        let died = false
        armCrashPoint(`${point}:${pass}`, () => {
          died = true
          throw new Error('the worker died')
        })
        await draft.reserve()
        await okaeri.settle().catch((error: unknown) => {
          if (!died) throw error
        })
        // The other passes may be more than there are.
        expect(died || pass > 1).toBe(true)
        const before = await couponRows(draft)
        armCrashPoint('none')
        for (let tries = 0; tries < 3; tries += 1) {
          await endLeases()
          await okaeri.settle()
        }
        const rows = await couponRows(draft)
        for (const { customer_id, code } of before)
          expect(rows.find((row) => row.customer_id === customer_id)?.code).toBe(code)
        expect(rows.map(({ status }) => status)).toEqual(['made', 'made', 'made'])
        const codes = await codesOf(draft)
        expect(codes.map((some) => some.length)).toEqual([1, 1, 1])
        expect(codes.flat().toSorted()).toEqual(rows.map(({ code }) => code).toSorted())
        expect((await draft.campaign()).balance).toMatchObject({ sent: 3, pending: 0 })
      }
    },
  )

  test.skipIf(onCluster)(
    'are the same after the database was put back to before the campaign was confirmed',
    async () => {
      const draft = await aDraft({}, 3)
      const dump = await dumpDatabase(okaeri.databaseUrl)
      await draft.reserve()
      await okaeri.settle()
      const first = await codesOf(draft)
      await restoreDatabase(okaeri.databaseUrl, dump)
      await compareWithJournals(okaeri.context)
      await draft.reserve()
      await okaeri.settle()
      await releaseHold(okaeri.context)
      await okaeri.settle()
      expect((await draft.campaign()).balance).toMatchObject({ uncertain: 3, sent: 0 })
      // A person has them sent it once more: with the code they had.
      await draft.resend(3)
      await okaeri.settle()
      expect(await codesOf(draft)).toEqual(first.map(([code]) => [code, code]))
    },
  )
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
    const [late] = await addCustomers(merchant.scope(), [{ email: `tempfail-once-${number}@code.test` }])
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
    return { draft, discountId: discounts[0]?.id, code, again, to: `tempfail-once-${number}@code.test` }
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

  test('the store is silent when it is asked about what it told: nobody gets a code meanwhile, and then it goes on', async () => {
    const { draft, discountId, again, to } = await underWay()
    const { rows } = await sql<{ id: string; store: string }>`select id, store_discount_id as store from discounts
      where merchant_id = ${merchant.id} and campaign_id = ${draft.id}`.execute(okaeri.context.db)
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

  test('told in the middle of the step that would release it, the one waits for the other', async () => {
    const { draft } = await underWay()
    const { rows } = await sql<{ id: string; store: string }>`select id, store_discount_id as store from discounts
      where merchant_id = ${merchant.id} and campaign_id = ${draft.id}`.execute(okaeri.context.db)
    const { id: discountId = '', store = '' } = rows[0] ?? {}
    const its = { campaignId: draft.id, discountId }
    let told = Promise.resolve()
    await merchant.scope().transaction(async (scope) => {
      expect(await whatCouponsLack(scope, its)).toBeNull()
      told = merchant
        .scope()
        .transaction((other) => noteStoreChange(other, { storeDiscountId: store, holds: false, removedCode: null }))
      await untilWaiting(okaeri)
      await markAwaitsCodes(scope, draft.id, false)
      for (const { id } of await listCampaignMessages(scope, draft.id)) await releaseMessage(scope, id)
    })
    await told
    const messages = await listCampaignMessages(merchant.scope(), draft.id)
    expect(messages).toMatchObject([{ state: 'held', awaits_codes: true }])
    expect(await merchant.scope().transaction((scope) => whatCouponsLack(scope, its))).toBe('looking')
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

test('who consents only after the codes were made gets one, too', async () => {
  const draft = await aDraft(
    { send_type: 'scheduled', scheduled_at: new Date(okaeri.clock.now().getTime() + HOUR).toISOString() },
    3,
  )
  const [late] = draft.customerIds
  await sql`update customers set marketing_state = 'withdrawn' where merchant_id = ${merchant.id} and id = ${late}`.execute(
    okaeri.context.db,
  )
  await draft.reserve()
  await okaeri.settle()
  // Long before it is sent.
  expect(await draft.coupons()).toMatchObject({ total: 2, made: 2 })
  expect(await draft.campaign()).toMatchObject({ status: 'reserved' })
  await sql`update customers set marketing_state = 'granted' where merchant_id = ${merchant.id} and id = ${late}`.execute(
    okaeri.context.db,
  )
  okaeri.advance(HOUR + 1000)
  await okaeri.settle()
  expect(await draft.campaign()).toMatchObject({ status: 'sent', balance: { sent: 3 } })
  expect((await codesOf(draft)).map((codes) => codes.length)).toEqual([1, 1, 1])
  okaeri.advance(-HOUR - 1000)
})

test('whoever is to be sent it without a code, however that came, waits for it; nobody else does', async () => {
  const draft = await aDraft(
    { send_type: 'scheduled', scheduled_at: new Date(okaeri.clock.now().getTime() + HOUR).toISOString() },
    3,
  )
  await draft.reserve()
  await okaeri.settle()
  await sql`update deliveries set variables = null where merchant_id = ${merchant.id} and campaign_id = ${draft.id}
    and customer_id = ${draft.customerIds[1]}`.execute(okaeri.context.db)
  await sql`update messages set state = 'released', awaits_codes = false
    where merchant_id = ${merchant.id} and campaign_id = ${draft.id}`.execute(okaeri.context.db)
  await sql`update campaigns set status = 'sending', started_at = ${okaeri.clock.now()}, scheduled_at = ${okaeri.clock.now()}
    where merchant_id = ${merchant.id} and id = ${draft.id}`.execute(okaeri.context.db)
  await okaeri.settle()
  expect((await codesOf(draft)).map((codes) => codes.length)).toEqual([1, 0, 1])
  okaeri.advance(61_000)
  await okaeri.settle()
  expect((await codesOf(draft)).map((codes) => codes.length)).toEqual([1, 1, 1])
  expect(await draft.campaign()).toMatchObject({ status: 'sent', balance: { sent: 3 } })
})

test('by LINE and by mail a person gets the same code', async () => {
  const account = await openLineAccount('クーポンの店')
  await connectLine(merchant, account)
  const [person] = await ordinaryPeople(account, 1)
  if (!person) throw new Error('nobody')
  await befriend(okaeri, merchant, account, [person])
  const email = `own-${number}-line@code.test`
  await sql`update customers set email = ${email}, email_key = ${email}, marketing_state = 'granted'
    where merchant_id = ${merchant.id}`.execute(okaeri.context.db)
  const { id: line_message_id } = await aLineMessage(merchant, [{ type: 'text', text: 'line={{ coupon.code }}' }])
  const email_id = await addEmail(merchant.scope(), { content: HTML })
  const { id } = await aCampaign(merchant, { email_id, line_message_id, channels: 'both', coupon: terms })
  const { review } = await merchant.call(routes.reviewCampaign, { params: { id }, query: {} })
  expect(review).toMatchObject({ recipients: 2, coupon: { codes: 1 }, can_reserve: true })
  await merchant.call(routes.reserveCampaign, { params: { id }, body: {} })
  await okaeri.settle()
  expect(await campaignOf(merchant, id)).toMatchObject({ status: 'sent', balance: { sent: 2 } })
  const [mail] = await mailsTo(email)
  const { rows } = await sql<{ code: string }>`select code from coupons
    where merchant_id = ${merchant.id} and campaign_id = ${id}`.execute(okaeri.context.db)
  expect(rows).toHaveLength(1)
  expect(codesIn(mail ?? '')).toEqual([rows[0]?.code])
  const chat = await playLine(`users/${person.user_id}/chat.json?account=${account.id}`)
  expect(JSON.stringify(chat)).toContain(`line=${rows[0]?.code}`)
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
    const [mail] = await mailsTo(`own-${number}-0@code.test`)
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

test('in test mode no code is made: the testers see a sample', async () => {
  await sql`update merchants set test_mode = true, test_emails = array['tester@code.test'] where id = ${merchant.id}`.execute(
    okaeri.context.db,
  )
  await sql`insert into address_confirmations (merchant_id, id, purpose, email, email_key, asked_at, expires_at, confirmed_at)
    values (${merchant.id}, okaeri_uuidv7(now()), 'test', 'tester@code.test', 'tester@code.test', now(), now(), now())
    on conflict do nothing`.execute(okaeri.context.db)
  const draft = await aDraft({}, 2)
  expect((await draft.review()).coupon).toMatchObject({ codes: 0 })
  await draft.reserve()
  await okaeri.settle()
  expect(await couponRows(draft)).toEqual([])
  expect((await mailsTo('tester@code.test')).flatMap(codesIn)).toEqual(['OWN-SAMPLE', 'OWN-SAMPLE'])
})

describe('before sending is said', () => {
  const codes = async (draft: Draft) => (await draft.review()).findings.map(({ code }) => code)

  test('that a code is shown whose worth the campaign does not say', async () => {
    const draft = await aDraft({ coupon: null })
    expect(await codes(draft)).toEqual(['coupon_not_set'])
    expect(await refusal(draft.reserve())).toMatchObject({ reason: 'preflight_failed' })
  })

  test('that codes would be made which no message shows: none is', async () => {
    const draft = await aDraft({ email_id: await addEmail(merchant.scope()) }, 2)
    expect(await codes(draft)).toEqual(['coupon_not_shown'])
    await draft.reserve()
    await okaeri.settle()
    expect(await couponRows(draft)).toEqual([])
    expect(await draft.campaign()).toMatchObject({ status: 'sent' })
  })

  test('that they would end before the last is sent it', async () => {
    const ab_test = {
      differs: 'subject',
      subject: '別の件名',
      email_id: null,
      share: 50,
      decides_by: 'person',
      hours: 72,
    } as const
    // Chance makes the groups: of fewer people one may be too small.
    const draft = await aDraft({ coupon: { ...terms, valid_days: 1 }, ab_test }, 200)
    expect(await codes(draft)).toContain('coupon_ends_early')
    expect(await refusal(draft.reserve())).toMatchObject({ reason: 'preflight_failed' })
  })

  test('that no store is there to make them', async () => {
    const away = await okaeri.merchant()
    await addCustomers(away.scope(), [{ email: 'away@code.test' }])
    const email_id = await addEmail(away.scope(), { content: HTML })
    const { id } = await aCampaign(away, { email_id, coupon: terms })
    const { review } = await away.call(routes.reviewCampaign, { params: { id }, query: {} })
    expect(review.findings.map(({ code }) => code)).toEqual(['coupon_needs_store'])
  })
})

test('codes that are over are sent to nobody', async () => {
  const draft = await aDraft(
    { send_type: 'scheduled', scheduled_at: new Date(okaeri.clock.now().getTime() + HOUR).toISOString() },
    2,
  )
  await draft.reserve()
  await okaeri.settle()
  await sql`update campaigns set coupon_ends_at = ${okaeri.clock.now()} where merchant_id = ${merchant.id} and id = ${draft.id}`.execute(
    okaeri.context.db,
  )
  okaeri.advance(HOUR + 1000)
  await okaeri.settle()
  expect(await draft.campaign()).toMatchObject({ status: 'waiting', wait_reason: 'coupons_ended' })
  expect((await codesOf(draft)).flat()).toEqual([])
  okaeri.advance(-HOUR - 1000)
})
