import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startStores } from '../seed/test-stores.ts'

let rig: Awaited<ReturnType<typeof startStores>>
let token: string
const received: { topic: string; body: Record<string, unknown> }[] = []
const inbox = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const body = JSON.parse(Buffer.concat(parts).toString()) as Record<string, unknown>
    received.push({ topic: String(request.headers['x-shopify-topic']), body })
    response.end()
  })
})

beforeAll(async () => {
  rig = await startStores()
  await new Promise<void>((resolve) => inbox.listen(0, '127.0.0.1', resolve))
  await rig.post('/sandbox/switches.json', { throttling: false })
  token = (await rig.install()).token.access_token ?? ''
  for (const topic of ['INVENTORY_LEVELS_UPDATE', 'PRODUCTS_UPDATE'])
    await rig.graphql(
      token,
      'mutation ($topic: WebhookSubscriptionTopic!, $uri: String!) { webhookSubscriptionCreate(topic: $topic, webhookSubscription: { uri: $uri }) { userErrors { message } } }',
      { topic, uri: `http://127.0.0.1:${(inbox.address() as AddressInfo).port}/` },
    )
})
afterAll(async () => {
  await rig.close()
  inbox.close()
})
beforeEach(() => {
  received.length = 0
})

const heard = async (topic: string) => {
  await rig.settle()
  return received.filter((one) => one.topic === topic).map(({ body }) => body)
}
const places = async (): Promise<{ id: number; sells_online: boolean }[]> =>
  (await rig.read('/sandbox/locations.json')).locations
const newVariant = async (available = 10) => {
  const made = await rig.post('/sandbox/products.json', { title: '土鍋', available })
  await rig.settle()
  received.length = 0
  return made.body.variants[0] as { id: number; product_id: number; inventory_item_id: number }
}
const stockOf = async (id: number) => {
  const query = `query ($id: ID!) { productVariant(id: $id) { inventoryQuantity sellableOnlineQuantity availableForSale
    inventoryItem { inventoryLevels(first: 9) { nodes { location { name fulfillsOnlineOrders } quantities(names: ["available"]) { quantity } } } } } }`
  const { data } = await rig.graphql(token, query, { id: `gid://shopify/ProductVariant/${id}` })
  return data.productVariant
}

test('stock at a location that does not sell online counts, but cannot be bought', async () => {
  const [main, , aside] = await places()
  const variant = await newVariant(0)
  await rig.post('/sandbox/stock.json', { variant_id: variant.id, location_id: aside?.id, available: 4 })
  expect(await heard('inventory_levels/update')).toMatchObject([
    { inventory_item_id: variant.inventory_item_id, location_id: aside?.id, available: 4 },
  ])
  const kept = await stockOf(variant.id)
  expect(kept).toMatchObject({ inventoryQuantity: 4, sellableOnlineQuantity: 0, availableForSale: false })
  expect(kept.inventoryItem.inventoryLevels.nodes).toEqual([
    { location: { name: '本店倉庫', fulfillsOnlineOrders: true }, quantities: [{ quantity: 0 }] },
    { location: { name: '催事用の倉庫', fulfillsOnlineOrders: false }, quantities: [{ quantity: 4 }] },
  ])
  await rig.post('/sandbox/stock.json', { variant_id: variant.id, location_id: main?.id, available: 1 })
  expect(await stockOf(variant.id)).toMatchObject({ inventoryQuantity: 5, sellableOnlineQuantity: 1 })
})

test('an order takes from the locations that sell online, and each level that changed is reported with the product', async () => {
  const [main, shop, aside] = await places()
  const variant = await newVariant(1)
  for (const [place, available] of [
    [shop, 5],
    [aside, 7],
  ] as const)
    await rig.post('/sandbox/stock.json', { variant_id: variant.id, location_id: place?.id, available })
  await rig.settle()
  received.length = 0
  await rig.post('/sandbox/orders.json', { email: 'a@example.jp', items: [{ variant_id: variant.id, quantity: 3 }] })
  const levels = await heard('inventory_levels/update')
  expect(levels.map(({ location_id, available }) => [location_id, available])).toEqual(
    expect.arrayContaining([
      [main?.id, 0],
      [shop?.id, 3],
    ]),
  )
  expect(levels).toHaveLength(2)
  expect(await heard('products/update')).toHaveLength(1)
  expect(await stockOf(variant.id)).toMatchObject({ inventoryQuantity: 10, sellableOnlineQuantity: 3 })
})

test('many changes at once report each level that changed, and each product once', async () => {
  const made = await rig.post('/sandbox/products/many.json', { count: 5, variants: 20, available: 1 })
  expect(made.body.product_ids).toHaveLength(5)
  const [id] = made.body.product_ids
  const { variants } = await rig.read(`/sandbox/products.json?handle=product-${id}`)
  await rig.settle()
  received.length = 0
  const changes = variants.map((one: { id: number }, index: number) => ({
    variant_id: one.id,
    available: index < 8 ? 1 : 0,
  }))
  expect((await rig.post('/sandbox/stock.json', { changes })).body).toEqual({ changed: 12 })
  expect(await heard('inventory_levels/update')).toHaveLength(12)
  const products = await heard('products/update')
  expect(products).toMatchObject([{ id }])
  const stock = products[0]?.['variants'] as { inventory_quantity: number }[]
  expect(stock.filter(({ inventory_quantity }) => inventory_quantity === 0)).toHaveLength(12)
  expect((await rig.post('/sandbox/stock.json', { changes })).body).toEqual({ changed: 0 })
})

test('a location that stops selling online changes no level, so none is reported', async () => {
  const [, shop] = await places()
  const variant = await newVariant(0)
  await rig.post('/sandbox/stock.json', { variant_id: variant.id, location_id: shop?.id, available: 2 })
  await rig.settle()
  received.length = 0
  await rig.post(`/sandbox/locations/${shop?.id}/update.json`, { sells_online: false })
  expect(await stockOf(variant.id)).toMatchObject({ inventoryQuantity: 2, sellableOnlineQuantity: 0 })
  expect(await heard('inventory_levels/update')).toEqual([])
  await rig.post(`/sandbox/locations/${shop?.id}/update.json`, { sells_online: true })
  expect(await stockOf(variant.id)).toMatchObject({ availableForSale: true })
})

test('a price may have one before it, which the API and the webhook tell', async () => {
  const variant = await newVariant()
  await rig.post('/sandbox/price.json', { variant_id: variant.id, price: 800, compare_at_price: 1000 })
  const [body] = await heard('products/update')
  expect(body?.['variants']).toMatchObject([{ price: '800', compare_at_price: '1000' }])
  const query = 'query ($id: ID!) { productVariant(id: $id) { price compareAtPrice selectedOptions { name value } } }'
  const { data } = await rig.graphql(token, query, { id: `gid://shopify/ProductVariant/${variant.id}` })
  expect(data.productVariant).toEqual({
    price: '800',
    compareAtPrice: '1000',
    selectedOptions: [{ name: 'Title', value: 'Default Title' }],
  })
})

test('locations need a scope of their own', async () => {
  const query = '{ locations(first: 5) { nodes { name fulfillsOnlineOrders } } }'
  const { data } = await rig.graphql(token, query)
  expect(data.locations.nodes).toHaveLength(3)
  const other = (await rig.install('read_products,read_inventory')).token.access_token ?? ''
  const { errors } = await rig.graphql(other, query)
  expect(errors[0].message).toContain('read_locations')
})

test('what is no stock, no variant and no location is refused', async () => {
  const variant = await newVariant()
  const ask = async (body: object) => (await rig.post('/sandbox/stock.json', body)).status
  expect(await ask({ variant_id: variant.id, available: -1 })).toBe(422)
  expect(await ask({ variant_id: 1, available: 1 })).toBe(404)
  expect(await ask({ variant_id: variant.id, location_id: 1, available: 1 })).toBe(404)
  expect(await ask({ changes: [] })).toBe(422)
})
