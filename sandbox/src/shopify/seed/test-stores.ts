import { DatabaseSync } from 'node:sqlite'
import Fastify from 'fastify'
import { createClock } from '../../clock.ts'
import { mountShopify, type ShopifyOptions } from '../index.ts'

const allScopes =
  'read_customers,write_customers,read_customer_merge,read_orders,read_all_orders,read_products,read_inventory,read_locations,read_locales,write_discounts'

/** A listening sandbox with only the stores, for the tests beside this file. */
export async function startStores(given: Partial<ShopifyOptions> & { shop?: string } = {}) {
  const database = given.database ?? new DatabaseSync(':memory:')
  const clock = createClock(database)
  const app = Fastify()
  let url = ''
  const stores = await mountShopify(app, {
    database,
    clock,
    publicUrl: () => url,
    apiKey: 'test-key',
    apiSecret: 'test-secret',
    seed: { customers: 80, products: 20, orders: 200 },
    extensionDir: null,
    checkoutExtensionDir: null,
    ...given,
  })
  url = await app.listen({ port: 0, host: '127.0.0.1' })
  const shop = given.shop ?? 'okaeri-sandbox.myshopify.com'
  const base = `${url}/stores/${shop}`

  async function post(path: string, body: unknown, headers: Record<string, string> = {}) {
    const response = await fetch(`${base}${path}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
  }

  async function read(path: string) {
    const response = await fetch(`${base}${path}`)
    return JSON.parse(await response.text())
  }

  /** Goes through the grant page as a merchant does and trades the code for a token. */
  async function install(scope = allScopes) {
    const query = { client_id: 'test-key', scope, redirect_uri: 'http://127.0.0.1:9/shopify/callback', state: 'abc' }
    const approved = await fetch(`${base}/admin/oauth/authorize`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams(query),
    })
    const location = new URL(approved.headers.get('location') ?? '')
    const token = await post('/admin/oauth/access_token', {
      client_id: 'test-key',
      client_secret: 'test-secret',
      code: location.searchParams.get('code'),
      expiring: '1',
    })
    return { location, token: token.body as Record<string, string> }
  }

  async function graphql(token: string, query: string, variables: Record<string, unknown> = {}) {
    const answer = await post(
      '/admin/api/2026-07/graphql.json',
      { query, variables },
      { 'x-shopify-access-token': token },
    )
    return answer.body
  }

  return {
    app,
    database,
    clock,
    url,
    shop,
    base,
    post,
    read,
    install,
    graphql,
    settle: stores.settle,
    async close() {
      await stores.close()
      await app.close()
    },
  }
}
