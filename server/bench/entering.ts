import { createHmac } from 'node:crypto'
import { Agent, request } from 'node:http'
import type { Condition } from '@okaeri/contract/segments/condition'
import type { Flow } from '@okaeri/contract/scenarios/flow/flow'
import { sql } from 'kysely'
import { insertScenario, updateScenario } from '../src/features/flows/queries.ts'
import { stopwatch } from '../src/kernel/clock.ts'
import { newId } from '../src/kernel/ids.ts'
import type { MerchantScope } from '../src/kernel/merchant-scope.ts'
import { beginCopying, finishCopying } from '../test/fixtures.ts'
import { cpuSeconds, databaseCpuSeconds } from './copying.ts'
import { addManyCustomers, startInstallation, until } from './installation.ts'

export interface EnteringFigures {
  orders: number
  /** Webhooks answered. */
  webhookSeconds: number
  /** All worked in, their events written. */
  workedInSeconds: number
  /** Every event looked at by the five scenarios. */
  lookedAtSeconds: number
  /** Every execution asleep at its wait. */
  waitingSeconds: number
  executions: number
  /** Seconds of processor time over all of it: the API (the load comes from the same process), the worker, the database. */
  apiCpuSeconds: number
  workerCpuSeconds: number
  databaseCpuSeconds: number
}

const SECRET = 'bench-secret'
const SHOP = 'bench.myshopify.com'
const CONNECTIONS = 64

const leaf = (category: string, name: string, operator: string, value: unknown): Condition =>
  ({ type: 'condition', id: 'c', category, name, operator, value }) as Condition

/** Five a shop might have: a thank-you, a first purchase, a good customer, a review, a confirmation; each begins with a wait. */
const scenarios: readonly (Pick<Flow, 'trigger' | 'condition' | 'reentry' | 'ends_on'> & { name: string })[] = [
  { name: 'thanks', trigger: { kind: 'order_created' }, condition: null, reentry: { mode: 'always' }, ends_on: [] },
  {
    name: 'first order',
    trigger: { kind: 'order_created' },
    condition: leaf('orders', 'orders_count', 'equals', 1),
    reentry: { mode: 'once' },
    ends_on: ['order_cancelled'],
  },
  {
    name: 'may be mailed',
    trigger: { kind: 'order_created' },
    condition: leaf('consent', 'accepts_marketing', 'is', true),
    reentry: { mode: 'when_none_runs' },
    ends_on: ['bought', 'unsubscribed'],
  },
  {
    name: 'spent much lately',
    trigger: { kind: 'order_created' },
    condition: leaf('orders', 'ordered', 'at_least', {
      measure: 'amount',
      value: 4000,
      filter: {},
      window: { within_days: 90 },
    }),
    reentry: { mode: 'every_days', days: 30 },
    ends_on: ['bought'],
  },
  {
    name: 'paid',
    trigger: { kind: 'order_paid' },
    condition: leaf('consent', 'accepts_marketing', 'is', true),
    reentry: { mode: 'when_none_runs' },
    ends_on: ['bought'],
  },
]

export async function addScenarios(scope: MerchantScope): Promise<void> {
  for (const { name, ...rest } of scenarios) {
    const id = newId()
    const settings = { include_all_customers: false, priority: 'normal', holdout_percent: 5 } as const
    await insertScenario(
      scope,
      { id, name, mode: 'flow', template: null, form: null, conditions: null, ...settings },
      {
        ...rest,
        start: 'wait',
        nodes: [
          {
            id: 'wait',
            name: '',
            position: { x: 0, y: 0 },
            kind: 'wait',
            settings: { wait: { mode: 'for', amount: 3, unit: 'days' } },
            next: { next: null },
          },
        ],
      },
    )
    await updateScenario(scope, id, { status: 'active', enabled_at: scope.now })
  }
}

export function orderBody(number: number, at: string): string {
  const yen = (amount: number) => ({ shop_money: { amount: String(amount), currency_code: 'JPY' } })
  return JSON.stringify({
    id: 5_000_000_000 + number,
    name: `#${1000 + number}`,
    email: `bench-${number}@bench.test`,
    processed_at: at,
    created_at: at,
    updated_at: at,
    financial_status: 'paid',
    total_price_set: yen(1000 + (number % 10) * 1000),
    current_total_price_set: yen(1000 + (number % 10) * 1000),
    customer: {
      id: 7_000_000_000 + number,
      email: `bench-${number}@bench.test`,
      first_name: '花子',
      last_name: `山田${number}`,
    },
    line_items: [
      { title: '煎茶', quantity: 1, product_id: 9001, variant_id: 9101, price_set: yen(1000) },
      { title: '玉露', quantity: 1, product_id: 9002, variant_id: 9102, price_set: yen((number % 10) * 1000) },
    ],
  })
}

async function post(url: string, agent: Agent, number: number, body: string): Promise<void> {
  const signature = createHmac('sha256', SECRET).update(body).digest('base64')
  await new Promise<void>((resolve, reject) => {
    const sent = request(
      `${url}/webhooks/shopify`,
      {
        method: 'POST',
        agent,
        headers: {
          'content-type': 'application/json',
          'x-shopify-topic': 'orders/create',
          'x-shopify-shop-domain': SHOP,
          'x-shopify-event-id': `bench-${number}`,
          'x-shopify-hmac-sha256': signature,
        },
      },
      (response) => {
        response.resume()
        response.once('end', () =>
          response.statusCode === 200 ? resolve() : reject(new Error(`webhook: ${response.statusCode}`)),
        )
      },
    )
    sent.once('error', reject)
    sent.end(body)
  })
}

/** Orders sent as webhooks over HTTP, processed, looked at by five active scenarios, until all who entered are asleep at a wait. */
export async function runEnteringBench(orders: number): Promise<EnteringFigures> {
  const installation = await startInstallation({
    smtpUrl: 'smtp://127.0.0.1:9',
    env: { SHOPIFY_API_KEY: 'bench', SHOPIFY_API_SECRET: SECRET },
  })
  const { scope, url } = installation
  const count = async (what: string): Promise<number> => {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${sql.raw(what)}`.execute(scope.db)
    return rows[0]?.count ?? 0
  }
  try {
    await addManyCustomers(scope, orders)
    await sql`update customers set store_customer_id = 7000000000 + substr(display_name, 3, strpos(display_name, ' ') - 3)::bigint
      where merchant_id = ${scope.merchantId}`.execute(scope.db)
    await sql`insert into store_directory (shop_domain, merchant_id) values (${SHOP}, ${scope.merchantId})`.execute(
      scope.db,
    )
    await sql`insert into store_connections (merchant_id, id, shop_domain, name, storefront_url, status, scopes, connected_at)
      values (${scope.merchantId}, ${newId()}, ${SHOP}, '店', ${`https://${SHOP}`}, 'connected', '', ${scope.now})`.execute(
      scope.db,
    )
    await beginCopying(scope)
    await finishCopying(scope)
    await addScenarios(scope)
    await sql`vacuum analyze`.execute(scope.db)
    const worker = (await installation.startWorker()).pid ?? 0
    const cpu = () => ({
      api: cpuSeconds(process.pid),
      worker: cpuSeconds(worker),
      database: databaseCpuSeconds(installation.databaseFolder),
    })
    const at = new Date(scope.now.getTime() - 60_000).toISOString()
    const bodies = Array.from({ length: orders }, (_, number) => orderBody(number, at))
    const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
    const before = cpu()
    const elapsedMs = stopwatch()
    const waiting = bodies.entries()
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
        for (const [number, body] of waiting) await post(url, agent, number, body)
      }),
    )
    const webhookSeconds = elapsedMs() / 1000
    agent.destroy()
    await until(async () => (await count('store_webhooks where processed_at is null')) === 0, {
      timeoutMs: 600_000,
      what: 'the orders',
    })
    const workedInSeconds = elapsedMs() / 1000
    await until(async () => (await count('events where looked_at is null')) === 0, {
      timeoutMs: 600_000,
      what: 'the orders',
    })
    const lookedAtSeconds = elapsedMs() / 1000
    await until(async () => (await count("executions where status = 'running' and not asleep")) === 0, {
      timeoutMs: 600_000,
      what: 'the orders',
    })
    const waitingSeconds = elapsedMs() / 1000
    const after = cpu()
    return {
      orders,
      webhookSeconds,
      workedInSeconds,
      lookedAtSeconds,
      waitingSeconds,
      executions: await count('executions'),
      apiCpuSeconds: after.api - before.api,
      workerCpuSeconds: after.worker - before.worker,
      databaseCpuSeconds: after.database - before.database,
    }
  } finally {
    await installation.stop()
  }
}

if (import.meta.main) console.log(await runEnteringBench(Number(process.argv[2] ?? 10_000)))
