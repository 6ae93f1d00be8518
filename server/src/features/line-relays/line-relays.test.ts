import { createHmac } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { ApiError } from '@okaeri/contract/client'
import {
  addLineRelay,
  deleteLineRelay,
  listLineRelayCalls,
  listLineRelays,
  replayLineRelayCall,
} from '@okaeri/contract/line-relays/routes'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { deliverLineEvents, lineEvent } from '../../../test/line-platform.ts'
import { account, withLineAccounts } from '../../../test/with-line.ts'
import { merchant, okaeri } from '../../../test/with-okaeri.ts'

withLineAccounts('転送の店')

const MINUTE = 60_000
const USER = `U${'1'.repeat(32)}`
let receiver: http.Server
let received: { path: string; signature: unknown; body: string }[] = []
let status = 200
let url = ''
/** Emits every call that came. */
const came = new EventEmitter()
/** Calls that are not answered yet. */
const unanswered: http.ServerResponse[] = []
beforeAll(async () => {
  receiver = http.createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = Buffer.concat(parts).toString()
      const path = request.url ?? ''
      received.push({ path, signature: request.headers['x-line-signature'], body })
      if (path === '/silent') unanswered.push(response)
      else response.writeHead(status).end('told')
      came.emit(path)
    })
  })
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening))
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
})
afterAll(() => {
  receiver.closeAllConnections()
  receiver.close()
})
beforeEach(async () => {
  received = []
  status = 200
})

const add = (to: string) => merchant.call(addLineRelay, { body: { relay: { url: to } } })
const calls = async () => (await merchant.call(listLineRelayCalls, { query: {} })).data
const reasonOf = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error: unknown) => (error instanceof ApiError ? [error.reason, error.fields] : error),
  )
/** Until the next try, and it. */
const waitFor = async (minutes: number) => {
  okaeri.advance(minutes * MINUTE)
  await okaeri.settle()
}

test('what LINE sends reaches every address as it came, once, and the receiver can verify it', async () => {
  await add(`${url}/one`)
  await add(`${url}/two`)
  await add(`${url}/two`)
  const event = lineEvent(USER, 'message', { message: { type: 'text', id: '1', text: 'こんにちは 🎉' } })
  await deliverLineEvents(okaeri, merchant, account, [event])
  await deliverLineEvents(okaeri, merchant, account, [event])
  await deliverLineEvents(okaeri, merchant, account, [])
  await okaeri.settle()
  expect(received.map(({ path }) => path).toSorted()).toEqual(['/one', '/two'])
  for (const { body, signature } of received) {
    expect(createHmac('sha256', account.channel_secret).update(body).digest('base64')).toBe(signature)
    expect(JSON.parse(body)).toEqual({ destination: account.bot_user_id, events: [event] })
  }
  expect(await calls()).toMatchObject([
    { state: 'done', tries: 1, answer: '200 told', next_try_at: null },
    { state: 'done', tries: 1 },
  ])
})

test('what is not signed by LINE is not passed on', async () => {
  await add(url)
  const forged = { ...account, channel_secret: 'another' }
  expect((await deliverLineEvents(okaeri, merchant, forged, [lineEvent(USER, 'follow')])).status).toBe(401)
  await okaeri.settle()
  expect([received, await calls()]).toEqual([[], []])
})

test('a receiver that fails is tried again for an hour, then given up, and replayed by a person', async () => {
  await add(url)
  status = 503
  await deliverLineEvents(okaeri, merchant, account, [lineEvent(USER, 'follow')])
  await okaeri.settle()
  for (const minutes of [1, 5, 15, 60]) await waitFor(minutes)
  await waitFor(600)
  expect(received).toHaveLength(5)
  const [call] = await calls()
  expect(call).toMatchObject({ state: 'failed', tries: 5, answer: '503 told', next_try_at: null })
  expect((await merchant.call(listLineRelays, {})).relays).toMatchObject([{ waiting: 0, failed: 1 }])
  status = 200
  await merchant.call(replayLineRelayCall, { params: { id: call?.id ?? '' } })
  await okaeri.settle()
  expect(new Set(received.map(({ body, signature }) => `${body}${String(signature)}`)).size).toBe(1)
  expect(await calls()).toMatchObject([{ state: 'done', answer: '200 told' }])
  await waitFor(8 * 24 * 60)
  expect(await calls()).toEqual([])
})

test('an address that does not answer keeps no other waiting', async () => {
  await add(`${url}/silent`)
  await add(`${url}/quick`)
  const tell = () => deliverLineEvents(okaeri, merchant, account, [lineEvent(USER, 'follow')])
  await tell()
  const both = Promise.all([once(came, '/silent'), once(came, '/quick')])
  const settled = okaeri.settle()
  await both
  const next = once(came, '/quick')
  await tell()
  await next
  expect(unanswered).toHaveLength(1)
  came.on('/silent', () => unanswered.at(-1)?.end())
  unanswered[0]?.end()
  await settled
  expect((await calls()).map(({ state }) => state)).toEqual(['done', 'done', 'done', 'done'])
})

test('a receiver that refuses is not tried again', async () => {
  await add(url)
  status = 404
  await deliverLineEvents(okaeri, merchant, account, [lineEvent(USER, 'follow')])
  await okaeri.settle()
  await waitFor(600)
  expect(received).toHaveLength(1)
  expect(await calls()).toMatchObject([{ state: 'failed', answer: '404 told' }])
})

test('an address that is removed gets nothing more, not what waits either', async () => {
  const { relays } = await add(url)
  status = 503
  await deliverLineEvents(okaeri, merchant, account, [lineEvent(USER, 'follow')])
  await okaeri.settle()
  const removed = await merchant.call(deleteLineRelay, { params: { id: relays[0]?.id ?? '' } })
  expect(removed.relays).toEqual([])
  await waitFor(600)
  expect([received.length, await calls()]).toEqual([1, []])
})

test('addresses that could not be, or would come back to us, are refused; five at most, also at once', async () => {
  for (const [given, fields] of [
    ['', 'required'],
    ['ftp://other.test/', 'not_a_url'],
    ['https://name:secret@other.test/', 'not_a_url'],
    ['javascript:alert(1)', 'not_a_url'],
    [`${okaeri.url}/line/webhook/${merchant.id}`, 'circular'],
  ] as const)
    expect([given, await reasonOf(add(given))]).toEqual([given, ['validation', { 'relay.url': fields }]])
  const added = await Promise.all(Array.from({ length: 7 }, (_, n) => reasonOf(add(`https://other.test/${n}`))))
  expect(added.filter((one) => one === 'done')).toHaveLength(5)
  expect((await merchant.call(listLineRelays, {})).relays).toHaveLength(5)
  const body = { relay: { url } }
  expect(await reasonOf(merchant.as('marketer')(addLineRelay, { body }))).toEqual(['role_forbids', {}])
})

test('nothing inside our own network is called outside a local sandbox', async () => {
  await add(url)
  okaeri.context.settings.isLocalSandbox = false
  try {
    await deliverLineEvents(okaeri, merchant, account, [lineEvent(USER, 'follow')])
    await okaeri.settle()
  } finally {
    okaeri.context.settings.isLocalSandbox = true
  }
  expect(received).toEqual([])
  expect(await calls()).toMatchObject([{ state: 'failed', answer: '127.0.0.1 is an address inside our own network' }])
})
