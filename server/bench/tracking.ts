import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { makeLinkToken } from '../src/features/deliveries/index.ts'
import type { Database } from '../src/kernel/database/database.ts'
import { newId } from '../src/kernel/ids.ts'
import { generate, getOf, median, portOf, startApi, writeRequests } from './load.ts'

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

/** Measures how many tracking hits a process stores and answers, beside a bare Fastify route, from another process. */
export async function runTrackingBench({
  connections,
  deliveries,
  seconds,
  rounds: count,
} = SIZE): Promise<TrackingBench> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'okaeri-bench-'))
  const okaeri = await startApi(dataDir)
  const bare = Fastify()
  const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
  bare.get('/o/:token', (_request, reply) => reply.header('cache-control', 'no-store').type('image/gif').send(gif))
  await bare.listen({ port: 0, host: '127.0.0.1' })
  try {
    const { db, keyring } = okaeri.context
    const tokens = await fill(okaeri.context.db, deliveries, (delivery) => makeLinkToken(keyring, delivery))
    const requests = (name: string, pathOf: (token: string, index: number) => string): string =>
      writeRequests(
        dataDir,
        name,
        tokens.map((token, index) => getOf(pathOf(token, index))),
      )
    const opens = requests('opens', (token) => `/o/${token}.gif`)
    const clicks = requests('clicks', (token, index) => `/c/${token}-${index % 10}`)
    const port = portOf(okaeri.server?.server)
    const bareOpens = { port: portOf(bare.server), requests: opens, connections }
    const [ownOpens, ownClicks] = [
      { port, requests: opens, connections },
      { port, requests: clicks, connections },
    ]
    const warmUp = { seconds: 1 }
    await generate(bareOpens, warmUp)
    let answered = (await generate(ownOpens, warmUp)) + (await generate(ownClicks, warmUp))
    const rounds: { bare: number; opens: number; clicks: number }[] = []
    for (let round = 0; round < count; round += 1) {
      const counts = {
        bare: await generate(bareOpens, { seconds }),
        opens: await generate(ownOpens, { seconds }),
        clicks: await generate(ownClicks, { seconds }),
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
  db: Database,
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

if (import.meta.main) {
  const result = await runTrackingBench()
  process.stdout.write(`${JSON.stringify(result, null, 2)}\n`)
}
