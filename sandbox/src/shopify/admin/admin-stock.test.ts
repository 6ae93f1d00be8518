import { afterAll, beforeAll, expect, test } from 'vitest'
import { startStores } from '../seed/test-stores.ts'

let rig: Awaited<ReturnType<typeof startStores>>
beforeAll(async () => {
  rig = await startStores()
})
afterAll(() => rig.close())

const submit = async (path: string, form: Record<string, string>) => {
  const answer = await fetch(`${rig.base}/admin${path}`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(form),
  })
  return decodeURIComponent(/notice=([^&]*)/.exec(answer.headers.get('location') ?? '')?.[1] ?? '')
}
const levelsOf = async (id: number): Promise<number[]> =>
  (await rig.read(`/sandbox/stock.json?variant_id=${id}`)).levels.map(
    ({ available }: { available: number }) => available,
  )

test('a person changes stock at each location and prices in the list, and all that was found at once', async () => {
  const made = await rig.post('/sandbox/products/many.json', { count: 2, variants: 3, available: 4, title: '皿' })
  const [first, second] = made.body.product_ids
  const { variants } = await rig.read(`/sandbox/products.json?handle=product-${first}`)
  const { locations } = await rig.read('/sandbox/locations.json')
  const [main, shop] = locations.map(({ id }: { id: number }) => id)
  const [{ id }] = variants
  expect(
    await submit('/stock', {
      [`level-${id}-${main}`]: '0',
      [`level-${id}-${shop}`]: '7',
      [`price-${id}`]: '900',
      [`before-${id}`]: '1000',
    }),
  ).toBe('在庫2件、価格1件を変更しました。')
  expect(await levelsOf(id)).toEqual([0, 7])
  const again = await rig.read(`/sandbox/products.json?handle=product-${first}`)
  expect(again.variants[0]).toMatchObject({ price: 900, compare_at_price: 1000, online_quantity: 7 })
  expect(await submit('/stock', { [`level-${id}-${main}`]: '-1' })).toMatch(/^!/)
  expect(await submit('/stock', { [`price-${id}`]: 'x' })).toMatch(/^!/)

  expect(await submit('/stock/bulk', { q: `product_id:${second}`, location_id: String(main), available: '0' })).toBe(
    '在庫3件を変更しました。',
  )
  expect(await levelsOf(variants[1].id)).toEqual([4])
  expect(await submit('/stock/bulk', { location_id: '1', available: '0' })).toMatch(/^!/)
})

test('the pages for stock and the theme open in both languages, and their switches work', async () => {
  for (const path of ['/admin/stock', '/admin/stock?q=S', '/admin/theme'])
    for (const lang of ['ja', 'en']) expect((await fetch(`${rig.base}${path}?lang=${lang}`)).status).toBe(200)
  expect(await submit('/theme', { look: 'dark' })).toBe('設定しました。')
  await submit('/theme', { strict_csp: '1' })
  await submit('/theme', { embed: '0' })
  expect(await rig.read('/sandbox/theme.json')).toMatchObject({
    look: 'dark',
    strict_csp: true,
    embed: false,
    blocks: true,
  })
  const { locations } = await rig.read('/sandbox/locations.json')
  await submit(`/stock/locations/${locations[2].id}`, { sells_online: '1' })
  expect((await rig.read('/sandbox/locations.json')).locations[2].sells_online).toBe(true)
})
