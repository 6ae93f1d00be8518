import { listFavoritesAggregated } from '@okaeri/contract/favorites/routes'
import { MAX_FAVORITES } from '@okaeri/contract/favorites/storefront'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addCustomers } from '../../../test/fixtures.ts'
import type { TestMerchant } from '../../../test/harness.ts'
import { thorough } from '../../../test/thorough.ts'
import { merchant, okaeri, withMerchants } from '../../../test/with-okaeri.ts'
import { newId } from '../../kernel/ids.ts'
import type { Holder } from './queries.ts'
import { listOwnFavorites, storeFavorite, takeAwayFavorite } from './visitor-batches.ts'

withMerchants()

const KNOWN = 3
async function addProducts(of: TestMerchant, count: number): Promise<void> {
  await okaeri.query`insert into products (merchant_id, id, store_product_id, title)
    select ${of.id}, okaeri_uuidv7(now()), n, 'p' from generate_series(1, ${count}::int) n`
}

interface Press {
  who: number
  does: 'add' | 'remove'
  product: number
}
const press: fc.Arbitrary<Press> = fc.record({
  who: fc.nat(3),
  does: fc.constantFrom('add' as const, 'add' as const, 'remove' as const),
  product: fc.integer({ min: 1, max: KNOWN + 1 }),
})

/** What each press comes to, one after another. */
function alone(presses: readonly Press[]) {
  const liked = new Map<string, Press>()
  let removed = 0
  const answers = presses.map((each) => {
    const key = `${each.who} ${each.product}`
    if (each.does === 'remove') removed += liked.delete(key) ? 1 : 0
    else if (each.product > KNOWN) return 'rejected'
    else liked.set(key, each)
    return 'fulfilled'
  })
  return { answers, removed, liked: [...liked.values()] }
}

test('whatever people press at the same moment ends as if each had waited for the one before', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(press, { minLength: 5, maxLength: 60 }), async (presses) => {
      const of = await okaeri.merchant()
      await addProducts(of, KNOWN)
      const [one = '', other = ''] = await addCustomers(of.scope(), [{}, {}])
      const people: Holder[] = [{ customerId: one }, { guestId: newId() }, { guestId: newId() }, { customerId: other }]
      const holder = (who: number): Holder => people[who] ?? { guestId: newId() }
      const answers = await Promise.allSettled(
        presses.map(({ who, does, product }) =>
          (does === 'add' ? storeFavorite : takeAwayFavorite)(of.scope(), holder(who), { storeProductId: product }),
        ),
      )
      const expected = alone(presses)
      expect(answers.map(({ status }) => status)).toEqual(expected.answers)
      const lists = await Promise.all(people.map((person) => listOwnFavorites(of.scope(), person)))
      const numbers = (those: number[]): number[] => those.toSorted((a, b) => a - b)
      for (const [who, list] of lists.entries())
        expect(numbers(list.map(({ product_id }) => product_id))).toEqual(
          numbers(expected.liked.filter((each) => each.who === who).map(({ product }) => product)),
        )
      const { data } = await of.call(listFavoritesAggregated, { query: { limit: 50 } })
      const sum = (of: 'active_count' | 'removed_count'): number => data.reduce((all, row) => all + row[of], 0)
      expect([sum('active_count'), sum('removed_count')]).toEqual([expected.liked.length, expected.removed])
    }),
    { numRuns: thorough ? 60 : 15 },
  )
})

test('a person with as many as there may be is refused one more, however many press at once, and may press again what is one already', async () => {
  await addProducts(merchant, MAX_FAVORITES + 2)
  const holder: Holder = { guestId: newId() }
  const add = (storeProductId: number) => storeFavorite(merchant.scope(), holder, { storeProductId })
  const answers = await Promise.allSettled(Array.from({ length: MAX_FAVORITES + 2 }, (_, n) => add(n + 1)))
  expect(answers.filter(({ status }) => status === 'rejected')).toHaveLength(2)
  const again = await Promise.allSettled([add(1), add(2), add(MAX_FAVORITES + 2)])
  expect(again.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
  const [removed, instead] = await Promise.allSettled([
    takeAwayFavorite(merchant.scope(), holder, { storeProductId: 1 }),
    add(MAX_FAVORITES + 2),
  ])
  expect([removed.status, instead.status]).toEqual(['fulfilled', 'fulfilled'])
})
