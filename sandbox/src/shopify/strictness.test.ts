import { EventEmitter, on } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startStores } from './seed/test-stores.ts'

let rig: Awaited<ReturnType<typeof startStores>>
const log = new EventEmitter()
beforeAll(async () => {
  rig = await startStores({ log: (line) => log.emit('line', line) })
  await switches({ bulk_duration_ms: 0, throttling: false })
})
afterAll(() => rig.close())

const switches = (given: Record<string, unknown>) => rig.post('/sandbox/switches.json', given)
const tokenOf = async (scopes?: string) => (await rig.install(scopes)).token.access_token ?? ''
const oneCustomer = async () => {
  const { data } = await rig.graphql(
    await tokenOf(),
    '{ customers(first: 1, query: "orders_count:>0") { nodes { id } } }',
  )
  return data.customers.nodes[0].id as string
}
const denial = (field: string, scope: string) => ({
  message: `Access denied for ${field} field. Required access: \`${scope}\` access scope.`,
  extensions: { code: 'ACCESS_DENIED', requiredAccess: `\`${scope}\` access scope.` },
})
const SUBSCRIBE =
  'mutation ($topic: WebhookSubscriptionTopic!, $uri: String!) { webhookSubscriptionCreate(topic: $topic, webhookSubscription: { uri: $uri }) { webhookSubscription { id } userErrors { message } } }'

describe('without its scope', () => {
  test('an object is denied wherever it is met, and the rest is answered', async () => {
    const token = await tokenOf('read_orders,read_all_orders')
    const { data, errors } = await rig.graphql(token, '{ orders(first: 3) { nodes { name customer { id } } } }')
    expect(data.orders.nodes[0]).toMatchObject({ name: expect.stringMatching(/^#/), customer: null })
    expect(errors[0]).toMatchObject(denial('customer', 'read_customers'))
    const id = await oneCustomer()
    const byId = await rig.graphql(token, 'query ($id: ID!) { node(id: $id) { id } }', { id })
    expect(byId.errors[0]).toMatchObject(denial('node', 'read_customers'))
    const locales = await rig.graphql(token, '{ shopLocales { locale } }')
    expect(locales.errors[0]).toMatchObject(denial('shopLocales', 'read_locales'))
  })

  test('nothing is written: not even what names its owner by an id alone', async () => {
    const id = await oneCustomer()
    const token = await tokenOf('read_customers')
    const tags = 'mutation ($id: ID!) { tagsAdd(id: $id, tags: ["x"]) { userErrors { message } } }'
    expect((await rig.graphql(token, tags, { id })).errors[0]).toMatchObject(denial('tagsAdd', 'write_customers'))
    const set =
      'mutation ($id: ID!) { metafieldsSet(metafields: [{ ownerId: $id, namespace: "a", key: "b", type: "single_line_text_field", value: "c" }]) { userErrors { message } } }'
    expect((await rig.graphql(token, set, { id })).errors[0]).toMatchObject(denial('metafieldsSet', 'write_customers'))
  })

  test('a topic cannot be subscribed to', async () => {
    const token = await tokenOf('read_customers')
    for (const [topic, scope] of [
      ['CUSTOMERS_MERGE', 'read_customer_merge'],
      ['ORDERS_CREATE', 'read_orders'],
      ['CARTS_UPDATE', 'read_orders'],
      ['PRODUCTS_UPDATE', 'read_products'],
    ]) {
      const { errors } = await rig.graphql(token, SUBSCRIBE, { topic, uri: 'http://127.0.0.1:9/x' })
      expect(errors[0]).toMatchObject(denial('webhookSubscriptionCreate', scope ?? ''))
    }
  })

  test('only the orders of the last sixty days are there', async () => {
    const count = async (scopes: string) =>
      (await rig.graphql(await tokenOf(scopes), '{ orders(first: 250) { nodes { createdAt } } }')).data.orders.nodes
    const all = await count('read_orders,read_all_orders')
    const shown = await count('read_orders')
    expect(shown.length).toBeLessThan(all.length)
    const since = rig.clock.now().getTime() - 60 * 86_400_000 - 1000
    for (const { createdAt } of shown) expect(Date.parse(createdAt)).toBeGreaterThanOrEqual(since)
  })
})

test('without approval for protected customer data names are denied, or whole objects and topics', async () => {
  const token = await tokenOf()
  const query = '{ customers(first: 1) { nodes { id email firstName } } }'
  await switches({ protected_data: 'without_names' })
  const nameless = await rig.graphql(token, query)
  expect(nameless.data.customers.nodes[0]).toMatchObject({ id: expect.any(String), email: null, firstName: null })
  expect(nameless.errors[0]).toMatchObject({
    message: expect.stringContaining('This app is not approved to use the email field.'),
    extensions: { code: 'ACCESS_DENIED' },
  })
  await switches({ protected_data: 'none' })
  expect((await rig.graphql(token, query)).errors[0]).toMatchObject({
    message: expect.stringContaining('This app is not approved to access the Customer object.'),
    extensions: { code: 'ACCESS_DENIED' },
  })
  const subscribed = await rig.graphql(token, SUBSCRIBE, { topic: 'ORDERS_CREATE', uri: 'http://127.0.0.1:9/y' })
  expect(subscribed.errors[0].message).toContain('webhook topics containing protected customer data')
  await switches({ protected_data: 'approved' })
  expect((await rig.graphql(token, query)).data.customers.nodes[0].email).toContain('@')
})

test('a closed store refuses the API and the refreshing of tokens', async () => {
  const { token } = await rig.install()
  for (const [state, status] of Object.entries({ frozen: 402, locked: 423, forbidden: 403, gone: 404 })) {
    await switches({ state })
    const asked = { 'x-shopify-access-token': token.access_token ?? '' }
    expect((await rig.post('/admin/api/2026-07/graphql.json', { query: '{ shop { name } }' }, asked)).status).toBe(
      status,
    )
    const refresh = { client_id: 'test-key', client_secret: 'test-secret', grant_type: 'refresh_token' }
    expect((await rig.post('/admin/oauth/access_token', refresh)).status).toBe(status)
  }
  await switches({ state: 'open' })
  expect((await rig.graphql(token.access_token ?? '', '{ shop { name } }')).data.shop.name).toBeTruthy()
  expect((await switches({ state: 'asleep' })).status).toBe(422)
})

test('a subscriber that does not answer a webhook in nine tries over four hours loses that topic', async () => {
  let answer = 500
  let calls = 0
  const inbox = createServer((request, response) => {
    calls += 1
    request.resume().on('end', () => response.writeHead(answer).end())
  })
  await new Promise<void>((resolve) => inbox.listen(0, '127.0.0.1', resolve))
  const uri = `http://127.0.0.1:${(inbox.address() as AddressInfo).port}/`
  const token = await tokenOf()
  for (const topic of ['CUSTOMERS_CREATE', 'PRODUCTS_UPDATE']) await rig.graphql(token, SUBSCRIBE, { topic, uri })
  const topics = async () => {
    const { data } = await rig.graphql(token, '{ webhookSubscriptions(first: 100) { nodes { topic uri } } }')
    const nodes = data.webhookSubscriptions.nodes as { topic: string; uri: string }[]
    return nodes.flatMap((node) => (node.uri === uri ? node.topic : [])).sort()
  }
  // One for each try that failed.
  const lines = on(log, 'line')
  await rig.post('/sandbox/customers.json', { email: 'unheard@example.jp' })
  const delivery = () => rig.read('/sandbox/webhooks.json?topic=customers/create').then(({ webhooks }) => webhooks[0])
  for (let tries = 1; tries < 9; tries += 1) {
    await lines.next()
    expect((await delivery()).tries).toBe(tries)
    expect(await topics()).toEqual(['CUSTOMERS_CREATE', 'PRODUCTS_UPDATE'])
    rig.clock.advance(2 * 3_600_000)
  }
  await lines.next()
  expect((await delivery()).status).toBe('failed')
  expect(calls).toBe(9)
  expect(await topics()).toEqual(['PRODUCTS_UPDATE'])
  answer = 200
  await rig.post('/sandbox/customers.json', { email: 'unheard-2@example.jp' })
  expect((await delivery()).status).toBe('failed')
  inbox.close()
})

test('the file of an export is there for seven days', async () => {
  const token = await tokenOf()
  const run = await rig.graphql(
    token,
    'mutation { bulkOperationRunQuery(query: "{ customers { edges { node { id } } } }") { bulkOperation { id } } }',
  )
  const read = async () => {
    const text = 'query ($id: ID!) { node(id: $id) { ... on BulkOperation { status url objectCount } } }'
    return (await rig.graphql(token, text, run.data.bulkOperationRunQuery.bulkOperation)).data.node
  }
  await rig.settle()
  const { url } = await read()
  expect((await fetch(url)).status).toBe(200)
  rig.clock.advance(7 * 86_400_000 + 2000)
  expect(await read()).toMatchObject({ status: 'COMPLETED', url: null })
  expect((await fetch(url)).status).toBe(403)
})
