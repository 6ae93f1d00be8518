import { createHmac } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { pauseExecution, playExecution } from '@okaeri/contract/scenarios/execution'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addCustomers } from '../../../test/fixtures.ts'
import { startTestOkaeri, type TestMerchant, type TestOkaeri } from '../../../test/harness.ts'
import { untilWaiting } from '../../../test/locks.ts'
import { addExecutions, addScenario, endNode, executionOf, flowOf, type PlainNode } from '../../../test/scenarios.ts'
import { callWebhook, isPrivate } from '../../integrations/webhook/index.ts'
import { advanceExecutions } from './time-slice.ts'
import { doEffects, webhookSecret } from './effects.ts'

const MINUTE = 60_000
const never = new AbortController().signal
let okaeri: TestOkaeri
let merchant: TestMerchant
let receiver: http.Server
let received: { headers: http.IncomingHttpHeaders; body: string }[] = []
let answer: (response: http.ServerResponse) => void
let url: string
beforeAll(async () => {
  okaeri = await startTestOkaeri()
  receiver = http.createServer((request, response) => {
    let body = ''
    request.on('data', (data: Buffer) => {
      body += data.toString()
    })
    request.on('end', () => {
      received.push({ headers: request.headers, body })
      answer(response)
    })
  })
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening))
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
})
afterAll(async () => {
  await okaeri.close()
  receiver.closeAllConnections()
  receiver.close()
})
beforeEach(async () => {
  merchant = await okaeri.merchant()
  received = []
  answer = (response) => response.end('thanks')
})

const call = (target = url): PlainNode => ({
  id: 'c',
  kind: 'call_webhook',
  settings: { url: target },
  next: { next: 'e' },
})
const end = endNode('e')
async function start(node: PlainNode, of: { test?: boolean; heldOut?: boolean } = {}): Promise<string> {
  const scope = merchant.scope()
  const [customerId = ''] = await addCustomers(scope, [{ email: 'hanako@example.jp' }])
  const scenarioId = await addScenario(scope, flowOf([node, end]))
  const [id = ''] = await addExecutions(scope, scenarioId, [{ customerId, ...of }])
  return id
}
const detail = (id: string) => executionOf(merchant, id)

test('a webhook is called once, signed, with its customer, and the execution continues', async () => {
  const id = await start(call())
  await okaeri.settle()
  expect(received).toHaveLength(1)
  const [{ headers, body } = { headers: {}, body: '' }] = received
  expect(JSON.parse(body)).toMatchObject({
    execution: { id },
    node: { id: 'c' },
    customer: { email: 'hanako@example.jp', last_name: '山田0' },
  })
  const [, at, mac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-okaeri-signature'])) ?? []
  expect(mac).toBe(createHmac('sha256', webhookSecret(merchant.scope())).update(`${at}.${body}`).digest('hex'))
  const { status, steps } = await detail(id)
  expect(status).toBe('done')
  expect(steps.map(({ node_id, outcome }) => `${node_id} ${outcome}`)).toEqual(['c asleep', 'c next', 'e ended'])
  expect(steps[1]?.detail).toEqual({ done: true, answer: '200 thanks' })
})

test('a webhook that answers 500 is retried after 1, 5, 15 and 60 minutes; then the execution fails, and playing it tries again', async () => {
  answer = (response) => response.writeHead(500).end('no')
  const id = await start(call())
  const nextTry = async (): Promise<number> => {
    const rows = await okaeri.query<{ at: Date }>`
      select next_attempt_at as at from execution_effects where merchant_id = ${merchant.id}`
    return rows[0]?.at.getTime() ?? 0
  }
  let tried = okaeri.clock.now().getTime()
  await okaeri.settle()
  for (const [already, minutes] of [1, 5, 15, 60].entries()) {
    // The next try counts from this one, however long this one took.
    const next = await nextTry()
    expect(next).toBeGreaterThanOrEqual(tried + minutes * MINUTE)
    expect(next).toBeLessThanOrEqual(okaeri.clock.now().getTime() + minutes * MINUTE)
    expect(received).toHaveLength(already + 1)
    tried = next
    okaeri.advance(Math.max(0, next - okaeri.clock.now().getTime()))
    await okaeri.settle()
    expect(received).toHaveLength(already + 2)
  }
  expect(await detail(id)).toMatchObject({
    status: 'failed',
    node: { id: 'c' },
    last_error: { error: 'webhook_refused', detail: '500 no' },
  })
  // Every try has the same id.
  expect(new Set(received.map(({ headers }) => headers['x-okaeri-id']))).toHaveProperty('size', 1)
  answer = (response) => response.end('fine')
  await merchant.call(playExecution, { params: { id } })
  await okaeri.settle()
  expect(await detail(id)).toMatchObject({ status: 'done', last_error: null })
})

test('a receiver that does not answer delays only its own merchant', async () => {
  const slow = await start(call())
  const slowOnes = merchant
  merchant = await okaeri.merchant()
  const quick = await start(call())
  await advanceExecutions.run(okaeri.context, never)
  let held: http.ServerResponse | undefined
  let second = ''
  const startSecond = async (): Promise<void> => {
    second = await start(call())
    await advanceExecutions.run(okaeri.context, never)
  }
  // The first call is answered only after the other merchant's next round, which was requested meanwhile.
  answer = (response) => {
    const of: string = JSON.parse(received.at(-1)?.body ?? '').execution.id
    if (of === slow) held = response
    else response.end('thanks')
    if (of === quick) void startSecond()
    else if (of !== slow) held?.end('at last')
  }
  await doEffects.run(okaeri.context, never)
  await okaeri.settle()
  expect(await detail(second)).toMatchObject({ status: 'done' })
  expect(await detail(quick)).toMatchObject({ status: 'done' })
  merchant = slowOnes
  const { steps } = await detail(slow)
  expect(steps[1]?.detail).toEqual({ done: true, answer: '200 at last' })
  expect(received).toHaveLength(3)
})

test('a refusal or a redirect is not retried', async () => {
  answer = (response) => response.writeHead(404).end()
  const gone = await start(call())
  await okaeri.settle()
  answer = (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
  const moved = await start(call())
  await okaeri.settle()
  expect(received).toHaveLength(2)
  for (const id of [gone, moved])
    expect(await detail(id)).toMatchObject({ status: 'failed', last_error: { error: 'webhook_refused' } })
})

test('an answer with bytes the database cannot store, such as a picture, still counts as an answer', async () => {
  answer = (response) => response.end(Buffer.from('GIF89a\u0001\u0000\u0001\u0000\u0080', 'latin1'))
  const id = await start(call())
  await okaeri.settle()
  expect(received).toHaveLength(1)
  expect(await detail(id)).toMatchObject({ status: 'done' })
})

test('an answer that came after the execution gave up is used when it is played', async () => {
  answer = (response) => response.writeHead(503).end()
  const id = await start(call())
  await okaeri.settle()
  answer = (response) => response.end('at last')
  okaeri.advance(8 * 24 * 60 * MINUTE)
  await okaeri.settle()
  expect(await detail(id)).toMatchObject({ status: 'failed' })
  await merchant.call(playExecution, { params: { id } })
  await okaeri.settle()
  expect(await detail(id)).toMatchObject({ status: 'done' })
  expect(received).toHaveLength(2)
})

test('an unreachable host is webhook_unreachable', async () => {
  const id = await start(call('http://127.0.0.1:1/'))
  for (const minutes of [0, 1, 5, 15, 60]) {
    okaeri.advance(minutes * MINUTE)
    await okaeri.settle()
  }
  expect(await detail(id)).toMatchObject({ status: 'failed', last_error: { error: 'webhook_unreachable' } })
})

test('a receiver that never answers times out', async () => {
  answer = () => {}
  await expect(
    callWebhook({ url, body: '{}', secret: 's', id: 'i', at: new Date(0), timeoutMs: 50, allowPrivate: true }),
  ).rejects.toMatchObject({ retryable: true, detail: 'no answer within 0.05 s' })
})

test.each([
  'http://127.0.0.1:1/',
  'http://localhost:1/',
  'http://[::1]:1/',
  'http://169.254.169.254/latest',
  'http://2130706433/',
  'ftp://example.com/',
  'http://[::ffff:10.0.0.1]/',
])('Nothing inside our own network is called: %s', async (target) => {
  const call = { body: '{}', secret: 's', id: 'i', at: new Date(0), timeoutMs: 1000, allowPrivate: false }
  await expect(callWebhook({ ...call, url: target })).rejects.toMatchObject({ retryable: false })
  expect(isPrivate('93.184.216.34', 4)).toBe(false)
  expect(isPrivate('2606:2800:220:1::1', 6)).toBe(false)
})

test('tests and the hold-out group call nothing and tag nothing, and the history says so', async () => {
  const tested = await start(call(), { test: true })
  const heldOut = await start(
    { id: 'c', kind: 'tag_customer', settings: { add: ['VIP'], remove: [] }, next: { next: 'e' } },
    { heldOut: true },
  )
  await okaeri.settle()
  expect(received).toHaveLength(0)
  expect((await detail(tested)).steps[0]?.detail).toEqual({ done: false, because: 'test' })
  expect((await detail(heldOut)).steps[0]?.detail).toEqual({ done: false, because: 'holdout' })
})

test('an answer that comes during a pause is there when the execution continues', async () => {
  const id = await start(call())
  answer = (response) => response.writeHead(503).end()
  await okaeri.settle()
  await merchant.call(pauseExecution, { params: { id } })
  answer = (response) => response.end('ok')
  okaeri.advance(MINUTE)
  await okaeri.settle()
  expect(await detail(id)).toMatchObject({ status: 'paused', node: { id: 'c' } })
  await merchant.call(playExecution, { params: { id } })
  await okaeri.settle()
  expect(await detail(id)).toMatchObject({ status: 'done' })
})

test('a customer who is not in the store is tagged here', async () => {
  const id = await start({
    id: 'c',
    kind: 'tag_customer',
    settings: { add: ['VIP'], remove: ['新規'] },
    next: { next: 'e' },
  })
  await okaeri.query`update customers set tags = '{新規,常連}' where merchant_id = ${merchant.id}`
  await okaeri.settle()
  const rows = await okaeri.query<{ tags: string[] }>`select tags from customers where merchant_id = ${merchant.id}`
  expect(rows[0]?.tags).toEqual(['常連', 'VIP'])
  expect(await detail(id)).toMatchObject({ status: 'done' })
})

test('an answer is stored although another transaction holds the execution and wants the call', async () => {
  const id = await start(call())
  await advanceExecutions.run(okaeri.context, never)
  const { calling } = await merchant.scope().transaction(async (scope) => {
    // So that the other transaction is the one that is ended.
    await sql`set local deadlock_timeout = '60s'`.execute(scope.db)
    await sql`select from executions where merchant_id = ${merchant.id} and id = ${id} for update`.execute(scope.db)
    const calling = doEffects.run(okaeri.context, never)
    await untilWaiting(okaeri)
    await sql`select from execution_effects where merchant_id = ${merchant.id} for update`.execute(scope.db)
    return { calling }
  })
  await calling
  await okaeri.settle()
  expect(await detail(id)).toMatchObject({ status: 'done' })
  expect(received).toHaveLength(1)
})
