import type { CouponTerms } from '@okaeri/contract/coupons/coupon'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type Sandbox,
  startTestOkaeri,
  startTestSandbox,
  type TestMerchant,
  type TestOkaeri,
} from '../../../test/harness.ts'
import { sandboxStore, SHOP } from '../../../test/sandbox-store.ts'
import { newId } from '../../kernel/ids.ts'
import { connectSandboxStore } from '../stores/index.ts'
import { codeFor, newCode } from './code.ts'
import { discountOfCampaign, type IssuedCoupon, issueCoupons, mergeCoupons, wantForRecipients } from './index.ts'

let sandbox: Sandbox
let okaeri: TestOkaeri
let merchant: TestMerchant
const play = sandboxStore(() => sandbox)
beforeAll(async () => {
  sandbox = await startTestSandbox({ customers: 5, products: 3, orders: 0 })
  okaeri = await startTestOkaeri({ sandbox })
  merchant = await okaeri.merchant({ timezone: 'Asia/Tokyo' })
  await play('switches.json', { bulk_duration_ms: 0, throttling: false })
  await connectSandboxStore(merchant.scope(), SHOP)
  await okaeri.settle()
})
afterAll(async () => {
  await okaeri.close()
  await sandbox.close()
})

let terms: CouponTerms
let number = 0
beforeEach(() => {
  number += 1
  terms = {
    prefix: `C${number}`,
    ratio_percent: 20,
    valid_days: 7,
    minimum: { kind: 'none' },
    applies_to: { kind: 'all' },
  }
})

const visits = (count: number) =>
  Array.from({ length: count }, () => ({ executionId: newId(), round: 1, customerId: null }))
const issue = (some: ReturnType<typeof visits>, again = false): Promise<IssuedCoupon[]> =>
  merchant.scope().transaction((scope) =>
    issueCoupons(
      scope,
      { scenarioId: newId(), nodeId: 'c', terms },
      some.map((visit) => ({ ...visit, again })),
    ),
  )
const discountsOf = async () =>
  await okaeri.query<{ last_day: string; ends_at: Date; free: number; issued: number; store: string | null }>`
      select d.last_day::text as last_day, d.ends_at, d.store_discount_id as store,
        count(c.id) filter (where c.execution_id is null and c.status = 'made')::int as free,
        count(c.id) filter (where c.execution_id is not null)::int as issued
      from discounts d left join coupons c on c.merchant_id = d.merchant_id and c.discount_id = d.id
      where d.merchant_id = ${merchant.id} and d.terms ->> 'prefix' = ${terms.prefix}
      group by d.merchant_id, d.id order by d.last_day`

test('codes are long, and contain no characters that look alike', () => {
  const codes = Array.from({ length: 5000 }, () => newCode('OBK'))
  expect(new Set(codes).size).toBe(5000)
  for (const code of codes) expect(code).toMatch(/^OBK[ACDEFGHJKMNPRTUWXY34679]{10}$/)
})

test('a recipient’s code follows from whose it is and what it is worth, and from nothing else', () => {
  const owner = { merchantId: newId(), campaignId: newId(), customerId: newId(), discountKey: 'x', attempt: 0 }
  const of = (other: Partial<typeof owner> = {}) => codeFor(okaeri.context.keyring, 'OBK', { ...owner, ...other })
  expect(of()).toMatch(/^OBK[ACDEFGHJKMNPRTUWXY34679]{10}$/)
  expect(of()).toBe(of())
  const others = [
    ...Array.from({ length: 5000 }, () => of({ customerId: newId() })),
    of({ merchantId: newId() }),
    of({ campaignId: newId() }),
    of({ discountKey: 'y' }),
    of({ attempt: 1 }),
  ]
  expect(new Set([of(), ...others]).size).toBe(others.length + 1)
})

describe('codes of a campaign’s recipients', () => {
  const endsAt = new Date('2150-01-01T00:00:00Z')
  const rowsOf = async (campaignId: string) =>
    await okaeri.query<{
      customer_id: string | null
      code: string
      status: string
    }>`select customer_id, code, status from coupons
        where merchant_id = ${merchant.id} and campaign_id = ${campaignId} order by id`

  async function wanted(customerIds: readonly string[], from = okaeri.clock.now()) {
    const campaignId = newId()
    const discountId = await merchant.scope().transaction(async (scope) => {
      const offer = { campaignId, title: '春のお知らせ', terms, startsAt: scope.now }
      const { id } = await discountOfCampaign(scope, offer)
      await wantForRecipients(scope, { campaignId, discountId: id, terms, endsAt }, { customerIds, from })
      return id
    })
    return { campaignId, discountId }
  }

  test('are written once for each, however often it is asked, by however many; whose code is another’s gets the next', async () => {
    const customerIds = Array.from({ length: 40 }, newId)
    const { campaignId, discountId } = await wanted(customerIds)
    const first = await rowsOf(campaignId)
    expect(new Set(first.map(({ code }) => code)).size).toBe(40)
    // Another customer has the code that would be theirs.
    const stolen = first[0]?.code ?? ''
    await okaeri.query`update coupons set campaign_id = null, customer_id = null
      where merchant_id = ${merchant.id} and code = ${stolen}`
    await Promise.all(
      [1, 2, 3].map(() =>
        merchant
          .scope()
          .transaction((scope) =>
            wantForRecipients(scope, { campaignId, discountId, terms, endsAt }, { customerIds, from: scope.now }),
          ),
      ),
    )
    const rows = await rowsOf(campaignId)
    expect(rows).toHaveLength(40)
    expect(new Set(rows.map(({ customer_id }) => customer_id))).toEqual(new Set(customerIds))
    expect(new Set(rows.map(({ code }) => code)).size).toBe(40)
    expect(rows.filter(({ code }) => !first.some((row) => row.code === code))).toHaveLength(1)
  })

  test('of a discount that was deleted in the store meanwhile the rest are made under a new one, and not without end', async () => {
    const { campaignId, discountId } = await wanted(Array.from({ length: 3 }, newId))
    await okaeri.settle()
    const storeNumber = async () => Number((await discountsOf())[0]?.store?.split('/').at(-1))
    const before = await storeNumber()
    await play(`discounts/${before}/delete.json`, {})
    await merchant.scope().transaction((scope) => {
      const its = { campaignId, discountId, terms, endsAt }
      return wantForRecipients(scope, its, { customerIds: Array.from({ length: 3 }, newId), from: scope.now })
    })
    await okaeri.settle()
    // Those that were made went with it.
    expect((await rowsOf(campaignId)).filter(({ status }) => status === 'wanted')).toHaveLength(6)
    okaeri.advance(61_000)
    await okaeri.settle()
    expect((await rowsOf(campaignId)).map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 'made'))
    const { discounts } = await play<{ discounts: { id: number; codes: number }[] }>('discounts.json')
    const after = await storeNumber()
    expect(after).not.toBe(before)
    expect(discounts.find(({ id }) => id === after)).toMatchObject({ codes: 6 })
    okaeri.advance(-61_000)
  })

  test('stay when the pool is emptied, and are not given to scenarios', async () => {
    const { campaignId } = await wanted(Array.from({ length: 3 }, newId))
    await okaeri.settle()
    okaeri.advance(5 * 86_400_000)
    await okaeri.settle()
    expect((await rowsOf(campaignId)).map(({ status }) => status)).toEqual(['made', 'made', 'made'])
    okaeri.advance(-5 * 86_400_000)
    const [other] = await issue(visits(1))
    expect((await rowsOf(campaignId)).map(({ code }) => code)).not.toContain(other?.code)
  })

  test('of two customers who turn out to be one, one stays theirs', async () => {
    const [one, two] = [newId(), newId()]
    const both = await wanted([one, two])
    const alone = await wanted([one])
    await mergeCoupons(merchant.scope(), { fromId: one, intoId: two })
    expect((await rowsOf(both.campaignId)).map(({ customer_id }) => customer_id)).toEqual([null, two])
    expect((await rowsOf(alone.campaignId)).map(({ customer_id }) => customer_id)).toEqual([two])
  })
})

test('one discount has all codes of a day’s terms; more codes than one call may add are added in several', async () => {
  const some = visits(620)
  await issue(some.slice(0, 600))
  await issue(some.slice(600))
  await okaeri.settle()
  const coupons = await issue(some)
  expect(new Set(coupons.map(({ status }) => status))).toEqual(new Set(['made']))
  expect(new Set(coupons.map(({ code }) => code)).size).toBe(620)
  const [today] = await discountsOf()
  expect(today).toMatchObject({ issued: 620, store: expect.stringContaining('DiscountCodeNode') })
  // The end of the last day in the merchant's zone.
  expect(today?.ends_at.toISOString()).toBe(new Date(`${today?.last_day}T23:59:59.999+09:00`).toISOString())
})

test('a pool is kept for today and tomorrow, and two workers never take the same code', async () => {
  await issue(visits(3))
  await okaeri.settle()
  expect((await discountsOf()).map(({ free }) => free)).toEqual([10, 10])
  const taken = await Promise.all(Array.from({ length: 5 }, () => issue(visits(2))))
  const codes = taken.flat()
  expect(codes.every(({ status }) => status === 'made')).toBe(true)
  expect(new Set(codes.map(({ code }) => code)).size).toBe(10)
})

test('one visit has one coupon, however often it is requested', async () => {
  const some = visits(4)
  const [first, second] = await Promise.all([issue(some), issue(visits(4))])
  expect(await issue(some)).toMatchObject(first.map(({ id, code }) => ({ id, code })))
  expect(first.some(({ code }) => second.map((other) => other.code).includes(code))).toBe(false)
})

test('while a wanted code is not committed, no worker clears its discount’s time', async () => {
  await issue(visits(1))
  const held = sql`select from discounts where merchant_id = ${merchant.id} and terms ->> 'prefix' = ${terms.prefix}
    for update nowait`
  await held.execute(okaeri.context.db)
  await merchant.scope().transaction(async (scope) => {
    await issueCoupons(scope, { scenarioId: newId(), nodeId: 'c', terms }, visits(1))
    await expect(held.execute(okaeri.context.db)).rejects.toMatchObject({ code: '55P03' })
  })
})

test('after a worker died between the store’s answer and our commit, nothing is missing and nothing is done twice', async () => {
  const some = visits(5)
  const before = await issue(some)
  await okaeri.settle()
  await okaeri.query`update discounts set store_discount_id = null, bulk_id = null, next_step_at = ${okaeri.clock.now()}
    where merchant_id = ${merchant.id} and terms ->> 'prefix' = ${terms.prefix}`
  await okaeri.query`update coupons set status = 'wanted' where merchant_id = ${merchant.id} and code like ${`${terms.prefix}%`}`
  const known = await sql<{ count: number }>`select count(*)::int as count from coupons
    where merchant_id = ${merchant.id} and code like ${`${terms.prefix}%`}`.execute(okaeri.context.db)
  await okaeri.settle()
  const after = await issue(some)
  expect(after).toMatchObject(before.map(({ code }) => ({ code, status: 'made' })))
  const rows = await okaeri.query<{ count: number }>`select count(*)::int as count from coupons
    where merchant_id = ${merchant.id} and code like ${`${terms.prefix}%`} and status = 'made'`
  expect(rows[0]?.count).toBe(known.rows[0]?.count)
})

test('an unreachable store is tried again; then the coupons have failed with its message, and can be requested again', async () => {
  const away = await okaeri.merchant()
  const at = async (work: () => Promise<unknown>) => {
    const kept = merchant
    merchant = away
    try {
      return await work()
    } finally {
      merchant = kept
    }
  }
  await at(async () => {
    await connectSandboxStore(merchant.scope(), 'away-store.myshopify.com')
    await okaeri.query`update store_connections set shop_domain = 'nowhere' where merchant_id = ${merchant.id}`
    const some = visits(2)
    await issue(some)
    await okaeri.settle()
    for (const minutes of [1, 5, 15, 60]) {
      expect((await issue(some))[0]?.status).toBe('wanted')
      okaeri.advance(minutes * 60_000)
      await okaeri.settle()
    }
    const [failed] = await issue(some)
    expect(failed).toMatchObject({ status: 'failed', error: expect.any(String) })
    expect((await issue(some, true))[0]).toMatchObject({ id: failed?.id, status: 'wanted' })
  })
})
