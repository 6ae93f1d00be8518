import { createHmac, randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { listCustomers } from '@okaeri/contract/customers/routes'
import { downloadPrivacyFile, exportCustomer, listPrivacyRequests } from '@okaeri/contract/privacy/routes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rowsOf, send, tokenOf } from '../../../test/every-endpoint.ts'
import { addCustomers } from '../../../test/fixtures.ts'
import {
  SANDBOX_APP,
  type Sandbox,
  startTestOkaeri,
  startTestSandbox,
  type TestMerchant,
  type TestOkaeri,
} from '../../../test/harness.ts'
import { deliverWebhook, sandboxStore, SHOP } from '../../../test/sandbox-store.ts'
import { changeConsents, suppress, suppressionsOf } from '../consent/index.ts'
import { upsertStoreCustomers } from '../customers/index.ts'
import { connectSandboxStore, disconnectStore } from '../stores/index.ts'

const DAY_MS = 86_400_000

type Kind = 'customers/redact' | 'customers/data_request' | 'shop/redact'
const signatureOf = (text: string): string => createHmac('sha256', SANDBOX_APP.apiSecret).update(text).digest('base64')

/** Sends it like the platform. */
function deliver(
  okaeri: TestOkaeri,
  kind: Kind,
  body: unknown,
  headers: Record<string, string | undefined> = {},
): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const all = {
    'content-type': 'application/json',
    'x-shopify-topic': kind,
    'x-shopify-event-id': randomUUID(),
    'x-shopify-hmac-sha256': signatureOf(text),
    ...headers,
  }
  return fetch(`${okaeri.url}/webhooks/${kind}`, {
    method: 'POST',
    headers: Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
    body: text,
  })
}

/** A merchant's store without the platform: an entry of the directory is enough for a privacy request. */
async function knownShop(okaeri: TestOkaeri, merchant: TestMerchant, shop: string): Promise<void> {
  await okaeri.query`insert into store_directory (shop_domain, merchant_id) values (${shop}, ${merchant.id})`
}
const requestsOf = async (merchant: TestMerchant) => (await merchant.call(listPrivacyRequests, { query: {} })).data

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
afterAll(() => sandbox.close())

describe('what is signed', () => {
  let okaeri: TestOkaeri
  let merchant: TestMerchant
  let neighbour: TestMerchant
  beforeAll(async () => {
    okaeri = await startTestOkaeri({ sandbox })
    merchant = await okaeri.merchant()
    neighbour = await okaeri.merchant()
    await knownShop(okaeri, merchant, 'first.myshopify.com')
    await knownShop(okaeri, neighbour, 'second.myshopify.com')
  })
  afterAll(() => okaeri.close())

  const shop = { shop_id: 954_889, shop_domain: 'first.myshopify.com' }
  const customer = { id: 191_167, email: 'john@example.com', phone: '555-625-1199' }
  const redact = { ...shop, customer, orders_to_redact: [299_938, 280_263] }
  const bodies: Record<Kind, object> = {
    'customers/redact': redact,
    'customers/data_request': { ...shop, customer, orders_requested: [299_938], data_request: { id: 9999 } },
    'shop/redact': shop,
  }
  const kinds = Object.keys(bodies) as Kind[]

  test.each(kinds)(
    '%s: a bad, a missing and another body’s signature are answered 401 and do nothing',
    async (kind) => {
      const good = JSON.stringify(bodies[kind])
      const bad = [
        deliver(okaeri, kind, good, { 'x-shopify-hmac-sha256': undefined }),
        deliver(okaeri, kind, good, { 'x-shopify-hmac-sha256': '' }),
        deliver(okaeri, kind, good, { 'x-shopify-hmac-sha256': signatureOf(`${good} `) }),
        deliver(okaeri, kind, good, { 'x-shopify-hmac-sha256': signatureOf(good).toLowerCase() }),
        deliver(okaeri, kind, good, {
          'x-shopify-hmac-sha256': createHmac('sha256', 'hush').update(good).digest('base64'),
        }),
        // Truncated in transit, and with an additional line break.
        deliver(okaeri, kind, good.slice(0, -1), { 'x-shopify-hmac-sha256': signatureOf(good) }),
        deliver(okaeri, kind, `${good}\n`, { 'x-shopify-hmac-sha256': signatureOf(good) }),
        deliver(okaeri, kind, ''),
      ]
      expect((await Promise.all(bad)).map(({ status }) => status)).toEqual(bad.map(() => 401))
      expect(await requestsOf(merchant)).toEqual([])
    },
  )

  test('a body signed for one topic or store is not taken for another', async () => {
    const mixed = [
      // Would erase a whole store.
      deliver(okaeri, 'shop/redact', redact),
      deliver(okaeri, 'shop/redact', bodies['customers/data_request']),
      deliver(okaeri, 'customers/redact', bodies['customers/data_request']),
      deliver(okaeri, 'customers/data_request', redact),
      deliver(okaeri, 'customers/redact', shop),
      deliver(okaeri, 'customers/redact', redact, { 'x-shopify-topic': 'shop/redact' }),
      deliver(okaeri, 'customers/redact', []),
      deliver(okaeri, 'customers/redact', 'null'),
      deliver(okaeri, 'customers/redact', '{"shop_domain":'),
      deliver(okaeri, 'customers/redact', { ...redact, shop_domain: 'evil.example.com' }),
      deliver(okaeri, 'customers/redact', { ...redact, customer: { id: '1; drop table customers' } }),
      deliver(okaeri, 'customers/redact', { ...redact, orders_to_redact: [1.5, 'x'] }),
    ]
    expect((await Promise.all(mixed)).map(({ status }) => status)).toEqual(mixed.map(() => 400))
    for (const kind of kinds)
      expect(
        (await deliver(okaeri, kind, bodies[kind], { 'x-shopify-shop-domain': 'second.myshopify.com' })).status,
      ).toBe(401)
    expect([...(await requestsOf(merchant)), ...(await requestsOf(neighbour))]).toEqual([])
  })

  test('sent to another of our addresses it is the same request, and is processed', async () => {
    const own = await okaeri.merchant()
    await knownShop(okaeri, own, 'elsewhere.myshopify.com')
    const elsewhere = { shop_domain: 'elsewhere.myshopify.com' }
    const header = { 'x-shopify-shop-domain': elsewhere.shop_domain }
    for (const kind of kinds) {
      const text = JSON.stringify({ ...bodies[kind], ...elsewhere })
      const headers = { 'x-shopify-topic': kind, 'x-shopify-event-id': `at-other-address-${kind}`, ...header }
      const answer = await deliverWebhook(okaeri, text, headers)
      expect([kind, answer.status, await answer.json()]).toEqual([kind, 200, { stored: true }])
      // After a change of its settings, the platform sends the same event to the right address, or still to a wrong one.
      for (const address of kinds)
        expect(await (await deliver(okaeri, address, text, headers)).json()).toEqual({ stored: false })
    }
    expect((await deliverWebhook(okaeri, '{}', { 'x-shopify-topic': 'shop/redact', ...header })).status).toBe(400)
    const unsigned = { 'x-shopify-topic': 'shop/redact', 'x-shopify-hmac-sha256': 'x', ...header }
    expect((await deliverWebhook(okaeri, JSON.stringify(shop), unsigned)).status).toBe(401)
    const asked = await requestsOf(own)
    expect(asked.map(({ kind }) => kind).sort()).toEqual(['customer_redact', 'data_request', 'shop_redact'])
    await okaeri.settle()
    const left = await requestsOf(own)
    // The store is erased, and with it the other two requests, which were processed before.
    expect(left.map(({ kind, status }) => `${kind} ${status}`)).toEqual(['shop_redact done'])
    const rows = await okaeri.query`select from store_webhooks where merchant_id = ${own.id}`
    expect(rows).toEqual([])
  })

  test('a large body is refused, and a request for an unknown store is answered at once and not stored', async () => {
    const large = await deliver(okaeri, 'customers/redact', { ...redact, filler: 'x'.repeat(1024 * 1024) })
    expect(large.status).toBe(413)
    const unknown = await deliver(okaeri, 'shop/redact', { ...shop, shop_domain: 'nobody.myshopify.com' })
    expect([unknown.status, await unknown.json()]).toEqual([200, { stored: false }])
  })

  test('each is stored once, encrypted, and answered before anything is done', async () => {
    const eventId = randomUUID()
    const headers = { 'x-shopify-event-id': eventId }
    const first = await deliver(okaeri, 'customers/redact', redact, headers)
    expect([first.status, await first.json()]).toEqual([200, { stored: true }])
    const again = await Promise.all([1, 2, 3].map(() => deliver(okaeri, 'customers/redact', redact, headers)))
    expect(await Promise.all(again.map((answer) => answer.json()))).toEqual(again.map(() => ({ stored: false })))
    // Without an event id the body identifies it; the newer headers work too.
    const plain = { 'x-shopify-event-id': undefined, 'x-shopify-topic': undefined, 'x-shopify-hmac-sha256': undefined }
    const newer = { ...plain, 'shopify-hmac-sha256': signatureOf(JSON.stringify(bodies['customers/data_request'])) }
    for (const stored of [true, false])
      expect(
        await (await deliver(okaeri, 'customers/data_request', bodies['customers/data_request'], newer)).json(),
      ).toEqual({ stored })
    expect((await requestsOf(merchant)).map(({ kind, status }) => `${kind} ${status}`).sort()).toEqual([
      'customer_redact waiting',
      'data_request waiting',
    ])
    expect(JSON.stringify([...(await rowsOf(okaeri, merchant.id))])).not.toContain('john@example.com')
    await okaeri.settle()
    expect((await requestsOf(merchant)).map(({ status }) => status)).toEqual(['done', 'done'])
  })

  const vectorsFile = path.join(import.meta.dirname, '../../../../../shared/reference/vectors/signatures.json')
  test.skipIf(!fs.existsSync(vectorsFile))(
    'the platform’s published signatures are accepted, and no changed byte',
    async () => {
      type Vector = { name: string; secret: string; body: string; hmac_base64: string }
      const { shopify } = JSON.parse(fs.readFileSync(vectorsFile, 'utf8')) as {
        shopify: { webhook_hmac: { vectors: Vector[] } }
      }
      for (const { secret, body, hmac_base64: hmac } of shopify.webhook_hmac.vectors) {
        const own = await startTestOkaeri({ env: { SHOPIFY_API_SECRET: secret } })
        const answer = await deliver(own, 'customers/redact', body, { 'x-shopify-hmac-sha256': hmac })
        // The signature is valid, but only a valid body is a request.
        expect(answer.status).toBe(body.includes('orders_to_redact') ? 200 : 400)
        expect((await deliver(own, 'customers/redact', `${body} `, { 'x-shopify-hmac-sha256': hmac })).status).toBe(401)
        await own.close()
      }
    },
  )

  test('with a data request and an erasure of the same person, in any order, the data is exported first', async () => {
    for (const order of [
      ['customers/redact', 'customers/data_request'],
      ['customers/data_request', 'customers/redact'],
    ] as const) {
      const person = { id: 500 + order[0].length, email: `${order[0].length}@both.test` }
      await addCustomers(merchant.scope(), [{ email: person.email }])
      for (const kind of order) await deliver(okaeri, kind, { ...bodies[kind], customer: person })
      await okaeri.settle()
      const asked = (await requestsOf(merchant)).slice(0, 2)
      expect(asked.map(({ kind, status }) => [kind, status])).toEqual(
        expect.arrayContaining([
          ['customer_redact', 'done'],
          ['data_request', 'done'],
        ]),
      )
      expect(asked.find(({ kind }) => kind === 'data_request')?.outcome.map(({ en }) => en)).toContain('Customer')
      const { data } = await merchant.call(listCustomers, { query: { q: person.email } })
      expect(data).toEqual([])
    }
  })
})

describe('with a store', () => {
  let okaeri: TestOkaeri
  let merchant: TestMerchant
  let neighbour: TestMerchant
  const play = sandboxStore(() => sandbox)
  const find = async (q: string) => (await merchant.call(listCustomers, { query: { q } })).data[0]

  beforeAll(async () => {
    okaeri = await startTestOkaeri({ sandbox })
    merchant = await okaeri.merchant()
    neighbour = await okaeri.merchant()
    await addCustomers(neighbour.scope(), [{ email: 'privacy@example.jp' }])
    await play('switches.json', { bulk_duration_ms: 0 })
    await connectSandboxStore(merchant.scope(), SHOP)
    await okaeri.settle()
    expect((await merchant.call(listCustomers, { query: {} })).total).toBe(30)
  })
  afterAll(() => okaeri.close())

  let number = 0
  test('after a customer’s data request a file is made, the members get a mail without a name, and the owner can download it', async () => {
    const { customer } = await play<{ customer: { id: number } }>('customers.json', {
      email: 'privacy@example.jp',
      last_name: '開示',
      first_name: '請子',
    })
    number = customer.id
    await okaeri.settle()
    const { variants } = await play<{ variants: { id: number }[] }>('products.json')
    await play('orders.json', { customer_id: number, items: [{ variant_id: variants[0]?.id, quantity: 1 }] })
    await okaeri.settle()
    await play('privacy.json', { topic: 'customers/data_request', customer_id: number })
    await okaeri.settle()
    expect((await requestsOf(merchant))[0]).toMatchObject({ kind: 'data_request', source: 'store', status: 'done' })
    const [request] = await requestsOf(merchant)
    expect(request?.customer?.name).toBe('開示 請子')
    expect(request?.outcome.map(({ en }) => en)).toEqual(expect.arrayContaining(['Customer', 'Orders', 'Order items']))

    const [mail] = sandbox.mailbox.list({ to: 'staff@shop.test' })
    expect(mail?.subject).toContain('開示請求')
    const raw = JSON.stringify(await sandbox.mailbox.read(mail?.id ?? 0))
    expect(raw).toContain('/_app/privacy')
    for (const mark of ['privacy@example.jp', '開示 請子', String(number)]) expect(raw).not.toContain(mark)

    const file = (query: Record<string, string>, role: 'owner' | 'marketer' | 'viewer' = 'owner') =>
      send(okaeri, downloadPrivacyFile, { params: { id: request?.id ?? '' }, query }, tokenOf(merchant, role))
    const json = await file({})
    expect(json.headers.get('content-disposition')).toMatch(/^attachment; filename="data-request-\w+\.json"; /)
    expect(json.json).toMatchObject({ format: 'okaeri-customer-data', merchant: 'テスト商店' })
    expect(json.text).toContain('privacy@example.jp')
    expect(json.text).not.toContain('merchant_id')
    for (const [lang, words] of [
      ['ja', ['保有している個人情報', 'メールアドレス', '注文']],
      ['en', ['Personal data held', 'Email address', 'Orders']],
    ] as const) {
      const page = await file({ format: 'html', lang })
      expect(page.type).toBe('text/html; charset=utf-8')
      for (const word of [...words, 'privacy@example.jp', '開示 請子']) expect(page.text).toContain(word)
    }
    for (const role of ['marketer', 'viewer'] as const) expect((await file({}, role)).status).toBe(403)
    const strangers = await send(okaeri, downloadPrivacyFile, { params: { id: request?.id ?? '' } }, tokenOf(neighbour))
    expect(strangers.status).toBe(404)

    const own = await find('privacy@example.jp')
    const exported = await send(okaeri, exportCustomer, { params: { id: own?.id ?? '' } }, tokenOf(merchant))
    expect(exported.text).toContain('privacy@example.jp')
    const foreign = await send(okaeri, exportCustomer, { params: { id: own?.id ?? '' } }, tokenOf(neighbour))
    expect(foreign.status).toBe(404)
  })

  test('the file is deleted after thirty days', async () => {
    const [request] = await requestsOf(merchant)
    expect(request?.file?.expires_at).toBeDefined()
    okaeri.advance(30 * DAY_MS + 1000)
    await okaeri.settle()
    expect((await requestsOf(merchant))[0]).toMatchObject({ id: request?.id, file: null, customer: null })
    const gone = await send(okaeri, downloadPrivacyFile, { params: { id: request?.id ?? '' } }, tokenOf(merchant))
    expect(gone.status).toBe(404)
  })

  test('after an erasure request the customer and their address are gone, and orders keep their amounts', async () => {
    const sums = async () =>
      (
        await okaeri.query`select count(*)::int as n, sum(current_amount) as money from orders where merchant_id = ${merchant.id}`
      )[0]
    const before = await sums()
    await suppress(merchant.scope(), { address: 'privacy@example.jp', reason: 'complaint' })
    await play('privacy.json', { topic: 'customers/redact', customer_id: number })
    await okaeri.settle()
    expect((await requestsOf(merchant))[0]).toMatchObject({ kind: 'customer_redact', source: 'store', status: 'done' })
    expect(await find('privacy@example.jp')).toBeUndefined()
    expect(await sums()).toEqual(before)
    const rows = JSON.stringify([...(await rowsOf(okaeri, merchant.id))])
    for (const mark of ['privacy@example.jp', '請子', `customer_id\\": ${number}`]) expect(rows).not.toContain(mark)
    expect(JSON.stringify([...(await rowsOf(okaeri, neighbour.id))])).toContain('privacy@example.jp')
  })

  test('older data does not bring back an erased customer or their consent; the address stays suppressed', async () => {
    const scope = merchant.scope()
    const person = {
      storeCustomerId: number,
      email: 'privacy@example.jp',
      firstName: '請子',
      lastName: '開示',
      phone: null,
    }
    const rest = { language: 'ja', address: null, tags: [], createdAt: new Date('2026-01-01T00:00:00Z') }
    const before = new Date('2026-01-02T00:00:00Z')
    expect((await upsertStoreCustomers(scope, [{ ...person, ...rest, updatedAt: before }])).size).toBe(0)
    expect((await upsertStoreCustomers(scope, [{ ...person, ...rest, updatedAt: null }])).size).toBe(0)
    expect(await find('privacy@example.jp')).toBeUndefined()

    // A member adds the person again manually; a file and the store have the old consent.
    const [customerId = ''] = await addCustomers(scope, [{ email: 'Privacy@example.jp', marketing_state: 'unknown' }])
    const old = { customerId, to: 'granted', occurredAt: before } as const
    expect(await changeConsents(scope, [old], { kind: 'marketing', source: 'import' })).toEqual([])
    expect(await changeConsents(scope, [old], { kind: 'marketing', source: 'sync' })).toEqual([])
    expect(await suppressionsOf(scope, ['privacy@example.jp'])).toEqual(new Map([['privacy@example.jp', 'complaint']]))
    const granted = { customerId, to: 'granted', occurredAt: new Date(scope.now.getTime() + 1000) } as const
    expect(await changeConsents(scope, [granted], { kind: 'marketing', source: 'store' })).toEqual([customerId])
    // What they do in the store from now on counts again.
    okaeri.advance(3_600_000)
    const later = merchant.scope()
    expect((await upsertStoreCustomers(later, [{ ...person, ...rest, updatedAt: later.now }])).size).toBe(1)
  })

  test('a store that was connected again meanwhile is not erased', async () => {
    await play('privacy.json', { topic: 'shop/redact' })
    await okaeri.settle()
    expect((await requestsOf(merchant))[0]).toMatchObject({
      kind: 'shop_redact',
      status: 'skipped',
      skip_reason: 'store_connected',
    })
    expect((await merchant.call(listCustomers, { query: {} })).total).toBeGreaterThan(20)
  })

  test('a store uninstalled for two days is erased completely, and no other', async () => {
    await disconnectStore(merchant.scope())
    await play('switches.json', { uninstall: true })
    await okaeri.settle()
    const theirs = await rowsOf(okaeri, neighbour.id)
    await play('privacy.json', { topic: 'shop/redact' })
    await okaeri.settle()
    const rows = await rowsOf(okaeri, merchant.id)
    expect([...rows].flatMap(([table, of]) => (of.length > 0 ? [`${table}: ${of.length}`] : [])).sort()).toEqual([
      'merchants: 1',
      'privacy_requests: 1',
    ])
    expect(JSON.parse(rows.get('privacy_requests')?.[0] ?? '{}')).toMatchObject({
      status: 'done',
      sealed: null,
      person_hash: null,
    })
    expect(JSON.parse(rows.get('merchants')?.[0] ?? '{}')).toMatchObject({
      site_name: '',
      staff_email: null,
      sender_email: '',
    })
    const jobs = await okaeri.query`select from pgboss.job where data ->> 'merchantId' = ${merchant.id}`
    expect(jobs).toEqual([])
    expect(await rowsOf(okaeri, neighbour.id)).toEqual(theirs)
    // Sent once more, hours later.
    const again = await deliver(okaeri, 'shop/redact', { shop_id: 1, shop_domain: SHOP })
    expect(await again.json()).toEqual({ stored: false })
  })
})
