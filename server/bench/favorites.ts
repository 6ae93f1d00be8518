import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { countFavorites } from '../src/features/favorites/index.ts'
import { recountAll } from '../src/features/restocks/count-queries.ts'
import { addRestockRequests } from '../src/features/restocks/index.ts'
import { sealAccessToken } from '../src/features/visitors/token.ts'
import { newId, newIds } from '../src/kernel/ids.ts'
import type { MerchantScope } from '../src/kernel/merchant-scope.ts'
import { merchantScope } from '../src/kernel/merchant-scope.ts'
import { databaseCpuSeconds } from './copying.ts'
import { startInstallation } from './installation.ts'
import { generate, HOST, median, portOf, timePage, writeRequests } from './load.ts'

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
  /** Computed for each by the bare route; by the server and the database. */
  bareUs: number
  serverUs: number
  databaseUs: number
  answered: number
  stored: number
  lists: { what: string; medianMs: number; p95Ms: number }[]
}

/** How many visitors' favorites are stored and answered beside a bare Fastify route, and how long lists over many of them, and over many restock
 * registrations, take. */
export async function runFavoritesBench(size = SIZE): Promise<FavoritesBench> {
  return { ...(await measureAdding(size)), lists: await measureLists(size) }
}

/** Favorites of one guest. */
const EACH = 4
const ORIGIN = 'https://shop.bench.test'
const SHOP = 'bench.myshopify.com'

interface Measured {
  answered: number
  serverUs: number
  databaseUs: number
}

async function measureAdding({ connections, guests, seconds, rounds: count, products }: FavoritesSize) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'okaeri-bench-'))
  const okaeri = await startInstallation({ smtpUrl: 'smtp://127.0.0.1:9' })
  const bare = Fastify()
  bare.post('/frontend/favorite', async (request) => ({ favorite: { ...(request.body as object), is_favorite: true } }))
  await bare.listen({ port: 0, host: '127.0.0.1' })
  try {
    const { scope, databaseFolder } = okaeri
    const { merchantId, context } = scope
    context.settings.publicUrl = `http://${HOST}`
    await sql`insert into store_directory (shop_domain, merchant_id) values (${SHOP}, ${merchantId})`.execute(
      context.db,
    )
    await sql`insert into store_connections (merchant_id, id, shop_domain, name, storefront_url, status, scopes, connected_at)
      values (${merchantId}, ${newId()}, ${SHOP}, '店', ${ORIGIN}, 'connected', '', ${scope.now})`.execute(context.db)
    await addProducts(scope, products)
    const tokens = newIds(guests).map((guestId) => {
      const bound = { merchantId, shopDomain: SHOP, origin: ORIGIN, storeCustomerId: null }
      return sealAccessToken(context, { ...bound, holder: { guestId } })
    })
    // Every tenth likes what everybody likes. No two of a guest's are the same.
    const lines = Array.from({ length: guests * EACH }, (_, index) => {
      const [guest, lap] = [index % guests, Math.floor(index / guests)]
      const product = guest % 10 === 0 ? lap + 1 : ((guest + lap) % products) + 1
      const body = JSON.stringify({ product_id: product, variant_id: null })
      return `POST /frontend/favorite?shop=${SHOP} HTTP/1.1\r\nHost: ${HOST}\r\nOrigin: ${ORIGIN}\r\nAuthorization: Bearer ${tokens[guest]}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    })
    const requests = writeRequests(folder, 'favorites', lines)
    const own = { port: portOf(okaeri.api.server?.server), connections, requests }
    const plain = { ...own, port: portOf(bare.server) }
    await generate(plain, { seconds: 1 })
    let from = 0
    const ours = async (length: number): Promise<number> => {
      const answered = await generate(own, { seconds: length, from })
      from += answered + connections
      if (from > lines.length) throw new Error('more requests are needed: some were made twice')
      return answered
    }
    let answered = await ours(1)
    /** With what this process, which is the server, and the database computed for each in µs: a busy machine changes that less. */
    const measured = async (answers: Promise<number>): Promise<Measured> => {
      const [before, databaseBefore] = [process.cpuUsage(), databaseCpuSeconds(databaseFolder)]
      const answered = await answers
      const { user, system } = process.cpuUsage(before)
      const databaseUs = ((databaseCpuSeconds(databaseFolder) - databaseBefore) * 1e6) / answered
      return { answered, serverUs: (user + system) / answered, databaseUs }
    }
    const rounds: Record<'bare' | 'own', Measured>[] = []
    for (let round = 0; round < count; round += 1)
      rounds.push({ bare: await measured(generate(plain, { seconds })), own: await measured(ours(seconds)) })
    answered += rounds.reduce((all, { own }) => all + own.answered, 0)
    const of = (pick: (round: (typeof rounds)[number]) => number): number => median(rounds.map(pick))
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from favorites where merchant_id = ${merchantId}`.execute(context.db)
    return {
      bareRequestsPerSecond: Math.round(of(({ bare }) => bare.answered) / seconds),
      addedPerSecond: Math.round(of(({ own }) => own.answered) / seconds),
      ratio: of(({ own, bare }) => own.answered / bare.answered),
      bareUs: of(({ bare }) => bare.serverUs),
      serverUs: of(({ own }) => own.serverUs),
      databaseUs: of(({ own }) => own.databaseUs),
      answered,
      stored: rows[0]?.count ?? 0,
    }
  } finally {
    await bare.close()
    await okaeri.stop()
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

/** One in five was answered, and one in five taken back; what happened since they were summed up stands in the log. */
async function addRegistrations(
  scope: MerchantScope,
  { products, registrations }: { products: number; registrations: number },
): Promise<void> {
  const { merchantId, now, db } = scope
  await sql`
    insert into restock_requests (merchant_id, id, guest_id, email, email_key, store_product_id, status, created_at)
    select ${merchantId}, okaeri_uuidv7(${now}), okaeri_uuidv7(${now}), 'g' || n || '@bench.test', 'g' || n || '@bench.test',
      1 + ((n::bigint * 7919) % ${products}::int), case n % 5 when 0 then 'sent' when 1 then 'deleted' else 'active' end,
      ${now}::timestamptz - (n % 500) * interval '1 day'
    from generate_series(1, ${registrations}::int) n`.execute(db)
  await scope.transaction(recountAll)
  await addRestockRequests(
    scope,
    Array.from({ length: 5000 }, (_, index) => ({
      email: `new${index}@bench.test`,
      storeProductId: 1 + (index % products),
      source: 'storefront',
      createdAt: now,
    })),
  )
  await sql`analyze`.execute(db)
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
    const figure = async (what: string, address: string): Promise<void> =>
      void figures.push({ what, ...(await timePage(`${okaeri.url}${address}`, asked)) })
    for (const [what, more] of pages)
      await figure(`favorites by product, ${what}`, `/data/favorites-aggregated?limit=50${more}`)
    for (const [what, more] of [
      ['the latest', ''],
      ['page 1,000', '&offset=49950'],
      ['the latest removed', '&status=removed'],
      ['of one product', '&product_id=77'],
    ] as const)
      await figure(`favorites one by one, ${what}`, `/data/favorites?limit=50${more}`)
    await addRegistrations(scope, { products, registrations: favorites })
    for (const [what, more] of [
      ['the most awaited', ''],
      ['the last page', `&offset=${Math.max(0, products - 50)}`],
      ['searched by name', `&q=${encodeURIComponent('商品 77')}`],
    ] as const)
      await figure(`restock registrations by product, ${what}`, `/data/restocks-aggregated?limit=50${more}`)
    return figures
  } finally {
    await okaeri.stop()
  }
}

if (import.meta.main) {
  const result = await runFavoritesBench()
  process.stdout.write(`${JSON.stringify(result, null, 2)}\n`)
}
