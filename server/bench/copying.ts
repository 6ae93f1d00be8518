import { once } from 'node:events'
import fs from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { stopwatch } from '../src/kernel/clock.ts'
import { newId } from '../src/kernel/ids.ts'
import type { MerchantScope } from '../src/kernel/merchant-scope.ts'
import { startInstallation, until } from './installation.ts'

export interface CopyingFigures {
  customers: number
  customersPerSecond: number
  orders: number
  ordersPerSecond: number
  /** Rows per second the worker itself computed, the database's work left out. */
  customersPerCpuSecond: number
  ordersPerCpuSecond: number
  /** The same of the database: everything it did meanwhile, writing to the disk and tidying up included. */
  customersPerDatabaseCpuSecond: number
  ordersPerDatabaseCpuSecond: number
  rssAfterCustomersMb: number
  /** A second copy of the same customers, which finds nothing to change. */
  againPerSecond: number
  /** The same rows put into the same tables by the database alone, from tables beside them: what no program can be faster than. */
  barePerSecond: number
  barePerDatabaseCpuSecond: number
  workerRssStartMb: number
  workerRssMaxMb: number
}

const SHOP = 'bench.myshopify.com'
const families = ['佐藤', '鈴木', '高橋', '田中', '伊藤', '渡辺', '山本', '中村', '小林', '加藤', 'Smith', 'Müller']
const givens = ['花子', '太郎', '陽葵', '翔', '結衣', '蓮', '葵', '大翔', 'Emma', 'Liam']
const places = [
  ['150-0001', 'Tōkyō', 'JP-13', '渋谷区'],
  ['530-0001', 'Ōsaka', 'JP-27', '大阪市北区'],
  ['060-0001', 'Hokkaidō', 'JP-01', '札幌市中央区'],
  ['810-0001', 'Fukuoka', 'JP-40', '福岡市中央区'],
]
const states = ['SUBSCRIBED', 'SUBSCRIBED', 'SUBSCRIBED', 'NOT_SUBSCRIBED', 'UNSUBSCRIBED']
const FIRST_ID = 7_000_000_000_000
/** Of whole seconds, as the platform tells them. */
const instant = (second: number): string => `${new Date(1_700_000_000_000 + second * 1000).toISOString().slice(0, 19)}Z`
const pick = <T>(items: readonly T[], number: number): T => items[number % items.length] as T

/** One line of the export of customers, the same for the same number in every run. */
export function customerLine(number: number): string {
  const [zip, province, provinceCode, city] = pick(places, number * 7)
  const state = pick(states, number * 11)
  return JSON.stringify({
    id: `gid://shopify/Customer/${FIRST_ID + number}`,
    firstName: pick(givens, number * 3),
    lastName: pick(families, number * 5),
    locale: number % 9 === 0 ? 'en' : 'ja',
    tags: number % 3 === 0 ? ['VIP', `店舗${number % 40}`] : number % 5 === 0 ? ['卸'] : [],
    createdAt: instant(number),
    updatedAt: instant(number + 86_400),
    defaultEmailAddress:
      number % 50 === 0
        ? null
        : {
            emailAddress: `customer.${number}@example.jp`,
            marketingState: state,
            marketingUpdatedAt: state === 'NOT_SUBSCRIBED' ? null : instant(number + 60),
          },
    defaultPhoneNumber: number % 2 === 0 ? { phoneNumber: `+8190${String(10_000_000 + number)}` } : null,
    defaultAddress: {
      zip,
      country: 'Japan',
      countryCodeV2: 'JP',
      province,
      provinceCode,
      city,
      address1: `神宮前${1 + (number % 6)}-${1 + (number % 20)}-${1 + (number % 15)}`,
      address2: number % 4 === 0 ? `メゾン青葉${101 + (number % 8)}` : null,
      company: null,
      phone: null,
    },
  })
}

/** An order with its lines, as grouped lines of the export; about one and a half lines each. */
export function orderLines(number: number, customers: number): string {
  const id = `gid://shopify/Order/${FIRST_ID + number}`
  const money = (amount: number) => ({ shopMoney: { amount: `${amount}.0`, currencyCode: 'JPY' } })
  const count = 1 + (number % 2)
  const order = {
    id,
    name: `#${1000 + number}`,
    email: null,
    processedAt: instant(number * 3),
    updatedAt: instant(number * 3 + 5),
    cancelledAt: number % 40 === 0 ? instant(number * 3 + 5) : null,
    displayFinancialStatus: 'PAID',
    displayFulfillmentStatus: 'FULFILLED',
    tags: number % 12 === 0 ? ['ギフト'] : [],
    discountCodes: number % 20 === 0 ? ['WELCOME10'] : [],
    totalPriceSet: money(1500 * count),
    currentTotalPriceSet: money(1500 * count),
    customer: { id: `gid://shopify/Customer/${FIRST_ID + ((number * 7919) % customers)}` },
    customerJourneySummary: null,
  }
  const lines = Array.from({ length: count }, (_, position) =>
    JSON.stringify({
      id: `gid://shopify/LineItem/${FIRST_ID + number * 4 + position}`,
      title: `煎茶 ${position + 1}`,
      sku: `OK-${number % 300}`,
      quantity: 1,
      product: { id: `gid://shopify/Product/${FIRST_ID + (number % 300)}` },
      variant: { id: `gid://shopify/ProductVariant/${FIRST_ID + (number % 900)}` },
      discountedTotalSet: money(1500),
      __parentId: id,
    }),
  )
  return [JSON.stringify(order), ...lines].join('\n')
}

const kinds = ['customers', 'orders'] as const
const ROWS_A_WRITE = 500

/** The files of an export, written before the measuring starts: the platform's work does not count. */
async function writeExports(folder: string, sizes: { customers: number; orders: number }): Promise<void> {
  for (const kind of kinds) {
    const line = kind === 'customers' ? customerLine : (number: number) => orderLines(number, sizes.customers)
    const out = fs.createWriteStream(path.join(folder, kind))
    for (let from = 0; from < sizes[kind]; from += ROWS_A_WRITE) {
      const count = Math.min(ROWS_A_WRITE, sizes[kind] - from)
      const lines = Array.from({ length: count }, (_, index) => line(from + index))
      if (!out.write(`${lines.join('\n')}\n`)) await once(out, 'drain')
    }
    await new Promise<void>((resolve) => out.end(() => resolve()))
  }
}

/** Returns what the copying asks of a store, its exports finished at once: files of as many rows as wanted. */
export async function startExportingStore(sizes: { customers: number; orders: number }) {
  const kindOf = new Map<string, string>()
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'okaeri-exports-'))
  await writeExports(folder, sizes)
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/file/')) {
      const kind = kinds.find((kind) => request.url === `/file/${kind}`) ?? 'customers'
      fs.createReadStream(path.join(folder, kind), { highWaterMark: 256 * 1024 }).pipe(response)
      return
    }
    if (request.method !== 'POST') {
      // The clock of the sandbox this stands in for.
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ now: instant(0), offset_ms: 0 }))
      return
    }
    let text = ''
    request.on('data', (part: Buffer) => (text += part.toString()))
    request.on('end', () => {
      const { query, variables } = JSON.parse(text) as { query: string; variables: Record<string, string> }
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ data: answer(query, variables) }))
    })
  })
  const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const answer = (query: string, variables: Record<string, string>): unknown => {
    const page = { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } }
    if (query.includes('webhookSubscriptionCreate'))
      return { webhookSubscriptionCreate: { webhookSubscription: null, userErrors: [] } }
    if (query.includes('bulkOperationRunQuery')) {
      const kind = /^\s*\{ (\w+)/.exec(variables['query'] ?? '')?.[1] ?? ''
      const id = `gid://shopify/BulkOperation/${kindOf.size + 1}`
      kindOf.set(id, kind)
      return { bulkOperationRunQuery: { bulkOperation: { id, status: 'CREATED' }, userErrors: [] } }
    }
    if (query.includes('BulkNode')) {
      const kind = kindOf.get(variables['id'] ?? '') ?? ''
      const size = kind === 'customers' ? sizes.customers : kind === 'orders' ? sizes.orders : 0
      return {
        node: {
          id: variables['id'],
          status: 'COMPLETED',
          errorCode: null,
          rootObjectCount: String(size),
          objectCount: String(size),
          // By which the reader knows that it has the whole of it.
          fileSize: size > 0 ? String(fs.statSync(path.join(folder, kind)).size) : null,
          url: size > 0 ? `${url()}/file/${kind}` : null,
        },
      }
    }
    if (query.includes('nodes(ids')) return { nodes: [] }
    return { webhookSubscriptions: page, segments: page, metafieldDefinitions: page, metafieldDefinitionCreate: null }
  }
  return new Promise<{ url: string; close: () => void }>((resolve) =>
    server.listen(0, '127.0.0.1', () =>
      resolve({
        url: url(),
        close: () => {
          server.close()
          fs.rmSync(folder, { recursive: true, force: true })
        },
      }),
    ),
  )
}

/** `/proc/{pid}/stat` behind the name: the parent is the second, what it computed itself and in the kernel the 12th and 13th. */
const statOf = (pid: number): string[] =>
  fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []

/** What the process has computed so far: says more than the clock on a machine others use too. Linux counts in hundredths. */
export const cpuSeconds = (pid: number): number => {
  const fields = statOf(pid)
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** The same of an embedded database: its first process, all under it, and those that have ended. */
export function databaseCpuSeconds(databaseFolder: string): number {
  const first = Number(fs.readFileSync(path.join(databaseFolder, 'pgdata', 'postmaster.pid'), 'utf8').split('\n')[0])
  const ended = statOf(first)
  let sum = cpuSeconds(first) + (Number(ended[13]) + Number(ended[14])) / 100
  for (const name of fs.readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      if (Number(statOf(Number(name))[1]) === first) sum += cpuSeconds(Number(name))
    } catch {
      // Ended while being read.
    }
  }
  return sum
}
const rssMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

/** The merchant is connected to the store {@link startExportingStore} plays. */
export async function connectTo(scope: MerchantScope): Promise<void> {
  const { keyring } = scope.context
  await sql`
    insert into store_connections (merchant_id, id, shop_domain, status, scopes, access_token, access_token_expires_at, connected_at)
    values (${scope.merchantId}, ${newId()}, ${SHOP}, 'connected', 'read_all_orders', ${keyring.encrypt('bench')},
      now() + interval '1 day', now())`.execute(scope.db)
}

/** Has these kinds copied by any worker that runs; returns the seconds each took. */
export async function copyKinds(scope: MerchantScope, kinds: string[]): Promise<Map<string, number>> {
  const id = newId()
  await sql`insert into sync_runs (merchant_id, id, status, started_at) values (${scope.merchantId}, ${id}, 'running', now())`.execute(
    scope.db,
  )
  await sql`insert into sync_steps (merchant_id, sync_run_id, kind, position, status)
    select ${scope.merchantId}, ${id}, kind, position, 'waiting' from unnest(${kinds}::text[]) with ordinality as k(kind, position)`.execute(
    scope.db,
  )
  await until(
    async () => {
      const { rows } = await sql<{ status: string; error: string | null }>`
        select status, error from sync_runs where merchant_id = ${scope.merchantId} and id = ${id}`.execute(scope.db)
      if (rows[0]?.status === 'failed') throw new Error(`the copy failed: ${rows[0].error}`)
      return rows[0]?.status === 'done'
    },
    { timeoutMs: 1_800_000, what: 'the copy is done' },
  )
  const { rows } = await sql<{ kind: string; seconds: number }>`
    select kind, extract(epoch from finished_at - started_at)::float8 as seconds from sync_steps
    where merchant_id = ${scope.merchantId} and sync_run_id = ${id}`.execute(scope.db)
  return new Map(rows.map(({ kind, seconds }) => [kind, seconds]))
}

const BARE_ROWS = 100_000
const ROWS_A_STATEMENT = 2000

/** Puts up to 100,000 of the merchant's customers in once more, for a merchant of their own, as statements of the database alone. */
async function insertBare(
  scope: MerchantScope,
  databaseFolder: string,
): Promise<{ rows: number; seconds: number; cpuSeconds: number }> {
  const tables = ['customers', 'customer_search', 'consent_changes']
  const other = newId()
  await sql`create unlogged table bare_ids as
    select id, row_number() over (order by store_customer_id) as n from customers
    where merchant_id = ${scope.merchantId} order by store_customer_id limit ${BARE_ROWS}`.execute(scope.db)
  for (const table of tables) {
    const id = sql.ref(table === 'customers' ? 't.id' : 't.customer_id')
    await sql`create unlogged table ${sql.table(`bare_${table}`)} as
      select b.n, t.* from ${sql.table(table)} t join bare_ids b on b.id = ${id} where t.merchant_id = ${scope.merchantId}
      order by b.n`.execute(scope.db)
    await sql`update ${sql.table(`bare_${table}`)} set merchant_id = ${other}`.execute(scope.db)
    await sql`create index on ${sql.table(`bare_${table}`)} (n)`.execute(scope.db)
    await sql`vacuum analyze ${sql.table(`bare_${table}`)}`.execute(scope.db)
  }
  const columns = new Map<string, string[]>()
  for (const table of tables) {
    const { rows } = await sql<{ name: string }>`select attname as name from pg_attribute
      where attrelid = ${table}::regclass and attnum > 0 and not attisdropped order by attnum`.execute(scope.db)
    columns.set(
      table,
      rows.map(({ name }) => name),
    )
  }
  const { rows: counted } = await sql<{ count: number }>`select count(*) as count from bare_ids`.execute(scope.db)
  const rows = counted[0]?.count ?? 0
  const cpuBefore = databaseCpuSeconds(databaseFolder)
  const elapsed = stopwatch()
  for (let from = 0; from < rows; from += ROWS_A_STATEMENT)
    await scope.transaction(async ({ db }) => {
      await sql`set local synchronous_commit = off`.execute(db)
      for (const table of tables) {
        const names = sql.join((columns.get(table) ?? []).map((name) => sql.ref(name)))
        await sql`insert into ${sql.table(table)} (${names}) select ${names} from ${sql.table(`bare_${table}`)}
          where n > ${from} and n <= ${from + ROWS_A_STATEMENT} order by n`.execute(db)
      }
    })
  return { rows, seconds: elapsed() / 1000, cpuSeconds: databaseCpuSeconds(databaseFolder) - cpuBefore }
}

/**
 * Copies a store of so many customers and orders from JSONL files over loopback, by a worker of its own: rows per second from the beginning
 * of loading to its end, what worker and database compute for them, and the worker's resident memory.
 */
export async function runCopyingBench(customers = 1_000_000, orders = 300_000): Promise<CopyingFigures> {
  const store = await startExportingStore({ customers, orders })
  const port = new URL(store.url).port
  const installation = await startInstallation({
    smtpUrl: 'smtp://127.0.0.1:9',
    env: {
      SANDBOX: 'on',
      SANDBOX_PORT: port,
      SHOPIFY_API_KEY: 'bench',
      SHOPIFY_API_SECRET: 'bench',
    },
  })
  try {
    const { scope } = installation
    await connectTo(scope)
    const worker = await installation.startWorker()
    const pid = worker.pid ?? 0
    const start = rssMb(pid)
    let max = start
    const watch = setInterval(() => {
      max = Math.max(max, rssMb(pid))
    }, 100)
    const cpu = () => ({ worker: cpuSeconds(pid), database: databaseCpuSeconds(installation.databaseFolder) })
    const before = cpu()
    const first = await copyKinds(scope, ['customers'])
    const after = cpu()
    const rssAfterCustomers = max
    const second = await copyKinds(scope, ['orders'])
    const afterOrders = cpu()
    const again = await copyKinds(scope, ['customers'])
    clearInterval(watch)
    const bare = await insertBare(scope, installation.databaseFolder)
    return {
      customers,
      customersPerSecond: customers / (first.get('customers') ?? Number.NaN),
      orders,
      ordersPerSecond: orders / (second.get('orders') ?? Number.NaN),
      customersPerCpuSecond: customers / (after.worker - before.worker),
      ordersPerCpuSecond: orders / (afterOrders.worker - after.worker),
      customersPerDatabaseCpuSecond: customers / (after.database - before.database),
      ordersPerDatabaseCpuSecond: orders / (afterOrders.database - after.database),
      rssAfterCustomersMb: Math.round(rssAfterCustomers),
      againPerSecond: customers / (again.get('customers') ?? Number.NaN),
      barePerSecond: bare.rows / bare.seconds,
      barePerDatabaseCpuSecond: bare.rows / bare.cpuSeconds,
      workerRssStartMb: Math.round(start),
      workerRssMaxMb: Math.round(max),
    }
  } finally {
    await installation.stop()
    store.close()
  }
}
