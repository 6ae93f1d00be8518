import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { SANDBOX_APP, type Sandbox, type TestOkaeri } from './harness.ts'

/** Workers that are processes of their own, so that they can be killed. */
export interface OtherWorkers {
  /** What the Okaeri of the test is started with, to be of one installation with them. */
  env: Record<string, string>
  start(of: { okaeri: TestOkaeri; sandbox?: Sandbox; env?: Record<string, string> }): ChildProcess
  /** Kills those that are left, and removes their folder. */
  end(): void
}

/** Leases are short, so that what a killed one held is soon taken over. */
const LEASE_SECONDS = '2'

export function otherWorkers(): OtherWorkers {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'okaeri-workers-'))
  const shared = { SECRETS_FILE: path.join(folder, 'secrets.json'), LEASE_SECONDS }
  const started: ChildProcess[] = []
  return {
    env: shared,
    start({ okaeri, sandbox, env }) {
      const worker = spawn(process.execPath, [path.join(import.meta.dirname, '../src/main.ts')], {
        stdio: ['ignore', 'ignore', 'inherit'],
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
          ...(sandbox
            ? { SANDBOX_PORT: new URL(sandbox.url).port, SMTP_URL: sandbox.smtpUrl }
            : { SANDBOX_PORT: '9', SMTP_URL: 'smtp://127.0.0.1:9' }),
          SHOPIFY_API_KEY: SANDBOX_APP.apiKey,
          SHOPIFY_API_SECRET: SANDBOX_APP.apiSecret,
          ...env,
        },
      })
      started.push(worker)
      return worker
    },
    end() {
      for (const worker of started) worker.kill('SIGKILL')
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}
