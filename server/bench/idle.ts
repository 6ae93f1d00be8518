import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { stopwatch } from '../src/kernel/clock.ts'
import { findEmbeddedPostgres } from '../src/kernel/database/embedded-postgres.ts'
import { cpuSeconds, databaseCpuSeconds } from './copying.ts'
import { until } from './installation.ts'

const START = path.join(import.meta.dirname, '../../scripts/start.mjs')
const PORT = 4710
const PASSWORD = 'bench-password-123'
const MEASURED_MS = 60_000
/** What begins with the start, the first copy of the demo store with it, is done. */
const SETTLED_MS = 45_000

interface IdleFigures {
  transactionsPerSecond: number
  /** Of one core. */
  serverPercent: number
  databasePercent: number
}

/**
 * What `npm start` costs with nothing to do: with the demo merchant, with `merchants` idle ones beside it, and with a campaign of the demo merchant
 * that waits because the mail server takes nothing more.
 */
export async function runIdleBench(
  merchants: number,
): Promise<{ one: IdleFigures; many: IdleFigures; waiting: IdleFigures }> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'okaeri-bench-'))
  fs.chmodSync(folder, 0o755)
  const started = spawn(process.execPath, [START], {
    env: { ...process.env, PORT: `${PORT}`, DATA_DIR: folder, DEMO_PASSWORD: PASSWORD },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  try {
    const home = path.join(folder, 'postgres')
    const answers = (): Promise<boolean> =>
      fetch(`http://127.0.0.1:${PORT}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      )
    await until(answers, { timeoutMs: 300_000, what: 'npm start answers' })
    const url = findEmbeddedPostgres(home)
    if (!url) throw new Error('there is no database in the data folder')
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const measure = async (): Promise<IdleFigures> => {
      await sleep(SETTLED_MS)
      const read = async () => {
        const { rows } = await client.query<{ commits: number }>(
          'select xact_commit::float8 as commits from pg_stat_database where datname = current_database()',
        )
        return { ...rows[0], server: cpuSeconds(serverOf(started.pid ?? 0)), database: databaseCpuSeconds(home) }
      }
      const before = await read()
      const elapsedMs = stopwatch()
      await sleep(MEASURED_MS)
      const [after, seconds] = [await read(), elapsedMs() / 1000]
      return {
        transactionsPerSecond: ((after.commits ?? 0) - (before.commits ?? 0)) / seconds,
        serverPercent: ((after.server - before.server) / seconds) * 100,
        databasePercent: ((after.database - before.database) / seconds) * 100,
      }
    }
    const one = await measure()
    await client.query(
      `insert into merchants (id, site_name, sender_name, sender_email, postal_address, created_at, updated_at)
      select okaeri_uuidv7(now()), 'idle ' || n, 'idle', 'idle@bench.test', 'Tokyo', now(), now() from generate_series(1, $1) n`,
      [merchants],
    )
    const many = await measure()
    await client.query(`delete from merchants where site_name like 'idle %'`)
    await letCampaignWait()
    const waiting = await measure()
    await client.end()
    return { one, many, waiting }
  } finally {
    started.kill('SIGINT')
    await once(started, 'exit')
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

async function letCampaignWait(): Promise<void> {
  const send = async (method: string, url: string, body: object | null, token = ''): Promise<unknown> => {
    const answer = await fetch(url, {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(token !== '' && { authorization: `Bearer ${token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`)
    return answer.json()
  }
  const [api, sandbox] = [`http://127.0.0.1:${PORT}`, `http://127.0.0.1:${PORT + 1}`]
  await send('POST', `${sandbox}/mail/switches.json`, { quota_all: true })
  const signedIn = await send('POST', `${api}/api/auth/login`, { email: 'demo@okaeri.test', password: PASSWORD })
  const { access_token: token } = signedIn as { access_token: string }
  const written = await send('POST', `${api}/emails`, { name: 'bench', subject: 'bench' }, token)
  const { email } = written as { email: { id: string } }
  const draft = { name: 'bench', segment_type: 'all', email_id: email.id }
  const { campaign } = (await send('POST', `${api}/campaigns`, draft, token)) as { campaign: { id: string } }
  const address = `${api}/campaigns/${campaign.id}`
  const { review } = (await send('GET', `${address}/review`, null, token)) as {
    review: { findings: { code: string }[] }
  }
  const accepted = review.findings.map(({ code }) => code)
  await send('POST', `${address}/reserve`, { accepted, skips_canary: true }, token)
  const waits = async (): Promise<boolean> =>
    ((await send('GET', address, null, token)) as { campaign: { status: string } }).campaign.status === 'waiting'
  await until(waits, { timeoutMs: 60_000, what: 'the campaign waits' })
}

/** The process of the server among those that `npm start` runs. */
function serverOf(parent: number): number {
  const children = fs.readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim().split(' ').map(Number)
  const server = children.find((pid) => fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('server/src/main.ts'))
  if (!server) throw new Error('npm start runs no server')
  return server
}
