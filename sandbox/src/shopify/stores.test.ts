import '@shopify/shopify-api/adapters/node'
import { createHmac } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { ApiVersion, Session, shopifyApi } from '@shopify/shopify-api'
import { setAbstractFetchFunc } from '@shopify/shopify-api/runtime'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { signProxyQuery } from './app-proxy.ts'
import { signQuery } from './oauth.ts'
import { startStores } from './seed/test-stores.ts'

let rig: Awaited<ReturnType<typeof startStores>>
let inbox: Awaited<ReturnType<typeof listen>>
const reference = fileURLToPath(new URL('../../../../shared/reference/', import.meta.url))

beforeAll(async () => {
  rig = await startStores()
  inbox = await listen()
})
afterAll(async () => {
  await rig.close()
  inbox.server.close()
})

interface Received {
  url: string | undefined
  headers: IncomingHttpHeaders
  raw: string
  body: Record<string, unknown>
}

/** An app's webhook address; `answer` decides the status. */
async function listen() {
  const received: Received[] = []
  const box = { answer: () => 200, received, server: undefined as unknown as Server, url: '' }
  box.server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part) => parts.push(part))
    request.on('end', () => {
      const raw = Buffer.concat(parts).toString()
      received.push({ url: request.url, headers: request.headers, raw, body: JSON.parse(raw) })
      response.writeHead(box.answer()).end()
    })
  })
  await new Promise<void>((resolve) => box.server.listen(0, '127.0.0.1', resolve))
  box.url = `http://127.0.0.1:${(box.server.address() as AddressInfo).port}/hooks`
  return box
}

async function subscribe(token: string, topic: string, uri = inbox.url) {
  const answer = await rig.graphql(
    token,
    'mutation ($topic: WebhookSubscriptionTopic!, $sub: WebhookSubscriptionInput!) { webhookSubscriptionCreate(topic: $topic, webhookSubscription: $sub) { webhookSubscription { id topic uri } userErrors { field message } } }',
    { topic, sub: { uri } },
  )
  return answer.data.webhookSubscriptionCreate
}

async function arrived(topic: string): Promise<Received> {
  await rig.settle()
  const found = inbox.received.find(({ headers }) => headers['x-shopify-topic'] === topic)
  if (!found) throw new Error(`${topic} did not arrive`)
  return found
}

describe('installing', () => {
  test.skipIf(!existsSync(reference))('queries are signed as the published vectors say', () => {
    const { shopify } = JSON.parse(readFileSync(`${reference}vectors/signatures.json`, 'utf8'))
    for (const vector of shopify.oauth_query_hmac.vectors)
      expect(signQuery(vector.params, vector.secret)).toBe(vector.hmac)
    for (const vector of shopify.app_proxy_signature.vectors)
      expect(signProxyQuery(new URLSearchParams(vector.query), vector.secret)).toBe(vector.signature)
  })

  test('the grant page names the scopes; approving leads back signed, and a code works once', async () => {
    const query = new URLSearchParams({
      client_id: 'test-key',
      scope: 'read_customers',
      redirect_uri: 'http://127.0.0.1:9/cb',
      state: 's',
    })
    const shown = await fetch(`${rig.url}/stores/first-visit.myshopify.com/admin/oauth/authorize?${query.toString()}`)
    expect(await shown.text()).toMatch(/read_customers[\s\S]*Install \/ インストール/)
    const { location, token } = await rig.install()
    expect(location.searchParams.get('shop')).toBe(rig.shop)
    const parameters = Object.fromEntries(location.searchParams)
    expect(signQuery(parameters, 'test-secret')).toBe(parameters.hmac)
    expect(token).toMatchObject({ expires_in: 3600, scope: expect.stringContaining('write_customers') })
    const again = await rig.post('/admin/oauth/access_token', {
      client_id: 'test-key',
      client_secret: 'test-secret',
      code: parameters.code,
    })
    expect(again).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    const stranger = await rig.post('/admin/oauth/access_token', { client_id: 'other', client_secret: 'x', code: 'y' })
    expect(stranger).toMatchObject({ status: 400, body: { error: 'application_cannot_be_found' } })
  })

  test('a refresh token rotates; the old one works until the new access token is used', async () => {
    const { token } = await rig.install()
    const refresh = (refreshToken: string | undefined) =>
      rig.post('/admin/oauth/access_token', {
        client_id: 'test-key',
        client_secret: 'test-secret',
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
      })
    const first = await refresh(token.refresh_token)
    const second = await refresh(token.refresh_token)
    expect([first.status, second.status]).toEqual([200, 200])
    await rig.graphql(second.body.access_token, '{ shop { name } }')
    const dead = await refresh(token.refresh_token)
    expect(dead.status).toBe(401)
    expect(dead.body).toMatchObject({
      error: 'invalid_request',
      error_description: 'This request requires an active refresh_token',
    })
  })

  test('opening the app from the admin is signed', async () => {
    await rig.install()
    const launched = await fetch(`${rig.base}/admin/launch-app`, { redirect: 'manual' })
    const target = new URL(launched.headers.get('location') ?? '')
    expect(target.pathname).toBe('/shopify')
    const parameters = Object.fromEntries(target.searchParams)
    expect(signQuery(parameters, 'test-secret')).toBe(parameters.hmac)
  })

  test('the real client goes through the callback, refreshes and queries', async () => {
    setAbstractFetchFunc((input: string | URL | Request, init?: RequestInit) => {
      const address = String(input instanceof Request ? input.url : input)
      return fetch(address.replace(/^https:\/\/([^/]+\.myshopify\.com)/, `${rig.url}/stores/$1`), init)
    })
    const client = shopifyApi({
      apiKey: 'test-key',
      apiSecretKey: 'test-secret',
      scopes: ['read_customers'],
      hostName: 'app.example.com',
      apiVersion: ApiVersion.July26,
      isEmbeddedApp: false,
      logger: { level: 0 },
    })
    const app = createServer(async (request, response) => {
      if (request.url?.startsWith('/begin')) {
        await client.auth.begin({
          shop: rig.shop,
          callbackPath: '/cb',
          isOnline: false,
          rawRequest: request,
          rawResponse: response,
        })
        return
      }
      const { session } = await client.auth.callback({ rawRequest: request, rawResponse: response, expiring: true })
      response.end(JSON.stringify(session.toObject()))
    })
    await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve))
    const appUrl = `http://127.0.0.1:${(app.address() as AddressInfo).port}`
    const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140 Safari/537.36' }
    const begun = await fetch(`${appUrl}/begin`, { redirect: 'manual', headers: browser })
    const cookie = begun.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
    const grant = new URL(begun.headers.get('location') ?? '')
    const approved = await fetch(`${rig.base}/admin/oauth/authorize`, {
      method: 'POST',
      redirect: 'manual',
      body: grant.searchParams,
    })
    const back = new URL(approved.headers.get('location') ?? '')
    const finished = await fetch(`${appUrl}/cb${back.search}`, { headers: { ...browser, cookie } })
    const session = new Session(JSON.parse(await finished.text()))
    app.close()
    expect(session.refreshToken).toBeTruthy()
    const { session: renewed } = await client.auth.refreshToken({
      shop: rig.shop,
      refreshToken: session.refreshToken ?? '',
    })
    const graphql = new client.clients.Graphql({ session: renewed })
    const { data } = await graphql.request<{ shop: { myshopifyDomain: string } }>('{ shop { myshopifyDomain } }')
    expect(data?.shop.myshopifyDomain).toBe(rig.shop)
  })
})

describe('webhooks', () => {
  test('a consent change sends a signed webhook, with consent only where the platform has it', async () => {
    const { token } = await rig.install()
    const access = token.access_token ?? ''
    await subscribe(access, 'CUSTOMERS_EMAIL_MARKETING_CONSENT_UPDATE')
    await subscribe(access, 'CUSTOMERS_UPDATE')
    expect((await subscribe(access, 'CUSTOMERS_UPDATE')).userErrors[0].message).toBe(
      'Address for this topic has already been taken',
    )
    const made = await rig.post('/sandbox/customers.json', { email: 'hook@example.jp', last_name: '星' })
    await rig.post('/sandbox/consent.json', { email: 'HOOK@example.jp', state: 'UNSUBSCRIBED' })
    const consent = await arrived('customers_email_marketing_consent/update')
    expect(consent.body).toMatchObject({
      customer_id: made.body.customer.id,
      email_marketing_consent: { state: 'unsubscribed' },
    })
    const digest = createHmac('sha256', 'test-secret').update(consent.raw).digest('base64')
    expect(consent.headers).toMatchObject({
      'x-shopify-hmac-sha256': digest,
      'x-shopify-shop-domain': rig.shop,
      'x-shopify-api-version': '2026-07',
    })
    const update = await arrived('customers/update')
    for (const key of ['tags', 'email_marketing_consent', 'orders_count', 'total_spent'])
      expect(update.body).not.toHaveProperty(key)
  })

  test('a refused delivery comes again with the same event', async () => {
    const { token } = await rig.install()
    await subscribe(token.access_token ?? '', 'CUSTOMER_TAGS_ADDED')
    let calls = 0
    inbox.answer = () => {
      calls += 1
      return calls === 1 ? 500 : 200
    }
    await rig.post('/sandbox/tags.json', { email: 'hook@example.jp', tags: ['VIP'] })
    await rig.settle()
    const both = inbox.received.filter(({ headers }) => headers['x-shopify-topic'] === 'customer.tags_added')
    expect(both).toHaveLength(2)
    inbox.answer = () => 200
    expect(both[0]?.headers['x-shopify-event-id']).toBe(both[1]?.headers['x-shopify-event-id'])
    const [delivery] = (await rig.read('/sandbox/webhooks.json?topic=customer.tags_added')).webhooks
    expect(delivery).toMatchObject({ status: 'delivered', tries: 2 })
    await rig.post(`/sandbox/webhooks/${delivery.id}/redeliver.json`, {})
    await rig.settle()
    const again = inbox.received.filter(({ headers }) => headers['x-shopify-event-id'] === delivery.event_id)
    expect(again).toHaveLength(3)
  })

  test.skipIf(!existsSync(reference))('bodies have the documented keys', async () => {
    const { token } = await rig.install()
    const access = token.access_token ?? ''
    const topics = [
      'ORDERS_CREATE',
      'ORDERS_CANCELLED',
      'REFUNDS_CREATE',
      'PRODUCTS_UPDATE',
      'INVENTORY_LEVELS_UPDATE',
      'CHECKOUTS_CREATE',
      'CARTS_CREATE',
      'CUSTOMERS_CREATE',
    ]
    for (const topic of topics) await subscribe(access, topic)
    const items = [{ quantity: 2 }]
    const first = await rig.post('/sandbox/orders.json', {
      email: 'hook@example.jp',
      items,
      landing_site: '/?utm_source=okaeri',
    })
    await rig.post(`/sandbox/orders/${first.body.order.id}/cancel.json`, {})
    const second = await rig.post('/sandbox/orders.json', { email: 'hook@example.jp', items })
    await rig.post(`/sandbox/orders/${second.body.order.id}/refund.json`, {})
    const { variants } = await rig.read('/sandbox/products.json')
    await rig.post('/sandbox/stock.json', { variant_id: variants[0].id, available: 3 })
    await rig.post('/sandbox/checkouts.json', { email: 'hook@example.jp', items })
    await rig.post('/sandbox/customers.json', { email: 'hook2@example.jp' })
    // Keys a real body has only sometimes, or that say nothing here.
    const sparse = ['default_address', 'billing_address', 'shipping_address', 'customer']
    for (const topic of [
      'orders/create',
      'orders/cancelled',
      'refunds/create',
      'products/update',
      'inventory_levels/update',
      'checkouts/create',
      'carts/create',
      'customers/create',
    ]) {
      const { body } = await arrived(topic)
      const sample = JSON.parse(readFileSync(`${reference}webhooks/payloads/${topic.replace('/', '__')}.json`, 'utf8'))
      const wanted = Object.keys(sample).filter((key) => !sparse.includes(key))
      expect(wanted.filter((key) => !(key in body))).toEqual([])
    }
    expect((await arrived('orders/create')).body).toMatchObject({
      landing_site: '/?utm_source=okaeri',
      currency: 'JPY',
    })
  })

  test('a shipped order and a changed price send webhooks like the platform’s', async () => {
    const { token } = await rig.install()
    for (const topic of ['ORDERS_UPDATED', 'ORDERS_FULFILLED', 'PRODUCTS_UPDATE'])
      await subscribe(token.access_token ?? '', topic)
    const { variants } = await rig.read('/sandbox/products.json')
    const placed = await rig.post('/sandbox/orders.json', { email: 'ship@example.jp', items: [{}] })
    const { id } = placed.body.order
    inbox.received.length = 0
    expect((await rig.post(`/sandbox/orders/${id}/fulfill.json`, {})).status).toBe(200)
    for (const topic of ['orders/fulfilled', 'orders/updated'])
      expect((await arrived(topic)).body).toMatchObject({ id, fulfillment_status: 'fulfilled' })
    expect((await rig.post(`/sandbox/orders/${id}/fulfill.json`, {})).status).toBe(422)
    inbox.received.length = 0
    const price = variants[0].price - 1
    expect((await rig.post('/sandbox/price.json', { variant_id: variants[0].id, price })).body.variant.price).toBe(
      price,
    )
    const sent = (await arrived('products/update')).body['variants'] as { id: number; price: string }[]
    expect(sent.find(({ id }) => id === variants[0].id)?.price).toBe(String(price))
    expect((await rig.post('/sandbox/price.json', { variant_id: 1, price })).status).toBe(404)
  })

  test('webhooks due when the sandbox stopped are sent after the next start', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'stores-'))
    const file = join(folder, 'sandbox.sqlite')
    const before = await startStores({ database: new DatabaseSync(file) })
    const { token } = await before.install()
    // It does not listen there yet.
    const late = await listen()
    const { port } = late.server.address() as AddressInfo
    late.server.close()
    const uri = `http://127.0.0.1:${port}/hooks`
    await before.graphql(
      token.access_token ?? '',
      'mutation ($uri: String) { webhookSubscriptionCreate(topic: CUSTOMERS_CREATE, webhookSubscription: { uri: $uri }) { userErrors { message } } }',
      { uri },
    )
    await before.post('/sandbox/customers.json', { email: 'late@example.jp' })
    await before.close()
    before.database.close()
    late.server.listen(port, '127.0.0.1')
    const after = await startStores({ database: new DatabaseSync(file) })
    await after.settle()
    expect(late.received[0]?.body).toMatchObject({ email: 'late@example.jp' })
    await after.close()
    after.database.close()
    late.server.close()
    rmSync(folder, { recursive: true })
  })

  test('uninstalling sends a webhook and ends the token', async () => {
    const { token } = await rig.install()
    const access = token.access_token ?? ''
    await subscribe(access, 'APP_UNINSTALLED')
    await rig.post('/sandbox/switches.json', { uninstall: true })
    await arrived('app/uninstalled')
    await rig.post('/sandbox/privacy.json', { topic: 'shop/redact' })
    expect((await arrived('shop/redact')).body).toMatchObject({ shop_domain: rig.shop })
    const refused = await rig.post(
      '/admin/api/2026-07/graphql.json',
      { query: '{ shop { name } }' },
      { 'x-shopify-access-token': access },
    )
    expect(refused.status).toBe(401)
  })
})

describe('switches and limits', () => {
  test('the next calls are throttled with the cost block', async () => {
    const { token } = await rig.install()
    await rig.post('/sandbox/switches.json', { throttle_next: 1 })
    const refused = await rig.graphql(token.access_token ?? '', '{ shop { name } }')
    expect(refused.errors[0].extensions.code).toBe('THROTTLED')
    expect(refused.extensions.cost.throttleStatus).toMatchObject({ maximumAvailable: 2000, restoreRate: 100 })
    expect((await rig.graphql(token.access_token ?? '', '{ shop { name } }')).data.shop.name).toBeTruthy()
  })

  test('a bucket last used while the machine’s clock was ahead is full, not empty until then', async () => {
    const { token } = await rig.install()
    const ask = () => rig.graphql(token.access_token ?? '', '{ shop { name } }')
    await rig.post('/sandbox/switches.json', { throttling: true })
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 30 * 60_000 })
    expect((await ask()).data.shop.name).toBeTruthy()
    vi.useRealTimers()
    expect((await ask()).data?.shop.name).toBeTruthy()
  })

  test('the next bulk operation fails and leaves part of its data', async () => {
    const { token } = await rig.install()
    const access = token.access_token ?? ''
    await rig.post('/sandbox/switches.json', { fail_next_bulk: true, bulk_duration_ms: 20 })
    const run = await rig.graphql(
      access,
      'mutation { bulkOperationRunQuery(query: "{ customers { edges { node { id } } } }") { bulkOperation { id } userErrors { message } } }',
    )
    const { id } = run.data.bulkOperationRunQuery.bulkOperation
    await rig.settle()
    const { data } = await rig.graphql(
      access,
      'query ($id: ID!) { node(id: $id) { ... on BulkOperation { status errorCode url partialDataUrl } } }',
      { id },
    )
    const failed = data.node
    expect(failed).toMatchObject({ status: 'FAILED', errorCode: 'INTERNAL_SERVER_ERROR', url: null })
    const lines = (await (await fetch(failed.partialDataUrl)).text()).trim().split('\n')
    expect(lines).toHaveLength(50)
  })

  test('a field without its scope is denied, and bad input is distinguished from failure', async () => {
    await rig.post('/sandbox/switches.json', { uninstall: true })
    const { token } = await rig.install('read_products')
    const denied = await rig.graphql(token.access_token ?? '', '{ customers(first: 1) { nodes { id } } }')
    expect(denied.errors[0].extensions.code).toBe('ACCESS_DENIED')
    expect((await rig.post('/sandbox/orders.json', { items: [] })).status).toBe(422)
    expect((await rig.post('/sandbox/consent.json', { customer_id: 'x', state: 'SUBSCRIBED' })).status).toBe(422)
    expect((await fetch(`${rig.url}/stores/not-a-shop/admin`)).status).toBe(404)
  })
})

describe('the pages', () => {
  test('every page opens in both languages', async () => {
    const pages = [
      '/admin',
      '/admin/customers',
      '/admin/orders',
      '/admin/products',
      '/admin/webhooks',
      '/admin/switches',
      '/',
    ]
    for (const path of pages)
      for (const lang of ['ja', 'en']) expect((await fetch(`${rig.base}${path}?lang=${lang}`)).status).toBe(200)
  })

  test('a visitor from a mail orders, and the order keeps the address they came by', async () => {
    const { variants } = await rig.read('/sandbox/products.json')
    const shelf = await (await fetch(`${rig.base}/`)).text()
    const path = /href="([^"]*\/products\/[^"]+)"/.exec(shelf)?.[1] ?? ''
    const landed = await fetch(`${rig.url}${path}?utm_source=okaeri&utm_medium=email`)
    const cookie = landed.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
    const form = new URLSearchParams({ id: String(variants[0].id), quantity: '1', go: 'checkout' })
    const cart = await fetch(`${rig.base}/cart/add`, {
      method: 'POST',
      redirect: 'manual',
      body: form,
      headers: { cookie },
    })
    const checkout = cart.headers.get('location') ?? ''
    expect(checkout).toContain('/checkouts/')
    await fetch(`${rig.url}${checkout}/complete`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ email: 'visitor@example.com' }),
    })
    expect(await (await fetch(`${rig.url}${checkout}`)).text()).toContain('この注文は確定しています')
    const list = await (await fetch(`${rig.base}/admin/orders?q=email:visitor@example.com`)).text()
    expect(list).toContain('utm_source=okaeri&amp;utm_medium=email')
  })

  test('the app proxy tells the app who is signed in, and passes no cookie on', async () => {
    const { body } = await rig.post('/sandbox/customers.json', { first_name: '花子', email: 'shopper@example.com' })
    await rig.install()
    rig.database.prepare('UPDATE store SET app_url = ?').run(new URL(inbox.url).origin)
    const signIn = await fetch(`${rig.base}/account/login`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ email: 'shopper@example.com', return_url: '/apps/okaeri/here?a=1&a=2' }),
    })
    expect(signIn.headers.get('location')).toBe(`/stores/${rig.shop}/apps/okaeri/here?a=1&a=2`)
    const cookie = signIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    expect(await (await fetch(`${rig.base}/account`, { headers: { cookie } })).text()).toContain('shopper@example.com')
    const ask = async (headers: Record<string, string>) => {
      const answer = await fetch(`${rig.base}/apps/okaeri/here?a=1&a=2`, {
        method: 'POST',
        body: '{"b":1}',
        headers: { 'content-type': 'application/json', ...headers },
      })
      expect(answer.status).toBe(200)
      const request = inbox.received.at(-1)
      expect(request).toMatchObject({ raw: '{"b":1}', headers: { 'content-type': 'application/json' } })
      expect(request?.headers.cookie).toBeUndefined()
      const query = new URL(request?.url ?? '', 'http://app').searchParams
      expect(query.get('signature')).toBe(signProxyQuery(query, 'test-secret'))
      return Object.fromEntries(query)
    }
    expect(await ask({ cookie })).toMatchObject({
      logged_in_customer_id: String(body.customer.id),
      path_prefix: '/apps/okaeri',
      shop: rig.shop,
    })
    expect(await ask({})).toMatchObject({ logged_in_customer_id: '' })
    const unknown = await fetch(`${rig.base}/account/login`, {
      method: 'POST',
      body: new URLSearchParams({ email: 'nobody@example.com' }),
    })
    expect(unknown.status).toBe(422)
  })
})
