import { getSettings } from '@okaeri/contract/merchants/routes'
import { listProducts } from '@okaeri/contract/catalog/routes'
import { createCustomerView, getCustomer } from '@okaeri/contract/customers/routes'
import { deleteSegment } from '@okaeri/contract/segments/routes'
import { agreeToCurrency, getCurrencyChange } from '@okaeri/contract/store/routes'
import { expect, test } from 'vitest'
import { aCampaign } from '../../../test/builders/campaign.ts'
import { aSegment, segmentOf } from '../../../test/builders/segment.ts'
import type { TestMerchant } from '../../../test/harness.ts'
import { addScenario, flowOf } from '../../../test/scenarios.ts'
import { okaeri, withOkaeri } from '../../../test/with-okaeri.ts'
import { newId } from '../../kernel/ids.ts'
import { upsertStoreProducts } from '../catalog/index.ts'
import { upsertStoreCustomers } from '../customers/index.ts'
import { upsertStoreOrders } from '../orders/index.ts'
import { connectStore, disconnectStore } from '../stores/index.ts'

withOkaeri()

const connect = (merchant: TestMerchant, name: string, currency: string, scopes = ''): Promise<void> =>
  connectStore(
    merchant.scope(),
    {
      shopDomain: `${name}-${merchant.id}.myshopify.com`,
      accessToken: 'a',
      scopes,
      expiresAt: null,
      refreshToken: null,
    },
    {
      name,
      email: 'a@shop.test',
      storefrontUrl: 'https://shop.test',
      timezone: 'America/New_York',
      currency,
      language: 'en',
    },
  )
const storeOf = async (merchant: TestMerchant) => (await merchant.call(getSettings, {})).store
const currencyOf = async (merchant: TestMerchant): Promise<string> => (await merchant.call(getSettings, {})).currency
const changeTo = (merchant: TestMerchant, currency: string) => merchant.call(getCurrencyChange, { query: { currency } })
const agree = async (merchant: TestMerchant, currency: string) =>
  merchant.call(agreeToCurrency, { body: { currency, seen: (await changeTo(merchant, currency)).seen } })
const spentMoreThan = (value: number) => ({
  type: 'condition' as const,
  id: 'spent',
  category: 'orders',
  name: 'orders_amount',
  operator: 'greater',
  value,
})
const coupon = {
  prefix: 'OBK',
  ratio_percent: 10,
  valid_days: 30,
  minimum: { kind: 'subtotal' as const, amount: 5000 },
  applies_to: { kind: 'all' as const },
}
const credit = (merchant: TestMerchant) =>
  okaeri.query`insert into conversions (merchant_id, order_id, delivery_id, campaign_id, customer_id, credited_by, amount, currency, ordered_at)
    values (${merchant.id}, ${newId()}, ${newId()}, ${newId()}, ${newId()}, 'click', 1000, 'JPY', ${okaeri.clock.now()})`

test('who signed up by an address gets the currency of the store they connect, and of another one', async () => {
  const merchant = await okaeri.merchant()
  expect(await currencyOf(merchant)).toBe('JPY')
  await connect(merchant, 'first', 'USD')
  expect(await currencyOf(merchant)).toBe('USD')
  await disconnectStore(merchant.scope())
  await connect(merchant, 'second', 'EUR')
  expect(await currencyOf(merchant)).toBe('EUR')
})

test('a store that sells in another currency is refused while amounts were typed, and nothing of it is stored', async () => {
  const merchant = await okaeri.merchant()
  await aSegment(merchant, spentMoreThan(10_000), '優良顧客')
  await expect(connect(merchant, 'first', 'USD')).rejects.toMatchObject({ reason: 'store_sells_in_another_currency' })
  expect(await storeOf(merchant)).toBeNull()
  expect(await currencyOf(merchant)).toBe('JPY')
  // One in the same currency is none the worse.
  await connect(merchant, 'second', 'JPY')
  expect(await storeOf(merchant)).toMatchObject({ status: 'connected', currency: 'JPY', sells_in: 'JPY' })
})

test('every place with an amount is named, with what it says now and what it would say', async () => {
  const merchant = await okaeri.merchant()
  await aSegment(merchant, spentMoreThan(10_000), '優良顧客')
  await aSegment(merchant, { ...spentMoreThan(2), name: 'orders_count' }, 'ふつう')
  await aCampaign(merchant, { name: '春', coupon })
  await aCampaign(merchant, { name: '夏', coupon: { ...coupon, minimum: { kind: 'quantity', quantity: 3 } } })
  await addScenario(
    merchant.scope(),
    flowOf(
      [
        { id: 'a', kind: 'issue_coupon', settings: { coupon }, next: { next: 'b' } },
        { id: 'b', kind: 'branch', settings: { condition: spentMoreThan(300) }, next: { yes: null, no: null } },
      ],
      { trigger: { kind: 'favorite_price_dropped', fall: { unit: 'amount', least: 700 } } },
    ),
    '値下げ',
  )
  expect((await changeTo(merchant, 'USD')).typed.map(({ kind, name, amounts }) => [kind, name, amounts])).toEqual([
    ['segment', '優良顧客', [{ now: 10_000, next: 10_000 }]],
    ['campaign', '春', [{ now: 5000, next: 50 }]],
    [
      'scenario',
      '値下げ',
      [
        { now: 700, next: 7 },
        { now: 5000, next: 50 },
        { now: 300, next: 300 },
      ],
    ],
  ])
  // Three decimals.
  expect((await changeTo(merchant, 'KWD')).typed[1]?.amounts).toEqual([{ now: 5000, next: 5 }])
  expect(await changeTo(merchant, 'JPY')).toMatchObject({ typed: [], obstacle: null })
})

test('saved views of the customer list are among them; one that a member keeps for themselves is not named', async () => {
  const merchant = await okaeri.merchant()
  const save = (name: string, shared: boolean, search: object) =>
    merchant.call(createCustomerView, { body: { name, shared, search } })
  await save('お得意さま', true, { sales_min: 30_000, sales_max: 90_000 })
  await save('ないしょ', false, { sales_min: 500 })
  await save('よく買う', true, { orders_min: 5 })
  const { typed } = await changeTo(merchant, 'USD')
  expect(typed.map(({ kind, name, amounts }) => [kind, name, amounts])).toEqual([
    [
      'view',
      'お得意さま',
      [
        { now: 30_000, next: 30_000 },
        { now: 90_000, next: 90_000 },
      ],
    ],
    ['view', '', [{ now: 500, next: 500 }]],
  ])
})

test('after an owner agreed to what they saw, the store is connected and its currency taken, once', async () => {
  const merchant = await okaeri.merchant()
  await aCampaign(merchant, { name: '春', coupon })
  expect(await agree(merchant, 'USD')).toMatchObject({ is_agreed: true })
  // Nothing changes before the store is there.
  expect(await currencyOf(merchant)).toBe('JPY')
  await connect(merchant, 'first', 'USD')
  expect(await storeOf(merchant)).toMatchObject({ status: 'connected', currency: 'USD', sells_in: 'USD' })
  // It was for this change.
  expect((await changeTo(merchant, 'JPY')).is_agreed).toBe(false)
  await disconnectStore(merchant.scope())
  await expect(connect(merchant, 'second', 'EUR')).rejects.toMatchObject({ reason: 'store_sells_in_another_currency' })
})

test('an amount typed after that is not agreed to', async () => {
  const merchant = await okaeri.merchant()
  await aCampaign(merchant, { name: '春', coupon })
  const { seen } = await changeTo(merchant, 'USD')
  const segment = await aSegment(merchant, spentMoreThan(10_000), '優良顧客')
  await expect(merchant.call(agreeToCurrency, { body: { currency: 'USD', seen } })).rejects.toMatchObject({
    reason: 'currency_amounts_changed',
  })
  await agree(merchant, 'USD')
  await merchant.call(deleteSegment, { params: { id: segment.id } })
  await expect(connect(merchant, 'first', 'USD')).rejects.toMatchObject({ reason: 'store_sells_in_another_currency' })
  // For another currency it is not either.
  await agree(merchant, 'USD')
  await expect(connect(merchant, 'first', 'KWD')).rejects.toMatchObject({ reason: 'store_sells_in_another_currency' })
  await connect(merchant, 'first', 'USD')
  expect(await currencyOf(merchant)).toBe('USD')
})

test('what runs has to be stopped first, also when it was started after an owner agreed', async () => {
  const merchant = await okaeri.merchant()
  await aSegment(merchant, spentMoreThan(10_000), '優良顧客')
  await agree(merchant, 'USD')
  const id = await addScenario(merchant.scope(), flowOf([]), '誕生日')
  await expect(connect(merchant, 'first', 'USD')).rejects.toMatchObject({ reason: 'store_sells_in_another_currency' })
  expect(await changeTo(merchant, 'USD')).toMatchObject({
    obstacle: 'running',
    running: [{ kind: 'scenario', id, name: '誕生日' }],
  })
  await expect(agree(merchant, 'USD')).rejects.toMatchObject({ reason: 'currency_in_use' })
})

test('once an order was credited it stays: sums are in one currency', async () => {
  const merchant = await okaeri.merchant()
  await connect(merchant, 'old', 'JPY')
  await credit(merchant)
  await disconnectStore(merchant.scope())
  await expect(connect(merchant, 'first', 'USD')).rejects.toMatchObject({ reason: 'currency_has_sales' })
  expect(await changeTo(merchant, 'USD')).toMatchObject({ obstacle: 'sales' })
  await expect(agree(merchant, 'USD')).rejects.toMatchObject({ reason: 'currency_has_sales' })
  expect(await storeOf(merchant)).toMatchObject({ status: 'disconnected', currency: 'JPY' })
})

test('a store that was connected before is not locked out: both currencies are shown', async () => {
  const merchant = await okaeri.merchant()
  await connect(merchant, 'first', 'JPY')
  await credit(merchant)
  await connect(merchant, 'first', 'USD', 'read_orders')
  expect(await storeOf(merchant)).toMatchObject({ status: 'connected', currency: 'JPY', sells_in: 'USD' })
})

test('prices that were copied in the former currency are compared with none in the new one', async () => {
  const merchant = await okaeri.merchant()
  await connect(merchant, 'first', 'USD')
  const product = (priceAmount: number) => ({
    storeProductId: 1,
    title: '煎茶',
    handle: null,
    status: 'ACTIVE',
    imageUrl: null,
    totalInventory: 3,
    updatedAt: okaeri.clock.now(),
    variants: [{ storeVariantId: 10, title: '青', sku: null, priceAmount, inventoryQuantity: 3, position: 1 }],
  })
  await upsertStoreProducts(merchant.scope(), [product(500_000)])
  await disconnectStore(merchant.scope())
  await connect(merchant, 'first', 'JPY')
  expect(await currencyOf(merchant)).toBe('JPY')
  // 5,000 yen are not less than 5,000 dollars were.
  await upsertStoreProducts(merchant.scope(), [product(5000)], { asItHappens: true })
  const rows = await okaeri.query`select from settling_goods where merchant_id = ${merchant.id}`
  expect(rows).toEqual([])
})

test('amounts of orders in another currency are in no sum; the customer’s page says how many there are', async () => {
  const merchant = await okaeri.merchant()
  const scope = merchant.scope()
  const at = okaeri.clock.now()
  const names = { firstName: '恵', lastName: '加藤', phone: null, language: 'ja', address: null, tags: [] }
  const ids = await upsertStoreCustomers(scope, [
    { storeCustomerId: 7, email: 'kato@example.com', ...names, createdAt: at, updatedAt: at },
  ])
  const variants = [{ storeVariantId: 50, title: '青', sku: null, priceAmount: 1, inventoryQuantity: 3, position: 1 }]
  const plain = { handle: null, status: 'ACTIVE', imageUrl: null, totalInventory: 3, updatedAt: at, variants }
  await upsertStoreProducts(scope, [{ storeProductId: 5, title: '靴下', ...plain }])
  const order = (number: number, currency: string, amount: number) => ({
    storeOrderId: number,
    storeCustomerId: 7,
    name: `#${number}`,
    email: 'kato@example.com',
    processedAt: at,
    totalAmount: amount,
    currentAmount: amount,
    currency,
    financialStatus: 'PAID',
    cancelledAt: null,
    landingSite: null,
    updatedAt: at,
    lines: [{ storeProductId: 5, title: '靴下', sku: null, quantity: 1, amount }],
  })
  await upsertStoreOrders(scope, [order(1, 'JPY', 3000), order(2, 'JPY', 1000), order(3, 'USD', 90_000)])
  const { customer } = await merchant.call(getCustomer, { params: { id: ids.get(7) ?? '' } })
  expect(customer).toMatchObject({
    orders_count: 3,
    total_revenue: { amount: 4000, currency: 'JPY' },
    orders_in_other_currencies: 1,
  })
  const [sock] = (await merchant.call(listProducts, { query: {} })).data
  const bought = (value: number, filter: object) => ({
    ...spentMoreThan(0),
    name: 'ordered',
    operator: 'at_least',
    value: { measure: 'amount' as const, value, filter, window: { within_days: 30 } },
  })
  const found = async (condition: ReturnType<typeof spentMoreThan> | ReturnType<typeof bought>) => {
    const { id } = await aSegment(merchant, condition as ReturnType<typeof spentMoreThan>)
    await okaeri.settle()
    return (await segmentOf(merchant, id)).customer_count
  }
  const average = (value: number) => ({ ...spentMoreThan(value), name: 'average_amount' })
  expect([
    await found(spentMoreThan(3999)),
    await found(spentMoreThan(4000)),
    await found(average(1999)),
    await found(average(2000)),
    await found(bought(4000, {})),
    await found(bought(4001, {})),
    await found(bought(4000, { products: [sock?.id] })),
    await found(bought(4001, { products: [sock?.id] })),
  ]).toEqual([1, 0, 1, 0, 1, 0, 1, 0])
  // Files of customers say it too, in their last column.
  const linesOf = async (path: string, init: { method: string; body?: string }): Promise<string[]> => {
    const answer = await fetch(`${okaeri.url}${path}`, {
      ...init,
      headers: {
        authorization: `Bearer test.${merchant.id}.${merchant.memberId}.viewer`,
        ...(init.body && { 'content-type': 'application/json' }),
      },
    })
    return (await answer.text()).split('\r\n')
  }
  const last = /,他の通貨の注文回数（JPYの金額に含まず）$/
  const body = JSON.stringify({ selection: { ids: [...ids.values()] } })
  const [head, line] = await linesOf('/customers/export', { method: 'POST', body })
  expect(head).toMatch(last)
  expect(line).toMatch(/,3,4000,.*,1$/)
  const { id } = await aSegment(merchant, spentMoreThan(1))
  await okaeri.settle()
  const [headOfMembers, member] = await linesOf(`/customer_segments/${id}/download`, { method: 'GET' })
  expect(headOfMembers).toMatch(last)
  expect(member).toMatch(/,3,4000,.*,1$/)
})
