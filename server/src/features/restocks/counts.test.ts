import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as customersContract from '@okaeri/contract/customers/routes'
import * as contract from '@okaeri/contract/restocks/routes'
import { addCustomers } from '../../../test/fixtures.ts'
import type { TestMerchant } from '../../../test/harness.ts'
import { thorough } from '../../../test/thorough.ts'
import { merchant, okaeri, withMerchants } from '../../../test/with-okaeri.ts'
import { mergeCustomers } from '../customers/index.ts'
import { joinGuest, guestOf } from '../guests/index.ts'
import { addRestockRequests, answerRequests, endBoughtRequests, endRegistrationsOf, restockCounting } from './index.ts'

withMerchants()

const listed = async (of: TestMerchant) =>
  (await of.call(contract.listRestocksAggregated, { query: { limit: 200 } })).data.map(
    ({ product_name: _name, image_url: _image, ...row }) => row,
  )

/** The same figures by a plain sum over all rows. */
const plainSums = async (of: TestMerchant) =>
  await okaeri.query`
      select store_product_id::text, count(*) filter (where status = 'active')::int as active_count,
        count(*) filter (where status = 'sent')::int as sent_count, count(*) filter (where status = 'deleted')::int as deleted_count,
        to_char(min(created_at) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as first_registered_at,
        to_char(max(created_at) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as latest_registered_at
      from restock_requests where merchant_id = ${of.id} group by store_product_id
      order by 2 desc, 3 desc, restock_requests.store_product_id`

type Step =
  | { does: 'register'; who: number; product: number; variant: number; status: 'active' | 'unknown' | 'sent' }
  | { does: 'delete' | 'send' | 'buy'; which: number }
  | { does: 'take back'; who: number; product: number; variant: number }
  | { does: 'join' | 'merge' | 'leave'; who: number; into: number }
  | { does: 'count' }
  | { does: 'wait' }
const goods = { who: fc.nat(6), product: fc.integer({ min: 1, max: 3 }), variant: fc.nat(1) }
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      does: fc.constant('register' as const),
      ...goods,
      status: fc.constantFrom(
        'active' as const,
        'active' as const,
        'active' as const,
        'unknown' as const,
        'sent' as const,
      ),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constantFrom('delete' as const, 'send' as const, 'buy' as const),
      which: fc.nat(40),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('take back' as const), ...goods }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constantFrom('join' as const, 'merge' as const, 'leave' as const),
      who: fc.nat(2),
      into: fc.nat(2),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ does: 'count' as const }) },
  { weight: 1, arbitrary: fc.constant({ does: 'wait' as const }) },
)

/** Three customers, three guests, and one who gave only an address; a step about what is gone does nothing. */
async function live(of: TestMerchant, steps: readonly Step[]): Promise<void> {
  const customers: (string | null)[] = [
    ...(await addCustomers(of.scope(), [{ email: 'a@x.test' }, { email: 'b@x.test' }, { email: 'c@x.test' }])),
  ]
  // A guest leaves with the customer they became; on their next visit they are new.
  const visit = async (guest: number) => (await guestOf(of.scope(), { token: `guest ${guest}` })).guestId
  const idOf = async (which: number): Promise<string | undefined> =>
    (
      await okaeri.query<{ id: string }>`select id from restock_requests where merchant_id = ${of.id} order by id
        offset ${which} limit 1`
    )[0]?.id
  for (const each of steps) {
    if (each.does === 'wait') okaeri.advance(3_600_000)
    else if (each.does === 'count') await okaeri.settle()
    else if ('which' in each) {
      const id = await idOf(each.which)
      if (id === undefined) continue
      if (each.does === 'delete') await of.call(contract.deleteRestock, { params: { restockId: id } })
      else if (each.does === 'buy') await of.scope().transaction((scope) => endBoughtRequests(scope, [id]))
      else await of.scope().transaction((scope) => answerRequests(scope, [{ id, at: scope.now }]))
    } else if ('into' in each) {
      const into = customers[each.into]
      const one = customers[each.who]
      if (each.does === 'join' && into) await joinGuest(of.scope(), await visit(each.who), into)
      if (each.does === 'merge' && one && into && one !== into) {
        await mergeCustomers(of.scope(), { fromId: one, intoId: into })
        customers[each.who] = null
      }
      if (each.does === 'leave' && one) {
        await of.call(customersContract.deleteCustomer, { params: { id: one } })
        customers[each.who] = null
      }
    } else if (each.does === 'take back') {
      const customerId = customers[each.who]
      if (customerId)
        await endRegistrationsOf(of.scope(), customerId, { storeProductId: each.product, storeVariantId: each.variant })
    } else if (each.who < 3 && !customers[each.who]) continue
    else
      await addRestockRequests(of.scope(), [
        {
          customerId: customers[each.who] ?? null,
          guestId: each.who > 2 && each.who < 6 ? await visit(each.who - 3) : null,
          email: each.who > 2 ? 'a@x.test' : null,
          storeProductId: each.product,
          storeVariantId: each.variant,
          status: each.status,
          source: 'storefront',
          createdAt: of.scope().now,
        },
      ])
  }
}

test('whatever becomes of registrations, the figures of a product are what a plain sum over them says, before and after they are summed up', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 50 }), async (steps) => {
      const of = await okaeri.merchant()
      await live(of, steps)
      const plain = await plainSums(of)
      expect(await listed(of)).toEqual(plain)
      await okaeri.settle()
      expect(await listed(of)).toEqual(plain)
    }),
    { numRuns: thorough ? 60 : 12 },
  )
})

test('what a worker of the previous version wrote without a log entry is counted again', async () => {
  const [customerId = ''] = await addCustomers(merchant.scope(), [{}])
  await addRestockRequests(merchant.scope(), [
    { customerId, storeProductId: 1, source: 'storefront', createdAt: okaeri.clock.now() },
  ])
  await okaeri.query`update restock_requests set status = 'sent' where merchant_id = ${merchant.id}`
  await okaeri.query`insert into restock_recounts (merchant_id, due_at) values (${merchant.id}, now())`
  for (const work of restockCounting) await work.run(okaeri.context, new AbortController().signal)
  expect(await listed(merchant)).toEqual(await plainSums(merchant))
  expect(await listed(merchant)).toMatchObject([{ active_count: 0, sent_count: 1 }])
})
