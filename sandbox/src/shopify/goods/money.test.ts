import { afterAll, beforeAll, expect, test } from 'vitest'
import { startStores } from '../seed/test-stores.ts'

let rig: Awaited<ReturnType<typeof startStores>>
let token = ''
beforeAll(async () => {
  rig = await startStores({ shop: 'kumo-usd.myshopify.com' })
  // A store is opened at the first look.
  await fetch(rig.base)
  token = (await rig.install()).token.access_token ?? ''
  await rig.post('/sandbox/switches.json', { bulk_duration_ms: 0, throttling: false })
})
afterAll(() => rig.close())

const ask = async (query: string, variables = {}) => (await rig.graphql(token, query, variables)).data
const page = async (path: string) => (await fetch(`${rig.base}${path}?lang=en`)).text()

test('a store named after a currency sells in it, with cents, wherever an amount is said', async () => {
  expect((await ask('{ shop { currencyCode enabledPresentmentCurrencies } }')).shop).toEqual({
    currencyCode: 'USD',
    enabledPresentmentCurrencies: ['USD'],
  })
  const { product, variants } = (
    await rig.post('/sandbox/products.json', { title: 'Linen shirt', handle: 'linen-shirt', price: 8850 })
  ).body
  expect(
    (
      await ask(
        'query($id: ID!) { product(id: $id) { priceRangeV2 { minVariantPrice { amount currencyCode } } variants(first: 1) { nodes { price } } } }',
        { id: `gid://shopify/Product/${product.id}` },
      )
    ).product,
  ).toEqual({
    priceRangeV2: { minVariantPrice: { amount: '88.5', currencyCode: 'USD' } },
    variants: { nodes: [{ price: '88.50' }] },
  })
  expect(await page('/products/linen-shirt')).toContain('$88.50')
  const { order } = (
    await rig.post('/sandbox/orders.json', {
      email: 'ann@customer.test',
      items: [{ variant_id: variants[0].id, quantity: 2 }],
    })
  ).body
  const { node } = await ask(
    'query($id: ID!) { node(id: $id) { ... on Order { currencyCode currentTotalPriceSet { shopMoney { amount currencyCode } } customer { amountSpent { amount currencyCode } } } } }',
    { id: `gid://shopify/Order/${order.id}` },
  )
  expect(node).toMatchObject({
    currencyCode: 'USD',
    currentTotalPriceSet: { shopMoney: { amount: '177.0', currencyCode: 'USD' } },
  })
})

test('the currency can be changed; amounts keep their number in the smallest unit', async () => {
  expect((await rig.post('/sandbox/switches.json', { currency: 'JPY' })).body.currency).toBe('JPY')
  expect((await ask('{ shop { currencyCode } }')).shop.currencyCode).toBe('JPY')
  expect(await page('/products/linen-shirt')).toContain('¥8,850')
  expect((await rig.post('/sandbox/switches.json', { currency: 'XXX' })).status).toBe(422)
  await rig.post('/sandbox/switches.json', { currency: 'USD' })
})
