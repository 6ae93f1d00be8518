import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createClient } from '@okaeri/contract/client'
import type { MemberRole } from '@okaeri/contract/merchants/merchant'
import type { startSandbox } from '@okaeri/sandbox/app'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, inject } from 'vitest'
import { readConfig } from '../src/app/config.ts'
import { type OkaeriProcess, startProcess } from '../src/app/process.ts'
import { renderingThread } from '../src/features/email-rendering/index.ts'
import { type Clock, createClock } from '../src/kernel/clock.ts'
import type { Context } from '../src/kernel/context.ts'
import { newId } from '../src/kernel/ids.ts'
import { leaveGarbage } from '../src/kernel/memory.ts'
import { type MerchantScope, merchantScope } from '../src/kernel/merchant-scope.ts'
import { createThreads, type Threads } from '../src/kernel/work/threads.ts'
import { copyJoined, dropJoined } from './citus.ts'
import { confirmAddresses } from './fixtures.ts'
import { lightFetch } from './light-fetch.ts'

// Files of tests share processes of hundreds of megabytes; to collect all that took a tenth of what the tests compute.
leaveGarbage()

export type Sandbox = Awaited<ReturnType<typeof startSandbox>>
export type Call = ReturnType<typeof createClient>

export interface TestMerchant {
  id: string
  memberId: string
  /** Calls endpoints as the merchant's owner. */
  call: Call
  /** Calls as another role of the same merchant. */
  as(role: MemberRole): Call
  scope(): MerchantScope
}

export interface TestOkaeri {
  url: string
  context: Context
  clock: Clock
  /** `query<Row>` and a statement in backticks: runs it in its database, and answers the rows. */
  query<Row>(...statement: Parameters<typeof sql<Row>>): Promise<Row[]>
  /** Calls without signing in. */
  call: Call
  databaseUrl: string
  /** Where mails that come back are taken; null unless the environment says so. */
  bounceSmtpPort: number | null
  /** A new merchant with an owner; `settings` overrides columns of `merchants`. */
  merchant(settings?: Record<string, unknown>): Promise<TestMerchant>
  /** Does all due work (jobs, recurring), with all that its sandbox does and tells (exports, webhooks, mails), until neither has any left. */
  settle(): Promise<void>
  /** Moves product time forward. */
  advance(ms: number): void
  close(): Promise<void>
  /** Done first when it is closed. */
  beforeClose(work: () => Promise<void>): void
}

export const SANDBOX_APP = { apiKey: 'test-key', apiSecret: 'test-secret' } as const
const SMALL_SEED = { customers: 30, products: 8, orders: 60 }

/** The sandbox in this process, in memory, on free ports. */
export const startTestSandbox = async (seed = SMALL_SEED): Promise<Sandbox> =>
  (await import('@okaeri/sandbox/app')).startSandbox({
    port: 0,
    smtpPort: 0,
    dnsPort: 0,
    dataDir: null,
    seed,
    ...SANDBOX_APP,
  })

/** A database of its own for the calling test file. */
export async function createTestDatabase(): Promise<string> {
  const server = inject('postgresUrl')
  const name = `okaeri_${randomUUID().replaceAll('-', '')}`
  const nodes = inject('citusNodes')
  if (nodes) {
    await dropOfOtherFiles(nodes, name)
    return copyJoined(nodes, 'okaeri_template', name)
  }
  const admin = new pg.Client({ connectionString: server })
  await admin.connect()
  await admin.query(`create database ${name} template okaeri_template strategy file_copy`)
  await admin.end()
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

/** Citus has a process at work in each database of each node: those of files that are over are not kept. */
async function dropOfOtherFiles(nodes: readonly string[], made: string): Promise<void> {
  const file = expect.getState().testPath ?? ''
  for (const [name, of] of databasesOfFiles)
    if (of !== file) {
      databasesOfFiles.delete(name)
      await dropJoined(nodes, name)
    }
  databasesOfFiles.set(made, file)
}
const databasesOfFiles = new Map<string, string>()

/** From half past ten in the morning in Tokyo on: no day ends in a test that does not end one. A sandbox has a clock of its own. */
function createMorningClock(): Clock {
  const clock = createClock()
  const [dayMs, morningMs] = [86_400_000, 1.5 * 3_600_000]
  const now = clock.realNow().getTime()
  clock.setOffset(Math.floor(now / dayMs) * dayMs + morningMs - now)
  return clock
}

/** For all files of this process: a thread takes half a second of computing to start, and keeps nothing from one call to the next. */
let threads: Threads | null = null
const sharedThreads = (): Threads => ({
  ...(threads ??= createThreads({ file: renderingThread })),
  close: async () => undefined,
})

/**
 * Okaeri itself, over HTTP on a free port, with its own database and a clock tests move. Without the worker role: tests call
 * `settle()` and so decide when due work happens.
 */
export async function startTestOkaeri(
  options: {
    sandbox?: Sandbox
    smtpUrl?: string
    env?: Record<string, string>
    databaseUrl?: string
    /** Threads that end with it. */
    ownThreads?: boolean
  } = {},
): Promise<TestOkaeri> {
  const databaseUrl = options.databaseUrl ?? (await createTestDatabase())
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'okaeri-data-'))
  const clock = options.sandbox ? createClock() : createMorningClock()
  const sandboxUrl = new URL(options.sandbox?.url ?? 'http://127.0.0.1:9')
  const config = readConfig({
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    DATABASE_POOL: '6',
    ROLE: 'api',
    NODE_ENV: 'test',
    LOG_LEVEL: process.env['TEST_LOG'] ?? 'silent',
    SANDBOX_PORT: sandboxUrl.port,
    DNS_SERVERS: `127.0.0.1:${options.sandbox?.dnsPort ?? 9}`,
    SMTP_URL: options.smtpUrl ?? options.sandbox?.smtpUrl ?? 'smtp://127.0.0.1:9',
    SHOPIFY_API_KEY: SANDBOX_APP.apiKey,
    SHOPIFY_API_SECRET: SANDBOX_APP.apiSecret,
    ...options.env,
  })
  const okaeri: OkaeriProcess = await startProcess(config, {
    clock,
    authenticate: identityOf,
    ...(options.ownThreads ? {} : { threads: sharedThreads() }),
  })
  const address = okaeri.server?.server.address()
  if (!address || typeof address === 'string') throw new Error('not listening')
  const url = `http://127.0.0.1:${address.port}`
  okaeri.context.settings.publicUrl = url
  const closers: (() => Promise<void>)[] = []
  const signedIn = (token: string | null): Call =>
    createClient({
      baseUrl: url,
      fetch: lightFetch,
      headers: (): Record<string, string> => (token ? { authorization: `Bearer ${token}` } : {}),
    })
  return {
    url,
    context: okaeri.context,
    clock,
    call: signedIn(null),
    databaseUrl,
    async query<Row>(...statement: Parameters<typeof sql<Row>>) {
      return (await sql<Row>(...statement).execute(okaeri.context.db)).rows
    },
    bounceSmtpPort: okaeri.bounceSmtpPort,
    async settle() {
      const { sandbox } = options
      if (!sandbox) return void (await okaeri.settle())
      for (let worked = true; worked; ) {
        worked = await sandbox.settle()
        worked = (await okaeri.settle()) || worked
      }
    },
    advance(ms) {
      clock.setOffset(clock.now().getTime() - clock.realNow().getTime() + ms)
    },
    async merchant(settings = {}) {
      const id = newId()
      const memberId = newId()
      const now = clock.now()
      await okaeri.context.db
        .insertInto('merchants')
        .values({
          id,
          site_name: 'テスト商店',
          sender_name: 'テスト商店',
          sender_email: 'shop@shop.test',
          postal_address: '東京都渋谷区1-2-3',
          staff_email: 'staff@shop.test',
          test_mode: false,
          plan: 'standard',
          created_at: now,
          updated_at: now,
          ...settings,
        })
        .execute()
      await sql`insert into members (merchant_id, id, email, email_key, role, created_at, email_confirmed_at)
        values (${id}, ${memberId}, ${`${id}@shop.test`}, ${`${id}@shop.test`}, 'owner', ${now}, ${now})`.execute(
        okaeri.context.db,
      )
      await confirmAddresses(merchantScope(okaeri.context, id))
      const as = (role: MemberRole): Call => signedIn(`test.${id}.${memberId}.${role}`)
      return { id, memberId, call: as('owner'), as, scope: () => merchantScope(okaeri.context, id, memberId) }
    },
    beforeClose: (work) => void closers.push(work),
    async close() {
      for (const work of closers.splice(0)) await work()
      await okaeri.stop()
      fs.rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

function identityOf(token: string) {
  const [kind, merchantId, memberId, role] = token.split('.')
  if (kind !== 'test' || !merchantId || !memberId || !role) return null
  return { merchantId, memberId, sessionId: newId(), role: role as MemberRole }
}
