import fs from 'node:fs'
import path from 'node:path'
import { allEndpoints } from '@okaeri/contract/all-endpoints'
import { ErrorBody } from '@okaeri/contract/errors'
import { beforeAll, describe, expect, test } from 'vitest'
import { okaeri, withOkaeri } from './with-okaeri.ts'
import { everyEndpoint, keyOf, makeWorld, requestOf, send, tokenOf, type World } from './every-endpoint.ts'

let world: World
withOkaeri()
beforeAll(async () => {
  world = await makeWorld(okaeri, await okaeri.merchant())
})

/** Spec §7, of the areas built so far: paths and methods as the specification writes them. */
const required = [
  'GET /pages/unsubscribe/confirm|GET /pages/unsubscribe/ok|GET /pages/unsubscribe/cancel',
  'GET /supported-locales|GET /networktest|GET /errortest|GET /debug/token|GET /debug/webhook/existing_topics',
  'GET /emails/subscribe|GET /emails/unsubscribe|POST /mailmagazine/subscribe|POST /mailmagazine/subscribe/storefront',
  'POST /mailmagazine/unsubscribe|POST /mailmagazine/unsubscribe/storefront',
  'POST /frontend/email/subscribe|POST /frontend/email/unsubscribe',
  'POST /oauth/token|POST /oauth/token-refresh|GET /oauth/.well-known/jwks.json',
  'GET /shopify|GET /shopify/callback|GET /data/shopify/products',
  'POST /users|POST /user/reminder|POST /user/reminder/set|POST /user/login|POST /api/auth/login',
  'POST /api/auth/request-reset|PATCH /api/users/language',
  'PUT /user/me|PUT /user/change_password|GET /user/me/settings|PUT /user/me/settings',
  'GET /customers|POST /customers|GET /customers/check|GET /customers/{id}|PUT /customers/{id}|DELETE /customers/{id}',
  'GET /customer_segments|POST /customer_segments|GET /customer_segments/{id}|PUT /customer_segments/{id}',
  'DELETE /customer_segments/{id}|POST /customer_segments/{id}/refetch|GET /customer_segments/{id}/target_counts',
  'GET /emails|POST /emails|GET /emails/{id}|PUT /emails/{id}|DELETE /emails/{id}|POST /emails/{id}/duplicate',
  'POST /emails/{id}/testsend|GET /emailhistories|GET /content_tags',
  'GET /messages/line/templates|GET /messages/line/histories|GET /messages/line|POST /messages/line|GET /messages/line/{id}',
  'PUT /messages/line/{id}|DELETE /messages/line/{id}|POST /messages/line/{id}/duplicate|POST /messages/line/{id}/testsend',
  'GET /campaigns|POST /campaigns|GET /campaigns/{id}|PUT /campaigns/{id}|DELETE /campaigns/{id}',
  'GET /campaigns/{id}/report|POST /campaigns/{id}/resync|POST /campaigns/{id}/duplicate',
  'POST /campaigns/{id}/cancel|POST /campaigns/{id}/resolve',
  'GET /stats/dashboard|GET /stats/day|GET /stats/range',
].flatMap((line) => line.split('|'))
const keys = allEndpoints.map(({ endpoint }) => keyOf(endpoint))

describe('the routes', () => {
  test('stand in the contract once each', () => {
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([])
  })
  test('of the specification are there, method and path', () => {
    expect(required.filter((key) => !keys.includes(key))).toEqual([])
  })

  const list = path.resolve(import.meta.dirname, '../../../shared/spec/routes.json')
  test.skipIf(!fs.existsSync(list))('are the ones of the specification’s list, in the areas built so far', () => {
    const whole = ['auth', 'system', 'subscription', 'campaigns', 'line_messages']
    const later =
      /metafield|email_components|^GET \/reports|\/shopify\/(proxy|flow)|widget|customer_settings|email_check/
    const listed = (JSON.parse(fs.readFileSync(list, 'utf8')) as { method: string; path: string; area: string }[])
      .filter(({ area }) =>
        [...whole, 'customers', 'segments', 'emails', 'reports', 'store', 'settings'].includes(area),
      )
      .map(({ method, path }) => `${method} ${path}`)
      .filter((key) => !later.test(key))
    expect(listed.length).toBeGreaterThan(50)
    expect(listed.filter((key) => !keys.includes(key) || !required.includes(key))).toEqual([])
  })

  test.for(everyEndpoint().map((entry) => [entry.key, entry] as const))('%s is answered', async ([, { endpoint }]) => {
    // Without a token and without what it needs: any answer but that there is no such route.
    const params = Object.fromEntries([...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, 'x']))
    const { json } = await send(okaeri, endpoint, { params }, null)
    const error = ErrorBody.safeParse(json)
    expect(error.data?.error.reason).not.toBe('unknown_route')
    expect(error.data?.error.reason).not.toBe('wrong_method')
  })
})

describe('the names on the wire are the specification’s (§3)', () => {
  const ask = async (key: string, changes: object = {}): Promise<Record<string, unknown>> => {
    const entry = everyEndpoint().find((one) => one.key === key)
    if (!entry) throw new Error(`there is no ${key}`)
    const request = { ...(await requestOf(entry.feed, world)), ...changes }
    const { json } = await send(okaeri, entry.endpoint, request, tokenOf(world.merchant))
    return json as Record<string, unknown>
  }
  const of = (value: unknown): Record<string, unknown> => value as Record<string, unknown>
  const names = (value: unknown): string[] => Object.keys(of(value)).sort()

  test('a list of campaigns', async () => {
    const list = await ask('GET /campaigns', { query: { limit: 200 } })
    expect(names(list)).toEqual(['data', 'limit', 'offset', 'total'])
    const sent = (list['data'] as { id: string }[]).find(({ id }) => id === world.ids.uncertain)
    expect(names(sent)).toEqual(
      expect.arrayContaining(
        [
          ['id', 'name', 'status', 'send_type', 'customer_segment_id', 'customer_segment', 'customer_count'],
          ['click_count', 'click_rate', 'open_rate', 'sales', 'email', 'created_at', 'updated_at', 'sent_at'],
          ['send_to_all', 'tracking_parameters'],
        ].flat(),
      ),
    )
    expect(names(of(sent)['customer_segment'])).toEqual(['name'])
    expect(names(of(sent)['email'])).toEqual(['id', 'name'])
  })

  test('a campaign’s report', async () => {
    const { report } = await ask('GET /campaigns/{id}/report')
    expect(names(report)).toEqual(
      expect.arrayContaining(
        [
          ['id', 'name', 'bounce_count', 'click_count', 'click_rate', 'delivery_count', 'open_count', 'open_rate'],
          ['order_count', 'revenue', 'sent_at', 'email'],
        ].flat(),
      ),
    )
    expect(names(of(report)['email'])).toEqual(
      ['id', 'name', 'subject', 'html', 'data', 'status', 'sent_count', 'revenue', 'created_at'].sort(),
    )
  })

  test('a segment', async () => {
    const { customer_segment } = await ask('GET /customer_segments/{id}')
    expect(names(customer_segment)).toEqual(
      expect.arrayContaining([
        'id',
        'name',
        'conditions',
        'status',
        'customer_count',
        'customer_percentage',
        'created_at',
      ]),
    )
  })

  test('the settings', async () => {
    const settings = await ask('GET /user/me/settings')
    expect(names(settings)).toEqual(expect.arrayContaining(['userSetting', 'user', 'plan']))
    expect(names(settings['userSetting'])).toEqual(
      expect.arrayContaining(['sender_name', 'sender_email', 'reply_to', 'email_provider', 'test_mode', 'timezone']),
    )
  })

  test('tokens', async () => {
    for (const key of ['POST /api/auth/login', 'POST /user/login', 'POST /oauth/token', 'POST /oauth/token-refresh'])
      expect(names(await ask(key))).toEqual(['access_token', 'expires_in', 'refresh_token', 'token_type'])
  })

  test('lists of everything', async () => {
    // Those of customers can be paged deeply as well.
    expect(names(await ask('GET /customers'))).toEqual(expect.arrayContaining(['data', 'limit', 'offset', 'total']))
    for (const key of ['GET /customer_segments', 'GET /emails', 'GET /emailhistories', 'GET /reports'])
      expect(names(await ask(key))).toEqual(['data', 'limit', 'offset', 'total'])
  })
})
