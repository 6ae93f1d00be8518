import { checkCustomer, createCustomer, listCustomers } from '@okaeri/contract/customers/routes'
import { listProducts } from '@okaeri/contract/catalog/routes'
import { beforeAll, expect, test } from 'vitest'
import { merchant, okaeri, withOneMerchant } from '../../../test/with-okaeri.ts'
import { aCustomer } from '../../../test/builders/customer.ts'
import { removeStoreProduct, upsertStoreProducts } from '../catalog/index.ts'
import { type StoreCustomer, upsertStoreCustomers } from './index.ts'

withOneMerchant()
beforeAll(async () => {
  await upsertStoreCustomers(merchant.scope(), [
    person(1, { lastName: '山田', firstName: '花子', email: 'Hanako@Example.com', phone: '+819012345678' }),
    person(2, { lastName: 'サトウ', firstName: 'ケン', email: 'ken@example.com' }),
    person(3, { lastName: 'Stone', firstName: 'Emma', email: 'emma@example.com', language: 'en' }),
    person(4, { email: 'nameless@example.com' }),
  ])
})

const person = (number: number, more: Partial<StoreCustomer>): StoreCustomer => ({
  storeCustomerId: number,
  email: null,
  firstName: null,
  lastName: null,
  phone: null,
  language: 'ja',
  address: null,
  tags: [],
  createdAt: new Date(`2026-01-0${number}T00:00:00Z`),
  updatedAt: new Date('2026-02-01T00:00:00Z'),
  ...more,
})
const names = async (query: Record<string, unknown>) =>
  (await merchant.call(listCustomers, { query })).data.map(({ name }) => name)

test('customers are found by name, mail and phone in the forms people type', async () => {
  for (const q of ['山田', '花子 山田', '山田花子', 'hanako@', '090-1234-5678', '＋８１９０'])
    expect(await names({ q }), q).toEqual(['山田 花子'])
  expect(await names({ q: 'さとう けん' })).toEqual(['サトウ ケン'])
  expect(await names({ q: 'STONE' })).toEqual(['Emma Stone'])
  expect(await names({ q: '%' })).toEqual([])
})

test('the list is sorted and paged, and its total counts everyone found', async () => {
  expect(await names({})).toEqual(['nameless@example.com', 'Emma Stone', 'サトウ ケン', '山田 花子'])
  expect(await names({ sort: 'name', direction: 'asc', limit: 2 })).toEqual(['Emma Stone', 'nameless@example.com'])
  const page = await merchant.call(listCustomers, { query: { limit: 2, offset: 3 } })
  expect([page.data.length, page.total, page.offset]).toEqual([1, 4, 3])
  expect((await merchant.call(listCustomers, { query: { marketing: 'granted' } })).total).toBe(0)
  expect((await merchant.call(listCustomers, { query: { marketing: 'not_granted', q: 'example.com' } })).total).toBe(4)
  for (const sort of ['total_revenue', 'orders_count', 'last_order_at', 'email_sent_count'] as const)
    for (const direction of ['asc', 'desc'] as const) expect(await names({ sort, direction })).toHaveLength(4)
})

test('an address is looked up in any letter case, and only among the merchant’s own customers', async () => {
  expect(await merchant.call(checkCustomer, { query: { email: 'HANAKO@example.com' } })).toMatchObject({ exists: true })
  const other = await okaeri.merchant()
  expect(await other.call(checkCustomer, { query: { email: 'hanako@example.com' } })).toEqual({
    exists: false,
    customer_id: null,
  })
  expect((await other.call(listCustomers, { query: {} })).total).toBe(0)
})

test('a customer added here becomes the store’s customer of the same address', async () => {
  const customer = await aCustomer(merchant, 'local@example.com', { last_name: '林' })
  expect(customer.store_customer_id).toBeNull()
  await upsertStoreCustomers(merchant.scope(), [person(9, { email: 'Local@example.com', lastName: '林' })])
  const found = (await merchant.call(listCustomers, { query: { q: 'local@' } })).data
  expect(found).toMatchObject([{ id: customer.id, store_customer_id: '9' }])
})

test('a viewer cannot add customers, and an invalid address names its field', async () => {
  await expect(merchant.as('viewer')(createCustomer, { body: { email: 'a@example.com' } })).rejects.toMatchObject({
    status: 403,
  })
  await expect(merchant.call(createCustomer, { body: { email: 'a b' } })).rejects.toMatchObject({
    fields: { email: 'not_an_email' },
  })
})

test('products are found in folded form; a deleted one is not offered but found by id', async () => {
  const product = (number: number, title: string) => ({
    storeProductId: number,
    title,
    handle: null,
    status: 'ACTIVE',
    imageUrl: null,
    totalInventory: 3,
    updatedAt: new Date('2026-02-01T00:00:00Z'),
  })
  await upsertStoreProducts(merchant.scope(), [product(1, 'リネン ワンピース'), product(2, 'ソックス')])
  const found = (await merchant.call(listProducts, { query: { q: 'わんぴーす ﾘﾈﾝ' } })).data
  expect(found).toMatchObject([{ store_product_id: '1', title: 'リネン ワンピース', total_inventory: 3 }])
  await removeStoreProduct(merchant.scope(), 1)
  expect((await merchant.call(listProducts, { query: {} })).data.map(({ title }) => title)).toEqual(['ソックス'])
  expect((await merchant.call(listProducts, { query: { ids: found[0]?.id ?? '' } })).total).toBe(1)
  const named = async (number: string) =>
    (await merchant.call(listProducts, { query: { store_product_id: number } })).data.map(({ title }) => title)
  expect([await named('1'), await named('2'), await named('3')]).toEqual([['リネン ワンピース'], ['ソックス'], []])
  const other = await okaeri.merchant()
  expect((await other.call(listProducts, { query: { store_product_id: '2' } })).total).toBe(0)
  await expect(merchant.call(listProducts, { query: { ids: '1,2' } })).rejects.toMatchObject({
    fields: { ids: 'not_an_id' },
  })
})
