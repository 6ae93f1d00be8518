import fs from 'node:fs'
import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { allEndpoints } from '@okaeri/contract/all-endpoints'
import { health, supportedLocales } from '@okaeri/contract/system/routes'
import { answerHealth } from '../src/app/readiness.ts'
import { readConfig } from '../src/app/config.ts'
import { buildServer, limitBodyTime } from '../src/app/server.ts'
import { startTestOkaeri } from './harness.ts'
import { okaeri, withOkaeri } from './with-okaeri.ts'

withOkaeri()

test('a process says that it lives', async () => {
  expect(await okaeri.call(health, {})).toEqual({ ok: true, role: 'api', sending: 'goes_on' })
  expect(await okaeri.call(supportedLocales, {})).toEqual({ locales: ['ja', 'en'], default: 'ja' })
})

test('an unknown route and a wrong method are distinguished, in the error form', async () => {
  const unknown = await fetch(`${okaeri.url}/nowhere`)
  expect(unknown.status).toBe(404)
  expect(await unknown.json()).toMatchObject({ error: { code: 'not_found', reason: 'unknown_route' } })
  const wrong = await fetch(`${okaeri.url}/campaigns`, { method: 'PATCH' })
  expect(wrong.status).toBe(405)
  expect(await wrong.json()).toMatchObject({ error: { code: 'method_not_allowed', reason: 'wrong_method' } })
})

test('a person at an address where nothing is gets a page in their language; programs get the error form', async () => {
  const ask = (path: string, headers: Record<string, string>, method = 'GET') =>
    fetch(`${okaeri.url}${path}`, { method, headers })
  const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
  for (const [language, title] of [
    ['ja-JP,ja;q=0.9', 'ページが見つかりません'],
    ['en-US,en;q=0.9', 'Page not found'],
    ['de', 'ページが見つかりません'],
  ] as const)
    for (const path of ['/nowhere', '/pages/unsubscribe/<script>', '/campaigns/1/2/3', '/debug/settle-me']) {
      const answer = await ask(path, { ...browser, 'accept-language': language })
      const page = await answer.text()
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 404, 'text/html; charset=utf-8'])
      expect(page).toContain(`<title>${title}</title>`)
      expect(page).not.toMatch(/<script|nowhere/)
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    }
  for (const accept of ['*/*', 'application/json', ''])
    expect(await (await ask('/nowhere', { accept })).json()).toMatchObject({ error: { reason: 'unknown_route' } })
  // What is there, but asked for otherwise, is for programs.
  expect((await ask('/campaigns', browser, 'PATCH')).status).toBe(405)
})

test('every address of the contract, the pages and the description says which methods it takes', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'okaeri-web-'))
  fs.mkdirSync(path.join(folder, 'assets'))
  fs.writeFileSync(path.join(folder, 'index.html'), '<!doctype html>')
  const app = await buildServer({ context: okaeri.context, authenticate: async () => null, webFolder: folder })
  const read = ['/', '/_app/', '/_app/campaigns/1', '/_app/assets/x.js', '/login', '/emails/view/1', '/openapi.json']
  const taken = new Map<string, string[]>(read.map((url) => [url, ['GET', 'HEAD']]))
  for (const { endpoint } of allEndpoints) {
    const url = endpoint.path.replace(/\{\w+\}/g, '1')
    const methods = endpoint.method === 'GET' && endpoint.access === 'public' ? ['GET', 'HEAD'] : [endpoint.method]
    taken.set(url, [...(taken.get(url) ?? []), ...methods])
  }
  for (const [url, methods] of taken)
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
      // `/customers/count` is also an id of `/customers/{id}`, and what is public can be asked for its head.
      const isTaken = allEndpoints.some(
        ({ endpoint }) =>
          (endpoint.method === method ||
            (endpoint.method === 'GET' && endpoint.access === 'public' && method === 'HEAD')) &&
          new RegExp(`^${endpoint.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(url),
      )
      if (isTaken || methods.includes(method)) continue
      const { statusCode, headers } = await app.inject({ method, url })
      const allowed = String(headers.allow ?? '').split(', ')
      expect([method, url, statusCode, methods.filter((one) => !allowed.includes(one))]).toEqual([method, url, 405, []])
    }
  await app.close()
  fs.rmSync(folder, { recursive: true })
})

test('a body that never ends holds no connection for long, read or not, answered or not; an honest one does', async () => {
  const server = http.createServer((request, response) => {
    limitBodyTime(request, response, {}, 50)
    if (request.url === '/answered') response.end('so be it')
    else if (request.url === '/read') request.resume().on('end', () => response.end('all of it'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const heard = async (head: string): Promise<string> => {
    const socket = net.connect(port, '127.0.0.1')
    socket.write(`${head}\r\nHost: here\r\nContent-Length: 100\r\n\r\nthe beginning`)
    let text = ''
    for await (const part of socket.setEncoding('utf8')) text += String(part)
    return text
  }
  expect(await heard('GET /answered HTTP/1.1')).toContain('so be it')
  expect(await heard('POST /answered HTTP/1.1')).toContain('so be it')
  expect(await heard('POST /read HTTP/1.1')).toContain('400 Bad Request')
  expect(await heard('GET /unread HTTP/1.1')).toContain('400 Bad Request')
  const honest = await fetch(`http://127.0.0.1:${port}/read`, { method: 'POST', body: 'x'.repeat(100_000) })
  expect(await honest.text()).toBe('all of it')
  await new Promise((resolve) => server.close(resolve))
})

test('the description lists the routes', async () => {
  const described = (await (await fetch(`${okaeri.url}/openapi.json`)).json()) as { paths: Record<string, unknown> }
  expect(described.paths['/supported-locales']).toBeDefined()
})

test('every answer says how it is to be kept and read, from whichever part of the server it comes', async () => {
  const asked: [string, RequestInit | undefined, number][] = [
    ['/supported-locales', undefined, 200],
    ['/campaigns', undefined, 401],
    ['/nowhere', undefined, 404],
    ['/campaigns', { method: 'PATCH' }, 405],
    ['/openapi.json', undefined, 200],
    ['/o/made-up.gif', undefined, 200],
    ['/o/made-up.gif', { method: 'POST' }, 405],
    ['/c/made-up-1', undefined, 404],
    [`/c/${'x'.repeat(550)}-1`, undefined, 404],
    ['/%zz', undefined, 400],
  ]
  for (const [path, init, status] of asked) {
    const answer = await fetch(`${okaeri.url}${path}`, init)
    const { headers } = answer
    expect([path, answer.status, headers.get('x-content-type-options'), headers.get('referrer-policy')]).toEqual([
      path,
      status,
      'nosniff',
      'same-origin',
    ])
    expect(headers.get('cache-control')).toContain('no-store')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(headers.get('permissions-policy')).toContain('camera=()')
    expect(headers.get('strict-transport-security')).toBeNull()
  }
})

test('a worker’s answers about its health bring the same headers', async () => {
  const { port, close } = await answerHealth(okaeri.context, { port: 0, host: '127.0.0.1' })
  for (const path of ['/healthz', '/readyz', '/nowhere']) {
    const { headers } = await fetch(`http://127.0.0.1:${port}${path}`)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('cache-control')).toBe('no-store')
  }
  await close()
})

test('a copy for trying things out asks search engines to leave it alone', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'okaeri-web-'))
  fs.mkdirSync(path.join(folder, 'assets'))
  fs.writeFileSync(path.join(folder, 'index.html'), '<!doctype html><html><head><title>x</title></head></html>')
  for (const staging of [true, false]) {
    const context = { ...okaeri.context, settings: { ...okaeri.context.settings, staging } }
    const app = await buildServer({ context, authenticate: async () => null, webFolder: folder })
    for (const url of ['/_app/', '/healthz', '/nowhere', '/pages/unsubscribe/ok'])
      expect([url, (await app.inject({ url })).headers['x-robots-tag'] !== undefined]).toEqual([url, staging])
    expect((await app.inject({ url: '/_app/' })).body.includes('<meta name="robots" content="noindex')).toBe(staging)
    await app.close()
  }
  expect([readConfig({ STAGING: 'true' }).staging, readConfig({}).staging]).toEqual([true, false])
  fs.rmSync(folder, { recursive: true })
})

test('pages and their scripts bring a policy under which pages run', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'okaeri-web-'))
  fs.mkdirSync(path.join(folder, 'assets'))
  fs.writeFileSync(path.join(folder, 'index.html'), '<!doctype html>')
  fs.writeFileSync(path.join(folder, 'assets/worker.js'), 'postMessage(1)')
  const app = await buildServer({ context: okaeri.context, authenticate: async () => null, webFolder: folder })
  for (const url of ['/_app/', '/_app/campaigns', '/_app/assets/worker.js']) {
    const { statusCode, headers } = await app.inject({ url })
    expect([url, statusCode, headers['x-content-type-options']]).toEqual([url, 200, 'nosniff'])
    expect(headers['content-security-policy']).toMatch(/^default-src 'self'.*frame-ancestors 'self'/)
  }
  expect((await app.inject({ url: '/_app/assets/worker.js' })).headers['cache-control']).toContain('immutable')
  await app.close()
  fs.rmSync(folder, { recursive: true })
})

test('a page comes with its skeleton in the language and colours last chosen, packed as the browser takes it', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'okaeri-web-'))
  fs.mkdirSync(path.join(folder, 'assets'))
  fs.writeFileSync(path.join(folder, 'index.html'), '<!doctype html>\n<html lang="ja">\n  <head></head></html>')
  fs.writeFileSync(path.join(folder, 'assets/app.js'), 'plain')
  fs.writeFileSync(path.join(folder, 'assets/app.js.br'), brotliCompressSync('plain'))
  const app = await buildServer({ context: okaeri.context, authenticate: async () => null, webFolder: folder })
  const htmlOf = async (url: string, cookie: string) =>
    /<html[^>]*>/.exec((await app.inject({ url, headers: { cookie } })).body)?.[0]
  expect(await htmlOf('/_app/', '')).toBe('<html lang="ja" data-page="door">')
  expect(await htmlOf('/_app/', 'refresh_token=x; language=en; color_scheme=dark')).toBe(
    '<html lang="en" data-mantine-color-scheme="dark">',
  )
  expect(await htmlOf('/_app/login?next=/', 'access_token=x; color_scheme=auto')).toBe(
    '<html lang="ja" data-page="door">',
  )
  expect(await htmlOf('/_app/', 'language="><script>; color_scheme="><script>')).toBe(
    '<html lang="ja" data-page="door">',
  )
  const packings: [string, string | undefined][] = [
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['identity', undefined],
    ['', undefined],
  ]
  for (const [accepted, packing] of packings) {
    const { headers, rawPayload } = await app.inject({ url: '/_app/', headers: { 'accept-encoding': accepted } })
    const unpack = packing === 'br' ? brotliDecompressSync : packing === 'gzip' ? gunzipSync : (as: Buffer) => as
    expect([accepted, headers['content-encoding']]).toEqual([accepted, packing])
    expect(unpack(rawPayload).toString()).toContain('</html>')
  }
  const script = await app.inject({ url: '/_app/assets/app.js', headers: { 'accept-encoding': 'br' } })
  expect(script.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' })
  expect(script.headers['cache-control']).toContain('immutable')
  expect(brotliDecompressSync(script.rawPayload).toString()).toBe('plain')
  expect((await app.inject({ url: '/_app/assets/app.js' })).body).toBe('plain')
  // A browser that has it gets 304, a HEAD request gets no body, and nothing outside the folder is read, compressed or not.
  const br = { 'accept-encoding': 'br' }
  const known = { ...br, 'if-none-match': String(script.headers.etag) }
  expect((await app.inject({ url: '/_app/assets/app.js', headers: known })).statusCode).toBe(304)
  const head = await app.inject({ method: 'HEAD', url: '/_app/', headers: br })
  expect([head.statusCode, head.headers['content-encoding'], head.body]).toEqual([200, 'br', ''])
  for (const outside of [
    '../index.html',
    '%2e%2e/index.html',
    '..%2findex.html',
    '..%5cindex.html',
    'app.js%00.br',
    'x.js',
  ]) {
    const { statusCode, headers } = await app.inject({ url: `/_app/assets/${outside}`, headers: br })
    expect([outside, statusCode >= 400 || /html/.test(String(headers['content-type']))]).toEqual([outside, true])
    expect([outside, headers['x-content-type-options']]).toEqual([outside, 'nosniff'])
  }
  await app.close()
  fs.rmSync(folder, { recursive: true })
})

test('browsers are asked to come by https again where that is how Okaeri is reached', async () => {
  const { context } = okaeri
  const settings = { ...context.settings, publicUrl: 'https://okaeri.example.com' }
  const app = await buildServer({ context: { ...context, settings }, authenticate: async () => null, webFolder: null })
  for (const url of ['/supported-locales', '/o/made-up.gif', '/nowhere', '/u/made-up'])
    expect((await app.inject({ url })).headers['strict-transport-security']).toBe('max-age=31536000')
  await app.close()
})

// Its time is long for a busy machine, too.
test('a process that has to stop says first that it takes no more, and answers what still comes', async () => {
  const leaving = await startTestOkaeri({ env: { DRAIN_SECONDS: '10' } })
  const stopped = leaving.close()
  const ready = await fetch(`${leaving.url}/readyz`)
  expect([ready.status, ready.headers.get('retry-after'), await ready.json()]).toMatchObject([
    503,
    '5',
    { ready: false, database: 'there', stopping: true, error: { code: 'unavailable', reason: 'stopping' } },
  ])
  expect(await leaving.call(supportedLocales, {})).toMatchObject({ default: 'ja' })
  await stopped
  await expect(fetch(`${leaving.url}/healthz`)).rejects.toThrow('fetch failed')
})
