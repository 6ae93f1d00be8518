import { createHmac, randomUUID } from 'node:crypto'
import { getCustomer } from '@okaeri/contract/customers/routes'
import { defaultConsentWording } from '@okaeri/contract/storefront-settings/settings'
import { changeStorefrontSettings } from '@okaeri/contract/storefront-settings/routes'
import { changeWidgetSettings } from '@okaeri/contract/visitors/routes'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { SANDBOX_APP } from '../../../test/harness.ts'
import { SHOP } from '../../../test/sandbox-store.ts'
import { aSignedInCustomer } from '../../../test/signed-proxy.ts'
import { connectSandbox, EMPTY, merchant, okaeri, withSandboxStore } from '../../../test/with-okaeri.ts'
import { findStoreCustomers } from '../customers/index.ts'
import { disconnectStore } from '../stores/index.ts'

withSandboxStore({ seed: EMPTY })
beforeAll(() => okaeri.settle())
afterEach(() => vi.useRealTimers())

const TOKEN = '/frontend/extension/token'
const BIRTHDAY = '/frontend/extension/birthday'
const PERMISSION = '/frontend/extension/accepts-marketing'
/** Of a worker that was made from a text. */
const ORIGIN = 'null'

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const nowSeconds = (): number => Math.floor(Date.now() / 1000)
type Claims = Record<string, unknown>
const claimsOf = (more: Claims = {}): Claims => ({
  dest: SHOP,
  aud: SANDBOX_APP.apiKey,
  exp: nowSeconds() + 300,
  nbf: nowSeconds(),
  iat: nowSeconds(),
  jti: randomUUID(),
  ...more,
})
/** As the platform signs it for extensions on pages for customers. */
function signed(claims: Claims, { secret = SANDBOX_APP.apiSecret, alg = 'HS256', hash = 'sha256' }: How = {}): string {
  const text = `${base64url({ alg, typ: 'JWT' })}.${base64url(claims)}`
  return `${text}.${alg === 'none' ? '' : createHmac(hash, secret).update(text).digest('base64url')}`
}
interface How {
  secret?: string
  alg?: string
  hash?: string
}
const gid = (storeCustomerId: number): string => `gid://shopify/Customer/${storeCustomerId}`

interface Said {
  extension?: { token: { access_token: string } | null; parts: object; texts: object }
  error?: { reason: string; fields?: object }
  [other: string]: unknown
}
async function ask(method: string, path: string, { token, body, origin = ORIGIN }: Asked) {
  const answer = await fetch(`${okaeri.url}${path}`, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(origin !== null && { origin }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  const json = (text === '' ? {} : JSON.parse(text)) as Said
  return { status: answer.status, headers: answer.headers, json, reason: json.error?.reason ?? null }
}
interface Asked {
  token?: string | undefined
  body?: unknown
  /** Null: what no browser sends. */
  origin?: string | null
}
const trade = (token: string, more: Asked = {}) => ask('POST', TOKEN, { token, ...more })
async function shortTokenOf(storeCustomerId: number): Promise<string> {
  const { json } = await trade(signed(claimsOf({ sub: gid(storeCustomerId) })))
  return json.extension?.token?.access_token ?? 'none'
}
const idOf = async (storeCustomerId: number) =>
  (await findStoreCustomers(merchant.scope(), [storeCustomerId])).get(storeCustomerId) ?? ''

describe('a session token', () => {
  test('of a signed-in customer becomes a short one, with what the merchant has on', async () => {
    const { storeCustomerId } = await aSignedInCustomer()
    for (const dest of [SHOP, `https://${SHOP}`]) {
      const { status, json } = await trade(signed(claimsOf({ dest, sub: gid(storeCustomerId) })))
      expect([status, json.extension]).toEqual([
        200,
        {
          token: { access_token: expect.any(String), token_type: 'Bearer', expires_in: 600 },
          parts: { birthday: true, consent: true },
          texts: {},
        },
      ])
    }
    const off = { on: false, selector: '', where: 'after' } as const
    await merchant.call(changeWidgetSettings, {
      body: { widgetSettings: { parts: { birthday: off }, texts: { birthday_label: { ja: 'お誕生日', en: '' } } } },
    })
    const changed = await trade(signed(claimsOf({ sub: gid(storeCustomerId) })))
    expect(changed.json.extension).toMatchObject({
      parts: { birthday: false, consent: true },
      texts: { birthday_label: { ja: 'お誕生日', en: '' } },
    })
    await merchant.call(changeWidgetSettings, {
      body: { widgetSettings: { parts: { birthday: { ...off, on: true } } } },
    })
  })

  test('of a guest becomes none: there is nothing to ask them, whichever customer placed the order', async () => {
    const { status, json } = await trade(signed(claimsOf()))
    expect([status, json.extension?.token]).toEqual([200, null])
  })

  test('is good once, however many send it at the same time', async () => {
    const { storeCustomerId } = await aSignedInCustomer()
    const token = signed(claimsOf({ sub: gid(storeCustomerId) }))
    const answers = await Promise.all([1, 2, 3].map(() => trade(token)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ reason }) => reason === 'session_token_used')).toHaveLength(2)
    expect((await trade(token)).reason).toBe('session_token_used')
    expect((await trade(signed(claimsOf({ sub: gid(storeCustomerId) })))).status).toBe(200)
  })

  const INVALID = [401, 'session_token_invalid']
  const sub = gid(1)
  test.for<[string, () => string]>([
    ['by another app’s secret', () => signed(claimsOf({ sub }), { secret: 'another' })],
    ['unsigned', () => signed(claimsOf({ sub }), { alg: 'none' })],
    ['unsigned, with a signature', () => `${signed(claimsOf({ sub }), { alg: 'none' })}AAAA`],
    ['with another algorithm', () => signed(claimsOf({ sub }), { alg: 'HS512', hash: 'sha512' })],
    ['for another app', () => signed(claimsOf({ sub, aud: 'another' }))],
    ['for no app', () => signed({ ...claimsOf({ sub }), aud: undefined })],
    ['that is over', () => signed(claimsOf({ sub, iat: nowSeconds() - 400, exp: nowSeconds() - 100 }))],
    ['that is not yet good', () => signed(claimsOf({ sub, nbf: nowSeconds() + 100 }))],
    ['of tomorrow', () => signed(claimsOf({ sub, iat: nowSeconds() + 86_400, exp: nowSeconds() + 86_700 }))],
    ['that lives for years', () => signed(claimsOf({ sub, exp: 4_102_444_800 }))],
    ['without an end', () => signed({ ...claimsOf({ sub }), exp: undefined })],
    ['without a number of its own', () => signed({ ...claimsOf({ sub }), jti: undefined })],
    ['of no shop', () => signed(claimsOf({ sub, dest: 'https://evil.example' }))],
    ['of a shop that did not issue it', () => signed(claimsOf({ sub, iss: 'https://evil.myshopify.com/admin' }))],
    ['of a member of the staff', () => signed(claimsOf({ sub: '1' }))],
    ['of another thing of the shop', () => signed(claimsOf({ sub: 'gid://shopify/Order/1' }))],
    ['of a customer that is none', () => signed(claimsOf({ sub: `${sub}x` }))],
    ['of a changed customer', () => changed(signed(claimsOf({ sub })))],
    ['that is none', () => 'nonsense'],
    ['that is endless', () => 'x'.repeat(7000)],
  ])('%s is refused', async ([, make]) => {
    const { status, reason } = await trade(make())
    expect([status, reason]).toEqual(INVALID)
  })
  const changed = (token: string): string => {
    const [head, body = '', mark] = token.split('.')
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Claims
    return `${head}.${base64url({ ...claims, sub: gid(2) })}.${mark}`
  }

  test('of a shop that is not connected here, of a customer the shop does not have, or from no page is refused', async () => {
    expect((await ask('POST', TOKEN, {})).reason).toBe('sign_in_required')
    expect((await trade(signed(claimsOf({ sub, dest: 'nobody.myshopify.com' })))).reason).toBe('store_not_connected')
    expect((await trade(signed(claimsOf({ sub: gid(987_654_321) })))).status).toBe(404)
    const { storeCustomerId } = await aSignedInCustomer()
    const good = signed(claimsOf({ sub: gid(storeCustomerId) }))
    expect((await trade(good, { origin: null })).reason).toBe('origin_not_allowed')
    await disconnectStore(merchant.scope())
    expect((await trade(good)).reason).toBe('store_not_connected')
    await connectSandbox()
    // What was refused so far did not use it up.
    expect((await trade(good)).status).toBe(200)
  })

  test('tried without end by one person is asked to wait', async () => {
    const { storeCustomerId } = await aSignedInCustomer()
    const statuses: number[] = []
    for (let asked = 0; asked < 62; asked += 1)
      statuses.push((await trade(signed(claimsOf({ sub: gid(storeCustomerId) })))).status)
    expect(statuses.filter((one) => one === 429)).toHaveLength(2)
  })
})

describe('a short token of the extension', () => {
  test('opens nothing of the shop’s pages, and theirs nothing here', async () => {
    const { storeCustomerId } = await aSignedInCustomer()
    const token = await shortTokenOf(storeCustomerId)
    for (const [method, path] of [
      ['GET', '/frontend/accepts-marketing/'],
      ['GET', '/frontend/favorite'],
      ['POST', '/frontend/captcha'],
      ['POST', '/frontend/convert_token/'],
    ] as const)
      expect([
        path,
        (await ask(method, `${path}?shop=${SHOP}`, { token, ...(method === 'POST' && { body: {} }) })).reason,
      ]).toEqual([path, 'token_invalid'])
    for (const path of [BIRTHDAY, PERMISSION]) {
      expect((await ask('GET', path, { token: signed(claimsOf({ sub: gid(storeCustomerId) })) })).reason).toBe(
        'token_invalid',
      )
      expect((await ask('GET', path, { token, origin: 'https://evil.example' })).reason).toBe('origin_not_allowed')
      expect((await ask('GET', path, { token, origin: null })).reason).toBe('origin_not_allowed')
      expect((await ask('GET', path, { token })).status).toBe(200)
    }
  })

  test('is over after ten minutes', async () => {
    const { storeCustomerId } = await aSignedInCustomer()
    const token = await shortTokenOf(storeCustomerId)
    const { clock } = okaeri
    const realNow = clock.realNow
    try {
      clock.realNow = () => new Date(realNow.call(clock).getTime() + 601_000)
      expect((await ask('GET', BIRTHDAY, { token })).reason).toBe('token_invalid')
    } finally {
      clock.realNow = realNow
    }
  })

  test('enters the birthday by the rules of everywhere', async () => {
    await merchant.call(changeStorefrontSettings, { body: { storefront_settings: { birthday_changes: 1 } } })
    const { storeCustomerId } = await aSignedInCustomer()
    const token = await shortTokenOf(storeCustomerId)
    const put = (birthday: string) => ask('PUT', BIRTHDAY, { token, body: { birthday } })
    expect((await ask('GET', BIRTHDAY, { token })).json).toEqual({ birthday: { birthday: null, changes_left: 1 } })
    for (const [birthday, wrong] of [
      ['1990-02-29', 'not_a_date'],
      ['2990-01-01', 'in_future'],
      ['1850-01-01', 'too_long_ago'],
    ] as const)
      expect((await put(birthday)).json.error).toMatchObject({ fields: { birthday: wrong } })
    expect((await put('1992-02-29')).json).toEqual({ birthday: { birthday: '1992-02-29', changes_left: 1 } })
    expect((await put('1992-03-01')).json).toEqual({ birthday: { birthday: '1992-03-01', changes_left: 0 } })
    expect((await put('1992-03-02')).reason).toBe('birthday_changes_used_up')
    const { customer } = await merchant.call(getCustomer, { params: { id: await idOf(storeCustomerId) } })
    expect(customer.birthday).toBe('1992-03-01')
  })

  test('gives the permission, kept with what was read and on which page', async () => {
    const { storeCustomerId } = await aSignedInCustomer()
    const token = await shortTokenOf(storeCustomerId)
    const page = 'purchase.thank-you.block.render'
    const body = { accepts_marketing: true, wording: defaultConsentWording.en, language: 'en', page }
    const { json } = await ask('POST', PERMISSION, { token, body })
    expect(json).toMatchObject({ marketing: { accepts_marketing: true, state: 'granted' } })
    const rows = await okaeri.query<object>`
      select to_state, source, wording, page from consent_changes
      where merchant_id = ${merchant.id} and customer_id = ${await idOf(storeCustomerId)} and source = 'storefront'`
    expect(rows).toEqual([
      { to_state: 'granted', source: 'storefront', wording: `${defaultConsentWording.en} [✓] (en)`, page },
    ])
    expect((await ask('POST', PERMISSION, { token, body: { ...body, wording: 'another' } })).reason).toBe(
      'wording_changed',
    )
    expect((await ask('POST', PERMISSION, { token, body: { ...body, page: 'https://evil.example/' } })).status).toBe(
      400,
    )
  })
})

describe('other origins', () => {
  const preflight = (path: string, origin: string) =>
    fetch(`${okaeri.url}${path}`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'PUT', 'access-control-request-headers': 'authorization' },
    })

  test('read what the extension asks, without cookies, and nothing beside it', async () => {
    for (const path of [TOKEN, BIRTHDAY, PERMISSION])
      for (const origin of [ORIGIN, 'https://extensions.shopifycdn.com', 'https://cdn.shopify.com']) {
        const { status, headers } = await preflight(path, origin)
        expect([path, status, headers.get('access-control-allow-origin')]).toEqual([path, 204, '*'])
        expect(headers.get('access-control-allow-headers')).toBe('authorization, content-type')
        expect(headers.get('access-control-allow-credentials')).toBeNull()
      }
    // Refusals too, so that the extension can tell one from another.
    expect((await trade('nonsense')).headers.get('access-control-allow-origin')).toBe('*')
    for (const path of [
      `/frontend/convert_token/?shop=${SHOP}`,
      `/frontend/favorite?shop=${SHOP}`,
      '/frontend/extension',
      '/frontend/extensions/token',
      '/customers',
      '/user/me/widget_settings',
    ])
      expect([path, (await preflight(path, ORIGIN)).headers.get('access-control-allow-origin')]).toEqual([path, null])
  })
})
