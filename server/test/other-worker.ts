import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { SANDBOX_APP, type Sandbox, type TestOkaeri } from './harness.ts'

/** Workers that are processes of their own, so that they can be killed. */
export interface OtherWorkers {
  /** What the Okaeri of the test is started with, to be of one installation with them. */
  env: Record<string, string>
  /** Their DATA_DIR: a process that shares it knows by their journals at once that one is dead. */
  folder: string
  start(of: { okaeri: TestOkaeri; sandbox?: Sandbox; env?: Record<string, string> }): Promise<ChildProcess>
  /** Kills those that are left, and removes their folder. After that none starts: a test that ran out of time may still try to. */
  end(): void
}

/** Leases are short, so that what a killed one held is soon taken over. */
const LEASE_SECONDS = '2'

/**
 * Where workers ask for the time when there is no sandbox. The test's own clock begins in the morning; a worker by the machine's clock
 * would be behind it before half past ten in Tokyo, and find nothing due.
 */
async function serveClock({ clock }: TestOkaeri): Promise<http.Server> {
  const server = http.createServer((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ offset_ms: clock.now().getTime() - clock.realNow().getTime() }))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return server
}

export function otherWorkers(): OtherWorkers {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'okaeri-workers-'))
  const shared = { SECRETS_FILE: path.join(folder, 'secrets.json'), LEASE_SECONDS }
  const started: ChildProcess[] = []
  let ended = false
  let clocks: Promise<http.Server> | null = null
  const sandboxPort = async (okaeri: TestOkaeri, sandbox: Sandbox | undefined): Promise<string> => {
    if (sandbox) return new URL(sandbox.url).port
    clocks ??= serveClock(okaeri)
    return String(((await clocks).address() as AddressInfo).port)
  }
  return {
    env: shared,
    folder,
    async start({ okaeri, sandbox, env }) {
      const port = await sandboxPort(okaeri, sandbox)
      if (ended) throw new Error('the test is over')
      const worker = spawn(process.execPath, [path.join(import.meta.dirname, '../src/main.ts')], {
        // The channel ends it with the process of the test, however that ends.
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        env: {
          ...process.env,
          ...shared,
          PORT: '0',
          DATA_DIR: folder,
          DATABASE_URL: okaeri.databaseUrl,
          ROLE: 'worker',
          PUBLIC_URL: okaeri.url,
          NODE_ENV: 'test',
          LOG_LEVEL: process.env['TEST_LOG'] ?? 'silent',
          SANDBOX_PORT: port,
          SMTP_URL: sandbox?.smtpUrl ?? 'smtp://127.0.0.1:9',
          SHOPIFY_API_KEY: SANDBOX_APP.apiKey,
          SHOPIFY_API_SECRET: SANDBOX_APP.apiSecret,
          ...env,
        },
      })
      started.push(worker)
      return worker
    },
    end() {
      ended = true
      void clocks?.then((server) => server.close())
      for (const worker of started) worker.kill('SIGKILL')
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}
