import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { jwtVerify } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startStores } from '../seed/test-stores.ts'

const app = 'http://127.0.0.1:9'
const folder = mkdtempSync(join(tmpdir(), 'checkout-extension-'))
const files = {
  'shopify.extension.toml': `api_version = "2026-07"
[[extensions.targeting]]
target = "purchase.thank-you.block.render"
[[extensions.targeting]]
target = "customer-account.profile.block.render"
`,
  'dist/block.js': 'export default () => fetch("https://okaeri.example/x")',
  'locales/en.default.json': '{"saved":"Saved."}',
  'locales/ja.json': '{"saved":"保存しました。"}',
}

let rig: Awaited<ReturnType<typeof startStores>>
beforeAll(async () => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  rig = await startStores({ appUrl: app, checkoutExtensionDir: folder })
})
afterAll(async () => {
  await rig.close()
  rmSync(folder, { recursive: true })
})

const get = (path: string, cookie = '') => fetch(`${rig.base}${path}`, { headers: { cookie } })
async function signedIn(email: string): Promise<{ id: number; cookie: string }> {
  const { body } = await rig.post('/sandbox/customers.json', { email })
  const answer = await fetch(`${rig.base}/account/login`, {
    method: 'POST',
    body: new URLSearchParams({ email }),
    redirect: 'manual',
  })
  return { id: body.customer.id, cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '' }
}
async function claims(cookie = '') {
  const { token } = (await (await get('/checkout-extension/session-token', cookie)).json()) as { token: string }
  const { payload, protectedHeader } = await jwtVerify(token, new TextEncoder().encode('test-secret'), {
    audience: 'test-key',
  })
  return { ...payload, alg: protectedHeader.alg }
}

test('the session token is the platform’s: five minutes, for the app, of the shop, and of a customer only where one is signed in', async () => {
  const guest = await claims()
  expect(guest).toMatchObject({ alg: 'HS256', dest: rig.shop, jti: expect.any(String) })
  expect((guest.exp ?? 0) - (guest.iat ?? 0)).toBe(300)
  expect(guest).not.toHaveProperty('sub')
  const { id, cookie } = await signedIn('token@example.jp')
  const customer = await claims(cookie)
  expect(customer.sub).toBe(`gid://shopify/Customer/${id}`)
  expect(customer.jti).not.toBe(guest.jti)
})

test('the extension is given to a worker without an origin, with the app’s address', async () => {
  const frame = await get('/checkout-extension/frame.html')
  expect(frame.headers.get('content-security-policy')).toBe('sandbox allow-scripts')
  const block = await get('/checkout-extension/block.js')
  expect(block.headers.get('access-control-allow-origin')).toBe('*')
  expect(await block.text()).toContain(`"${app}/x"`)
  const library = await get('/checkout-extension/remote-dom/core/polyfill/window.mjs')
  expect(await library.text()).toContain(`'/stores/${rig.shop}/checkout-extension/remote-dom/polyfill/index.mjs'`)
  for (const path of [
    'core/..%2f..%2f..%2fpackage.json',
    'core/../../package.json',
    'other/index.mjs',
    'core/none.mjs',
  ])
    expect([path, (await get(`/checkout-extension/remote-dom/${path}`)).status]).toEqual([path, 404])
})

test('its block is where the merchant added it: on the account only if that is not the theme’s', async () => {
  const { cookie } = await signedIn('block@example.jp')
  const account = async () => (await get('/account', cookie)).text()
  expect(await account()).not.toContain('data-checkout-extension')
  await rig.post('/sandbox/theme.json', { blocks: false })
  expect(await account()).toContain('customer-account.profile.block.render')
  await rig.post('/sandbox/theme.json', { checkout_block: false })
  expect(await account()).not.toContain('data-checkout-extension')
})
