import { MAX_FAVORITES } from '@okaeri/contract/favorites/storefront'
import { expect, test } from 'vitest'
import { merchant, okaeri, withOneMerchant } from '../../../test/with-okaeri.ts'
import { randomToken } from '../../kernel/keyring.ts'
import { upsertStoreProducts } from '../catalog/index.ts'
import { guestOf } from '../guests/index.ts'
import { storeFavorite } from './visitor-batches.ts'

withOneMerchant()

const PRODUCTS = 100
const VARIANTS = 100
const variantId = (product: number, position: number): number => product * 1000 + position

test('a guest who wants ten thousand things at once keeps the thousand of the limit, and others are served meanwhile', async () => {
  const scope = merchant.scope()
  await upsertStoreProducts(
    scope,
    Array.from({ length: PRODUCTS }, (_, index) => ({
      storeProductId: index + 1,
      title: `品物${index + 1}`,
      handle: `thing-${index + 1}`,
      status: 'ACTIVE',
      imageUrl: null,
      totalInventory: 1,
      updatedAt: okaeri.clock.now(),
      variants: Array.from({ length: VARIANTS }, (_, position) => ({
        storeVariantId: variantId(index + 1, position),
        title: `${position}`,
        sku: null,
        priceAmount: 1200,
        inventoryQuantity: 1,
        position: position + 1,
      })),
    })),
  )
  const [greedy, other] = [
    await guestOf(scope, { token: randomToken(16) }),
    await guestOf(scope, { token: randomToken(16) }),
  ]
  const wanted = Array.from({ length: PRODUCTS * VARIANTS }, (_, at) => {
    const product = (at % PRODUCTS) + 1
    return { storeProductId: product, storeVariantId: variantId(product, Math.floor(at / PRODUCTS)) }
  })
  const all = Promise.allSettled(wanted.map((one) => storeFavorite(scope, { guestId: greedy.guestId }, one)))
  await storeFavorite(scope, { guestId: other.guestId }, { storeProductId: 1 })
  const outcomes = await all
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(MAX_FAVORITES)
  const reasons = new Set(
    outcomes.flatMap((one) => (one.status === 'rejected' ? [(one.reason as { reason: string }).reason] : [])),
  )
  expect([...reasons]).toEqual(['too_many_favorites'])
  const kept = async (guestId: string): Promise<number> =>
    (await okaeri.query`select from favorites where merchant_id = ${merchant.id} and guest_id = ${guestId}`).length
  expect(await kept(greedy.guestId)).toBe(MAX_FAVORITES)
  expect(await kept(other.guestId)).toBe(1)
})
