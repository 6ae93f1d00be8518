import { Resolver } from 'node:dns/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startSandbox, type Sandbox } from '../app.ts'

let sandbox: Sandbox
/** Waits long, so that an answer is heard on a busy machine too. */
let resolver: Resolver
let hasty: Resolver
beforeAll(async () => {
  const seed = { customers: 1, products: 1, orders: 1 }
  sandbox = await startSandbox({
    port: 0,
    smtpPort: 0,
    dnsPort: 0,
    dataDir: null,
    apiKey: 'k',
    apiSecret: 's',
    seed,
    slowMs: 50,
  })
  resolver = new Resolver({ timeout: 20_000, tries: 2 })
  hasty = new Resolver({ timeout: 250, tries: 2 })
  for (const one of [resolver, hasty]) one.setServers([`127.0.0.1:${sandbox.dnsPort}`])
})
afterAll(() => sandbox.close())
beforeEach(() => sandbox.zone.clear())

const code = (asked: Promise<unknown>) =>
  asked.then(
    () => 'answered',
    (error: { code: string }) => error.code,
  )

test('records are answered by name and type, chains of CNAME are followed', async () => {
  sandbox.zone.add({ name: 'shop.example', type: 'MX', value: '10 mx.shop.example' })
  sandbox.zone.add({ name: 'a.shop.example', type: 'CNAME', value: 'b.shop.example' })
  sandbox.zone.add({ name: 'b.shop.example', type: 'CNAME', value: 'c.shop.example' })
  sandbox.zone.add({ name: 'c.shop.example', type: 'TXT', value: 'hello' })
  expect(await resolver.resolveMx('SHOP.example')).toMatchObject([{ priority: 10, exchange: 'mx.shop.example' }])
  expect(await resolver.resolveTxt('a.shop.example')).toEqual([['hello']])
  expect(await code(resolver.resolveTxt('shop.example'))).toBe('ENODATA')
  expect(await code(resolver.resolveTxt('other.example'))).toBe('ENOTFOUND')
})

test('a text of 4 kB comes in pieces, over TCP', async () => {
  sandbox.zone.add({ name: 'long.example', type: 'TXT', value: 'x'.repeat(4096) })
  const [pieces] = await resolver.resolveTxt('long.example')
  expect(pieces?.join('')).toBe('x'.repeat(4096))
  expect(pieces).toHaveLength(Math.ceil(4096 / 255))
})

test('names misbehave by their labels', async () => {
  expect(await code(resolver.resolveTxt('x.servfail.example'))).toBe('ESERVFAIL')
  expect(await code(resolver.resolveTxt('refused.example'))).toBe('EREFUSED')
  expect(await code(hasty.resolveTxt('silent.example'))).toBe('ETIMEOUT')
  expect(['ETIMEOUT', 'EBADRESP', 'ESERVFAIL']).toContain(await code(hasty.resolveTxt('garbage.example')))
  sandbox.zone.add({ name: 'slow.example', type: 'TXT', value: 'late' })
  expect(await resolver.resolveTxt('slow.example')).toEqual([['late']])
  sandbox.zone.add({ name: 'loop.example', type: 'CNAME', value: 'loop.example' })
  expect(await code(resolver.resolveTxt('loop.example'))).toBe('ESERVFAIL')
})

test('a record that is none is refused with a sentence; the page lists what there is', async () => {
  const post = (body: unknown) =>
    fetch(`${sandbox.url}/dns.json`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  expect((await post({ name: 'shop.example', type: 'MX', value: 'mx' })).status).toBe(422)
  expect((await post({ name: 'a b', type: 'TXT', value: 'x' })).status).toBe(422)
  expect((await post({ name: '_dmarc.shop.example', type: 'TXT', value: 'v=DMARC1; p=none <b>' })).status).toBe(200)
  const shown = await (await fetch(`${sandbox.url}/dns?lang=en`)).text()
  expect(shown).toContain('v=DMARC1; p=none &lt;b&gt;')
  expect((await fetch(`${sandbox.url}/dns.json?name=_dmarc.shop.example`, { method: 'DELETE' })).status).toBe(200)
  expect(sandbox.zone.list()).toEqual([])
})
