import { fork } from 'node:child_process'
import fs from 'node:fs'
import { connect } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { readConfig } from '../src/app/config.ts'
import { startProcess } from '../src/app/process.ts'
import { countFavorites } from '../src/features/favorites/index.ts'
import { sealAccessToken } from '../src/features/visitors/token.ts'
import { newId, newIds } from '../src/kernel/ids.ts'
import type { MerchantScope } from '../src/kernel/merchant-scope.ts'
import { merchantScope } from '../src/kernel/merchant-scope.ts'
import { addBenchMerchant, startInstallation } from './installation.ts'

interface FavoritesSize {
  connections: number
  guests: number
  /** How long a round is; rounds take turns between the bare route and ours, so that a busy moment of the machine hits both. */
  seconds: number
  rounds: number
  products: number
  /** For the lists. */
  favorites: number
  asked: number
}
const SIZE: FavoritesSize = {
  connections: 200,
  guests: 100_000,
  seconds: 4,
  rounds: 3,
  products: 20_000,
  favorites: 2_000_000,
  asked: 40,
}

export interface FavoritesBench {
  bareRequestsPerSecond: number
  addedPerSecond: number
  ratio: number
  answered: number
  stored: number
  lists: { what: string; medianMs: number; p95Ms: number }[]
}

/** How many visitors' favorites are stored and answered beside a bare Fastify route, and how long lists over many take. */
export async function runFavoritesBench(size = SIZE): Promise<FavoritesBench> {
  return { ...(await measureAdding(size)), lists: await measureLists(size) }
}

const ORIGIN = 'https://shop.bench.test'
const SHOP = 'bench.myshopify.com'

async function measureAdding({ connections, guests, seconds, rounds: count, products }: FavoritesSize) {
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
  const bare = Fastify()
  bare.post('/frontend/favorite', async (request) => ({ favorite: { ...(request.body as object), is_favorite: true } }))
  await bare.listen({ port: 0, host: '127.0.0.1' })
  try {
    const { context } = okaeri
    const scope = await addBenchMerchant(context)
    const { merchantId } = scope
    await sql`insert into store_directory (shop_domain, merchant_id) values (${SHOP}, ${merchantId})`.execute(
      context.db,
    )
    await sql`insert into store_connections (merchant_id, id, shop_domain, name, storefront_url, status, scopes, connected_at)
      values (${merchantId}, ${newId()}, ${SHOP}, '店', ${ORIGIN}, 'connected', '', ${scope.now})`.execute(context.db)
    await addProducts(scope, products)
    const requests = path.join(dataDir, 'requests.json')
    const lines = newIds(guests).map((guestId, index) => {
      const bound = { merchantId, shopDomain: SHOP, origin: ORIGIN, storeCustomerId: null }
      const token = sealAccessToken(context, { ...bound, holder: { guestId } })
      // Every tenth likes what everybody likes.
      const body = JSON.stringify({ product_id: index % 10 === 0 ? 1 : (index % products) + 1, variant_id: null })
      return `POST /frontend/favorite?shop=${SHOP} HTTP/1.1\r\nHost: bench.test\r\nOrigin: ${ORIGIN}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    })
    fs.writeFileSync(requests, JSON.stringify(lines))
    const own = { port: portOf(okaeri.server?.server), connections, requests }
    const plain = { ...own, port: portOf(bare.server) }
    await generate(plain, { seconds: 1, from: 0 })
    let from = 0
    const ours = async (length: number): Promise<number> => {
      const answered = await generate(own, { seconds: length, from })
      from += answered + connections
      return answered
    }
    let answered = await ours(1)
    const rounds: { bare: number; own: number }[] = []
    for (let round = 0; round < count; round += 1) {
      const counts = { bare: await generate(plain, { seconds, from: 0 }), own: await ours(seconds) }
      answered += counts.own
      rounds.push(counts)
    }
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from favorites where merchant_id = ${merchantId}`.execute(context.db)
    return {
      bareRequestsPerSecond: Math.round(median(rounds.map((round) => round.bare)) / seconds),
      addedPerSecond: Math.round(median(rounds.map((round) => round.own)) / seconds),
      ratio: median(rounds.map((round) => round.own / round.bare)),
      answered,
      stored: rows[0]?.count ?? 0,
    }
  } finally {
    await bare.close()
    await okaeri.stop()
    fs.rmSync(dataDir, { recursive: true, force: true })
  }
}

async function addProducts({ merchantId, now, db }: MerchantScope, count: number): Promise<void> {
  await sql`
    insert into products (merchant_id, id, store_product_id, title, search_text, store_updated_at, updated_at)
    select ${merchantId}, okaeri_uuidv7(${now}), n, '商品 ' || n, '商品 ' || n, ${now}, ${now} from generate_series(1, ${count}::int) n`.execute(
    db,
  )
  await sql`
    insert into product_variants (merchant_id, id, store_variant_id, store_product_id, title, sku, price_amount, inventory_quantity, position)
    select ${merchantId}, okaeri_uuidv7(${now}), n * 10 + k, n, 'サイズ ' || k, 'SKU-' || n || '-' || k, 1000, 5, k
    from generate_series(1, ${count}::int) n, generate_series(1, 3) k`.execute(db)
}

async function measureLists({ products, favorites, asked }: FavoritesSize): Promise<FavoritesBench['lists']> {
  const memberId = newId()
  let merchantId = ''
  const okaeri = await startInstallation({
    smtpUrl: 'smtp://127.0.0.1:9',
    authenticate: () => ({ merchantId, memberId, sessionId: memberId, role: 'owner' }),
  })
  try {
    merchantId = okaeri.scope.merchantId
    const scope = merchantScope(okaeri.scope.context, merchantId)
    await addProducts(scope, products)
    await sql`
      insert into favorites (merchant_id, id, guest_id, store_product_id, status, created_at, removed_at)
      select ${merchantId}, okaeri_uuidv7(${scope.now}), okaeri_uuidv7(${scope.now}), 1 + ((n::bigint * 7919) % ${products}::int),
        case when n % 5 = 0 then 'removed' else 'active' end, ${scope.now}::timestamptz - (n % 500) * interval '1 day',
        case when n % 5 = 0 then ${scope.now}::timestamptz end
      from generate_series(1, ${favorites}::int) n`.execute(scope.db)
    await sql`
      insert into favorite_changes (merchant_id, id, store_product_id, active, removed, set_seconds, kept_seconds, first_at, latest_at)
      select ${merchantId}, okaeri_uuidv7(${scope.now}), store_product_id, count(*) filter (where status = 'active'),
        count(*) filter (where status = 'removed'), coalesce(sum(floor(extract(epoch from created_at))) filter (where status = 'active'), 0),
        coalesce(sum(floor(extract(epoch from removed_at - created_at))) filter (where status = 'removed'), 0), min(created_at), max(created_at)
      from favorites where merchant_id = ${merchantId} group by store_product_id`.execute(scope.db)
    while (await countFavorites.run(scope.context, new AbortController().signal));
    await sql`analyze`.execute(scope.db)
    const pages: [string, string][] = [
      ['the most wanted', ''],
      ['the last page', `&offset=${Math.max(0, products - 50)}`],
      ['by retention', '&sort=average_retention_days'],
      ['by name', '&sort=product_name&direction=asc'],
      ['by the latest', '&sort=latest_favorited_at'],
      ['searched by name', `&q=${encodeURIComponent('商品 77')}`],
      ['searched by SKU', '&q=sku-4242'],
    ]
    const figures: FavoritesBench['lists'] = []
    for (const [what, more] of pages)
      figures.push({ what, ...(await time(`${okaeri.url}/data/favorites-aggregated?limit=50${more}`, asked)) })
    return figures
  } finally {
    await okaeri.stop()
  }
}

async function time(url: string, rounds: number): Promise<{ medianMs: number; p95Ms: number }> {
  const times: number[] = []
  for (let round = -3; round < rounds; round += 1) {
    const start = performance.now()
    const response = await fetch(url, { headers: { authorization: 'Bearer bench' } })
    const text = await response.text()
    if (!response.ok) throw new Error(`${url}: ${response.status} ${text.slice(0, 200)}`)
    if (round >= 0) times.push(performance.now() - start)
  }
  times.sort((a, b) => a - b)
  return { medianMs: times[Math.floor(rounds / 2)] ?? 0, p95Ms: times[Math.floor(rounds * 0.95)] ?? 0 }
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

function portOf(server: { address(): unknown } | undefined): number {
  const address = server?.address()
  if (typeof address === 'object' && address !== null && 'port' in address) return Number(address.port)
  throw new Error('not listening')
}

interface Load {
  port: number
  connections: number
  /** A file with the requests. */
  requests: string
}
interface Span {
  seconds: number
  /** The first request: none is made twice. */
  from: number
}

/** Asks from another process; answers how many requests were answered with 200. */
function generate(load: Load, span: Span): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = fork(import.meta.filename, ['generate'])
    child.once('message', (count) => resolve(Number(count)))
    child.once('error', reject)
    child.once('exit', (code) => code && reject(new Error(`the load generator ended with ${code}`)))
    child.send({ ...load, ...span })
  })
}

/** Each connection asks again when it has been answered. Plain sockets: a HTTP client would be slower than what it measures. */
async function runGenerator({ port, connections, requests: file, seconds, from }: Load & Span): Promise<number> {
  const requests = (JSON.parse(fs.readFileSync(file, 'utf8')) as string[]).map((request) => Buffer.from(request))
  const until = performance.now() + seconds * 1000
  let next = from
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
            if (rest.slice(9, 12) !== '200') return void socket.destroy(new Error(`answered ${rest.slice(0, 400)}`))
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
  process.once('message', (load: Load & Span) => {
    void runGenerator(load).then((count) => process.send?.(count, () => process.exit(0)))
  })
} else if (import.meta.main) {
  const result = await runFavoritesBench()
  process.stdout.write(`${JSON.stringify(result, null, 2)}\n`)
}
