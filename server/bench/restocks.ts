import { sql } from 'kysely'
import { insertScenario, updateScenario } from '../src/features/flows/queries.ts'
import { stopwatch } from '../src/kernel/clock.ts'
import { newId } from '../src/kernel/ids.ts'
import { addManyCustomers, addBenchEmail, benchHtml, startInstallation, until } from './installation.ts'

export interface RestockFigures {
  waiting: number
  people: number
  /** From the moment a return is due until the wave's messages are rows of the ledger; the median of several products. */
  writtenSeconds: number
  /** The same with the same wave, where no one else waits. */
  aloneSeconds: number
}

const PRODUCTS = 5
const PEOPLE = 15

/** Products that so many wait for come back, three pieces of each: the first wave's messages, by one worker. */
export async function runRestockBench(waiting: number): Promise<RestockFigures> {
  const installation = await startInstallation({ smtpUrl: 'smtp://127.0.0.1:9' })
  const { scope } = installation
  const m = scope.merchantId
  const count = async (product: number): Promise<number> => {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from deliveries d
      join executions x on x.merchant_id = ${m} and x.id = d.execution_id join events v on v.merchant_id = ${m} and v.id = x.event_id
      where d.merchant_id = ${m} and (v.subject ->> 'store_product_id')::bigint = ${product}`.execute(scope.db)
    return rows[0]?.count ?? 0
  }
  try {
    await sql`update merchants set test_mode = false where id = ${m}`.execute(scope.db)
    await addManyCustomers(scope, waiting)
    const emailId = await addBenchEmail(scope, benchHtml())
    const id = newId()
    await insertScenario(
      scope,
      {
        id,
        name: 'restock',
        mode: 'flow',
        template: null,
        form: null,
        conditions: null,
        include_all_customers: false,
        priority: 'normal',
        holdout_percent: 0,
      },
      {
        trigger: { kind: 'product_restocked' },
        condition: null,
        reentry: { mode: 'always' },
        ends_on: [],
        start: 'mail',
        nodes: [
          {
            id: 'mail',
            name: '',
            position: { x: 0, y: 0 },
            kind: 'send_email',
            next: { next: null },
            settings: { email_id: emailId, tracking_parameters: null },
          },
        ],
      },
    )
    await updateScenario(scope, id, { status: 'active', enabled_at: scope.now })
    for (let product = 1; product <= 2 * PRODUCTS; product += 1) {
      await sql`insert into products (merchant_id, id, store_product_id, title, status)
        values (${m}, ${newId()}, ${product}, '煎茶', 'ACTIVE')`.execute(scope.db)
      await sql`insert into product_variants (merchant_id, id, store_variant_id, store_product_id, title, online_quantity, online_read_at)
        values (${m}, ${newId()}, ${product}, ${product}, 'S', 3, now() + interval '3 minutes')`.execute(scope.db)
      // Behind the first five no one else waits.
      await sql`insert into restock_requests (merchant_id, id, customer_id, store_product_id, store_variant_id, source, created_at)
        select ${m}, okaeri_uuidv7(now()), id, ${product}, ${product}, 'import', now() - interval '1 day' + n * interval '1 second'
        from (select id, row_number() over (order by id) as n from customers where merchant_id = ${m}
          limit ${product <= PRODUCTS ? waiting : PEOPLE + 1}) c`.execute(scope.db)
    }
    await sql`vacuum analyze`.execute(scope.db)
    await installation.startWorker()
    const seconds: number[] = []
    for (let product = 1; product <= 2 * PRODUCTS; product += 1) {
      await sql`update product_variants set online_read_at = now() where merchant_id = ${m} and store_variant_id = ${product}`.execute(
        scope.db,
      )
      const elapsedMs = stopwatch()
      await sql`insert into stock_returns (merchant_id, id, store_product_id, store_variant_id, began_at, due_at, held_by)
        values (${m}, ${newId()}, ${product}, ${product}, now(), now(), 'settling')`.execute(scope.db)
      await until(async () => (await count(product)) >= PEOPLE, {
        everyMs: 20,
        timeoutMs: 60_000,
        what: 'the first wave',
      })
      seconds.push(elapsedMs() / 1000)
    }
    const median = (some: number[]): number => some.toSorted((a, b) => a - b)[Math.floor(some.length / 2)] ?? 0
    return {
      waiting,
      people: PEOPLE,
      writtenSeconds: median(seconds.slice(0, PRODUCTS)),
      aloneSeconds: median(seconds.slice(PRODUCTS)),
    }
  } finally {
    await installation.stop()
  }
}
