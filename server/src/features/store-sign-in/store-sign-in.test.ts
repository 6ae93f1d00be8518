import { createHmac } from 'node:crypto'
import { connectStore } from '@okaeri/contract/store/routes'
import { confirmAddress } from '@okaeri/contract/merchants/confirmation'
import { changeMember, getSettings } from '@okaeri/contract/merchants/routes'
import { requestReset, setForgottenPassword, signIn, signUp } from '@okaeri/contract/sessions/routes'
import { createClient } from '@okaeri/contract/client'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { SANDBOX_APP, startTestOkaeri } from '../../../test/harness.ts'
import { okaeri, sandbox, withSandbox } from '../../../test/with-okaeri.ts'
import { findMerchantByShop } from '../stores/index.ts'
import { beginAuthorization, finishAuthorization } from './authorization.ts'

withSandbox()
afterEach(() => void vi.restoreAllMocks())

/** A browser: stores cookies and follows no redirect. */
function openBrowser() {
  const jar = new Map<string, string>()
  return async (url: string, init: RequestInit = {}) => {
    const ours = url.startsWith(okaeri.url)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: { ...(init.headers as Record<string, string> | undefined), ...(ours && cookie ? { cookie } : {}) },
    })
    for (const set of ours ? response.headers.getSetCookie() : []) {
      const [pair = ''] = set.split(';')
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    const text = await response.text()
    return {
      status: response.status,
      location: response.headers.get('location') ?? '',
      cookies: response.headers.getSetCookie(),
      text,
    }
  }
}
type Browser = ReturnType<typeof openBrowser>

/** Presses the platform's button; returns the address it sends the browser to. */
async function approve(authorizeUrl: string): Promise<string> {
  const url = new URL(authorizeUrl)
  await fetch(url, { redirect: 'manual' })
  const answer = await fetch(url.origin + url.pathname, { method: 'POST', body: url.searchParams, redirect: 'manual' })
  return answer.headers.get('location') ?? ''
}
async function begin(browse: Browser, shop: string, token?: string): Promise<string> {
  const answer = await browse(`${okaeri.url}/store/connect`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify({ shop }),
  })
  return (JSON.parse(answer.text) as { authorize_url: string }).authorize_url
}
async function trade(browse: Browser, location: string): Promise<string> {
  const code = new URL(location, okaeri.url).searchParams.get('code') ?? ''
  const answer = await browse(`${okaeri.url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'authorization_code', code }),
  })
  return (JSON.parse(answer.text) as { access_token: string }).access_token
}
const callWith = (token: string) =>
  createClient({ baseUrl: okaeri.url, headers: () => ({ authorization: `Bearer ${token}` }) })
const settingsOf = (token: string) => callWith(token)(getSettings, {})
async function tokenMailedTo(address: string, page: 'confirm' | 'reset'): Promise<string> {
  await okaeri.settle()
  for (const { id } of sandbox.mailbox.list({ to: address })) {
    const link = new RegExp(`/${page}\\?token=([\\w.-]+)`).exec(JSON.stringify(await sandbox.mailbox.read(id)))
    if (link?.[1]) return link[1]
  }
  return ''
}

function sign(parameters: Record<string, string>, secret: string = SANDBOX_APP.apiSecret): string {
  const text = Object.entries(parameters)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${encodeURIComponent(value)}`)
    .join('&')
  return `${text}&hmac=${createHmac('sha256', secret).update(text).digest('hex')}`
}
const seconds = () => String(Math.floor(okaeri.clock.realNow().getTime() / 1000))
const fromStore = (shop: string) => sign({ shop, timestamp: seconds() })

describe('a store without an account', () => {
  test('opened from the platform is authorized, becomes a merchant and is signed in', async () => {
    const browse = openBrowser()
    const shop = 'hana-shop.myshopify.com'
    const opened = await browse(`${okaeri.url}/shopify?${fromStore(shop)}`)
    expect(opened.status).toBe(302)
    expect(opened.location).toContain(`${sandbox.url}/stores/${shop}/admin/oauth/authorize?`)
    expect(opened.cookies.join()).toMatch(/HttpOnly/)
    const back = await browse(await approve(opened.location))
    expect(back.status).toBe(302)
    expect(back.location).toMatch(/^\/_app\/store\/callback\?code=/)
    const settings = await settingsOf(await trade(browse, back.location))
    expect(settings).toMatchObject({
      user: { role: 'owner' },
      userSetting: { test_mode: true, timezone: 'Asia/Tokyo', language: 'ja' },
      plan: { code: 'test' },
      store: { shop_domain: shop, status: 'connected', currency: 'JPY' },
    })
  })

  test('signs in to the same merchant the next time', async () => {
    const shop = 'again.myshopify.com'
    const enter = async () => {
      const browse = openBrowser()
      const page = await browse(await approve(await begin(browse, 'again')))
      return settingsOf(await trade(browse, page.location))
    }
    const first = await enter()
    const browse = openBrowser()
    const opened = await browse(`${okaeri.url}/shopify?${fromStore(shop)}`)
    expect(opened.location).toBe(`/_app/store/authorize?shop=${shop}`)
    expect((await enter()).user).toEqual(first.user)
  })

  test('of a person who has one already becomes a second merchant', async () => {
    const one = openBrowser()
    const two = openBrowser()
    const first = await settingsOf(await trade(one, (await one(await approve(await begin(one, 'one')))).location))
    const second = await settingsOf(await trade(two, (await two(await approve(await begin(two, 'two')))).location))
    expect(second.user.merchant_id).not.toBe(first.user.merchant_id)
  })
})

test('who came through the store and has no password moves to an address of their own, and then to a password', async () => {
  const browse = openBrowser()
  const call = callWith(await trade(browse, (await browse(await approve(await begin(browse, 'astray')))).location))
  const { user, confirmations } = await call(getSettings, {})
  expect(user.has_password).toBe(false)
  expect(confirmations).toContainEqual(expect.objectContaining({ purpose: 'account', status: 'asked' }))
  const email = 'right@astray.example'
  expect((await call(changeMember, { body: { email } })).user.email).toBe(user.email)
  await call(confirmAddress, { body: { token: await tokenMailedTo(email, 'confirm') } })
  const moved = await call(getSettings, {})
  expect(moved.user.email).toBe(email)
  expect(moved.confirmations).toContainEqual({
    purpose: 'account',
    email,
    status: 'confirmed',
    asked_at: null,
    mail: null,
  })

  // The old address gets a notice of the next change.
  await call(changeMember, { body: { email: 'another@astray.example' } })
  await okaeri.settle()
  expect(sandbox.mailbox.list({ to: email })).toHaveLength(2)
  await okaeri.call(requestReset, { body: { email } })
  const token = await tokenMailedTo(email, 'reset')
  await okaeri.call(setForgottenPassword, { body: { token, password: 'correct horse battery' } })
  const again = callWith(await trade(browse, (await browse(await approve(await begin(browse, 'astray')))).location))
  expect((await again(getSettings, {})).user.has_password).toBe(true)
  await expect(again(changeMember, { body: { email: 'third@astray.example' } })).rejects.toMatchObject({
    reason: 'wrong_current_password',
  })
})

test('of two stores that come to an empty installation at once only one is the first', async () => {
  const empty = await startTestOkaeri({ sandbox, env: { SIGN_UP: 'invite' } })
  const { context } = empty
  const come = async (shopDomain: string): Promise<Parameters<typeof finishAuthorization>[1]> => {
    const browserKey = `key of ${shopDomain}`
    const page = await beginAuthorization(context, { shopDomain, identity: null, browserKey })
    const { searchParams } = new URL(await approve(page))
    return { shopDomain, browserKey, state: searchParams.get('state') ?? '', code: searchParams.get('code') ?? '' }
  }
  const trips = [await come('first.myshopify.com'), await come('second.myshopify.com')]
  const arrivals = await Promise.all(trips.map((trip) => finishAuthorization(context, trip)))
  expect(arrivals.filter((one) => 'code' in one)).toHaveLength(1)
  expect(arrivals).toContainEqual({ reason: 'sign_up_by_invitation' })
  await empty.close()
})

describe('a signed-in owner', () => {
  const tokenOf = (merchant: { id: string; memberId: string }, role = 'owner') =>
    `test.${merchant.id}.${merchant.memberId}.${role}`

  test('connects the store to the merchant, and disconnects it again', async () => {
    const merchant = await okaeri.merchant()
    const browse = openBrowser()
    const back = await browse(await approve(await begin(browse, 'mine', tokenOf(merchant))))
    expect(back.location).toMatch(/^\/_app\/store\/callback\?code=/)
    expect(await findMerchantByShop(okaeri.context, 'mine.myshopify.com')).toBe(merchant.id)
    const disconnect = (role: string) =>
      browse(`${okaeri.url}/store/disconnect`, {
        method: 'POST',
        headers: { authorization: `Bearer ${tokenOf(merchant, role)}` },
      })
    expect((await disconnect('marketer')).status).toBe(403)
    expect((await disconnect('owner')).status).toBe(204)
    expect((await merchant.call(getSettings, {})).store).toMatchObject({ status: 'disconnected' })
  })

  test('gets the reason if the store belongs to another merchant', async () => {
    const first = await okaeri.merchant()
    const browse = openBrowser()
    await browse(await approve(await begin(browse, 'taken', tokenOf(first))))
    const second = await okaeri.merchant()
    const back = await browse(await approve(await begin(browse, 'taken', tokenOf(second))))
    expect(back.location).toBe('/_app/store/authorize?shop=taken.myshopify.com&error=store_connected_elsewhere')
    expect(await findMerchantByShop(okaeri.context, 'taken.myshopify.com')).toBe(first.id)
  })

  test('alone may begin', async () => {
    const merchant = await okaeri.merchant()
    await expect(merchant.as('marketer')(connectStore, { body: { shop: 'x' } })).rejects.toMatchObject({ status: 403 })
    await expect(merchant.call(connectStore, { body: { shop: 'evil.example' } })).rejects.toMatchObject({
      status: 400,
      fields: { shop: 'invalid' },
    })
  })
})

describe('who signed up with another’s address and connected a store of their own', () => {
  const email = 'owner@claimed.example'
  const password = 'correct horse battery'
  const signedIn = (password: string) => okaeri.call(signIn, { body: { email, password } })
  const enter = async (shop: string, token?: string) => {
    const browse = openBrowser()
    return { browse, back: await browse(await approve(await begin(browse, shop, token))) }
  }

  test('cannot get in once the mailbox’s owner has set a password, until the owner connects the store', async () => {
    await okaeri.call(signUp, { body: { email, password, site_name: 'よその店', agreement: true } })
    const { access_token } = await signedIn(password)
    await enter('planted', access_token)
    const code = (await enter('planted')).back.location
    expect(code).toContain('/store/callback?code=')
    // Begun before, finished after.
    const begun = openBrowser()
    const own = await approve(await begin(begun, 'later', access_token))
    const entered = await enter('planted')

    await okaeri.call(requestReset, { body: { email } })
    const token = await tokenMailedTo(email, 'reset')
    await okaeri.call(setForgottenPassword, { body: { token, password: 'another horse battery' } })

    expect(await trade(entered.browse, entered.back.location)).toBeUndefined()
    expect((await begun(own)).location).toContain('error=store_state_invalid')
    expect((await enter('planted')).back.location).toContain('error=store_sign_in_ended')

    const owner = (await signedIn('another horse battery')).access_token
    const { store } = await settingsOf(owner)
    expect(store).toMatchObject({ shop_domain: 'planted.myshopify.com', status: 'connected', signs_in: false })
    await enter('planted', owner)
    expect((await settingsOf(owner)).store).toMatchObject({ signs_in: true })
    const { browse, back } = await enter('planted')
    expect((await settingsOf(await trade(browse, back.location))).user.email).toBe(email)
  })
})

test('an owner who signed up through the store sets a password while signed in, and can still sign in through the store', async () => {
  const enter = async () => {
    const browse = openBrowser()
    return callWith(await trade(browse, (await browse(await approve(await begin(browse, 'within')))).location))
  }
  const call = await enter()
  const { email } = (await call(getSettings, {})).user
  await call(requestReset, { body: { email } })
  await call(setForgottenPassword, {
    body: { token: await tokenMailedTo(email, 'reset'), password: 'correct horse battery' },
  })
  expect((await (await enter())(getSettings, {})).user.has_password).toBe(true)
})

describe('an attacker', () => {
  test('cannot make a merchant finish an authorization begun in another browser', async () => {
    const attacker = await okaeri.merchant()
    const url = await begin(openBrowser(), 'victim', `test.${attacker.id}.${attacker.memberId}.owner`)
    const callback = await approve(url)
    for (const victim of [openBrowser(), await withOwnKey()]) {
      const back = await victim(callback)
      expect(back.location).toBe('/_app/store/authorize?shop=victim.myshopify.com&error=store_state_invalid')
    }
    expect(await findMerchantByShop(okaeri.context, 'victim.myshopify.com')).toBeNull()
  })
  async function withOwnKey(): Promise<Browser> {
    const browse = openBrowser()
    await begin(browse, 'anything')
    return browse
  }

  test('cannot use a callback twice, late, for another store, or with an unknown state', async () => {
    const browse = openBrowser()
    const callback = await approve(await begin(browse, 'once'))
    expect((await browse(callback)).location).toContain('/store/callback?code=')
    expect((await browse(callback)).location).toContain('error=store_state_invalid')

    const late = await approve(await begin(browse, 'late'))
    const { clock } = okaeri
    const real = clock.realNow()
    vi.spyOn(clock, 'realNow').mockReturnValue(new Date(real.getTime() + 601_000))
    expect((await browse(late)).location).toContain('error=store_state_invalid')
    vi.restoreAllMocks()

    const state = new URL(await begin(browse, 'first')).searchParams.get('state') ?? ''
    const other = sign({ code: 'c', shop: 'second.myshopify.com', state, timestamp: seconds() })
    expect((await browse(`${okaeri.url}/shopify/callback?${other}`)).location).toContain('error=store_state_invalid')
    const invented = sign({ code: 'c', shop: 'first.myshopify.com', state: 'x', timestamp: seconds() })
    expect((await browse(`${okaeri.url}/shopify/callback?${invented}`)).location).toContain('error=store_state_invalid')
  })

  test('gets 401 for any query the platform did not sign', async () => {
    const shop = 'signed.myshopify.com'
    const good = fromStore(shop)
    const queries = [
      good.replace(/hmac=.*/, ''),
      good.replace(/hmac=(.)/, (_, c: string) => `hmac=${c === '0' ? '1' : '0'}`),
      good.replace('signed.', 'other.'),
      `${good}&timestamp=${seconds()}`,
      `${good}&extra=1`,
      sign({ shop, timestamp: seconds() }, 'another secret'),
      sign({ shop, timestamp: String(Number(seconds()) - 3600) }),
      sign({ shop: 'evil.example', timestamp: seconds() }),
      sign({ shop: `${shop}.evil.example`, timestamp: seconds() }),
    ]
    for (const path of ['/shopify', '/shopify/callback'])
      for (const query of queries) {
        const { status, text } = await openBrowser()(`${okaeri.url}${path}?${query}`)
        expect(status, `${path}?${query}`).toBe(401)
        expect(JSON.parse(text)).toMatchObject({ error: { code: 'unauthorized', reason: 'store_signature_invalid' } })
      }
    for (const query of ['', `${good}&shop=evil.myshopify.com`])
      expect((await openBrowser()(`${okaeri.url}/shopify?${query}`)).status).toBe(400)
  })

  test('sees the page with the reason in a browser, with the store’s name only if it is valid', async () => {
    const shown = async (path: string) => {
      const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
      const { status, location, text } = await openBrowser()(`${okaeri.url}${path}`, { headers })
      return { status, location, text }
    }
    for (const path of ['/shopify', '/shopify/callback']) {
      expect(await shown(`${path}?shop=signed.myshopify.com&hmac=0`)).toMatchObject({
        status: 302,
        location: '/_app/store/authorize?shop=signed.myshopify.com&error=store_signature_invalid',
      })
      expect(await shown(`${path}?shop=%3Cscript%3E`)).toMatchObject({
        status: 302,
        location: '/_app/store/authorize?shop=&error=store_signature_invalid',
      })
      const broken = await shown(path)
      expect([broken.status, broken.text]).toEqual([400, expect.stringContaining('エラーが発生しました')])
    }
  })

  test('cannot use a code the platform never issued, nor another person’s sign-in code', async () => {
    const browse = openBrowser()
    const state = new URL(await begin(browse, 'coded')).searchParams.get('state') ?? ''
    const forged = sign({ code: 'invented', shop: 'coded.myshopify.com', state, timestamp: seconds() })
    const back = await browse(`${okaeri.url}/shopify/callback?${forged}`)
    expect(back.location).toContain('error=store_refused')
    const { location } = await browse(await approve(await begin(browse, 'coded')))
    expect(await trade(await withOwnKey(), location)).toBeUndefined()
    expect(await trade(browse, location)).toBeTypeOf('string')
    expect(await trade(browse, location)).toBeUndefined()
  })
})

test('a merchant who refuses, and a platform that does not answer, lead back to the page with the reason', async () => {
  const browse = openBrowser()
  const state = new URL(await begin(browse, 'refused')).searchParams.get('state') ?? ''
  const refused = sign({ shop: 'refused.myshopify.com', state, timestamp: seconds() })
  expect((await browse(`${okaeri.url}/shopify/callback?${refused}`)).location).toContain('error=store_refused')

  const { IntegrationError } = await import('../../kernel/errors.ts')
  const exchange = vi.spyOn(okaeri.context.integrations.shopify ?? ({} as never), 'exchangeCode')
  exchange.mockRejectedValue(new IntegrationError('shopify', true, 'unreachable'))
  const back = await browse(await approve(await begin(browse, 'down')))
  expect(back.location).toBe('/_app/store/authorize?shop=down.myshopify.com&error=store_unreachable')
})

test('without the app’s credentials a store is refused with the reason, not with the advice to wait', async () => {
  const bare = await startTestOkaeri({ env: { SHOPIFY_API_KEY: '', SHOPIFY_API_SECRET: '' } })
  const answer = await fetch(`${bare.url}/store/connect`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ shop: 'real-shop.myshopify.com' }),
  })
  expect([answer.status, await answer.json()]).toEqual([
    503,
    { error: expect.objectContaining({ code: 'unavailable', reason: 'store_platform_not_set_up' }) as unknown },
  ])
  await bare.close()
})
