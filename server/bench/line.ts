import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { Pool } from 'undici'
import { cpuSeconds, databaseCpuSeconds } from './copying.ts'
import { startInstallation, until } from './installation.ts'
import { tellEvents } from './line-events.ts'
import { addManyFriends, CHANNEL_SECRET, freezeForAll, lineAt, readReceipts } from './line-programs.ts'
import type { Program } from './send-programs.ts'
import { startSinkProcess, watchMemory } from './sending.ts'

/** What `npm run bench -- --only line` prints. */
export interface LineFigures {
  people: number
  pushed: number
  bareCallsPerSecond: number
  pushesPerSecond: number
  ratio: number
  /** The same once more, by the same worker. */
  ratioAgain: number
  /** Processor time of each of those, and of the bare client's call, in microseconds. */
  workerUs: number
  databaseUs: number
  standInUs: number
  bareClientUs: number
  bareStandInUs: number
  multicastSeconds: number
  multicasts: number
  stored: number
  eventsReceived: number
  eventP95Ms: number
  workerRssMaxMb: number
}

const CONNECTIONS = 100
const EVENTS_PER_MINUTE = 10_000

/**
 * One worker process sends to a stand-in in a process of its own: personal messages by push, beside a bare keep-alive client that posts one
 * prepared body to it in the same run, before and after; the same to everybody by multicast; and pushes again, while events arrive.
 */
export async function runLineBench(people: number, pushed: number): Promise<LineFigures> {
  const sink = await startSinkProcess([], 'line-sink.ts')
  const okaeri = await startInstallation({ smtpUrl: 'smtp://127.0.0.1:9', env: lineAt(sink.port) })
  try {
    const { scope } = okaeri
    await addManyFriends(scope, people)
    const few = sql<boolean>`c.id in (select id from customers where merchant_id = ${scope.merchantId} order by id limit ${pushed})`
    const pushes = await freezeForAll(scope, { isPersonal: true, where: few })
    const pushedAgain = await freezeForAll(scope, { isPersonal: true, where: few })
    const equal = await freezeForAll(scope, { isPersonal: false })
    const besideEvents = await freezeForAll(scope, { isPersonal: true, where: few })

    const standIn = sink.process.pid ?? 0
    const bareCalls = async () => {
      const cpu = () => ({ client: cpuSeconds(process.pid), standIn: cpuSeconds(standIn) })
      const before = cpu()
      const perSecond = await bare(sink.port, pushed)
      const after = cpu()
      return { perSecond, client: after.client - before.client, standIn: after.standIn - before.standIn }
    }
    const bareBefore = await bareCalls()
    const worker = await okaeri.startWorker()
    const memory = watchMemory(worker)
    const cpu = () => ({
      worker: cpuSeconds(worker.pid ?? 0),
      database: databaseCpuSeconds(okaeri.databaseFolder),
      standIn: cpuSeconds(standIn),
    })
    const pushSeconds = await timed(pushes)
    const before = cpu()
    const secondsAgain = await timed(pushedAgain)
    const after = cpu()
    const multicastSeconds = await timed(equal)
    const events = tellEvents({
      url: okaeri.url,
      path: `/line/webhook/${scope.merchantId}`,
      channelSecret: CHANNEL_SECRET,
      perMinute: EVENTS_PER_MINUTE,
    })
    await timed(besideEvents)
    const answeredMs = await events.stop()
    memory.stop()
    const ended = new Promise((resolve) => worker.once('exit', resolve))
    worker.kill('SIGTERM')
    await ended
    const bareAfter = await bareCalls()

    const { rows } = await sql<{ sent: number; calls: number }>`
      select count(*)::int as sent, count(distinct batch_id)::int as calls from deliveries
      where ${equal.deliveries} and status = 'sent'`.execute(scope.db)
    const { taken } = await readReceipts(sink.port)
    if (taken !== people + pushed * 5) throw new Error(`the stand-in took ${taken} messages`)
    const bareCallsPerSecond = (bareBefore.perSecond + bareAfter.perSecond) / 2
    const pushesPerSecond = pushed / pushSeconds
    const microseconds = (seconds: number): number => (seconds / pushed) * 1_000_000
    return {
      people,
      pushed,
      bareCallsPerSecond,
      pushesPerSecond,
      ratio: pushesPerSecond / bareCallsPerSecond,
      ratioAgain: pushed / secondsAgain / bareCallsPerSecond,
      workerUs: microseconds(after.worker - before.worker),
      databaseUs: microseconds(after.database - before.database),
      standInUs: microseconds(after.standIn - before.standIn),
      bareClientUs: microseconds(bareBefore.client + bareAfter.client) / 2,
      bareStandInUs: microseconds(bareBefore.standIn + bareAfter.standIn) / 2,
      multicastSeconds,
      multicasts: rows[0]?.calls ?? 0,
      stored: rows[0]?.sent ?? 0,
      eventsReceived: answeredMs.length,
      eventP95Ms: answeredMs.toSorted((one, other) => one - other)[Math.floor(answeredMs.length * 0.95)] ?? 0,
      workerRssMaxMb: memory.figures().workerRssMaxMb,
    }
  } finally {
    await okaeri.stop()
    sink.process.kill()
  }
}

async function timed(program: Program): Promise<number> {
  const start = performance.now()
  await program.begin()
  await until(() => program.isDone(), { timeoutMs: 600_000, everyMs: 20, what: 'the message is sent' })
  return (performance.now() - start) / 1000
}

/** Calls a second of a client that does nothing but post one prepared body, each time under another key. */
async function bare(port: number, calls: number): Promise<number> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: CONNECTIONS })
  const body = JSON.stringify({
    to: 'Ubare',
    messages: [{ type: 'text', text: '新しい商品が入荷しました。'.repeat(20) }],
  })
  let next = 0
  const start = performance.now()
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (next < calls) {
        next += 1
        const headers = { 'content-type': 'application/json', 'x-line-retry-key': randomUUID() }
        const response = await pool.request({ path: '/v2/bot/message/push', method: 'POST', headers, body })
        await response.body.dump()
        if (response.statusCode !== 200) throw new Error(`the stand-in answered ${response.statusCode}`)
      }
    }),
  )
  const seconds = (performance.now() - start) / 1000
  await pool.close()
  return calls / seconds
}
