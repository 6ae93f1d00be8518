import { fork } from 'node:child_process'
import fs from 'node:fs'
import { connect } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { readConfig } from '../src/app/config.ts'
import { startProcess } from '../src/app/process.ts'
import { makeLinkToken } from '../src/features/deliveries/index.ts'
import { newId } from '../src/kernel/ids.ts'

interface TrackingSize {
  connections: number
  deliveries: number
  /** How long each kind of hit is made in a round. */
  seconds: number
  /** They take turns between the bare route and ours, so that a busy moment of the machine hits both. */
  rounds: number
}
const SIZE: TrackingSize = { connections: 500, deliveries: 20_000, seconds: 4, rounds: 3 }

export interface TrackingBench {
  bareRequestsPerSecond: number
  opensPerSecond: number
  clicksPerSecond: number
  /** Ours divided by a bare Fastify route that answers the same picture. */
  openRatio: number
  clickRatio: number
  /** Hits answered and hits found in the database: equal, or the promise is broken. */
  answered: number
  stored: number
}

export interface Load {
  port: number
  connections: number
  paths: string[]
  /** Lines of the head besides, each with its end. */
  headers?: string
}

/** Measures how many tracking hits a process stores and answers, beside a bare Fastify route, from another process. */
export async function runTrackingBench({
  connections,
  deliveries,
  seconds,
  rounds: count,
} = SIZE): Promise<TrackingBench> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'okaeri-bench-'))
  const okaeri = await startProcess(
    readConfig({
      PORT: '0',
      DATA_DIR: dataDir,
      ROLE: 'api',
      LOG_LEVEL: 'error',
      SANDBOX: 'off',
      SMTP_URL: 'smtp://127.0.0.1:9',
      ...(process.env['BENCH_DATABASE_URL'] ? { DATABASE_URL: process.env['BENCH_DATABASE_URL'] } : {}),
    }),
  )
  // The name under which the other process asks: by any other it is looked up whose host that is.
  okaeri.context.settings.publicUrl = 'http://bench.test'
  const bare = Fastify()
  const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
  bare.get('/o/:token', (_request, reply) => reply.header('cache-control', 'no-store').type('image/gif').send(gif))
  await bare.listen({ port: 0, host: '127.0.0.1' })
  try {
    const { db, keyring } = okaeri.context
    const tokens = await fill(okaeri.context.db, deliveries, (delivery) => makeLinkToken(keyring, delivery))
    const opens = tokens.map((token) => `/o/${token}.gif`)
    const clicks = tokens.map((token, i) => `/c/${token}-${i % 10}`)
    const bareOpens = { port: portOf(bare.server), paths: opens, connections }
    const ownPort = portOf(okaeri.server?.server)
    const [ownOpens, ownClicks] = [
      { port: ownPort, paths: opens, connections },
      { port: ownPort, paths: clicks, connections },
    ]
    await generate(bareOpens, 1)
    let answered = (await generate(ownOpens, 1)) + (await generate(ownClicks, 1))
    const rounds: { bare: number; opens: number; clicks: number }[] = []
    for (let round = 0; round < count; round += 1) {
      const counts = {
        bare: await generate(bareOpens, seconds),
        opens: await generate(ownOpens, seconds),
        clicks: await generate(ownClicks, seconds),
      }
      answered += counts.opens + counts.clicks
      rounds.push(counts)
    }
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from tracking_hits`.execute(db)
    const perSecond = (pick: (round: (typeof rounds)[number]) => number): number =>
      Math.round(median(rounds.map(pick)) / seconds)
    return {
      bareRequestsPerSecond: perSecond((round) => round.bare),
      opensPerSecond: perSecond((round) => round.opens),
      clicksPerSecond: perSecond((round) => round.clicks),
      openRatio: median(rounds.map((round) => round.opens / round.bare)),
      clickRatio: median(rounds.map((round) => round.clicks / round.bare)),
      answered,
      stored: rows[0]?.count ?? 0,
    }
  } finally {
    await bare.close()
    await okaeri.stop()
    fs.rmSync(dataDir, { recursive: true, force: true })
  }
}

/** One message with ten links, sent to many. */
async function fill(
  db: Awaited<ReturnType<typeof startProcess>>['context']['db'],
  deliveries: number,
  tokenOf: (delivery: { merchantId: string; deliveryId: string }) => string,
): Promise<string[]> {
  const [merchantId, messageId] = [newId(), newId()]
  const now = new Date(0)
  const links = Array.from({ length: 10 }, (_, i) => `https://shop.test/products/${i}?utm_source=okaeri`)
  await sql`insert into messages (merchant_id, id, links, tracking_enabled, created_at)
    values (${merchantId}, ${messageId}, ${links}, true, ${now})`.execute(db)
  const ids = Array.from({ length: deliveries }, newId)
  await sql`insert into deliveries (merchant_id, id, kind, message_id, status, created_at, sent_at)
    select ${merchantId}, id, 'campaign', ${messageId}, 'sent', ${now}, ${now} from unnest(${ids}::uuid[]) as t (id)`.execute(
    db,
  )
  return ids.map((deliveryId) => tokenOf({ merchantId, deliveryId }))
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

export function portOf(server: { address(): unknown } | undefined): number {
  const address = server?.address()
  if (typeof address === 'object' && address !== null && 'port' in address) return Number(address.port)
  throw new Error('not listening')
}

/** Asks from another process for so many seconds; answers how many requests were answered with 200 or 302. */
export function generate(load: Load, seconds: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = fork(import.meta.filename, ['generate', String(seconds)])
    child.once('message', (count) => resolve(Number(count)))
    child.once('error', reject)
    child.once('exit', (code) => code && reject(new Error(`the load generator ended with ${code}`)))
    child.send(load)
  })
}

/** Each connection asks again when it has been answered. Plain sockets: a HTTP client would be slower than what it measures. */
async function runGenerator({ port, paths, connections, headers = '' }: Load, seconds: number): Promise<number> {
  const until = performance.now() + seconds * 1000
  const requests = paths.map((target) =>
    Buffer.from(
      `GET ${target} HTTP/1.1\r\nHost: bench.test\r\nUser-Agent: Mozilla/5.0 (bench) AppleWebKit/605.1.15 Safari/604.1\r\n${headers}\r\n`,
    ),
  )
  let next = 0
  let answered = 0
  await Promise.all(
    Array.from(
      { length: connections },
      () =>
        new Promise<void>((resolve, reject) => {
          const socket = connect({ port, host: '127.0.0.1', noDelay: true })
          let rest = ''
          const ask = (): void => {
            next = (next + 1) % requests.length
            socket.write(requests[next] as Buffer)
          }
          socket.on('connect', ask)
          socket.on('error', reject)
          socket.on('close', () => resolve())
          socket.on('data', (chunk) => {
            rest += chunk.toString('latin1')
            const head = rest.indexOf('\r\n\r\n')
            if (head < 0) return
            const length = Number(/content-length: (\d+)/i.exec(rest)?.[1] ?? 0)
            if (rest.length < head + 4 + length) return
            const status = rest.slice(9, 12)
            if (status !== '200' && status !== '302')
              return void socket.destroy(new Error(`answered ${rest.slice(0, 200)}`))
            answered += 1
            rest = rest.slice(head + 4 + length)
            if (performance.now() < until) ask()
            else socket.end()
          })
        }),
    ),
  )
  return answered
}

if (process.argv[2] === 'generate' && process.send) {
  process.once('message', (load: Load) => {
    void runGenerator(load, Number(process.argv[3])).then((count) => process.send?.(count, () => process.exit(0)))
  })
} else if (import.meta.main) {
  const result = await runTrackingBench()
  process.stdout.write(`${JSON.stringify(result, null, 2)}\n`)
}
