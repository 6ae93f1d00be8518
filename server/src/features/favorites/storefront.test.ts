import { createHmac } from 'node:crypto'
import { listFavoritesAggregated } from '@okaeri/contract/favorites/routes'
import * as settingsContract from '@okaeri/contract/favorites/settings'
import { MAX_FAVORITES } from '@okaeri/contract/favorites/storefront'
import { beforeAll, describe, expect, test } from 'vitest'
import { listFavoritesOf } from '../../../test/favorites.ts'
import { SANDBOX_APP } from '../../../test/harness.ts'
import { SHOP } from '../../../test/sandbox-store.ts'
import { connectSandbox, EMPTY, merchant, okaeri, play, sandbox, withSandboxStore } from '../../../test/with-okaeri.ts'
import { newIds } from '../../kernel/ids.ts'
import { randomToken } from '../../kernel/keyring.ts'
import { removeStoreProduct, upsertStoreProducts } from '../catalog/index.ts'
import { addFavorites } from './favorite.ts'

withSandboxStore({ seed: EMPTY })

const product = (storeProductId: number, title: string, stock = 3, status = 'ACTIVE') => ({
  storeProductId,
  title,
  handle: `handle-${storeProductId}`,
  status,
  imageUrl: null,
  totalInventory: stock,
  updatedAt: okaeri.clock.now(),
  variants: [
    {
      storeVariantId: storeProductId * 10,
      title: '青',
      sku: null,
      priceAmount: 1200,
      inventoryQuantity: stock,
      position: 1,
    },
    {
      storeVariantId: storeProductId * 10 + 1,
      title: '赤',
      sku: null,
      priceAmount: 900,
      inventoryQuantity: 0,
      position: 2,
    },
  ],
})
beforeAll(async () => {
  await upsertStoreProducts(merchant.scope(), [
    product(1, '煎茶'),
    product(2, 'カップ', 0),
    product(3, '廃番の急須'),
    product(4, '準備中', 3, 'DRAFT'),
  ])
  await removeStoreProduct(merchant.scope(), 3)
})

/** Signed as the app proxy signs. */
function signedQuery(customer: number | null, more: Record<string, string> = {}): string {
  const query = new URLSearchParams({
    ...more,
    shop: SHOP,
    logged_in_customer_id: String(customer ?? ''),
    path_prefix: '/apps/okaeri',
    timestamp: String(Math.floor(Date.now() / 1000)),
  })
  const text = [...query.keys()]
    .toSorted()
    .map((key) => `${key}=${query.get(key)}`)
    .join('')
  query.append('signature', createHmac('sha256', SANDBOX_APP.apiSecret).update(text).digest('hex'))
  return query.toString()
}
async function ask(path: string, init: RequestInit = {}) {
  const response = await fetch(`${okaeri.url}${path}`, init)
  const text = await response.text()
  return {
    status: response.status,
    text,
    json: text.startsWith('{') ? JSON.parse(text) : null,
    headers: response.headers,
  }
}

interface Browser {
  call(method: string, path: string, body?: unknown): ReturnType<typeof ask>
}
/** Someone on a page of the shop; `customer`: signed in at the store. */
async function aVisitor({
  customer = null,
  guest = randomToken(16),
}: {
  customer?: number | null
  guest?: string
} = {}) {
  const origin = new URL(sandbox.url).origin
  const { json } = await ask(`/shopify/proxy/connect?${signedQuery(customer)}`)
  const headers = (token: string) => ({ authorization: `Bearer ${token}`, origin })
  const inJson = { 'content-type': 'application/json' }
  const converted = await ask(`/frontend/convert_token/?shop=${SHOP}`, {
    method: 'POST',
    headers: { ...headers(json.connection.page_token), ...inJson },
    body: JSON.stringify({ guest_id: guest }),
  })
  const token: string = converted.json.token.access_token
  const browser: Browser = {
    call: (method, path, body) =>
      ask(`${path}${path.includes('?') ? '&' : '?'}shop=${SHOP}`, {
        method,
        headers: { ...headers(token), ...(body !== undefined && inJson) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
  }
  return {
    ...browser,
    add: (product_id: unknown, variant_id: unknown = null) =>
      browser.call('POST', '/frontend/favorite', { product_id, variant_id }),
    remove: (product_id: number) => browser.call('DELETE', `/frontend/favorite?product_id=${product_id}`),
    list: async (): Promise<string[]> =>
      (await browser.call('GET', '/frontend/favorite')).json.favorites.map(
        (each: { product_id: number; variant_id: number | null }) => `${each.product_id}/${each.variant_id ?? ''}`,
      ),
  }
}

describe('a visitor of the shop', () => {
  test('adds a product and a variant, twice is as once, and removes them again', async () => {
    const guest = await aVisitor()
    expect(await guest.list()).toEqual([])
    const [first, second] = await Promise.all([guest.add(1), guest.add(1)])
    expect([first.status, first.json, second.status]).toEqual([
      200,
      { favorite: { product_id: 1, variant_id: null, is_favorite: true } },
      200,
    ])
    await guest.add(2, 21)
    expect(await guest.list()).toEqual(['2/21', '1/'])
    expect((await guest.remove(1)).json).toEqual({ favorite: { product_id: 1, variant_id: null, is_favorite: false } })
    expect((await guest.remove(1)).status).toBe(200)
    expect(await guest.list()).toEqual(['2/21'])
  })

  test('keeps as a customer what they added as a guest', async () => {
    const { customer } = await play<{ customer: { id: number } }>('customers.json', { email: 'keeps@example.jp' })
    const guest = randomToken(16)
    await (await aVisitor({ guest })).add(1)
    const signedIn = await aVisitor({ guest, customer: customer.id })
    expect(await signedIn.list()).toEqual(['1/'])
    await signedIn.add(2)
    expect(await (await aVisitor({ customer: customer.id })).list()).toEqual(['2/', '1/'])
    expect(await (await aVisitor({ guest: randomToken(16) })).list()).toEqual([])
  })

  test('is refused what the store does not have: an unknown product, a deleted one, the variant of another one', async () => {
    const guest = await aVisitor()
    for (const [id, variant] of [
      [99, null],
      [3, null],
      [1, 20],
      [1, 99],
    ])
      expect((await guest.add(id, variant)).json.error).toMatchObject({ code: 'not_found' })
    for (const id of ['1', 0, -1, 1.5, 2 ** 53, null, {}]) expect((await guest.add(id)).status).toBe(400)
    expect(await guest.list()).toEqual([])
  })

  test('gets a clear error when there are too many', async () => {
    const guest = await aVisitor()
    await guest.add(1)
    const [{ guest_id: guestId } = { guest_id: '' }] = await okaeri.query<{
      guest_id: string
    }>`select guest_id from favorites where merchant_id = ${merchant.id}
        order by created_at desc, id desc limit 1`

    const ids = newIds(MAX_FAVORITES - 2)
    const wishes = ids.map((id, index) => ({
      id,
      holder: { guestId },
      storeProductId: 1000 + index,
      storeVariantId: 0,
    }))
    await addFavorites(merchant.scope(), wishes)
    const answers = await Promise.all([guest.add(1, 10), guest.add(1, 11), guest.add(2), guest.add(1)])
    expect(answers.filter(({ status }) => status === 409).map(({ json }) => json.error.reason)).toEqual([
      'too_many_favorites',
      'too_many_favorites',
    ])
    expect(answers.at(-1)?.status).toBe(200)
    expect(await guest.list()).toHaveLength(MAX_FAVORITES)
    await guest.remove(1000)
    expect((await guest.add(2, 20)).status).toBe(200)
  })

  test('many people at once have one product each stored', async () => {
    const before = (await aggregated(2)).active_count
    const guests = await Promise.all(Array.from({ length: 20 }, () => aVisitor()))
    const answers = await Promise.all(guests.map((guest) => guest.add(2)))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    expect((await aggregated(2)).active_count).toBe(before + 20)
  })
})

const aggregated = async (id: number) => {
  const { data } = await merchant.call(listFavoritesAggregated, { query: { product_id: String(id) } })
  return data[0] ?? { active_count: 0 }
}

describe('the page of favorites', () => {
  test('is part of the theme, and only what the app proxy signed is answered', async () => {
    const page = await ask(`/shopify/proxy/favorites?${signedQuery(null)}`)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'application/liquid; charset=utf-8'])
    expect(page.text).toContain('data-okaeri="favorites-page"')
    const altered = signedQuery(null, { ids: '1' }).replace('ids=1', 'ids=2')
    for (const path of ['/shopify/proxy/favorites', `/shopify/proxy/favorites/products?${altered}`])
      expect((await ask(path.includes('?') ? path : `${path}?shop=${SHOP}`)).status).toBe(401)
  })

  test('shows prices and what can be bought; what the store took away is said to be gone', async () => {
    const facts = async (ids: string) =>
      (await ask(`/shopify/proxy/favorites/products?${signedQuery(null, { ids })}`)).json
    expect(await facts('2,1,3,4,99,2')).toMatchObject({
      products: [
        {
          product_id: 2,
          title: 'カップ',
          is_available: false,
          is_gone: false,
          path: '/products/handle-2',
          count: null,
        },
        {
          product_id: 1,
          price: { amount: 900, currency: 'JPY' },
          is_available: true,
          variants: [
            { variant_id: 10, is_available: true },
            { variant_id: 11, is_available: false, price: { amount: 900 } },
          ],
        },
        { product_id: 3, is_gone: true, path: null, price: null, is_available: false },
        { product_id: 4, is_gone: true },
      ],
    })
    const tooMany = Array.from({ length: 51 }, (_, id) => id + 1).join(',')
    for (const ids of ['', '1,,2', '0', 'x', tooMany, '9'.repeat(20)])
      expect((await ask(`/shopify/proxy/favorites/products?${signedQuery(null, { ids })}`)).status).toBe(400)
    await merchant.call(settingsContract.changeFavoriteSettings, { body: { favorite_settings: { show_count: true } } })
    await okaeri.settle()
    const { active_count } = await aggregated(2)
    expect((await facts('2')).products[0].count).toBe(active_count)
  })
})

test('settings of favorites change one by one, and the status of the shop’s pages tells of them', async () => {
  const change = (favorite_settings: object) =>
    merchant.call(settingsContract.changeFavoriteSettings, { body: { favorite_settings } })
  await Promise.all([change({ quiet_days: 14 }), change({ low_stock: 5 }), change({ show_count: true })])
  const { favorite_settings } = await merchant.call(settingsContract.getFavoriteSettings, {})
  expect(favorite_settings).toEqual({ quiet_days: 14, low_stock: 5, show_count: true })
  await expect(change({ quiet_days: 0 })).rejects.toMatchObject({ status: 400 })
  await connectSandbox()
  expect((await ask(`/frontend/status?shop=${SHOP}`)).json.status.facts.favorites).toEqual({ show_count: true })
})

test('a deleted customer’s browser leaves nothing behind', async () => {
  const { customer } = await play<{ customer: { id: number } }>('customers.json', { email: 'leaves@example.jp' })
  const visitor = await aVisitor({ customer: customer.id })
  await visitor.add(1)
  const [{ id } = { id: '' }] = await okaeri.query<{
    id: string
  }>`select id from customers where merchant_id = ${merchant.id} and store_customer_id = ${customer.id}`

  await okaeri.query`delete from customers where merchant_id = ${merchant.id} and id = ${id}`
  await visitor.add(2)
  expect(await listFavoritesOf(merchant.scope(), { customerId: id })).toHaveLength(1)
})
