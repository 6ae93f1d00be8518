import * as favoritesContract from '@okaeri/contract/favorites/routes'
import * as restocksContract from '@okaeri/contract/restocks/routes'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { addFavorite, listFavoritesOf, removeFavorite } from '../../../test/favorites.ts'
import { addCustomers } from '../../../test/fixtures.ts'
import { untilWaiting } from '../../../test/locks.ts'
import { merchant, okaeri, withOneMerchant } from '../../../test/with-okaeri.ts'
import { hashToken } from '../../kernel/keyring.ts'
import { newId } from '../../kernel/ids.ts'
import { erasePersonalData, type Person } from '../../kernel/personal-data.ts'
import { BROWSERS_OF_CUSTOMER } from '../guests/guest.ts'
import { guestOf, joinGuest } from '../guests/index.ts'
import { addRestockRequests } from '../restocks/index.ts'
import { favoritePersonalData } from './index.ts'

let customerId = ''
withOneMerchant()
beforeAll(async () => {
  ;[customerId = ''] = await addCustomers(merchant.scope(), [{ email: 'hanako@example.jp' }])
})

const rows = async (table: string): Promise<string[]> =>
  (await okaeri.query<{ row: string }>`select to_jsonb(t)::text as row from ${sql.table(table)} t order by 1`).map(
    ({ row }) => row,
  )

test('a guest’s favorites and restock requests become the customer’s after sign-in, each only once and with the earlier date', async () => {
  const guest = await guestOf(merchant.scope(), { token: 'browser-1' })
  expect(await guestOf(merchant.scope(), { token: 'browser-1' })).toEqual(guest)
  const early = merchant.scope().now
  await addFavorite(merchant.scope(), { guestId: guest.guestId }, { storeProductId: 11 })
  await addFavorite(merchant.scope(), { guestId: guest.guestId }, { storeProductId: 12, storeVariantId: 5 })
  await addFavorite(merchant.scope(), { guestId: guest.guestId }, { storeProductId: 13 })
  await removeFavorite(merchant.scope(), { guestId: guest.guestId }, { storeProductId: 13 })
  const waiting = { storeProductId: 11, source: 'storefront', createdAt: early } as const
  await addRestockRequests(merchant.scope(), [{ ...waiting, guestId: guest.guestId, email: 'Hanako@Example.jp' }])
  okaeri.advance(86_400_000)
  await addFavorite(merchant.scope(), { customerId }, { storeProductId: 11 })
  await addRestockRequests(merchant.scope(), [{ ...waiting, customerId, createdAt: merchant.scope().now }])

  await joinGuest(merchant.scope(), guest.guestId, customerId)
  const favorites = await listFavoritesOf(merchant.scope(), { customerId })
  expect(favorites.map(({ store_product_id, status }) => `${store_product_id} ${status}`).sort()).toEqual([
    '11 active',
    '12 active',
    '13 removed',
  ])
  expect(favorites.find(({ store_product_id }) => store_product_id === '11')).toMatchObject({
    favorite_count: 1,
    restock_registered: true,
    customer_email: 'hanako@example.jp',
  })
  expect(
    Date.parse(favorites.find(({ store_product_id }) => store_product_id === '11')?.created_at ?? ''),
  ).toBeLessThan(early.getTime() + 3_600_000)
  const { data } = await merchant.call(restocksContract.listRestocks, { query: { customer_id: customerId } })
  expect(data).toHaveLength(1)
  expect(data[0]?.first_registered_at).toBe(early.toISOString())

  const before = [await rows('favorites'), await rows('restock_requests'), await rows('guests')]
  await joinGuest(merchant.scope(), guest.guestId, customerId)
  expect([await rows('favorites'), await rows('restock_requests'), await rows('guests')]).toEqual(before)
})

test('a guest of before keeps the id in their row, and of one customer a hundred browsers are kept', async () => {
  const scope = merchant.scope()
  const id = newId()
  await okaeri.query`insert into guests (merchant_id, id, token_hash, created_at) values (${merchant.id}, ${id}, ${hashToken('browser-of-old')}, ${scope.now})`
  expect(await guestOf(scope, { token: 'browser-of-old' })).toEqual({ guestId: id })
  const [busy = ''] = await addCustomers(scope, [{ email: 'busy@example.jp' }])
  const browsers: string[] = []
  for (let times = 0; times < BROWSERS_OF_CUSTOMER + 3; times += 1) {
    okaeri.advance(1000)
    const { guestId } = await guestOf(scope, { token: `busy-${times}` })
    browsers.push(guestId)
    await joinGuest(merchant.scope(), guestId, busy)
  }
  const rows = await okaeri.query<{ id: string }>`
    select id from guests where merchant_id = ${merchant.id} and customer_id = ${busy} order by joined_at`
  expect(rows.map(({ id }) => id)).toEqual(browsers.slice(3))
})

test('a guest who signs in while the customer likes the same in another tab loses nothing', async () => {
  const { guestId } = await guestOf(merchant.scope(), { token: 'browser-2' })
  await addFavorite(merchant.scope(), { guestId }, { storeProductId: 21 })
  let joined: Promise<void> = Promise.resolve()
  await merchant.scope().transaction(async (scope) => {
    await addFavorite(scope, { customerId }, { storeProductId: 21 })
    joined = joinGuest(merchant.scope(), guestId, customerId)
    await untilWaiting(okaeri, { over: joined })
  })
  await joined
  const favorites = await listFavoritesOf(merchant.scope(), { customerId })
  expect(favorites.filter(({ store_product_id }) => store_product_id === '21')).toMatchObject([
    { status: 'active', favorite_count: 1 },
  ])
})

test('the same restock registrations imported twice change nothing, and one that was deleted stays deleted', async () => {
  const registrations = [
    {
      email: 'a@example.jp',
      storeProductId: 77,
      source: 'import' as const,
      createdAt: new Date('2026-01-01T00:00:00Z'),
    },
    {
      email: 'A@example.jp',
      storeProductId: 77,
      source: 'import' as const,
      createdAt: new Date('2025-12-01T00:00:00Z'),
    },
    { email: 'b@example.jp', storeProductId: 77, source: 'import' as const, createdAt: null },
  ]
  expect(await addRestockRequests(merchant.scope(), registrations)).toBe(2)
  expect(await addRestockRequests(merchant.scope(), registrations.toReversed())).toBe(0)
  const page = await merchant.call(restocksContract.listRestocks, { query: { product_id: '77' } })
  expect(page.total).toBe(2)
  for (const { id } of page.data) await merchant.call(restocksContract.deleteRestock, { params: { restockId: id } })
  expect(await addRestockRequests(merchant.scope(), registrations)).toBe(0)
  const [product] = (await merchant.call(restocksContract.listRestocksAggregated, { query: {} })).data.filter(
    ({ store_product_id }) => store_product_id === '77',
  )
  expect(product).toMatchObject({ active_count: 0, deleted_count: 2 })
})

test('a removed favorite stays in the product’s figures, and can be set again', async () => {
  const holder = { customerId }
  await addFavorite(merchant.scope(), holder, { storeProductId: 99 })
  expect(await addFavorite(merchant.scope(), holder, { storeProductId: 99 })).toBe(false)
  okaeri.advance(2 * 86_400_000)
  expect(await removeFavorite(merchant.scope(), holder, { storeProductId: 99 })).toBe(true)
  expect(await removeFavorite(merchant.scope(), holder, { storeProductId: 99 })).toBe(false)
  const figures = async () =>
    (await merchant.call(favoritesContract.listFavoritesAggregated, { query: {} })).data.find(
      ({ store_product_id }) => store_product_id === '99',
    )
  expect(await figures()).toMatchObject({ active_count: 0, removed_count: 1, average_retention_days: 2 })
  await addFavorite(merchant.scope(), holder, { storeProductId: 99 })
  expect(await figures()).toMatchObject({ active_count: 1, removed_count: 1 })
  const { data } = await merchant.call(favoritesContract.listFavorites, { query: { product_id: '99' } })
  expect(data).toMatchObject([{ status: 'active', favorite_count: 2, removed_at: null, customer_id: customerId }])
})

test('who is erased with two browsers or accounts that liked the same leaves its figures and lines as they were, and no id', async () => {
  const [account = ''] = await addCustomers(merchant.scope(), [{}])
  const [{ guestId: one }, { guestId: other }] = [
    await guestOf(merchant.scope(), { token: 'phone' }),
    await guestOf(merchant.scope(), { token: 'laptop' }),
  ]
  for (const holder of [{ customerId: account }, { guestId: one }, { guestId: other }])
    await addFavorite(merchant.scope(), holder, { storeProductId: 55 })
  await removeFavorite(merchant.scope(), { guestId: other }, { storeProductId: 55 })
  await addFavorite(merchant.scope(), { guestId: other }, { storeProductId: 55 })
  const seen = async () => {
    const { data, total } = await merchant.call(favoritesContract.listFavorites, {
      query: { product_id: '55', limit: 10 },
    })
    const [figures] = (await merchant.call(favoritesContract.listFavoritesAggregated, { query: { product_id: '55' } }))
      .data
    const lines = data.map(({ status, favorite_count }) => `${status} ${favorite_count}`).sort()
    return { total, lines, active: figures?.active_count, removed: figures?.removed_count }
  }
  const before = await seen()
  expect(before).toEqual({ total: 3, lines: ['active 1', 'active 1', 'active 2'], active: 3, removed: 1 })
  const person: Person = {
    customerIds: [account],
    guestIds: [one, other],
    storeCustomerIds: [],
    addresses: [],
    phones: [],
    names: [],
    storeOrderIds: [],
    anonymousId: newId(),
  }
  const erase = () =>
    Promise.all(favoritePersonalData.map((entry) => erasePersonalData(merchant.scope(), entry, person)))
  expect(await erase()).toEqual([4])
  expect(await erase()).toEqual([0])
  expect(await seen()).toEqual(before)
  expect((await rows('favorites')).filter((row) => [account, one, other].some((id) => row.includes(id)))).toEqual([])
})
