import { mkdtempSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { afterEach, expect, test } from 'vitest'
import { startSandbox, type Sandbox } from './app.ts'

const options = {
  port: 0,
  smtpPort: 0,
  dnsPort: 0,
  dataDir: null,
  apiKey: 'key',
  apiSecret: 'secret',
  seed: { customers: 5, products: 5, orders: 5 },
}
const running: Sandbox[] = []

async function start(more: Partial<Parameters<typeof startSandbox>[0]> = {}): Promise<Sandbox> {
  const sandbox = await startSandbox({ ...options, ...more })
  running.push(sandbox)
  return sandbox
}

afterEach(async () => {
  for (const sandbox of running.splice(0)) await sandbox.close()
})

function post(url: string, body: unknown, headers: Record<string, string> = {}) {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

test('the sandbox takes mail at the address it names and shows it', async () => {
  const { url, smtpUrl, mailbox } = await start()
  const transport = createTransport(smtpUrl)
  await transport.sendMail({ from: 'shop@example.jp', to: 'taro@example.jp', subject: '春', text: 'x' })
  transport.close()
  const { id } = await mailbox.waitFor({ to: 'taro@example.jp' })
  expect(await mailbox.read(id)).toMatchObject({ subject: '春', text: 'x\n' })
  expect(await (await fetch(`${url}/mail`)).text()).toContain('taro@example.jp')
})

test('every place the first page leads to is there, in both languages', async () => {
  const { url } = await start()
  for (const language of ['ja', 'en']) {
    const first = await (await fetch(`${url}/?lang=${language}`)).text()
    expect(first).toContain(`<html lang="${language}">`)
    for (const [, href] of first.matchAll(/href="(\/[^"]*)"/g)) {
      expect([href, (await fetch(`${url}${href}`)).status]).toEqual([href, 200])
    }
  }
  expect((await fetch(`${url}/assets/sandbox.js`)).headers.get('content-type')).toContain('text/javascript')
})

test('who knows the time is answered after the next move', async () => {
  const { url, clock } = await start()
  const ask = async (known: number) =>
    ((await (await fetch(`${url}/clock.json?unless_offset_ms=${known}`)).json()) as { offset_ms: number }).offset_ms
  expect(await ask(1)).toBe(0)
  const answer = ask(0)
  // The answer is the first of the two: it does not wait for a move that was.
  clock.advance(5)
  expect(await answer).toBe(5)
  expect((await fetch(`${url}/clock.json?unless_offset_ms=soon`)).status).toBe(400)
})

test('the clock is moved over HTTP, forward only', async () => {
  const { url, clock } = await start()
  expect((await post(`${url}/clock.json`, { advance_ms: 3_600_000 })).status).toBe(200)
  expect(clock.offsetMs()).toBe(3_600_000)
  const refusals: [body: unknown, status: number][] = [
    [{ advance_ms: -1 }, 409],
    [{ to: '2020-01-01T00:00:00Z' }, 409],
    [{ to: 'tomorrow' }, 422],
    [{}, 422],
    [{ advance_ms: 1, to: '2099-01-01T00:00:00Z' }, 422],
    [{ advance_ms: 'soon' }, 400],
  ]
  for (const [body, status] of refusals) {
    const answer = await post(`${url}/clock.json`, body)
    expect([body, answer.status]).toEqual([body, status])
    expect(await answer.json()).toHaveProperty('error.reason')
  }
  expect((await post(`${url}/clock.json`, { advance_ms: 1 }, { origin: 'https://evil.test' })).status).toBe(403)
  expect(clock.offsetMs()).toBe(3_600_000)
  await post(`${url}/clock.json`, { to: '2099-01-01T09:00' })
  const { now } = (await (await fetch(`${url}/clock.json`)).json()) as { now: string }
  expect(now.slice(0, 16)).toBe('2099-01-01T00:00')
})

test('a port in use fails the start and leaves nothing open', async () => {
  const first = await start()
  await expect(startSandbox({ ...options, smtpPort: first.smtpPort })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  await expect(startSandbox({ ...options, port: first.port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
})

test('a folder another sandbox uses fails the start, until that one has ended', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'okaeri-sandbox-'))
  const first = await start({ dataDir })
  await expect(startSandbox({ ...options, dataDir })).rejects.toThrow(`another sandbox uses ${dataDir}`)
  await first.close()
  await (await startSandbox({ ...options, dataDir })).close()
  rmSync(dataDir, { recursive: true })
})

test('the sandbox answers to its own names alone', async () => {
  const { url, port } = await start()
  const ask = (host: string, path = '/mail') =>
    new Promise<number | undefined>((resolve, reject) => {
      get({ port, host: '127.0.0.1', path, headers: { host } }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      }).on('error', reject)
    })
  for (const host of [new URL(url).host, `localhost:${port}`, `[::1]:${port}`, 'localhost:8081'])
    expect([host, await ask(host)]).toEqual([host, 200])
  for (const host of ['evil.example', `evil.example:${port}`, `127.0.0.1.evil.example:${port}`, 'localhost.evil'])
    for (const path of ['/mail', '/clock.json', '/nowhere', '/stores/okaeri-sandbox.myshopify.com/admin'])
      expect([host, path, await ask(host, path)]).toEqual([host, path, 421])
})
