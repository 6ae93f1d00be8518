import { deleteCustomer, getCustomer, listCustomers } from '@okaeri/contract/customers/routes'
import { expect, test } from 'vitest'
import { type TestMerchant } from '../../../test/harness.ts'
import { merchant, okaeri, withOneMerchant } from '../../../test/with-okaeri.ts'
import { aCustomer } from '../../../test/builders/customer.ts'
import { newId } from '../../kernel/ids.ts'
import { changeConsent } from '../consent/index.ts'
import { upsertStoreCustomers } from '../customers/index.ts'
import { type StoreOrder, upsertStoreOrders } from '../orders/index.ts'

withOneMerchant()

const order = (number: number, more: Partial<StoreOrder> = {}): StoreOrder => ({
  storeOrderId: number,
  storeCustomerId: 7,
  name: `#${number}`,
  email: 'kato@example.com',
  processedAt: new Date(`2026-02-0${number}T00:00:00Z`),
  totalAmount: 1000 * number,
  currentAmount: 1000 * number,
  currency: 'JPY',
  financialStatus: 'PAID',
  cancelledAt: null,
  landingSite: null,
  updatedAt: new Date(`2026-02-0${number}T00:00:00Z`),
  lines: [{ storeProductId: 5, title: '靴下', sku: null, quantity: number, amount: 1000 * number }],
  ...more,
})

async function addKato(by: TestMerchant): Promise<string> {
  const ids = await upsertStoreCustomers(by.scope(), [
    {
      storeCustomerId: 7,
      email: 'kato@example.com',
      firstName: '恵',
      lastName: '加藤',
      phone: null,
      language: 'ja',
      address: { zip: '150-0001', province: '東京都', city: '渋谷区' },
      tags: ['VIP'],
      createdAt: new Date('2026-01-01T00:00:00Z'),
      updatedAt: new Date('2026-01-01T00:00:00Z'),
    },
  ])
  return ids.get(7) ?? ''
}

test('a customer’s page shows orders with lines, messages with their results, and every change of consent', async () => {
  const id = await addKato(merchant)
  await upsertStoreOrders(merchant.scope(), [
    order(1),
    order(2),
    order(3, { cancelledAt: new Date('2026-02-04T00:00:00Z') }),
  ])
  await changeConsent(merchant.scope(), {
    customerId: id,
    kind: 'marketing',
    to: 'granted',
    source: 'storefront',
    page: '/cart',
  })
  await okaeri.query`insert into deliveries (merchant_id, id, kind, customer_id, message_id, status, reason, address, created_at)
    values (${merchant.id}, ${newId()}, 'test', ${id}, ${newId()}, 'skipped', 'no_consent', 'kato@example.com', ${okaeri.clock.now()})`
  const profile = await merchant.call(getCustomer, { params: { id } })
  expect(profile.customer).toMatchObject({
    name: '加藤 恵',
    store_customer_id: '7',
    orders_count: 2,
    total_revenue: { amount: 3000, currency: 'JPY' },
    last_order_at: '2026-02-02T00:00:00.000Z',
    address: { zip: '150-0001', province: '東京都', address2: null },
  })
  expect(profile.orders.map(({ name, total, lines }) => [name, total.amount, lines[0]?.quantity])).toEqual([
    ['#3', 3000, 3],
    ['#2', 2000, 2],
    ['#1', 1000, 1],
  ])
  expect(profile.messages).toMatchObject([
    { status: 'skipped', reason: 'no_consent', customer_name: '加藤 恵', subject: null },
  ])
  expect(profile.consent_changes).toMatchObject([
    { kind: 'marketing', to: 'granted', source: 'storefront', page: '/cart' },
  ])
})

test('an older state of an order changes nothing, a newer one counts at once', async () => {
  const [kato] = (await merchant.call(listCustomers, { query: { q: '加藤' } })).data
  await upsertStoreOrders(merchant.scope(), [
    order(2, { currentAmount: 1, updatedAt: new Date('2026-01-01T00:00:00Z') }),
  ])
  await upsertStoreOrders(merchant.scope(), [
    order(1, { currentAmount: 400, updatedAt: new Date('2026-03-01T00:00:00Z') }),
  ])
  const { customer } = await merchant.call(getCustomer, { params: { id: kato?.id ?? '' } })
  expect(customer.total_revenue.amount).toBe(2400)
})

test('the same store number at two merchants is two people, and neither sees the other’s', async () => {
  const other = await okaeri.merchant()
  const theirs = await addKato(other)
  const { customer } = await other.call(getCustomer, { params: { id: theirs } })
  expect(customer.orders_count).toBe(0)
  await expect(merchant.call(getCustomer, { params: { id: theirs } })).rejects.toMatchObject({ status: 404 })
  await expect(merchant.call(deleteCustomer, { params: { id: theirs } })).rejects.toMatchObject({ status: 404 })
  await upsertStoreOrders(other.scope(), [order(1)])
  expect((await other.call(getCustomer, { params: { id: theirs } })).orders).toHaveLength(1)
})

test('a deleted customer is gone with their consent history', async () => {
  const customer = await aCustomer(merchant, 'gone@example.com')
  await changeConsent(merchant.scope(), { customerId: customer.id, kind: 'marketing', to: 'granted', source: 'member' })
  await merchant.call(deleteCustomer, { params: { id: customer.id } })
  await expect(merchant.call(getCustomer, { params: { id: customer.id } })).rejects.toMatchObject({ status: 404 })
  const rows =
    await okaeri.query`select from consent_changes where merchant_id = ${merchant.id} and customer_id = ${customer.id}`
  expect(rows).toHaveLength(0)
})

test('an invalid id is not found, without a query', async () => {
  await expect(merchant.call(getCustomer, { params: { id: 'x' } })).rejects.toMatchObject({ status: 404 })
})
