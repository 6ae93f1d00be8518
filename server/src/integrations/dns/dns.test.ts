import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Sandbox, startTestSandbox } from '../../../test/harness.ts'
import { createDns, type Dns } from './index.ts'

let sandbox: Sandbox
/** Waits long, so that an answer is heard on a busy machine too. */
let dns: Dns
let hasty: Dns
beforeAll(async () => {
  sandbox = await startTestSandbox({ customers: 0, products: 0, orders: 0 })
  const servers = [`127.0.0.1:${sandbox.dnsPort}`]
  dns = createDns({ servers, timeoutMs: 20_000, longestMs: 240_000 })
  hasty = createDns({ servers, timeoutMs: 250, longestMs: 4000 })
})
afterAll(() => sandbox.close())
beforeEach(() => sandbox.zone.clear())

test('texts are joined from their pieces, cut where they are longer than any record, and made printable', async () => {
  sandbox.zone.add({ name: 'long.test', type: 'TXT', value: 'x'.repeat(4000) })
  sandbox.zone.add({ name: 'longer.test', type: 'TXT', value: 'y'.repeat(7000) })
  sandbox.zone.add({ name: 'odd.test', type: 'TXT', value: 'a\r\nlevel=error\u001b[0mあ' })
  expect(await dns.texts('long.test')).toEqual({ kind: 'found', values: ['x'.repeat(4000)] })
  expect(await dns.texts('longer.test')).toEqual({ kind: 'found', values: ['y'.repeat(4096)] })
  expect(await dns.texts('odd.test')).toEqual({ kind: 'found', values: ['a??level=error?[0m???'] })
})

test('of very many values so many are given', async () => {
  for (let at = 0; at < 80; at += 1) sandbox.zone.add({ name: 'many.test', type: 'TXT', value: `${at}` })
  const answer = await dns.texts('many.test')
  expect(answer.kind === 'found' && answer.values.length).toBe(50)
})

test('no such name and no such record are answers; late, wrong and never are none', async () => {
  sandbox.zone.add({ name: 'there.test', type: 'A', value: '192.0.2.1' })
  expect(await dns.texts('there.test')).toEqual({ kind: 'none' })
  expect(await dns.texts('away.test')).toEqual({ kind: 'none' })
  expect(await dns.addresses('there.test')).toEqual({ kind: 'found', values: ['192.0.2.1'] })
  expect(await dns.addresses('away.test')).toEqual({ kind: 'none' })
  for (const name of ['silent.test', 'slow.test', 'a.garbage.test'])
    expect(await hasty.texts(name), name).toMatchObject({ kind: 'failed' })
  expect(await dns.mailHosts('servfail.test')).toEqual({ kind: 'failed', why: 'servfail' })
  expect(await dns.alias('refused.test')).toEqual({ kind: 'failed', why: 'refused' })
})

test('however slowly name servers speak, an answer comes in time', async () => {
  const patient = createDns({ servers: [`127.0.0.1:${sandbox.dnsPort}`], timeoutMs: 60_000, longestMs: 50 })
  expect(await patient.texts('silent.test')).toEqual({ kind: 'failed', why: 'timeout' })
})

test('hosts of mail come in their order; the null MX is an empty host', async () => {
  sandbox.zone.add({ name: 'shop.test', type: 'MX', value: '20 second.test' })
  sandbox.zone.add({ name: 'shop.test', type: 'MX', value: '10 First.test' })
  sandbox.zone.add({ name: 'none.test', type: 'MX', value: '0 .' })
  expect(await dns.mailHosts('shop.test')).toEqual({ kind: 'found', values: ['first.test', 'second.test'] })
  expect(await dns.mailHosts('none.test')).toEqual({ kind: 'found', values: [''] })
})
