import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { type Config, readConfig } from '../src/app/config.ts'
import { type OkaeriProcess, startProcess } from '../src/app/process.ts'
import { refreshSearch } from '../src/features/customers/index.ts'
import type { Context } from '../src/kernel/context.ts'
import { startEmbeddedPostgres } from '../src/kernel/database/embedded-postgres.ts'
import type { Identity } from '../src/kernel/http/http.ts'
import { newId } from '../src/kernel/ids.ts'
import { type MerchantScope, merchantScope } from '../src/kernel/merchant-scope.ts'
import { letSend } from '../test/fixtures.ts'

/** An installation of its own for a measurement: embedded database, an API process in this one, workers as real processes. */
export interface BenchInstallation {
  api: OkaeriProcess
  url: string
  databaseUrl: string
  databaseFolder: string
  /** Where it was given `databaseDiskBytes`. */
  disk: ReturnType<typeof mountSmallDisk> | null
  scope: MerchantScope
  /** Starts a worker process and answers when it is ready. */
  startWorker(env?: Record<string, string>): Promise<ChildProcess>
  stop(): Promise<void>
}

const MAIN = path.join(import.meta.dirname, '../src/main.ts')

export async function startInstallation(options: {
  smtpUrl: string
  env?: Record<string, string>
  /** A filled database to work on, instead of an empty one of its own. */
  databaseUrl?: string
  /** The database's disk: a small one of its own, of so many bytes. Needs root. */
  databaseDiskBytes?: number
  /** Who a token belongs to, where HTTP is measured rather than signing in. */
  authenticate?: (token: string) => Identity | null
}): Promise<BenchInstallation> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'okaeri-bench-'))
  fs.chmodSync(folder, 0o755)
  const databaseFolder = path.join(folder, 'postgres')
  const disk = options.databaseDiskBytes ? mountSmallDisk(databaseFolder, options.databaseDiskBytes) : null
  const database = options.databaseUrl
    ? { url: options.databaseUrl, stop: () => forgetSecrets(options.databaseUrl ?? '') }
    : await startEmbeddedPostgres(databaseFolder)
  const env: Record<string, string> = {
    PORT: '0',
    DATA_DIR: path.join(folder, 'data'),
    DATABASE_URL: database.url,
    SANDBOX: 'off',
    SMTP_URL: options.smtpUrl,
    LOG_LEVEL: 'error',
    ...options.env,
  }
  const config: Config = readConfig({ ...env, ROLE: 'api' })
  const api = await startProcess(config, options.authenticate ? { authenticate: options.authenticate } : {})
  const address = api.server?.server.address()
  if (!address || typeof address === 'string') throw new Error('not listening')
  const scope = await addBenchMerchant(api.context)
  const workers = new Set<ChildProcess>()
  return {
    api,
    url: `http://127.0.0.1:${address.port}`,
    databaseUrl: database.url,
    databaseFolder,
    disk,
    scope,
    startWorker: (more = {}) =>
      new Promise((resolve, reject) => {
        // As scripts/start.mjs does.
        const child = spawn(process.execPath, ['--max-semi-space-size=16', MAIN], {
          // Only in the sandbox may a process be made to die at a point.
          env: { ...process.env, ...env, ROLE: 'worker', ...(more['CRASH_AT'] && { SANDBOX: 'on' }), ...more },
          stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
        })
        workers.add(child)
        child.once('exit', () => workers.delete(child))
        child.once('error', reject)
        child.once('exit', (code) => reject(new Error(`the worker ended with ${code}`)))
        child.once('message', () => resolve(child))
      }),
    async stop() {
      await Promise.all(
        [...workers].map((child) => {
          const gone = new Promise((resolve) => child.once('exit', resolve))
          child.kill('SIGKILL')
          return gone
        }),
      )
      await api.stop()
      await database.stop()
      disk?.unmount()
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A merchant who may send. */
export async function addBenchMerchant(context: Context): Promise<MerchantScope> {
  const merchantId = newId()
  const now = context.clock.now()
  await context.db
    .insertInto('merchants')
    .values({
      id: merchantId,
      site_name: 'ベンチ商店',
      sender_name: 'ベンチ商店',
      sender_email: 'news@bench.test',
      postal_address: '東京都千代田区1-1',
      staff_email: 'staff@bench.test',
      test_mode: false,
      plan: 'standard',
      created_at: now,
      updated_at: now,
    })
    .execute()
  const scope = merchantScope(context, merchantId)
  await letSend(scope)
  return scope
}

/** A disk of its own at this folder, which is made: in memory, gone with `unmount`. */
export function mountSmallDisk(folder: string, bytes: number): { fill(): void; free(): void; unmount(): void } {
  fs.mkdirSync(folder)
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder], { encoding: 'utf8' })
  if (mounted.status !== 0) throw new Error(`a small disk cannot be mounted here: ${mounted.stderr.trim()}`)
  const filler = path.join(folder, 'filler')
  return {
    fill() {
      const full = fs.openSync(filler, 'w')
      try {
        for (;;) fs.writeSync(full, Buffer.alloc(4096))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      } finally {
        fs.closeSync(full)
      }
    },
    free: () => fs.rmSync(filler, { force: true }),
    unmount: () => void spawnSync('umount', ['-l', folder]),
  }
}

/** Secrets of a bench end with it: the next one on the same database comes with its own. */
export async function forgetSecrets(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('delete from installation')
  await client.end()
}

/** `count` customers with consent, `bench-0@bench.test` and on. */
export async function addManyCustomers(scope: MerchantScope, count: number): Promise<void> {
  await sql`
    insert into customers (merchant_id, id, email, email_key, first_name, last_name, display_name, language, marketing_state,
      search_text, created_at, updated_at)
    select ${scope.merchantId}, okaeri_uuidv7(${scope.now}), 'bench-' || n || '@bench.test', 'bench-' || n || '@bench.test',
      '花子', '山田' || n, '山田' || n || ' 花子', 'ja', 'granted', '山田' || n || ' 花子 bench-' || n || '@bench.test',
      ${scope.now}::timestamptz - n * interval '1 second', ${scope.now}
    from generate_series(0, ${count - 1}::int) n`.execute(scope.db)
  await refreshSearch.run(scope, {})
  await sql`analyze customers`.execute(scope.db)
}

/**
 * A mail of about 20 kB with ten links and what the law asks for, of the kind merchants send: tables with inline styles, about a tenth
 * of it words.
 */
export function benchHtml(sizeBytes = 20_000): string {
  const cell =
    'padding:12px 24px;font-family:-apple-system,Arial,sans-serif;font-size:15px;line-height:1.6;color:#333333'
  const row = (inner: string): string =>
    `<tr><td align="left" valign="top" style="${cell};border-bottom:1px solid #eeeeee">${inner}</td></tr>\n`
  const links = Array.from({ length: 10 }, (_, n) =>
    row(
      `<a href="https://shop.bench.test/products/${n}?ref=mail" style="color:#1a6b5c;text-decoration:none">Product ${n}</a>`,
    ),
  ).join('')
  const foot = row(
    '{{ sender.name }} {{ store.name }} {{ store.postal_address }} {{ store.contact_email }} <a href="{{ unsubscribe_url }}">unsubscribe</a>',
  )
  const filler = row('Something new this week.')
  const lines = filler.repeat(Math.max(0, Math.round((sizeBytes - links.length - foot.length - 300) / filler.length)))
  return `<html><body style="margin:0;background:#f4f4f2"><p>{{ customer.greeting }}</p><table role="presentation" width="100%" cellpadding="0" cellspacing="0">
${lines}${links}${foot}</table></body></html>`
}

export async function addBenchEmail(scope: MerchantScope, content: string): Promise<string> {
  const id = newId()
  await sql`insert into emails (merchant_id, id, name, subject, content, size_bytes, created_at, updated_at)
    values (${scope.merchantId}, ${id}, 'Bench', '{{ customer.last_name }}様、新着のお知らせ', ${content}, ${Buffer.byteLength(content)},
      ${scope.now}, ${scope.now})`.execute(scope.db)
  return id
}

/** Returns when the condition holds; looks every `everyMs`. */
export async function until(
  condition: () => Promise<boolean>,
  options: { everyMs?: number; timeoutMs: number; what: string },
): Promise<void> {
  const end = performance.now() + options.timeoutMs
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`not within ${options.timeoutMs} ms: ${options.what}`)
    await new Promise((resolve) => setTimeout(resolve, options.everyMs ?? 100))
  }
}
