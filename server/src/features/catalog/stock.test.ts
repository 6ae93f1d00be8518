import { beforeAll, expect, test } from 'vitest'
import { addFavorite } from '../../../test/favorites.ts'
import { merchant, okaeri, play, sandbox, withSandboxStore } from '../../../test/with-okaeri.ts'
import { guestOf } from '../guests/index.ts'
import { addRestockRequests } from '../restocks/index.ts'

const MINUTE = 60_000
withSandboxStore({ seed: { customers: 0, products: 4, orders: 0 } })

interface Known {
  variant: number
  product: number
  online: number | null
}
const variants = async (): Promise<Known[]> =>
  await okaeri.query<Known>`
      select store_variant_id as variant, store_product_id as product, online_quantity as online from product_variants
      where merchant_id = ${merchant.id} order by store_variant_id`

const onlineOf = async (variant: number) => (await variants()).find((one) => one.variant === variant)?.online
const returns = async () =>
  (
    await okaeri.query<{ variant: number }>`
      select store_variant_id as variant from stock_returns where merchant_id = ${merchant.id} and ended_at is null`
  ).map(({ variant }) => variant)
const setStock = (variant_id: number, available: number) => play('stock.json', { variant_id, available })
const pass = async (ms: number): Promise<void> => {
  sandbox.clock.advance(ms)
  okaeri.advance(ms)
  await okaeri.settle()
}

let first: Known
beforeAll(async () => {
  await okaeri.settle()
  first = (await variants())[0] as Known
  await setStock(first.variant, 0)
  await okaeri.settle()
})

test('after a webhook the online stock is read from the store, and a return is opened where people wait', async () => {
  expect(await onlineOf(first.variant)).toBe(0)
  await setStock(first.variant, 3)
  await okaeri.settle()
  expect(await onlineOf(first.variant)).toBe(3)
  expect(await returns()).toEqual([])
  await setStock(first.variant, 0)
  await okaeri.settle()
  await addRestockRequests(merchant.scope(), [
    {
      email: 'someone@example.test',
      storeProductId: first.product,
      storeVariantId: first.variant,
      source: 'storefront',
      createdAt: okaeri.clock.now(),
    },
  ])
  await setStock(first.variant, 3)
  await okaeri.settle()
  expect(await returns()).toEqual([first.variant])
})

test('a change of which no webhook came is found within the hour', async () => {
  await okaeri.query`delete from stock_returns where merchant_id = ${merchant.id}`
  await setStock(first.variant, 0)
  await okaeri.settle()
  await play('switches.json', { lose_webhooks: true })
  await setStock(first.variant, 5)
  await okaeri.settle()
  expect(await onlineOf(first.variant)).toBe(0)
  await pass(61 * MINUTE)
  await pass(61 * MINUTE)
  expect(await onlineOf(first.variant)).toBe(5)
  expect(await returns()).toEqual([first.variant])
})

test('of what becomes a favorite the store is asked what sells online, so that nothing counts that lies elsewhere', async () => {
  const liked = (await variants()).find(({ online }) => online === null) as Known
  const { locations } = await play<{ locations: { id: number; sells_online: boolean }[] }>('locations.json')
  // No webhook comes, as when it was so before the store was copied.
  for (const { id: location_id, sells_online } of locations)
    await play('stock.json', { variant_id: liked.variant, location_id, available: sells_online ? 0 : 3 })
  const { guestId } = await guestOf(merchant.scope(), { token: 'a browser' })
  await addFavorite(merchant.scope(), { guestId }, { storeProductId: liked.product })
  expect(await onlineOf(liked.variant)).toBeNull()
  await okaeri.settle()
  expect(await onlineOf(liked.variant)).toBe(0)
})
