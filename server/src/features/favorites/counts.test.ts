import * as customersContract from '@okaeri/contract/customers/routes'
import * as contract from '@okaeri/contract/favorites/routes'
import fc from 'fast-check'
import { expect, inject, test } from 'vitest'
import { addFavorite, removeFavorite } from '../../../test/favorites.ts'
import { addCustomers } from '../../../test/fixtures.ts'
import type { TestMerchant } from '../../../test/harness.ts'
import { thorough } from '../../../test/thorough.ts'
import { merchant, okaeri, withMerchants } from '../../../test/with-okaeri.ts'
import { upsertStoreProducts } from '../catalog/index.ts'
import { mergeCustomers } from '../customers/index.ts'
import { joinGuest, guestOf } from '../guests/index.ts'
import { addRestockRequests } from '../restocks/index.ts'
import { selectFavorites } from './queries.ts'

withMerchants()

const DAY_MS = 86_400_000

type Search = { q?: string; sort?: (typeof contract.productSorts)[number]; direction?: 'asc' | 'desc' }
const listed = async (of: TestMerchant, query: Search = {}) =>
  (await of.call(contract.listFavoritesAggregated, { query: { limit: 200, ...query } })).data

/** The same figures by a plain sum over all rows. */
const plainSums = async (of: TestMerchant) =>
  await okaeri.query`
      select store_product_id::text, count(*) filter (where status = 'active')::int as active_count,
        count(*) filter (where status = 'removed')::int as removed_count,
        greatest(round(sum(floor(extract(epoch from coalesce(removed_at, ${of.scope().now}::timestamptz)))
          - floor(extract(epoch from created_at))) / 86400.0 / count(*), 1), 0)::float8 as average_retention_days,
        to_char(min(created_at) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as first_favorited_at,
        to_char(max(created_at) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as latest_favorited_at
      from favorites where merchant_id = ${of.id} group by store_product_id order by 2 desc, store_product_id`

type Step =
  | { does: 'add' | 'remove'; who: number; product: number; variant: number }
  | { does: 'join' | 'merge' | 'delete'; who: number; into: number }
  | { does: 'count' }
  | { does: 'wait'; hours: number }
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      does: fc.constantFrom('add' as const, 'add' as const, 'remove' as const),
      who: fc.nat(5),
      product: fc.integer({ min: 1, max: 3 }),
      variant: fc.nat(1),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constantFrom('join' as const, 'merge' as const, 'delete' as const),
      who: fc.nat(2),
      into: fc.nat(2),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ does: 'count' as const }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 200 }) }) },
)

/** Three customers and three guests; a step about one who is gone does nothing. */
async function live(of: TestMerchant, steps: readonly Step[]): Promise<void> {
  const customers: (string | null)[] = [...(await addCustomers(of.scope(), [{}, {}, {}]))]
  const guests: string[] = []
  for (const token of ['a', 'b', 'c']) guests.push((await guestOf(of.scope(), { token })).guestId)
  const holderOf = (who: number) => {
    const customerId = customers[who]
    return who > 2 ? { guestId: guests[who - 3] ?? '' } : customerId ? { customerId } : null
  }
  for (const each of steps) {
    if (each.does === 'wait') okaeri.advance(each.hours * 3_600_000)
    else if (each.does === 'count') await okaeri.settle()
    else if (!('into' in each)) {
      const holder = holderOf(each.who)
      const wanted = { storeProductId: each.product, storeVariantId: each.variant }
      if (holder) await (each.does === 'add' ? addFavorite : removeFavorite)(of.scope(), holder, wanted)
    } else {
      const into = customers[each.into]
      const one = customers[each.who]
      if (each.does === 'join' && into) await joinGuest(of.scope(), guests[each.who] ?? '', into)
      if (each.does === 'merge' && one && into && one !== into) {
        await mergeCustomers(of.scope(), { fromId: one, intoId: into })
        customers[each.who] = null
      }
      if (each.does === 'delete' && one) {
        await of.call(customersContract.deleteCustomer, { params: { id: one } })
        customers[each.who] = null
      }
    }
  }
}

/** The list in the order of an index, cut into pages, is what grouping all rows says. */
async function linesAgree(of: TestMerchant): Promise<void> {
  const whole = { limit: null, offset: 0, sort: 'latest_favorited_at' } as const
  for (const filter of [{}, { status: 'active' }, { status: 'removed' }, { storeProductIds: [1] }] as const)
    for (const direction of ['asc', 'desc'] as const) {
      const { rows } = await selectFavorites(of.scope(), filter, { ...whole, direction })
      for (const offset of [0, 3, 100]) {
        const page = await selectFavorites(of.scope(), filter, { ...whole, direction, limit: 3, offset })
        expect(page).toEqual({ rows: rows.slice(offset, offset + 3), total: rows.length })
      }
    }
}

test('whatever people do, the figures of a product are what a plain sum over its favorites says, before and after they are summed up', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 50 }), async (steps) => {
      const of = await okaeri.merchant()
      await live(of, steps)
      const plain = await plainSums(of)
      const figures = async () =>
        (await listed(of)).map((each) => {
          const { product_name: _name, image_url: _image, on_sale: _sale, ...row } = each
          return row
        })
      expect(await figures()).toEqual(plain)
      await linesAgree(of)
      await okaeri.settle()
      expect(await figures()).toEqual(plain)
      await linesAgree(of)
    }),
    // A cluster takes five times as long for it.
    {
      numRuns: thorough ? 60 : inject('citusNodes') ? 6 : 12,
      // A guest and a customer with the same product become one, while another product has the later date.
      examples: [
        [
          [
            { does: 'add', who: 1, product: 2, variant: 0 },
            { does: 'add', who: 4, product: 2, variant: 0 },
            { does: 'add', who: 0, product: 1, variant: 0 },
            { does: 'count' },
            { does: 'join', who: 1, into: 1 },
          ],
        ],
      ],
    },
  )
})

const product = (storeProductId: number, title: string, sku: string) => ({
  storeProductId,
  title,
  handle: null,
  status: 'ACTIVE',
  imageUrl: null,
  totalInventory: 3,
  updatedAt: okaeri.clock.now(),
  variants: [
    { storeVariantId: storeProductId * 10, title: '青', sku, priceAmount: 100, inventoryQuantity: 3, position: 1 },
  ],
})

test('products are found by title and SKU, sorted by each column, and a page behind the last one still says how many there are', async () => {
  await upsertStoreProducts(merchant.scope(), [product(1, '煎茶', 'TEA-1'), product(2, 'カップ', 'CUP-1')])
  const customers = (await addCustomers(merchant.scope(), [{}, {}, {}])).map((customerId) => ({ customerId }))
  for (const [index, holder] of customers.entries()) {
    await addFavorite(merchant.scope(), holder, { storeProductId: 1 })
    if (index === 0) await addFavorite(merchant.scope(), holder, { storeProductId: 2, storeVariantId: 20 })
    okaeri.advance(DAY_MS)
  }
  const [first] = customers
  if (first) await removeFavorite(merchant.scope(), first, { storeProductId: 2, storeVariantId: 20 })
  const numbers = async (query: Search) => (await listed(merchant, query)).map((row) => Number(row.store_product_id))
  expect(await numbers({ q: 'ｶｯﾌﾟ' })).toEqual([2])
  expect(await numbers({ q: 'tea-1' })).toEqual([1])
  expect(await numbers({ q: '湯のみ' })).toEqual([])
  for (const sort of ['active_count', 'latest_favorited_at'] as const) expect(await numbers({ sort })).toEqual([1, 2])
  for (const sort of ['removed_count', 'average_retention_days'] as const)
    expect(await numbers({ sort })).toEqual([2, 1])
  expect(await numbers({ sort: 'product_name', direction: 'asc' })).toEqual([2, 1])
  const beyond = await merchant.call(contract.listFavoritesAggregated, { query: { offset: 50 } })
  expect(beyond).toMatchObject({ data: [], total: 2 })
})

test('the people of a product are searched by name and address, sorted, and distinguished from guests', async () => {
  const create = async (email: string, last_name: string, first_name: string) =>
    (await merchant.call(customersContract.createCustomer, { body: { email, last_name, first_name } })).customer.id
  const hanako = await create('hanako@example.jp', '山田', '花子')
  const taro = await create('taro@example.jp', '佐藤', '太郎')
  const { guestId } = await guestOf(merchant.scope(), { token: 'g' })
  for (const holder of [{ customerId: hanako }, { customerId: taro }, { guestId }]) {
    await addFavorite(merchant.scope(), holder, { storeProductId: 7 })
    okaeri.advance(DAY_MS)
  }
  await removeFavorite(merchant.scope(), { customerId: hanako }, { storeProductId: 7 })
  const who = async (query: Record<string, string>) =>
    (await merchant.call(contract.listFavorites, { query: { product_id: '7', ...query } })).data.map(
      ({ customer_email, guest_id }) => customer_email ?? guest_id,
    )
  expect(await who({})).toEqual([guestId, 'taro@example.jp', 'hanako@example.jp'])
  expect(await who({ q: '花子' })).toEqual(['hanako@example.jp'])
  expect(await who({ status: 'removed' })).toEqual(['hanako@example.jp'])
  expect(await who({ sort: 'removed_at' })).toEqual(['hanako@example.jp', expect.anything(), expect.anything()])
  expect(await who({ sort: 'first_favorited_at', direction: 'asc' })).toEqual([
    'hanako@example.jp',
    'taro@example.jp',
    guestId,
  ])
})

/** A file as a browser gets it. */
async function file(path: string): Promise<string> {
  const answer = await fetch(`${okaeri.url}${path}`, {
    headers: { authorization: `Bearer test.${merchant.id}.${merchant.memberId}.viewer` },
  })
  expect(answer.headers.get('content-type')).toContain('text/csv')
  return answer.text()
}

test('both lists are downloaded as files in which no name runs as a formula', async () => {
  await upsertStoreProducts(merchant.scope(), [product(1, '=HYPERLINK("http://evil.test")', '@SKU')])
  const [customerId = ''] = await addCustomers(merchant.scope(), [{ email: 'hanako@example.jp', last_name: '+山田' }])
  const { guestId } = await guestOf(merchant.scope(), { token: 'g' })
  for (const holder of [{ customerId }, { guestId }])
    await addFavorite(merchant.scope(), holder, { storeProductId: 1, storeVariantId: 10 })
  const products = await file('/data/favorites-aggregated/download?lang=ja')
  expect(products.split('\r\n')[0]).toContain('商品名,登録中,解除,平均登録日数')
  expect(products).toContain(`1,"'=HYPERLINK(""http://evil.test"")",2,0,0,`)
  const people = (await file('/data/favorites/download?product_id=1&lang=en')).trim().split('\r\n')
  expect(people).toHaveLength(3)
  expect(people.join('\n')).toContain(`'@SKU,${customerId},,'+山田`)
  expect(people.join('\n')).toContain(`,${guestId},Guest,,No,1,`)
  // What the platform calls the only variant of a product is no name.
  await okaeri.query`update product_variants set title = 'Default Title' where merchant_id = ${merchant.id}`
  await addRestockRequests(merchant.scope(), [
    { customerId, storeProductId: 1, storeVariantId: 10, source: 'storefront', createdAt: merchant.scope().now },
  ])
  expect(await file('/data/favorites/download?product_id=1&lang=en')).not.toContain('Default Title')
  const waiting = (await file('/data/restocks/download?product_id=1&lang=en')).trim().split('\r\n')
  expect(waiting[1]).toContain(`1,,'@SKU,10,'+山田`)
})
