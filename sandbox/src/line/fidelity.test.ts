import fs from 'node:fs'
import path from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../app.ts'
import { challengeOf } from './login.ts'
import { signatureOf } from './webhooks.ts'

const reference = path.join(import.meta.dirname, '../../../../shared/reference')
const isThere = fs.existsSync(path.join(reference, 'line/messaging-api.strict.schema.json'))
const read = (file: string) => JSON.parse(fs.readFileSync(path.join(reference, file), 'utf8')) as object
interface Vectors {
  line: {
    webhook_signature: { vectors: { name: string; channel_secret: string; body: string; x_line_signature: string }[] }
    pkce: { vectors: { code_verifier: string; code_challenge: string }[] }
  }
}

describe.skipIf(!isThere)('what the platform says is of its own shapes', () => {
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  let sandbox: Sandbox
  let token = ''
  let friend = ''
  beforeAll(async () => {
    ajv.addSchema(read('line/messaging-api.strict.schema.json'), 'api')
    ajv.addSchema(read('line/webhook.schema.json'), 'webhook')
    sandbox = await startSandbox({
      port: 0,
      smtpPort: 0,
      dnsPort: 0,
      dataDir: null,
      apiKey: 'key',
      apiSecret: 'secret',
      seed: { customers: 5, products: 3, orders: 3 },
    })
    const { data } = await json<{ data: { access_token: string }[] }>('accounts.json')
    token = data[0]?.access_token ?? ''
    const users = await json<{ data: { user_id: string; friendship: string }[] }>('users.json')
    friend = users.data.find(({ friendship }) => friendship === 'friend')?.user_id ?? ''
  })
  afterAll(() => sandbox.close())

  const json = async <T>(what: string, body?: object): Promise<T> => {
    const posted = body && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }
    return (await (await fetch(`${sandbox.url}/line/${what}`, posted)).json()) as T
  }
  const call = async (method: string, place: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${sandbox.url}/line/api${place}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return response.json()
  }
  const expectShape = (schema: string, value: unknown) => {
    const validate = ajv.getSchema(schema)
    expect(validate, schema).toBeDefined()
    const isRight = validate?.(value)
    expect([schema, isRight, validate?.errors, value]).toEqual([schema, true, null, value])
  }

  test('answers', async () => {
    await json('accounts/1/settings.json', { webhook_url: 'http://127.0.0.1:9/' })
    const menu = {
      size: { width: 800, height: 250 },
      selected: true,
      name: 'a',
      chatBarText: 'b',
      areas: [{ bounds: { x: 0, y: 0, width: 1, height: 1 }, action: { type: 'message', text: 'x' } }],
    }
    const { richMenuId } = (await call('POST', '/v2/bot/richmenu', menu)) as { richMenuId: string }
    const hello = { to: friend, messages: [{ type: 'text', text: 'x' }] }
    for (const [shape, method, place, body] of [
      ['PushMessageResponse', 'POST', '/v2/bot/message/push', hello],
      ['ErrorResponse', 'POST', '/v2/bot/message/push', { to: friend, messages: [] }],
      ['ErrorResponse', 'GET', '/v2/bot/profile/U1'],
      ['MulticastResponse', 'POST', '/v2/bot/message/multicast', { ...hello, to: [friend] }],
      ['MessageQuotaResponse', 'GET', '/v2/bot/message/quota'],
      ['QuotaConsumptionResponse', 'GET', '/v2/bot/message/quota/consumption'],
      ['NumberOfMessagesResponse', 'GET', '/v2/bot/message/delivery/push?date=20261101'],
      ['GetAggregationUnitUsageResponse', 'GET', '/v2/bot/message/aggregation/info'],
      ['GetAggregationUnitNameListResponse', 'GET', '/v2/bot/message/aggregation/list'],
      ['BotInfoResponse', 'GET', '/v2/bot/info'],
      ['UserProfileResponse', 'GET', `/v2/bot/profile/${friend}`],
      ['GetFollowersResponse', 'GET', '/v2/bot/followers/ids'],
      ['GetWebhookEndpointResponse', 'GET', '/v2/bot/channel/webhook/endpoint'],
      ['TestWebhookEndpointResponse', 'POST', '/v2/bot/channel/webhook/test', {}],
      ['IssueLinkTokenResponse', 'POST', `/v2/bot/user/${friend}/linkToken`],
      ['RichMenuResponse', 'GET', `/v2/bot/richmenu/${richMenuId}`],
      ['RichMenuListResponse', 'GET', '/v2/bot/richmenu/list'],
      ['RichMenuAliasListResponse', 'GET', '/v2/bot/richmenu/alias/list'],
    ] as [string, string, string, object?][])
      expectShape(`api#/$defs/${shape}`, await call(method, place, body))
  })

  test('events', async () => {
    await json('accounts/1/settings.json', { webhook_url: 'http://127.0.0.1:9/' })
    await json(`users/${friend}/say.json`, { text: 'こんにちは' })
    await json(`users/${friend}/tap.json`, { action: { type: 'postback', data: 'a=1' } })
    await json(`users/${friend}/tap.json`, {
      action: { type: 'datetimepicker', data: 'a', mode: 'date' },
      time: '2026-12-01',
    })
    await json(`users/${friend}/tap.json`, { action: { type: 'richmenuswitch', richMenuAliasId: 'b', data: 'b' } })
    await fetch(`${sandbox.url}/line/users/${friend}/picture`, { method: 'POST', redirect: 'manual' })
    await json(`users/${friend}/block.json`, {})
    await json(`users/${friend}/follow.json`, {})
    const { data } = await json<{ data: { event: { type: string } }[] }>('webhooks.json')
    const events = data.map(({ event }) => event).toReversed()
    expect(events.map(({ type }) => type)).toEqual([
      'message',
      'postback',
      'postback',
      'postback',
      'message',
      'unfollow',
      'follow',
    ])
    expectShape('webhook#/$defs/CallbackRequest', { destination: `U${'0'.repeat(32)}`, events })
  })

  test('signatures and challenges', () => {
    const { line } = read('vectors/signatures.json') as Vectors
    for (const { name, channel_secret, body, x_line_signature } of line.webhook_signature.vectors)
      expect([name, signatureOf(channel_secret, body)]).toEqual([name, x_line_signature])
    for (const { code_verifier, code_challenge } of line.pkce.vectors)
      expect(challengeOf(code_verifier)).toBe(code_challenge)
  })
})
