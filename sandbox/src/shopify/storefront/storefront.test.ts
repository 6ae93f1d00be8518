import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startStores } from '../seed/test-stores.ts'

let rig: Awaited<ReturnType<typeof startStores>>
const app = 'http://127.0.0.1:9'

beforeAll(async () => {
  rig = await startStores({ appUrl: app })
})
afterAll(() => rig.close())
beforeEach(() =>
  rig.post('/sandbox/theme.json', {
    look: 'light',
    embed: true,
    blocks: true,
    script_tag: false,
    strict_csp: false,
    network: 'normal',
  }),
)

/** One person's browser at the store, with the cookies it was given. */
function aVisitor() {
  const cookies = new Map<string, string>()
  const ask = async (path: string, form?: Record<string, string>, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${rig.base}${path}`, {
      redirect: 'manual',
      headers: { ...headers, cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    const to = answer.headers.get('location')?.replace(`/stores/${rig.shop}`, '') ?? null
    return { status: answer.status, to, text: await answer.text(), headers: answer.headers }
  }
  return {
    get: (path: string) => ask(path),
    send: (path: string, form: Record<string, string>, headers?: Record<string, string>) => ask(path, form, headers),
    json: async (path: string) => JSON.parse((await ask(path)).text),
  }
}

const shirt = async (handle: string) => {
  const { body } = await rig.post('/sandbox/products.json', {
    title: 'シャツ</script>',
    handle,
    options: ['色', 'サイズ'],
    variants: [
      { values: ['白', 'M'], price: 8800, compare_at_price: 9800, available: 3 },
      { values: ['白', 'L'], price: 8800, available: 0 },
      { values: ['藍', 'M'], price: 9800, available: 0, policy: 'CONTINUE' },
    ],
  })
  return body.variants.map(({ id }: { id: number }) => id) as [number, number, number]
}
const factsIn = (html: string) =>
  JSON.parse(/<script type="application\/json" data-okaeri-product>(.*?)<\/script>/s.exec(html)?.[1] ?? 'null')
const countOf = (html: string, part: string) => html.split(part).length - 1

describe('a product page', () => {
  test('shows the variant of the address: its price, and whether it can be had', async () => {
    const [white, sold, indigo] = await shirt('shirt-1')
    const visitor = aVisitor()
    const first = (await visitor.get('/products/shirt-1')).text
    expect(first).toMatch(/data-price><ins>¥8,800<\/ins> <del>.*¥9,800<\/del>/)
    expect(first).toContain('残りわずか（あと3点）')
    const other = (await visitor.get(`/products/shirt-1?variant=${sold}`)).text
    expect(other).toMatch(/data-stock>在庫切れ</)
    expect(other).toContain('data-buy hidden')
    expect((await visitor.get(`/products/shirt-1?variant=${indigo}`)).text).toMatch(/data-stock>予約受付中</)
    expect(factsIn(other)).toMatchObject({
      title: 'シャツ</script>',
      variants: [
        { id: white, available: true, price: 8800 },
        { id: sold, available: false },
        { id: indigo, available: true, title: '藍 / M' },
      ],
    })
    expect(await visitor.json('/products/shirt-1.js')).toMatchObject({
      available: true,
      options: [
        { name: '色', values: ['白', '藍'] },
        { name: 'サイズ', values: ['M', 'L'] },
      ],
      variants: [{ price: 880000, compare_at_price: 980000 }, { available: false }, { available: true }],
    })
  })

  test('what lies only where the online store does not sell from is sold out', async () => {
    const [, sold] = await shirt('shirt-2')
    const { locations } = await rig.read('/sandbox/locations.json')
    await rig.post('/sandbox/stock.json', { variant_id: sold, location_id: locations[2].id, available: 9 })
    expect((await aVisitor().get(`/products/shirt-2?variant=${sold}`)).text).toMatch(/data-stock>在庫切れ</)
  })

  test('a hidden or unknown product is not there', async () => {
    expect((await aVisitor().get('/products/no-such-thing')).status).toBe(404)
  })
})

describe('the cart', () => {
  test('takes what can be had, and no more', async () => {
    const [white, sold, indigo] = await shirt('shirt-3')
    const visitor = aVisitor()
    expect((await visitor.send('/cart/add', { id: String(white), quantity: '2' })).to).toBe('/cart')
    expect((await visitor.get('/cart')).text).toContain('¥17,600')
    const refused = async (id: number, quantity: string) =>
      (await visitor.send('/cart/add', { id: String(id), quantity })).to
    expect(await refused(white, '2')).toBe('/cart?problem=too_many')
    expect(await refused(sold, '1')).toBe('/cart?problem=sold_out')
    expect(await refused(1, '1')).toBe('/cart?problem=unknown')
    expect(await refused(white, 'x')).toBe('/cart?problem=unknown')
    expect((await visitor.send('/cart/add', { id: String(indigo), quantity: '5' })).to).toBe('/cart')
    expect(await visitor.json('/cart.js')).toMatchObject({ item_count: 7, items: [{ quantity: 2 }, { quantity: 5 }] })
    await visitor.send('/cart/change', { id: String(white), quantity: '0' })
    expect(await visitor.json('/cart.js')).toMatchObject({ item_count: 5, total_price: 4_900_000 })
  })

  test('leads to the checkout, which asks for an address, and the order takes from the stock and empties it', async () => {
    const [white] = await shirt('shirt-4')
    const visitor = aVisitor()
    await visitor.send('/cart/add', { id: String(white), quantity: '3' })
    const { to: checkout } = await visitor.send('/cart', { checkout: '1' })
    expect((await visitor.send(`${checkout}/complete`, { email: '' })).to).toBe(`${checkout}?problem=email`)
    expect((await visitor.send(`${checkout}/contact`, { email: 'not an address' })).status).toBe(422)
    expect((await visitor.send(`${checkout}/contact`, { email: 'buyer@example.jp' })).status).toBe(204)
    const { to: order } = await visitor.send(`${checkout}/complete`, { accepts_marketing: '1' })
    expect((await visitor.get(order ?? '')).text).toContain('ご注文ありがとうございます')
    expect(await visitor.json('/cart.js')).toMatchObject({ item_count: 0 })
    expect((await visitor.get(`/products/shirt-4?variant=${white}`)).text).toMatch(/data-stock>在庫切れ</)
    const { status } = await rig.post('/sandbox/consent.json', { email: 'buyer@example.jp', state: 'UNSUBSCRIBED' })
    expect(status).toBe(200)
  })

  test('what another bought meanwhile cannot be bought any more', async () => {
    const [white] = await shirt('shirt-5')
    const visitor = aVisitor()
    const { to } = await visitor.send('/cart/add', { id: String(white), quantity: '1', go: 'checkout' })
    await rig.post('/sandbox/stock.json', { variant_id: white, available: 0 })
    const { to: again } = await visitor.send(`${to}/complete`, { email: 'late@example.jp' })
    expect((await visitor.get(again ?? '')).text).toContain('は、在庫がなくなりました。')
  })
})

describe('customers', () => {
  test('sign in by their address or by being picked, and see what they ordered', async () => {
    const made = await rig.post('/sandbox/customers.json', { last_name: '森', email: 'mori@example.jp' })
    await rig.post('/sandbox/orders.json', { email: 'mori@example.jp', items: [{}] })
    const visitor = aVisitor()
    expect((await visitor.get('/account')).to).toBe('/account/login')
    expect((await visitor.get('/account/login?who=mori%40example.jp')).text).toContain(
      `value="${made.body.customer.id}"`,
    )
    await visitor.send('/account/login', { customer_id: String(made.body.customer.id) })
    const account = (await visitor.get('/account')).text
    expect(account).toMatch(/mori@example\.jp[\s\S]*data-okaeri="birthday"[\s\S]*data-okaeri="consent"/)
    expect(account).toMatch(/準備中/)
    await visitor.send('/account/logout', {})
    expect((await visitor.get('/account')).to).toBe('/account/login')
    expect((await visitor.send('/account/login', { customer_id: '1' })).status).toBe(422)
  })

  test('come back after signing in to where they were, in this store only', async () => {
    await rig.post('/sandbox/customers.json', { email: 'back@example.jp' })
    const to = async (return_url: string) =>
      (await aVisitor().send('/account/login', { email: 'back@example.jp', return_url })).to
    expect(await to('/products/x')).toBe('/products/x')
    for (const elsewhere of ['https://evil.test', '//evil.test', '/\\evil.test'])
      expect(await to(elsewhere)).toBe('/account')
  })

  test('register, and say in the theme’s own forms whether they want mail', async () => {
    const visitor = aVisitor()
    const stateOf = async (email: string) => {
      const { body } = await rig.post('/sandbox/tags.json', { email, tags: [] })
      return body.customer.email_state
    }
    await visitor.send('/account/register', { email: 'new@example.jp', last_name: '原', accepts_marketing: '1' })
    expect(await stateOf('new@example.jp')).toBe('SUBSCRIBED')
    await visitor.send('/account/marketing', {})
    expect(await stateOf('new@example.jp')).toBe('UNSUBSCRIBED')
    expect((await aVisitor().send('/account/register', { email: 'new@example.jp' })).status).toBe(422)
    await aVisitor().send('/contact', { 'contact[email]': 'letter@example.jp' })
    expect(await stateOf('letter@example.jp')).toBe('SUBSCRIBED')
    expect((await aVisitor().send('/contact', { 'contact[email]': 'x' })).to).toContain('problem=email')
  })
})

describe('the app in the theme', () => {
  const script = `<script async src="${app}/assets/js/okaeri.js?shop=`

  test('comes by its embed and blocks, or by a tag and places put in by hand, or not at all', async () => {
    await shirt('shirt-6')
    const look = async (switches: object) => {
      await rig.post('/sandbox/theme.json', switches)
      const { text } = await aVisitor().get('/products/shirt-6')
      return {
        scripts: countOf(text, script),
        restock: countOf(text, 'data-okaeri="restock"'),
        facts: factsIn(text) !== null,
      }
    }
    expect(await look({})).toEqual({ scripts: 1, restock: 1, facts: true })
    expect(await look({ blocks: false })).toEqual({ scripts: 1, restock: 0, facts: true })
    expect(await look({ embed: false })).toEqual({ scripts: 0, restock: 0, facts: false })
    expect(await look({ script_tag: true })).toEqual({ scripts: 1, restock: 1, facts: true })
    expect(await look({ embed: true, blocks: true })).toEqual({ scripts: 2, restock: 1, facts: true })
  })

  test('a page of hundreds of cards has a heart on each', async () => {
    await rig.post('/sandbox/products/many.json', { count: 500 })
    const { text } = await aVisitor().get('/collections/all?view=long')
    expect(countOf(text, 'data-okaeri="heart"')).toBeGreaterThanOrEqual(500)
    expect(countOf((await aVisitor().get('/collections/all')).text, 'data-okaeri="heart"')).toBe(24)
  })

  test('under the strict policy only the store and the app may bring programs and styles, and no page has its own within', async () => {
    await rig.post('/sandbox/theme.json', { strict_csp: true })
    await rig.post('/sandbox/customers.json', { email: 'csp@example.jp' })
    const [white] = await shirt('shirt-7')
    const visitor = aVisitor()
    await visitor.send('/account/login', { email: 'csp@example.jp' })
    await visitor.send('/cart/add', { id: String(white), quantity: '1' })
    const { to: checkout } = await visitor.send('/cart', {})
    const pages = [
      '/',
      '/collections',
      '/collections/all',
      '/products/shirt-7',
      '/search?q=x',
      '/cart',
      checkout ?? '',
      '/account',
      '/account/login',
      '/account/register',
      '/pages/about',
    ]
    for (const path of pages)
      for (const language of ['ja', 'en']) {
        const { status, text, headers } = await visitor.get(`${path}${path.includes('?') ? '&' : '?'}lang=${language}`)
        expect(status, path).toBe(200)
        expect(headers.get('content-security-policy')).toContain(`script-src 'self' ${app};`)
        expect(headers.get('content-security-policy')).toContain(`style-src 'self';`)
        expect(text).not.toMatch(/ style="|<style|<script>| on[a-z]+="/)
      }
    expect((await aVisitor().get('/?csp=off')).headers.get('content-security-policy')).toBeNull()
  })

  test('each look is chosen for the store, or by a visitor for themselves', async () => {
    const visitor = aVisitor()
    expect((await visitor.get('/')).text).toContain('theme-light.css')
    expect((await visitor.get('/?theme=dark')).text).toContain('theme-dark.css')
    expect((await visitor.get('/cart')).text).toContain('theme-dark.css')
    await rig.post('/sandbox/theme.json', { look: 'dark' })
    expect((await aVisitor().get('/')).text).toContain('theme-dark.css')
    expect((await rig.post('/sandbox/theme.json', { look: 'pink' })).status).toBe(422)
  })
})
