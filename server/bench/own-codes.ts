import type { startSandbox } from '@okaeri/sandbox/app'
import { sql } from 'kysely'
import { connectSandboxStore } from '../src/features/stores/index.ts'
import { AppError } from '../src/kernel/errors.ts'
import { cpuSeconds, databaseCpuSeconds } from './copying.ts'
import { addBenchEmail, addManyCustomers, benchHtml, startInstallation, until } from './installation.ts'
import { reserveLater, startSinkProcess, watchMemory } from './sending.ts'

/** What `npm run bench` prints of campaigns whose recipients get a code each. */
export interface OwnCodesFigures {
  recipients: number
  /** From the confirmation until everybody and their codes are written down. */
  writtenSeconds: number
  /** From then on until the store has made the last. */
  madeSeconds: number
  /** What the store takes for that if it is always asked at once: so long for each bulk of 250. */
  storeSeconds: number
  /** For each code from the confirmation on, in microseconds. */
  workerUs: number
  databaseUs: number
  workerRssMaxMb: number
  sentPerSecond: number
}

const APP = { apiKey: 'bench', apiSecret: 'bench' }
const SHOP = 'okaeri-sandbox.myshopify.com'
/** The sandbox's own pace. */
const BULK_MS = 1000
const IN_A_BULK = 250

/** A worker makes the codes at the sandbox's pace while the campaign waits for its time, then sends it. */
export async function runOwnCodesBench(recipients = 100_000): Promise<OwnCodesFigures> {
  const { startSandbox: start } = (await import('@okaeri/sandbox/app')) as { startSandbox: typeof startSandbox }
  const seed = { customers: 0, products: 3, orders: 0 }
  const sandbox = await start({ port: 0, smtpPort: 0, dnsPort: 0, dataDir: null, seed, ...APP })
  const sink = await startSinkProcess()
  const okaeri = await startInstallation({
    smtpUrl: `smtp://127.0.0.1:${sink.port}`,
    env: {
      SANDBOX: 'on',
      SANDBOX_PORT: String(sandbox.port),
      SHOPIFY_API_KEY: APP.apiKey,
      SHOPIFY_API_SECRET: APP.apiSecret,
    },
  })
  try {
    const { scope, databaseFolder } = okaeri
    await fetch(`${sandbox.url}/stores/${SHOP}/sandbox/switches.json`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ bulk_duration_ms: BULK_MS }),
    })
    await connectSandboxStore(scope, SHOP)
    await addManyCustomers(scope, recipients)
    const shown = '<p>{{ coupon.code }}</p></body>'
    const emailId = await addBenchEmail(scope, benchHtml().replace('</body>', shown))
    const worker = await okaeri.startWorker()
    const coupon = {
      prefix: 'OWN',
      ratio_percent: 10,
      valid_days: 14,
      minimum: { kind: 'none' },
      applies_to: { kind: 'all' },
    } as const
    const id = await onceCopied(() => reserveLater(scope, { emailId, recipients, coupon }))
    const memory = watchMemory(worker)
    const cpu = () => ({ worker: cpuSeconds(worker.pid ?? 0), database: databaseCpuSeconds(databaseFolder) })
    const before = cpu()
    const begun = performance.now()
    const campaignIs = (status: string) => async (): Promise<boolean> =>
      (await sql`select from campaigns where id = ${id} and status = ${status}`.execute(scope.db)).rows.length > 0
    await until(campaignIs('reserved'), { timeoutMs: 600_000, everyMs: 200, what: 'the codes are written down' })
    const written = performance.now()
    const allMade = async (): Promise<boolean> =>
      (
        await sql`select from coupons where merchant_id = ${scope.merchantId} and campaign_id = ${id} and status in ('wanted', 'failed') limit 1`.execute(
          scope.db,
        )
      ).rows.length === 0
    await until(allMade, { timeoutMs: 3_600_000, everyMs: 500, what: 'the store has made all codes' })
    const made = performance.now()
    const after = cpu()
    await sql`update campaigns set scheduled_at = now() - interval '1 second' where id = ${id}`.execute(scope.db)
    await until(campaignIs('sent'), { timeoutMs: 600_000, everyMs: 50, what: 'the campaign is sent' })
    const sent = performance.now()
    memory.stop()
    const perCode = (seconds: number): number => (seconds / recipients) * 1_000_000
    return {
      recipients,
      writtenSeconds: (written - begun) / 1000,
      madeSeconds: (made - written) / 1000,
      storeSeconds: (Math.ceil(recipients / IN_A_BULK) * BULK_MS) / 1000,
      workerUs: perCode(after.worker - before.worker),
      databaseUs: perCode(after.database - before.database),
      workerRssMaxMb: memory.figures().workerRssMaxMb,
      sentPerSecond: recipients / ((sent - made) / 1000),
    }
  } finally {
    await okaeri.stop()
    await sandbox.close()
    sink.process.kill()
  }
}

/** Nothing is confirmed while the store is being copied. */
async function onceCopied<T>(reserve: () => Promise<T>): Promise<T> {
  for (const end = performance.now() + 120_000; ; ) {
    try {
      return await reserve()
    } catch (error) {
      if (!(error instanceof AppError && error.reason === 'store_being_copied') || performance.now() > end) throw error
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
  }
}
