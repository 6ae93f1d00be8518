import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Flow } from '@okaeri/contract/scenarios/flow/flow'
import { sql } from 'kysely'
import { readConfig } from '../src/app/config.ts'
import { startProcess } from '../src/app/process.ts'
import { runRehearsal } from '../src/features/rehearsals/rehearsal.ts'
import { stopwatch } from '../src/kernel/clock.ts'
import { startEmbeddedPostgres } from '../src/kernel/database/embedded-postgres.ts'
import { newId } from '../src/kernel/ids.ts'
import { merchantScope } from '../src/kernel/merchant-scope.ts'
import { LARGE_MERCHANT, makeWorld, WORLD_NOW } from './million.ts'

export interface RehearsalBench {
  customers: number
  events: number
  entered: number
  mails: number
  rehearsalMs: number
  /** Reading the same events alone, by one statement. */
  readingMs: number
  rssGrowthMb: number
}

const position = { x: 0, y: 0 }
/** After each order: three days, buyers of more than 10,000 get a mail, the others wait until Monday; then another. */
const flowOf = (emailId: string): Flow => ({
  trigger: { kind: 'order_created' },
  condition: null,
  reentry: { mode: 'always' },
  ends_on: [],
  start: 'wait',
  nodes: [
    {
      id: 'wait',
      kind: 'wait',
      name: '',
      position,
      settings: { wait: { mode: 'for', amount: 3, unit: 'days' } },
      next: { next: 'rich' },
    },
    {
      id: 'rich',
      kind: 'branch',
      name: '',
      position,
      settings: {
        condition: {
          type: 'condition',
          id: 'c',
          category: 'orders',
          name: 'orders_amount',
          operator: 'greater',
          value: 10_000,
        },
      },
      next: { yes: 'first', no: 'monday' },
    },
    {
      id: 'first',
      kind: 'send_email',
      name: '',
      position,
      settings: { email_id: emailId, tracking_parameters: null },
      next: { next: 'monday' },
    },
    {
      id: 'monday',
      kind: 'wait',
      name: '',
      position,
      settings: { wait: { mode: 'until_weekday', weekdays: [1], time: '10:00' } },
      next: { next: 'second' },
    },
    {
      id: 'second',
      kind: 'send_email',
      name: '',
      position,
      settings: { email_id: emailId, tracking_parameters: null },
      next: { next: null },
    },
  ],
})

/** Rehearses a follow-up of every order of the last 90 days of a merchant of that size. */
export async function runRehearsalBench(customers: number): Promise<RehearsalBench> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'okaeri-bench-'))
  fs.chmodSync(folder, 0o755)
  const database = await startEmbeddedPostgres(path.join(folder, 'postgres'))
  try {
    await makeWorld(database.url, { customers, smallMerchants: 0 })
    const okaeri = await startProcess(
      readConfig({
        PORT: '0',
        ROLE: 'api',
        LOG_LEVEL: 'error',
        SANDBOX: 'off',
        SMTP_URL: 'smtp://127.0.0.1:9',
        DATA_DIR: path.join(folder, 'data'),
        DATABASE_URL: database.url,
      }),
    )
    try {
      const scope = merchantScope(okaeri.context, LARGE_MERCHANT)
      const [scenarioId, emailId] = [newId(), newId()]
      const until = new Date(WORLD_NOW)
      const from = new Date(until.getTime() - 90 * 86_400_000)
      await sql`insert into emails (merchant_id, id, name, subject, content, size_bytes, created_at, updated_at)
        values (${LARGE_MERCHANT}, ${emailId}, 'bench', 'bench', '<p>bench</p>', 12, ${until}, ${until})`.execute(
        scope.db,
      )
      await sql`insert into scenarios (merchant_id, id, name, status, mode, version, trigger_kind, created_at, updated_at)
        values (${LARGE_MERCHANT}, ${scenarioId}, 'bench', 'draft', 'flow', 1, 'order_created', ${until}, ${until})`.execute(
        scope.db,
      )
      const flow = JSON.stringify(flowOf(emailId))
      await sql`insert into scenario_versions (merchant_id, scenario_id, number, flow, created_at)
        values (${LARGE_MERCHANT}, ${scenarioId}, 1, ${flow}::jsonb, ${until})`.execute(scope.db)
      await sql`insert into scenario_rehearsals (merchant_id, scenario_id, number, status, flow, from_at, until_at, asked_at)
        values (${LARGE_MERCHANT}, ${scenarioId}, 1, 'running', ${flow}::jsonb, ${from}, ${until}, ${until})`.execute(
        scope.db,
      )
      const reading = stopwatch()
      await sql`select customer_id, processed_at from orders where merchant_id = ${LARGE_MERCHANT}
        and processed_at >= ${from} and processed_at < ${until} order by processed_at`.execute(scope.db)
      const readingMs = reading()
      const before = process.memoryUsage.rss()
      const elapsed = stopwatch()
      await runRehearsal.run(scope, { scenarioId, number: 1 })
      const rehearsalMs = elapsed()
      const { rows } = await sql<{ result: { events: number; entered: number; mails: number } }>`
        select result from scenario_rehearsals where merchant_id = ${LARGE_MERCHANT} and scenario_id = ${scenarioId}`.execute(
        scope.db,
      )
      const result = rows[0]?.result
      if (!result) throw new Error('the rehearsal has no result')
      return {
        customers,
        events: result.events,
        entered: result.entered,
        mails: result.mails,
        rehearsalMs,
        readingMs,
        rssGrowthMb: Math.round((process.memoryUsage.rss() - before) / 1024 / 1024),
      }
    } finally {
      await okaeri.stop()
    }
  } finally {
    await database.stop()
    fs.rmSync(folder, { recursive: true, force: true })
  }
}
