import { changeCampaign, getCampaign, reserveCampaign } from '@okaeri/contract/campaigns/routes'
import { createClient } from '@okaeri/contract/client'
import { changeCustomerView, createCustomerView } from '@okaeri/contract/customers/routes'
import { CURRENCY_HEADER } from '@okaeri/contract/money'
import { changeScenario, enableScenario, getFlow, listScenarios, saveFlow } from '@okaeri/contract/scenarios/routes'
import { NO_CONDITIONS } from '@okaeri/contract/scenarios/scenario'
import { changeSegment, listSegments } from '@okaeri/contract/segments/routes'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { aCampaign } from '../../../test/builders/campaign.ts'
import { aScenario } from '../../../test/builders/scenario.ts'
import { aSegment, segmentOf } from '../../../test/builders/segment.ts'
import type { TestMerchant } from '../../../test/harness.ts'
import { lightFetch } from '../../../test/light-fetch.ts'
import { holdRows, untilWaiting } from '../../../test/locks.ts'
import { addScenario, flowOf, waitNode } from '../../../test/scenarios.ts'
import { okaeri, withOkaeri } from '../../../test/with-okaeri.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { connectStore } from '../stores/index.ts'

// A page that was loaded while the account counted in yen, and saves when it counts in dollars.

withOkaeri()

const connect = (scope: MerchantScope, currency: string): Promise<void> =>
  connectStore(
    scope,
    {
      shopDomain: `page-${scope.merchantId}.myshopify.com`,
      accessToken: 'a',
      scopes: '',
      expiresAt: null,
      refreshToken: null,
    },
    {
      name: 'page',
      email: 'a@shop.test',
      storefrontUrl: 'https://shop.test',
      timezone: 'Asia/Tokyo',
      currency,
      language: 'ja',
    },
  )
/** Calls as pages do that show amounts in this currency. */
const pageOf = (merchant: TestMerchant, currency: string): TestMerchant => ({
  ...merchant,
  call: createClient({
    baseUrl: okaeri.url,
    fetch: lightFetch,
    headers: () => ({
      authorization: `Bearer test.${merchant.id}.${merchant.memberId}.owner`,
      [CURRENCY_HEADER]: currency,
    }),
  }),
})
const spentMoreThan = (value: number) => ({
  type: 'condition' as const,
  id: 'spent',
  category: 'orders',
  name: 'orders_amount',
  operator: 'greater',
  value,
})
const orderedMoreThan = (value: number) => ({ ...spentMoreThan(value), name: 'orders_count' })
const coupon = {
  prefix: 'OBK',
  ratio_percent: 10,
  valid_days: 30,
  minimum: { kind: 'subtotal' as const, amount: 5000 },
  applies_to: { kind: 'all' as const },
}
const refused = { status: 409, reason: 'currency_changed_meanwhile' }

test('no amount typed on a page of before is saved: not in a segment, a campaign, a scenario or a view', async () => {
  const merchant = await okaeri.merchant({ plan: 'pro' })
  const page = pageOf(merchant, 'JPY')
  const segment = await aSegment(page, orderedMoreThan(3), 'よく買う')
  const campaign = await aCampaign(page, { name: '春' })
  const form = await aScenario(page)
  const graph = await addScenario(
    merchant.scope(),
    flowOf([waitNode('w', null, 1)], { trigger: { kind: 'order_paid' } }),
  )
  const { view } = await page.call(createCustomerView, { body: { name: '多い', search: { orders_min: 5 } } })
  const scenarios = async () => (await merchant.call(listScenarios, {})).total
  const before = await scenarios()
  await sql`update scenarios set status = 'stopped' where merchant_id = ${merchant.id} and id = ${graph}`.execute(
    okaeri.context.db,
  )
  await connect(merchant.scope(), 'USD')

  await expect(aSegment(page, spentMoreThan(10_000), '優良顧客')).rejects.toMatchObject(refused)
  const change = page.call(changeSegment, { params: { id: segment.id }, body: { conditions: spentMoreThan(10_000) } })
  await expect(change).rejects.toMatchObject(refused)
  expect((await segmentOf(merchant, segment.id)).conditions).toEqual(orderedMoreThan(3))
  expect((await merchant.call(listSegments, {})).total).toBe(1)

  await expect(aCampaign(page, { coupon })).rejects.toMatchObject(refused)
  const params = { id: campaign.id }
  await expect(page.call(changeCampaign, { params, body: { coupon } })).rejects.toMatchObject(refused)
  await expect(page.call(reserveCampaign, { params, body: {} })).rejects.toMatchObject(refused)
  expect((await merchant.call(getCampaign, { params })).campaign).toMatchObject({ status: 'draft', coupon: null })

  const conditions = { ...NO_CONDITIONS, condition: spentMoreThan(10_000) }
  await expect(aScenario(page, { conditions })).rejects.toMatchObject(refused)
  expect(await scenarios()).toBe(before)
  await expect(page.call(changeScenario, { params: { id: form.id }, body: { conditions } })).rejects.toMatchObject(
    refused,
  )
  const flow = flowOf([waitNode('w', null, 1)], { condition: spentMoreThan(10_000) })
  await expect(
    page.call(saveFlow, { params: { id: graph }, body: { flow, version_seen: 1, move: false } }),
  ).rejects.toMatchObject(refused)
  expect((await merchant.call(getFlow, { params: { id: graph } })).version).toBe(1)
  await expect(page.call(enableScenario, { params: { id: graph } })).rejects.toMatchObject(refused)

  const search = { sales_min: 30_000 }
  await expect(page.call(createCustomerView, { body: { name: '得意', search } })).rejects.toMatchObject(refused)
  await expect(
    page.call(changeCustomerView, { params: { id: view.id }, body: { name: '得意', search, shared: false } }),
  ).rejects.toMatchObject(refused)
})

test('what has no amount is saved by it; so is everything by a page loaded again, and by who does not say', async () => {
  const merchant = await okaeri.merchant()
  await connect(merchant.scope(), 'USD')
  const page = pageOf(merchant, 'JPY')
  const segment = await aSegment(page, orderedMoreThan(3), 'よく買う')
  await page.call(changeSegment, { params: { id: segment.id }, body: { name: '多い' } })
  await aSegment(pageOf(merchant, 'USD'), spentMoreThan(100), '優良顧客')
  await aSegment(merchant, spentMoreThan(200), '優良顧客2')
  await aCampaign(page, { coupon: { ...coupon, minimum: { kind: 'quantity', quantity: 3 } } })
  expect((await merchant.call(listSegments, {})).total).toBe(3)
})

test('a save and a change of the currency that come at once: one of them finds the other', async () => {
  const merchant = await okaeri.merchant()
  // The amount is there first: the store waits for it, and is refused.
  const naming = await holdRows(okaeri, 'select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `naming ${merchant.id}`,
  ])
  const saved = aSegment(pageOf(merchant, 'JPY'), spentMoreThan(10_000), '優良顧客')
  await naming.wanted()
  const connecting = connect(merchant.scope(), 'USD')
  connecting.catch(() => undefined)
  await untilWaiting(okaeri, { count: 2, over: connecting })
  await naming.release()
  await saved
  await expect(connecting).rejects.toMatchObject({ reason: 'store_sells_in_another_currency' })

  // The store is there first: the amount waits for it, and means something else.
  const other = await okaeri.merchant()
  let saving: Promise<unknown> | undefined
  await other.scope().transaction(async (scope) => {
    await connect(scope, 'USD')
    saving = aSegment(pageOf(other, 'JPY'), spentMoreThan(10_000), '優良顧客')
    saving.catch(() => undefined)
    await untilWaiting(okaeri, { over: saving })
  })
  await expect(saving).rejects.toMatchObject(refused)
})
