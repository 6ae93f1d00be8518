import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
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
    // The group, should anybody of it be left.
    if (shell?.pid) process.kill(-shell.pid, 'SIGKILL')
  } catch (error) {
    expect(error).toMatchObject({ code: 'ESRCH' })
  }
  fs.rmSync(folder, { recursive: true })
})

const START = path.join(import.meta.dirname, '../../scripts/start.mjs')

test.runIf(process.platform === 'linux')(
  'a data folder that cannot be made is one sentence',
  async () => {
    const env: NodeJS.ProcessEnv = { ...worker(), SANDBOX: 'on', DATA_DIR: '/proc/nowhere/data' }
    delete env['SHOPIFY_API_KEY']
    delete env['SHOPIFY_API_SECRET']
    const child = spawn(process.execPath, [START], { stdio: ['ignore', 'ignore', 'pipe'], env, timeout: 20_000 })
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
    const [status] = (await once(child, 'close')) as [number | null]
    expect([status, said]).toEqual([
      1,
      'Cannot write to the data folder /proc/nowhere/data (ENOENT); allow it or set DATA_DIR.\n',
    ])
  },
  30_000,
)

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
  const told = /http:\S+\/readyz/.exec(said)?.[0] ?? ''
  expect(await (await fetch(told)).json()).toMatchObject({ ready: true, role: 'worker' })
  expect(await (await fetch(told.replace('readyz', 'healthz'))).json()).toMatchObject({ ok: true, role: 'worker' })
  begun.kill('SIGTERM')
  // Closed when the last process that could write to it is gone.
  await once(begun.stdout, 'close')
})

test('who loses the one that started it while starting ends without a word', async () => {
  const main = path.join(import.meta.dirname, '../src/main.ts')
  const child = spawn(process.execPath, [main], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], env: worker() })
  let said = ''
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  child.disconnect()
  const [status] = (await once(child, 'exit')) as [number | null]
  expect([status, said]).toEqual([0, ''])
})
