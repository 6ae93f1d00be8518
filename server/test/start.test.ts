import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { stopwatch } from '../src/kernel/clock.ts'
import { overTcp } from './postgres.ts'
import { thorough } from './thorough.ts'
import { okaeri, withOkaeri } from './with-okaeri.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'okaeri-start-'))
const SECRETS_FILE = path.join(folder, 'secrets.json')
withOkaeri({ env: { SECRETS_FILE } })
const worker = (): NodeJS.ProcessEnv => ({
  ...process.env,
  ROLE: 'worker',
  PORT: new URL(okaeri.url).port,
  DATABASE_URL: okaeri.databaseUrl,
  SECRETS_FILE,
  DATA_DIR: folder,
  NODE_ENV: 'test',
  SANDBOX: 'off',
  SMTP_URL: 'smtp://127.0.0.1:9',
})

let shell: ChildProcess | undefined
afterAll(() => {
  try {
    // The process group, in case any of it is left.
    if (shell?.pid) process.kill(-shell.pid, 'SIGKILL')
  } catch (error) {
    expect(error).toMatchObject({ code: 'ESRCH' })
  }
  fs.rmSync(folder, { recursive: true })
})

const START = path.join(import.meta.dirname, '../../scripts/start.mjs')
const MAIN = path.join(import.meta.dirname, '../src/main.ts')
const started: ChildProcess[] = []
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

/** What a database answers before it lets anyone in: PostgreSQL's ErrorResponse. */
function refusal(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`)
  const head = Buffer.alloc(5, 'E')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}

/** In front of the real database: `answer` decides about each connection, counted from 1. */
async function frontDatabase(answer: (connection: number) => Buffer | 'cut off' | 'let in') {
  const url = overTcp(okaeri.databaseUrl)
  const real = { host: url.hostname, port: Number(url.port) }
  let connections = 0
  const front = net.createServer((socket) => {
    connections += 1
    const said = answer(connections)
    socket.on('error', () => {})
    if (said === 'cut off') return socket.destroy()
    if (said !== 'let in') return socket.once('data', () => socket.end(said))
    const behind = net.connect(real)
    behind.on('error', () => socket.destroy()).pipe(socket)
    socket.pipe(behind)
    return socket.on('close', () => behind.destroy())
  })
  await once(front.listen(0, '127.0.0.1'), 'listening')
  url.port = String((front.address() as net.AddressInfo).port)
  return { url: url.href, close: () => front.close() }
}

/** One process of Okaeri, without npm start around it. */
function startMain(env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [MAIN], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], env })
  started.push(child)
  const said = { text: '' }
  child.stderr?.on('data', (chunk: Buffer) => (said.text += chunk.toString()))
  const ready = new Promise<void>((resolve) =>
    child.on('message', (message) => 'ready' in (message as object) && resolve()),
  )
  return { child, said, ready }
}

describe('a database that is not ready', () => {
  test('is waited for, which is said once; then the start goes on', async () => {
    const refusals = [
      refusal('57P03', 'the database system is starting up'),
      'cut off',
      refusal('57P03', 'the database system is in recovery mode'),
      refusal('53300', 'sorry, too many clients already'),
    ] as const
    const front = await frontDatabase((connection) => refusals[connection - 1] ?? 'let in')
    const { child, said, ready } = startMain({ ...worker(), DATABASE_URL: front.url })
    await ready
    expect(said.text.match(/trying again/g)).toHaveLength(1)
    expect(said.text).toContain('the database system is starting up')
    expect(said.text).not.toContain(new URL(front.url).password || 'no password')
    child.kill('SIGTERM')
    expect((await once(child, 'exit'))[0]).toBe(0)
    front.close()
  })

  test('ends a start that gets a signal to stop while it waits', async () => {
    let asked = (): void => {}
    const first = new Promise<void>((resolve) => (asked = resolve))
    const front = await frontDatabase(() => {
      asked()
      return refusal('57P03', 'the database system is starting up')
    })
    const { child } = startMain({ ...worker(), DATABASE_URL: front.url })
    await first
    child.kill('SIGTERM')
    expect((await once(child, 'exit'))[0]).toBe(0)
    front.close()
  })

  test.each([
    ['28P01', 'password authentication failed for user "okaeri"'],
    ['28000', 'no pg_hba.conf entry'],
    ['3D000', 'database "okaeri" does not exist'],
  ])('is not what %s means: the error comes at once', async (code, message) => {
    const front = await frontDatabase(() => refusal(code, message))
    const { child, said } = startMain({ ...worker(), DATABASE_URL: front.url })
    expect((await once(child, 'exit'))[0]).toBe(1)
    const { host, pathname } = new URL(front.url)
    expect(said.text).toBe(
      `Cannot reach the database ${pathname.slice(1)} at ${host} (${message}); check DATABASE_URL.\n`,
    )
    front.close()
  })

  test.runIf(process.platform === 'linux')('and a wrong password do not end npm start once it has served', async () => {
    let isRefused = false
    let letIn = (): void => {}
    let refused = (): void => {}
    const front = await frontDatabase(() => {
      if (isRefused) refused()
      else letIn()
      return isRefused ? refusal('28P01', 'password authentication failed') : 'let in'
    })
    const child = spawn(process.execPath, [START], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...worker(), DATABASE_URL: front.url },
    })
    started.push(child)
    await once(child.stdout, 'data')
    const okaeriOf = (): number =>
      Number(fs.readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ').at(-1))
    isRefused = true
    const met = new Promise<void>((resolve) => (refused = resolve))
    process.kill(okaeriOf(), 'SIGKILL')
    await met
    isRefused = false
    await new Promise<void>((resolve) => (letIn = resolve))
    child.kill('SIGTERM')
    expect((await once(child, 'exit'))[0]).toBe(0)
    front.close()
  })
})

test.runIf(process.platform === 'linux')('a data folder that cannot be made is one sentence', async () => {
  const env: NodeJS.ProcessEnv = { ...worker(), SANDBOX: 'on', DATA_DIR: '/proc/nowhere/data' }
  delete env['SHOPIFY_API_KEY']
  delete env['SHOPIFY_API_SECRET']
  const child = spawn(process.execPath, [START], { stdio: ['ignore', 'ignore', 'pipe'], env })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const [status] = (await once(child, 'close')) as [number | null]
  expect([status, said]).toEqual([
    1,
    'Cannot write to the data folder /proc/nowhere/data (ENOENT); allow it or set DATA_DIR.\n',
  ])
})

test('what npm start began ends with the shell npm began it in', async () => {
  // A shell that stays, as npm's does.
  const begun = spawn('sh', ['-c', '"$0" "$1"; exit', process.execPath, START], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...worker(), npm_lifecycle_event: 'start' },
  })
  shell = begun
  let said = ''
  await new Promise<void>((resolve) => {
    begun.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      if (said.includes('is ready')) resolve()
    })
    begun.stdout.once('close', () => resolve())
  })
  expect(said).toContain('Worker of')
  const address = /http:\S+\/readyz/.exec(said)?.[0] ?? ''
  expect(await (await fetch(address)).json()).toMatchObject({ ready: true, role: 'worker' })
  expect(await (await fetch(address.replace('readyz', 'healthz'))).json()).toEqual({
    ok: true,
    role: 'worker',
    sending: 'goes_on',
  })
  begun.kill('SIGTERM')
  // Closed when the last process that could write to it is gone.
  await once(begun.stdout, 'close')
})

test.runIf(thorough)(
  'a process that drains for long is not killed by npm start while it still answers and sends',
  async () => {
    // Longer than a process without it has to stop.
    const drainMs = 22_000
    const child = spawn(process.execPath, [START], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...worker(), ROLE: 'api', PORT: '23977', DRAIN_SECONDS: String(drainMs / 1000) },
    })
    started.push(child)
    await once(child.stdout, 'data')
    const elapsedMs = stopwatch()
    child.kill('SIGTERM')
    expect((await once(child, 'exit'))[0]).toBe(0)
    expect(elapsedMs()).toBeGreaterThan(drainMs)
  },
)

test('who loses the one that started it while starting ends without a word', async () => {
  const child = spawn(process.execPath, [MAIN], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], env: worker() })
  let said = ''
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  child.disconnect()
  const [status] = (await once(child, 'exit')) as [number | null]
  expect([status, said]).toEqual([0, ''])
})
