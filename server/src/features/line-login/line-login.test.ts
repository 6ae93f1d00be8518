import { createHmac, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getTimeline } from '@okaeri/contract/customers/routes'
import { changeLineAccount, checkLineAccount, setLineWebhook } from '@okaeri/contract/line-accounts/routes'
import { addLineTester } from '@okaeri/contract/line-friends/routes'
import { listLineHistories, previewLineTexts, testSendLineMessage } from '@okaeri/contract/line-messages/routes'
import { eraseCustomer } from '@okaeri/contract/privacy/routes'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aLineMessage } from '../../../test/builders/line-message.ts'
import {
  deliverLineEvents,
  firstLineAccount,
  lineEvent,
  type PlayedAccount,
  type PlayedUser,
  playLine,
} from '../../../test/line-platform.ts'
import { SHOP } from '../../../test/sandbox-store.ts'
import { signedByProxy } from '../../../test/signed-proxy.ts'
import { EMPTY, merchant, okaeri, play, sandbox, withSandboxStore } from '../../../test/with-okaeri.ts'
import { createLine } from '../../integrations/line/index.ts'
import { findStoreCustomers } from '../customers/index.ts'
import { chatLinks } from './index.ts'

withSandboxStore({ seed: EMPTY })

let account: PlayedAccount
let people: PlayedUser[]
beforeAll(async () => {
  account = await firstLineAccount()
  people = (await playLine<{ data: PlayedUser[] }>('users.json?limit=1000')).data
  await connect({})
})
const connect = (change: Record<string, unknown>) =>
  merchant.call(changeLineAccount, {
    body: {
      line_account: {
        channel_id: account.channel_id,
        channel_secret: account.channel_secret,
        login_channel_id: account.login_channel_id,
        login_channel_secret: account.login_channel_secret,
        login_enabled: true,
        ...change,
      },
    },
  })

/** A new person who uses LINE, each time. */
const aPerson = (friendship: PlayedUser['friendship']): PlayedUser => {
  const at = people.findIndex((one) => one.friendship === friendship && !one.sentinel)
  return people.splice(at, 1)[0] as PlayedUser
}

/** Keeps its cookies for each host and follows no redirect. */
function openBrowser(language = 'en') {
  const jars = new Map<string, Map<string, string>>()
  const browse = async (url: string, init: RequestInit = {}) => {
    const jar = jars.get(new URL(url).host) ?? new Map<string, string>()
    jars.set(new URL(url).host, jar)
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: {
        accept: 'text/html',
        'accept-language': language,
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(init.headers as Record<string, string> | undefined),
      },
    })
    for (const set of response.headers.getSetCookie()) {
      const [pair = ''] = set.split(';')
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    const text = (await response.text()).replaceAll('&amp;', '&')
    return {
      status: response.status,
      location: response.headers.get('location') ?? '',
      headers: response.headers,
      text,
    }
  }
  return Object.assign(browse, { jars })
}
type Browser = ReturnType<typeof openBrowser>

const STOREFRONT = `/stores/${SHOP}`
let number = 0
/** Of the store, and not heard of here before; signed in in this browser. */
async function signIn(browse: Browser, email = `shopper-${(number += 1)}@example.jp`): Promise<number> {
  const { customer } = await play<{ customer: { id: number } }>('customers.json', { first_name: '花子', email })
  await browse(`${sandbox.url}${STOREFRONT}/account/login`, { method: 'POST', body: new URLSearchParams({ email }) })
  return customer.id
}
const proxied = (path: string) => `${sandbox.url}${STOREFRONT}/apps/okaeri/frontend/line/${path}`
const ticketIn = ({ text }: { text: string }): string =>
  /http-equiv="refresh" content="0; url=([^"]+)"/.exec(text)?.[1] ?? ''

/** To LINE's page. */
async function begin(browse: Browser): Promise<string> {
  const sent = await browse(ticketIn(await browse(proxied('connect'))))
  expect(sent.status).toBe(302)
  return sent.location
}
/** The person agrees there; returns where they are led. */
const agree = async (authorizeUrl: string, user: PlayedUser, more: Record<string, unknown> = {}): Promise<string> =>
  (
    await playLine<{ redirect: string }>('login.json', {
      authorize_url: authorizeUrl,
      user_id: user.user_id,
      ...more,
    })
  ).redirect
const loginIn = (location: string): string => new URL(location, okaeri.url).searchParams.get('login') ?? ''
const choose = (browse: Browser, login: string, choice: 'link' | 'keep', more: Record<string, string> = {}) =>
  browse(`${okaeri.url}/line/connect/confirm`, {
    method: 'POST',
    body: new URLSearchParams({ login, choice, ...more }),
  })
const read = (browse: Browser, location: string) => browse(new URL(location, okaeri.url).href)

async function linkedWith(storeCustomerId: number): Promise<string | null> {
  const id = (await findStoreCustomers(merchant.scope(), [storeCustomerId])).get(storeCustomerId)
  const rows = await okaeri.query<{ line_user_id: string }>`
    select line_user_id from line_friends where merchant_id = ${merchant.id} and customer_id = ${id ?? null}`
  return rows[0]?.line_user_id ?? null
}
const nothingLinked = async () =>
  (await okaeri.query`select from line_link_changes where merchant_id = ${merchant.id}`).length

describe('from the storefront to LINE and back', () => {
  test('a customer who says yes is linked, and stays one with who they were as a friend', async () => {
    const browse = openBrowser()
    const shopper = await signIn(browse, 'hanako@example.jp')
    const user = aPerson('friend')
    await okaeri.settle()
    const led = await browse(proxied('connect'))
    expect(led.headers.getSetCookie()).toEqual([])
    const sent = await browse(ticketIn(led))
    const asked = new URL(sent.location).searchParams
    expect(Object.fromEntries(asked)).toMatchObject({
      client_id: account.login_channel_id,
      redirect_uri: `${okaeri.url}/line/connect/callback`,
      scope: 'profile openid',
      bot_prompt: 'aggressive',
      code_challenge_method: 'S256',
      ui_locales: 'en',
    })
    expect(sent.headers.getSetCookie().join()).toMatch(/HttpOnly; SameSite=Lax/)
    const back = await browse(await agree(sent.location, user))
    expect(back.status).toBe(303)
    const page = await read(browse, back.location)
    expect(page.text).toContain('Link your LINE account?')
    expect(page.text).toContain(user.name)
    expect(page.text).toContain('h•••@e•••.jp')
    expect(page.text).not.toContain('hanako@example.jp')
    expect(page.headers.get('content-security-policy')).toContain(`img-src ${sandbox.url}`)
    expect(await linkedWith(shopper)).toBeNull()

    const chosen = await choose(browse, loginIn(back.location), 'link')
    expect((await read(browse, chosen.location)).text).toContain('Your LINE account is linked')
    expect(await linkedWith(shopper)).toBe(user.user_id)
    const profile = await browse(proxied('profile'))
    expect(JSON.parse(profile.text)).toEqual({
      line_profile: {
        enabled: true,
        connected: true,
        friend: true,
        name: user.name,
        picture_url: expect.stringContaining(user.user_id),
      },
    })
    const id = (await findStoreCustomers(merchant.scope(), [shopper])).get(shopper) as string
    const { data } = await merchant.call(getTimeline, { params: { id }, query: {} })
    expect(data.map(({ kind }) => kind)).toContain('line_linked')
    const { findings } = await merchant.call(checkLineAccount, {})
    expect(findings).toContainEqual({ code: 'login_same', level: 'fine', detail: null })
  })

  test('who does not want to changes nothing, and neither does who cancels at LINE', async () => {
    const browse = openBrowser('ja')
    const shopper = await signIn(browse)
    const back = await browse(await agree(await begin(browse), aPerson('friend')))
    const chosen = await choose(browse, loginIn(back.location), 'keep')
    expect((await read(browse, chosen.location)).text).toContain('連携していません')
    // The first answer counts.
    await choose(browse, loginIn(back.location), 'link')
    const denied = await browse(await agree(await begin(browse), aPerson('friend'), { deny: true }))
    expect(denied).toMatchObject({ status: 200, text: expect.stringContaining('キャンセルしました') })
    expect(await linkedWith(shopper)).toBeNull()
  })

  test('one who is no friend is linked and asked to add the account; following at the login comes by webhook', async () => {
    const browse = openBrowser()
    const shopper = await signIn(browse)
    const user = aPerson('none')
    const back = await browse(await agree(await begin(browse), user))
    const done = await read(browse, (await choose(browse, loginIn(back.location), 'link')).location)
    expect(done.text).toContain(`https://line.me/R/ti/p/${encodeURIComponent(account.basic_id)}`)
    expect(await linkedWith(shopper)).toBe(user.user_id)
    expect(JSON.parse((await browse(proxied('profile'))).text).line_profile).toMatchObject({
      connected: true,
      friend: false,
    })
  })

  test('an account that is another customer’s moves only where the page said so', async () => {
    const [first, second] = [openBrowser(), openBrowser()]
    const [holder, other] = [await signIn(first, 'first@example.jp'), await signIn(second, 'second@example.jp')]
    const [user, own] = [aPerson('friend'), aPerson('friend')]
    const link = async (browse: Browser, who: PlayedUser) => {
      const { location } = await browse(await agree(await begin(browse), who))
      await choose(browse, loginIn(location), 'link')
      return location
    }
    await link(first, user)
    await link(second, own)
    const location = await link(second, user)
    expect([await linkedWith(holder), await linkedWith(other)]).toEqual([user.user_id, own.user_id])
    const page = await read(second, location)
    expect(page.text).toContain('linked to another account (f•••@e•••.jp)')
    expect(page.text).toContain(`The LINE account you have linked now (${own.name})`)
    await choose(second, loginIn(location), 'link', { moves: 'yes' })
    expect([await linkedWith(holder), await linkedWith(other)]).toEqual([null, user.user_id])
  })

  test('disconnecting forgets the link, twice as well as once', async () => {
    const browse = openBrowser()
    const shopper = await signIn(browse)
    const back = await browse(await agree(await begin(browse), aPerson('friend')))
    await choose(browse, loginIn(back.location), 'link')
    for (const _ of [1, 2]) {
      const answer = await browse(proxied('disconnect'), { method: 'POST' })
      expect(JSON.parse(answer.text).line_profile).toMatchObject({ connected: false, friend: false, name: null })
    }
    expect(await linkedWith(shopper)).toBeNull()
  })
})

describe('no one can link an account to another customer', () => {
  test.each([
    ['unsigned', () => `${okaeri.url}/frontend/line/connect?shop=${SHOP}&logged_in_customer_id=1`, 401],
    [
      'signed by another',
      () => signedByProxy('/frontend/line/connect', { logged_in_customer_id: '1' }, 'guessed'),
      401,
    ],
    [
      'altered',
      () => `${signedByProxy('/frontend/line/connect', { logged_in_customer_id: '' })}&logged_in_customer_id=1`,
      401,
    ],
    [
      'old',
      () => signedByProxy('/frontend/line/connect', { logged_in_customer_id: '1', timestamp: '1700000000' }),
      401,
    ],
    [
      'of a store without an account',
      () => signedByProxy('/frontend/line/connect', { shop: 'none.myshopify.com' }),
      403,
    ],
    ['no number', () => signedByProxy('/frontend/line/connect', { logged_in_customer_id: '1,2' }), 401],
  ])('a query that is %s opens nothing', async (_name, url, status) => {
    for (const path of ['connect', 'profile', 'disconnect']) {
      const answer = await fetch(url().replace('/connect?', `/${path}?`), {
        method: path === 'disconnect' ? 'POST' : 'GET',
      })
      expect(answer.status).toBe(status)
      expect(await answer.json()).toMatchObject({ error: { reason: expect.stringMatching(/^store_/) } })
    }
    for (const language of ['ja', 'en']) {
      const page = await openBrowser(language)(url())
      expect(page.status).toBe(status)
      expect(page.text).toMatch(language === 'ja' ? /<html lang="ja">/ : /<html lang="en">/)
    }
  })

  test('who is not signed in at the store is asked to, and comes back', async () => {
    const browse = openBrowser()
    const page = await browse(proxied('connect'))
    const signInUrl = /href="([^"]+login[^"]+)"/.exec(page.text)?.[1] ?? ''
    expect(new URL(signInUrl).pathname).toBe(`${STOREFRONT}/account/login`)
    expect(new URL(signInUrl).searchParams.get('return_url')).toBe('/apps/okaeri/frontend/line/connect')
    expect((await browse(proxied('profile'), { headers: { accept: 'application/json' } })).status).toBe(401)
  })

  test('ticket and state are good once, and only in the browser that was sent', async () => {
    const [browse, stranger] = [openBrowser(), openBrowser()]
    const shopper = await signIn(browse)
    const user = aPerson('friend')
    const before = await nothingLinked()
    const ticket = ticketIn(await browse(proxied('connect')))
    expect((await browse(ticket, { method: 'HEAD' })).status).toBe(404)
    const { location } = await browse(ticket)
    expect(await browse(ticket)).toMatchObject({ status: 404, text: expect.stringContaining('no longer valid') })
    const redirect = await agree(location, user)
    // A link made for one person, opened by another.
    expect(await stranger(redirect)).toMatchObject({ status: 404, text: expect.stringContaining('another browser') })
    const back = await browse(redirect)
    expect(back.status).toBe(303)
    expect((await browse(redirect)).status).toBe(404)
    expect((await read(stranger, back.location)).status).toBe(404)
    await choose(stranger, loginIn(back.location), 'link')
    expect(await linkedWith(shopper)).toBeNull()
    expect(await nothingLinked()).toBe(before)
  })

  test('after ten minutes it is over, at each step', async () => {
    const browse = openBrowser()
    const shopper = await signIn(browse)
    const late = () =>
      okaeri.query`update line_logins set expires_at = now() - interval '1 second' where merchant_id = ${merchant.id}`
    const ticket = ticketIn(await browse(proxied('connect')))
    await late()
    expect((await browse(ticket)).status).toBe(404)
    const redirect = await agree(await begin(browse), aPerson('friend'))
    await late()
    expect((await browse(redirect)).status).toBe(404)
    const back = await browse(await agree(await begin(browse), aPerson('friend')))
    await late()
    expect((await read(browse, back.location)).status).toBe(404)
    await choose(browse, loginIn(back.location), 'link')
    expect(await linkedWith(shopper)).toBeNull()
  })

  test.each(['', 'x', `${'a'.repeat(300)}`, `00000000-0000-4000-8000-000000000000.x`, '\u0000.\u0000'])(
    'a state or login like %j is a page, not a fault',
    async (text) => {
      const browse = openBrowser()
      const query = new URLSearchParams({ state: text, code: 'x', login: text, ticket: text || 'x' }).toString()
      for (const path of ['/line/connect/callback', '/line/connect/confirm', '/frontend/line/connect'])
        expect(await browse(`${okaeri.url}${path}?${query}`)).toMatchObject({
          status: expect.toSatisfy((status) => [401, 403, 404].includes(status as number)),
          text: expect.stringContaining('<html lang="en">'),
        })
    },
  )
})

describe('what LINE answers', () => {
  let browse: Browser
  let shopper: number
  beforeEach(async () => {
    browse = openBrowser()
    shopper = await signIn(browse)
  })
  /** What the person sees who comes back, and whether anything was linked. */
  const cameBack = async (redirect: string) => {
    const { status, text } = await browse(redirect)
    return { status, title: /<h1>(.*)<\/h1>/.exec(text)?.[1], linked: await linkedWith(shopper) }
  }
  const incomplete = { status: 400, title: 'LINE Login did not complete', linked: null }
  const away = { status: 503, title: 'LINE cannot be reached', linked: null }

  /** As long as the work lasts the platform answers everything so; null: it breaks off. */
  async function answering<T>(body: string | null, work: () => Promise<T>): Promise<T> {
    const server = createServer((request, response) => {
      if (body === null) request.socket.destroy()
      else response.writeHead(200, { 'content-type': 'application/json' }).end(body)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const { integrations } = okaeri.context
    const real = integrations.line
    integrations.line = createLine({ apiUrl: url, dataApiUrl: url, accessUrl: url })
    try {
      return await work()
    } finally {
      await integrations.line.close()
      integrations.line = real
      server.close()
    }
  }

  test('a code that is not good', async () => {
    const redirect = new URL(await agree(await begin(browse), aPerson('friend')))
    redirect.searchParams.set('code', 'another')
    expect(await cameBack(redirect.href)).toEqual(incomplete)
  })
  test('a login of another nonce or verifier', async () => {
    for (const [name, value] of [
      ['nonce', 'of-another-login'],
      ['code_challenge', 'BSCQwo_m8Wf0fpjmwkIKmPAJ1A7tiuRSNDnXzODS7QI'],
    ] as const) {
      const address = new URL(await begin(browse))
      address.searchParams.set(name, value)
      expect(await cameBack(await agree(address.href, aPerson('friend')))).toEqual(incomplete)
    }
  })
  test('an id token of another channel', async () => {
    const redirect = await agree(await begin(browse), aPerson('friend'))
    const claims = { iss: 'https://access.line.me', sub: 'U1', aud: '1', exp: 4_102_444_800 }
    const text = [{ alg: 'HS256' }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.')
    const mac = createHmac('sha256', account.login_channel_secret).update(text).digest('base64url')
    const grant = { access_token: 'a', expires_in: 9, id_token: `${text}.${mac}` }
    expect(await answering(JSON.stringify(grant), () => cameBack(redirect))).toEqual(incomplete)
  })
  test('nothing of use, or nothing at all', async () => {
    const [one, other] = [
      await agree(await begin(browse), aPerson('friend')),
      await agree(await begin(browse), aPerson('friend')),
    ]
    expect(await answering('<html>gateway</html>', () => cameBack(one))).toEqual(away)
    expect(await answering(null, () => cameBack(other))).toEqual(away)
  })
  test('an error', async () => {
    const redirect = new URL(await agree(await begin(browse), aPerson('friend'), { deny: true }))
    redirect.searchParams.set('error', 'INVALID_REQUEST')
    expect(await cameBack(redirect.href)).toEqual(incomplete)
  })
  test('an id of another provider', async () => {
    const { channel_id, channel_secret } = account.foreign_login_channel
    await connect({ login_channel_id: channel_id, login_channel_secret: channel_secret })
    expect(await cameBack(await agree(await begin(browse), aPerson('friend')))).toEqual({
      status: 409,
      title: 'Your LINE account cannot be linked',
      linked: null,
    })
    const { findings } = await merchant.call(checkLineAccount, {})
    expect(findings).toContainEqual({ code: 'login_unlinked', level: 'problem', detail: null })
    await connect({})
    expect((await merchant.call(checkLineAccount, {})).findings.map(({ code }) => code)).toContain('login_unproved')
    expect((await browse(await agree(await begin(browse), aPerson('friend')))).status).toBe(303)
  })
})

describe('from a link in the chat', () => {
  beforeAll(() => merchant.call(setLineWebhook, {}))
  const linkOf = async (user: PlayedUser): Promise<string> => {
    const link = (await chatLinks(merchant.scope()))(user.user_id)
    expect(link).toContain('/frontend/line/connect?chat=')
    // It goes through the store's log, and what counts the visitors there.
    expect(link).not.toContain(user.user_id)
    return link
  }
  /** Up to the page that asks; returns where it is. */
  async function askedAt(browse: Browser, link: string): Promise<string> {
    const { location } = await browse(ticketIn(await browse(link)))
    return location
  }
  /** The person's yes there; returns LINE's own page. */
  async function dialogOf(browse: Browser, location: string): Promise<string> {
    const { location: next } = await choose(browse, loginIn(location), 'link')
    return ticketIn(await read(browse, next))
  }
  /** A person opens LINE's page, and the platform reports how it ended. */
  async function answerAs(user: PlayedUser, dialog: string): Promise<void> {
    const query = new URL(dialog).searchParams
    query.set('user_id', user.user_id)
    const answer = await fetch(`${sandbox.url}/line/access/dialog/bot/accountLink`, { method: 'POST', body: query })
    expect(answer.status).toBe(200)
    await okaeri.settle()
  }
  const titleAt = async (browse: Browser, location: string) =>
    /<h1>(.*)<\/h1>/.exec((await read(browse, location)).text)?.[1]

  test('who is signed in at the store and says yes on both pages is linked', async () => {
    const browse = openBrowser()
    const shopper = await signIn(browse, 'chat@example.jp')
    const user = aPerson('friend')
    await okaeri.settle()
    const location = await askedAt(browse, await linkOf(user))
    const page = await read(browse, location)
    expect(page.text).toContain(user.name)
    expect(page.text).toContain('c•••@e•••.jp')
    expect(page.text).toContain('LINE asks you once more')
    const dialog = await dialogOf(browse, location)
    expect(dialog).toMatch(/\/dialog\/bot\/accountLink\?linkToken=[\w-]+&nonce=[\w-]{43}$/)
    expect(await linkedWith(shopper)).toBeNull()
    await answerAs(user, dialog)
    expect(await linkedWith(shopper)).toBe(user.user_id)
    expect(await titleAt(browse, location)).toBe('Your LINE account is linked')
    const rows = await okaeri.query`select from line_logins where merchant_id = ${merchant.id} and from_chat and
      (token_hash is not null or secrets is not null)`
    expect(rows).toEqual([])
    // Opened again, it says so and asks no question.
    expect(await titleAt(browse, await askedAt(browse, await linkOf(user)))).toBe('Your LINE account is linked')
  })

  test('the tag in a message is the link of the friend who gets it, and lists do not show it', async () => {
    const user = aPerson('friend')
    await okaeri.settle()
    const { id } = await aLineMessage(merchant, [{ type: 'text', text: '連携: {{ line.link_url }}' }])
    await merchant.call(addLineTester, { params: { lineUserId: user.user_id } })
    await merchant.call(testSendLineMessage, {
      params: { id },
      body: { line_user_ids: [user.user_id], customer_id: null },
    })
    await okaeri.settle()
    const chat = JSON.stringify(await playLine(`users/${user.user_id}/chat.json`))
    const link = /http[^"\s]+\/frontend\/line\/connect\?chat=[\w.-]+/.exec(chat)?.[0] ?? ''
    const browse = openBrowser()
    await signIn(browse)
    expect((await read(browse, await askedAt(browse, link))).text).toContain(user.name)
    const { data } = await merchant.call(listLineHistories, { query: { line_message_id: id, kind: 'test' } })
    expect(data).toMatchObject([{ status: 'sent', subject: '連携:' }])
    const { texts } = await merchant.call(previewLineTexts, {
      body: { texts: ['{{ line.link_url }}'], customer_id: null },
    })
    expect(texts).toMatchObject([{ text: expect.stringContaining('/frontend/line/connect?chat='), problem: null }])
  })

  test('a page that leads on leads to the question again when it is pressed twice, and no other browser there', async () => {
    const [browse, stranger] = [openBrowser(), openBrowser()]
    await signIn(browse)
    const ticket = ticketIn(await browse(await linkOf(aPerson('friend'))))
    const { location } = await browse(ticket)
    await connect({ login_enabled: false })
    expect((await browse(ticket)).location).toBe(location)
    expect(await stranger(ticket)).toMatchObject({ status: 404, text: expect.stringContaining('no longer valid') })
    await dialogOf(browse, location)
    expect((await browse(ticket)).status).toBe(404)
    await connect({})
  })

  test('a link made for one person, opened by another, never joins the two', async () => {
    const browse = openBrowser()
    const shopper = await signIn(browse)
    const [sentTo, opener] = [aPerson('friend'), aPerson('friend')]
    const location = await askedAt(browse, await linkOf(sentTo))
    expect((await read(browse, location)).text).toContain(sentTo.name)
    await answerAs(opener, await dialogOf(browse, location))
    expect(await titleAt(browse, location)).toBe('Nothing was linked')
    expect(await linkedWith(shopper)).toBeNull()
  })

  test('a friend who is forgotten is known no more to a login that another person began with their link', async () => {
    const browse = openBrowser()
    await signIn(browse)
    const user = aPerson('friend')
    await okaeri.settle()
    const location = await askedAt(browse, await linkOf(user))
    const { db } = okaeri.context
    const { rows } = await sql<{ id: string }>`select customer_id as id from line_friends
      where merchant_id = ${merchant.id} and line_user_id = ${user.user_id}`.execute(db)
    await merchant.call(eraseCustomer, { params: { id: rows[0]?.id ?? '' }, body: { confirm: true } })
    await okaeri.settle()
    expect((await read(browse, location)).status).toBe(404)
    const left = await sql`select from line_logins where line_user_id = ${user.user_id}`.execute(db)
    expect(left.rows).toEqual([])
  })

  test('LINE’s answer counts once, for the account it was asked about, within ten minutes, and only of LINE', async () => {
    const browse = openBrowser()
    const shopper = await signIn(browse)
    const [user, other] = [aPerson('friend'), aPerson('friend')]
    const tell = async (who: PlayedUser, nonce: string) => {
      const event = lineEvent(who.user_id, 'accountLink', { link: { result: 'ok', nonce } })
      await deliverLineEvents(okaeri, merchant, account, [event])
      await okaeri.settle()
    }
    const nonceOf = async () =>
      new URL(await dialogOf(browse, await askedAt(browse, await linkOf(user)))).searchParams.get('nonce') ?? ''
    await tell(other, await nonceOf())
    expect(await linkedWith(shopper)).toBeNull()
    const used = await nonceOf()
    await tell(other, used)
    await tell(user, used)
    await tell(user, 'x'.repeat(43))
    const late = await nonceOf()
    await okaeri.query`update line_logins set expires_at = now() - interval '1 second' where merchant_id = ${merchant.id}`
    await tell(user, late)
    expect(await linkedWith(shopper)).toBeNull()
    await tell(user, await nonceOf())
    expect(await linkedWith(shopper)).toBe(user.user_id)
  })

  test('an account that is another customer’s moves only where the page said so', async () => {
    const [first, second] = [openBrowser(), openBrowser()]
    const [holder, next] = [await signIn(first), await signIn(second)]
    const user = aPerson('friend')
    await answerAs(user, await dialogOf(first, await askedAt(first, await linkOf(user))))
    const location = await askedAt(second, await linkOf(user))
    expect((await read(second, location)).text).toContain('linked to another account. Linking')
    await choose(second, loginIn(location), 'link')
    expect(await titleAt(second, location)).toBe('Link your LINE account?')
    await choose(second, loginIn(location), 'link', { moves: 'yes' })
    await answerAs(user, ticketIn(await read(second, location)))
    expect([await linkedWith(holder), await linkedWith(next)]).toEqual([null, user.user_id])
  })

  test('who is not signed in is asked to, and comes back with the link; a link that is altered is none', async () => {
    const browse = openBrowser()
    const link = await linkOf(aPerson('friend'))
    const page = await browse(link)
    const signInUrl = /href="([^"]+login[^"]+)"/.exec(page.text)?.[1] ?? ''
    expect(new URL(signInUrl).searchParams.get('return_url')).toBe(link.slice(link.indexOf('/apps/')))
    await signIn(browse)
    const [, first = ''] = /chat=(.)/.exec(link) ?? []
    const another = link.replace(/chat=./, `chat=${first === 'A' ? 'B' : 'A'}`)
    const ofAnother = (await chatLinks({ ...merchant.scope(), merchantId: randomUUID() }))('U1').replace(/.*\?/, '')
    const elsewhere = okaeri.context.keyring.sealForLink(`elsewhere ${merchant.id}`, 'U1')
    const chats = ['x', elsewhere].map((chat) => `chat=${chat}`)
    for (const wrong of [another, `${link}00`, ...[ofAnother, ...chats].map((chat) => link.replace(/chat=.*/, chat))])
      expect(await browse(wrong)).toMatchObject({ status: 404, text: expect.stringContaining('no longer valid') })
  })

  test('who has blocked the account meanwhile, and who comes while LINE is away, reads so', async () => {
    const browse = openBrowser()
    const shopper = await signIn(browse)
    const user = aPerson('friend')
    const link = await linkOf(user)
    const location = await askedAt(browse, link)
    const { break_as, break_times } = { break_as: 'error', break_times: 1 }
    await playLine(`accounts/${account.id}/settings.json`, { break_as, break_times })
    expect((await choose(browse, loginIn(location), 'link')).status).toBe(503)
    await playLine(`users/${user.user_id}/block.json`, {})
    expect(await choose(browse, loginIn(location), 'link')).toMatchObject({
      status: 409,
      text: expect.stringContaining('has blocked the store’s official account'),
    })
    expect((await browse(link)).status).toBe(409)
    expect(await linkedWith(shopper)).toBeNull()
  })
})

test('where the owner does not offer it, a page says so, also to who is on the way; who is linked can still unlink', async () => {
  const browse = openBrowser()
  const shopper = await signIn(browse)
  const linkedBack = await browse(await agree(await begin(browse), aPerson('friend')))
  await choose(browse, loginIn(linkedBack.location), 'link')
  expect(await linkedWith(shopper)).not.toBeNull()
  const ticket = ticketIn(await browse(proxied('connect')))
  const redirect = await agree(await begin(browse), aPerson('friend'))
  await connect({ login_enabled: false })
  for (const address of [proxied('connect'), ticket, redirect])
    expect(await browse(address)).toMatchObject({ status: 403, text: expect.stringContaining('not available') })
  expect(JSON.parse((await browse(proxied('profile'))).text).line_profile).toMatchObject({ enabled: false })
  await browse(proxied('disconnect'), { method: 'POST' })
  expect(await linkedWith(shopper)).toBeNull()
  await connect({})
})

test('a customer who tries too often waits', async () => {
  const browse = openBrowser()
  await signIn(browse)
  let status = 200
  for (let tries = 0; tries < 21; tries += 1) status = (await browse(proxied('connect'))).status
  expect(status).toBe(429)
})
