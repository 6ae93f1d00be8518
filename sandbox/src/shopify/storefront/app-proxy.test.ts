import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startStores } from '../seed/test-stores.ts'

let rig: Awaited<ReturnType<typeof startStores>>
let appUrl: string
let answer: { status?: number; type: string; body: string } = { type: 'text/plain', body: '' }
const asked: IncomingMessage[] = []
const app = createServer((request, response) => {
  asked.push(request)
  response
    .writeHead(answer.status ?? 200, {
      'content-type': answer.type,
      'set-cookie': 'secret=1',
      'access-control-allow-origin': 'http://shop.test',
    })
    .end(answer.body)
})

beforeAll(async () => {
  await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve))
  appUrl = `http://127.0.0.1:${(app.address() as AddressInfo).port}`
  rig = await startStores({ appUrl, slowMs: 30 })
})
afterAll(async () => {
  await rig.close()
  app.close()
})

const visit = (cookie = '', method = 'GET') =>
  fetch(`${rig.base}/apps/okaeri/page?a=1`, { method, headers: { cookie } })
const liquid = (body: string, status = 200) => {
  answer = { status, type: 'application/liquid; charset=utf-8', body }
}

test('Liquid of the app is a page of the theme, which knows the store, the visitor and the goods', async () => {
  const { body } = await rig.post('/sandbox/customers.json', { last_name: '森', email: 'liquid@example.jp' })
  await rig.post('/sandbox/products.json', { title: '<茶>', handle: 'tea', price: 1200 })
  liquid(
    `<h1>{{ shop.name }}</h1>{% if customer %}{{ customer.email }}{% else %}guest{% endif %} {{ request.locale.iso_code }}
{% assign tea = all_products['tea'] %}{{ tea.title | escape }} {{ tea.variants.first.price | money }} {{ all_products['none'].title }}{{ routes.cart_url }}`,
  )
  const guest = await visit('sandbox_lang=en')
  expect(guest.headers.get('content-type')).toContain('text/html')
  expect(guest.headers.getSetCookie()).toEqual([])
  const page = await guest.text()
  expect(page).toMatch(/class="site-header"[\s\S]*<main[\s\S]*<h1>おかえり雑貨店<\/h1>guest en\n&lt;茶&gt; ¥1,200/)
  expect(page).toContain(`/stores/${rig.shop}/cart\n</main>`)
  expect(await (await visit(`store_customer=${body.customer.id}`)).text()).toContain('liquid@example.jp ja')
})

test('Liquid may stand alone, keeps its status, and says what is wrong with it', async () => {
  liquid('{% layout none %}<p>{{ shop.currency }}</p>')
  expect(await (await visit()).text()).toBe('<p>JPY</p>')
  liquid('<p>none</p>', 404)
  expect((await visit()).status).toBe(404)
  liquid('{% for %}')
  expect(await (await visit()).text()).toMatch(/site-header[\s\S]*Liquid error: /)
})

test('anything else passes as it is, for every method', async () => {
  answer = { type: 'application/json', body: '{"a":"{{ shop.name }}"}' }
  for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
    const passed = await visit('', method)
    expect([passed.status, await passed.text()]).toEqual([200, answer.body])
    expect(asked.at(-1)?.method).toBe(method)
    expect(passed.headers.getSetCookie()).toEqual([])
  }
})

test('over a slow, failing or dead network the store’s pages name a relay, and the app proxy behaves alike', async () => {
  answer = { type: 'application/json', body: '{"ok":true}' }
  const scriptOn = async (network: string) => {
    await rig.post('/sandbox/theme.json', { network })
    const page = await fetch(`${rig.base}/?csp=strict`)
    const origin = new URL(/<script async src="(http[^"]+)"/.exec(await page.text())?.[1] ?? '').origin
    expect(page.headers.get('content-security-policy')).toContain(`connect-src 'self' ${origin};`)
    return origin
  }
  expect(await scriptOn('normal')).toBe(appUrl)

  const slow = await scriptOn('slow')
  expect(slow).not.toBe(appUrl)
  const late = await fetch(`${slow}/frontend/x?b=2`, {
    method: 'POST',
    body: '{"c":3}',
    headers: { origin: 'http://shop.test' },
  })
  expect(late.headers.get('access-control-allow-origin')).toBe('http://shop.test')
  expect(await late.text()).toBe(answer.body)
  expect(asked.at(-1)).toMatchObject({
    url: '/frontend/x?b=2',
    method: 'POST',
    headers: { origin: 'http://shop.test' },
  })
  expect((await visit()).status).toBe(200)

  const failing = await scriptOn('failing')
  expect((await fetch(`${failing}/assets/js/okaeri.js`)).status).toBe(200)
  const refused = await fetch(`${failing}/frontend/x`)
  expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([503, null])
  expect((await visit()).status).toBe(503)

  const dead = await scriptOn('dead')
  await expect(fetch(`${dead}/assets/js/okaeri.js`)).rejects.toThrow('fetch failed')
  await scriptOn('normal')
  expect((await visit()).status).toBe(200)
})
