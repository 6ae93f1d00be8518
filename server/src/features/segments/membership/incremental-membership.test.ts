import type { Condition, Leaf } from '@okaeri/contract/segments/condition'
import { deleteCustomer } from '@okaeri/contract/customers/routes'
import * as endpoints from '@okaeri/contract/segments/routes'
import fc from 'fast-check'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { addScenario, flowOf, type PlainNode } from '../../../../test/scenarios.ts'
import { AppError } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import { merchantScope } from '../../../kernel/merchant-scope.ts'
import type { DB } from '../../../kernel/database/schema.ts'
import { changeConsent, liftSuppression, suppress } from '../../consent/index.ts'
import { createCustomer, removeStoreCustomer, upsertStoreCustomers } from '../../customers/index.ts'
import { applyRefund, type StoreOrder, upsertStoreOrders } from '../../orders/index.ts'
import { recordEvents } from '../../events/index.ts'
import { advanceDue } from '../../steps/time-slice.ts'
import { enterDue } from '../../entering/entering.ts'
import { deleteExecution, resolveExecution, restartExecution } from '../../executions/execution.ts'
import { applyCustomerChanges, segmentWork } from './incremental-membership.ts'
import { removeMembers, upsertChanged } from './incremental-membership-queries.ts'
import { calculateSegment } from './members.ts'
import { thorough } from '../../../../test/thorough.ts'
import { type TestMerchant } from '../../../../test/harness.ts'
import { okaeri, withOkaeri } from '../../../../test/with-okaeri.ts'
import { aSegment, segmentOf } from '../../../../test/builders/segment.ts'

withOkaeri()

const is = (category: string, name: string, operator: string, value: Leaf['value'] = null): Leaf => ({
  type: 'condition',
  id: 'row',
  category,
  name,
  operator,
  value,
})
const all = (...children: Condition[]): Condition => ({ type: 'group', id: 'g', operator: 'and', children })
const any = (...children: Condition[]): Condition => ({ type: 'group', id: 'g', operator: 'or', children })

const membersOf = async (merchant: TestMerchant, id: string): Promise<string[]> => {
  const rows = await okaeri.query<{ customer_id: string }>`
    select customer_id from segment_members where merchant_id = ${merchant.id} and segment_id = ${id} order by customer_id`
  return rows.map(({ customer_id }) => customer_id)
}
const addPerson = async (merchant: TestMerchant, email: string, tags: string[] = []): Promise<string> =>
  (await createCustomer(merchant.scope(), { email, tags })).id

describe('a saved segment', () => {
  test('stores its members and since when, and says that it is up to date', async () => {
    const merchant = await okaeri.merchant()
    const first = await addPerson(merchant, 'first@people.test', ['vip'])
    const { id } = await aSegment(merchant, is('customer', 'tags', 'has', ['vip']))
    expect(await segmentOf(merchant, id)).toMatchObject({ status: 'calculating', members_at: null, up_to_date: false })
    await okaeri.settle()
    expect(await segmentOf(merchant, id)).toMatchObject({ status: 'ready', customer_count: 1, up_to_date: true })
    const entered = (await merchant.call(endpoints.listSegmentCustomers, { params: { id }, query: {} })).data[0]
      ?.entered_at
    okaeri.advance(60_000)
    const second = await addPerson(merchant, 'second@people.test', ['vip'])
    expect(await segmentOf(merchant, id)).toMatchObject({ customer_count: 1, up_to_date: false })
    await okaeri.settle()
    expect(await segmentOf(merchant, id)).toMatchObject({
      customer_count: 2,
      customer_percentage: 100,
      up_to_date: true,
    })
    await merchant.call(endpoints.recountSegment, { params: { id }, body: { force: true } })
    await okaeri.settle()
    const { data } = await merchant.call(endpoints.listSegmentCustomers, { params: { id }, query: {} })
    expect(data.map((member) => member.id)).toEqual([second, first])
    expect(data[1]?.entered_at).toBe(entered)
  })

  test('without a name is named after the time in the merchant’s zone', async () => {
    const merchant = await okaeri.merchant({ timezone: 'Pacific/Kiritimati' })
    const hourThere = (): string =>
      new Date(okaeri.clock.now().getTime() + 14 * 3_600_000).toISOString().slice(0, 13).replace('T', ' ')
    const before = hourThere()
    const { name } = await aSegment(merchant, is('customer', 'email', 'is_set'))
    // The hour may have changed meanwhile.
    expect([before, hourThere()].some((hour) => name.includes(`new segment_${hour}`))).toBe(true)
    await okaeri.settle()
  })

  test('lists the segments that refer to it, cannot be deleted while they do, and its conditions change their members', async () => {
    const merchant = await okaeri.merchant()
    await addPerson(merchant, 'a@people.test', ['x'])
    await addPerson(merchant, 'b@people.test', ['y'])
    const inner = await aSegment(merchant, is('customer', 'tags', 'has', ['x']), 'inner')
    const outer = await aSegment(merchant, is('segments', 'member', 'is_not_member', [inner.id]), 'outer')
    const outermost = await aSegment(merchant, is('segments', 'member', 'is_member', [outer.id]), 'outermost')
    await okaeri.settle()
    const before = await membersOf(merchant, outermost.id)
    const { used_by } = await merchant.call(endpoints.getSegment, { params: { id: inner.id } })
    expect(used_by).toEqual([{ type: 'segment', id: outer.id, name: 'outer', status: 'ready' }])
    await expect(merchant.call(endpoints.deleteSegment, { params: { id: inner.id } })).rejects.toMatchObject({
      status: 409,
      reason: 'segment_in_use',
    })
    const conditions = is('customer', 'tags', 'has', ['y'])
    await merchant.call(endpoints.changeSegment, { params: { id: inner.id }, body: { conditions } })
    await okaeri.settle()
    const after = await membersOf(merchant, outermost.id)
    expect(after).toHaveLength(1)
    expect(after).not.toEqual(before)
  })

  test('reports who entered and who left, but not after the first calculation or after other conditions', async () => {
    const merchant = await okaeri.merchant()
    const heard: unknown[] = []
    const { publish } = okaeri.context
    okaeri.context.publish = (scope, name, fact) => {
      if (name === 'segment.entered' || name === 'segment.left') heard.push([name, fact])
      return publish(scope, name, fact)
    }
    try {
      const person = await addPerson(merchant, 'heard@people.test', ['vip'])
      const { id } = await aSegment(merchant, is('customer', 'tags', 'has', ['vip']))
      await okaeri.settle()
      const conditions = is('customer', 'tags', 'has', ['gone', 'vip'])
      await merchant.call(endpoints.changeSegment, { params: { id }, body: { conditions } })
      await okaeri.settle()
      expect(heard).toEqual([])
      const other = await addPerson(merchant, 'other@people.test', ['vip'])
      await okaeri.settle()
      expect(heard).toEqual([['segment.entered', { segmentId: id, customerIds: [other] }]])
      heard.length = 0
      // A change that was not marked is found by calculating.
      await okaeri.query`update customers set tags = '{}' where merchant_id = ${merchant.id} and id = ${person}`
      await merchant.call(endpoints.recountSegment, { params: { id }, body: {} })
      await okaeri.settle()
      expect(heard).toEqual([['segment.left', { segmentId: id, customerIds: [person] }]])
    } finally {
      okaeri.context.publish = publish
    }
  })

  test('is calculated again, and so are all others, when too many customers changed to name them', async () => {
    const merchant = await okaeri.merchant()
    const ids = [
      await aSegment(merchant, is('customer', 'email', 'is_set')),
      await aSegment(merchant, is('orders', 'orders_count', 'equals', 0)),
    ].map(({ id }) => id)
    await okaeri.settle()
    await okaeri.query`insert into customers (merchant_id, id, email, email_key, display_name, created_at, updated_at)
      select ${merchant.id}, gen_random_uuid(), n || '@bulk.test', n || '@bulk.test', 'x', now(), now() from generate_series(1, 300) n`
    await merchant.scope().transaction((scope) => okaeri.context.publish(scope, 'customers.changed_widely', {}))
    for (const id of ids)
      expect(await segmentOf(merchant, id)).toMatchObject({ status: 'calculating', customer_count: 0 })
    await okaeri.settle()
    for (const id of ids)
      expect(await segmentOf(merchant, id)).toMatchObject({
        status: 'ready',
        customer_count: 300,
        customer_percentage: 100,
      })
  })

  test('counts correctly after a customer was erased', async () => {
    const merchant = await okaeri.merchant()
    const person = await addPerson(merchant, 'forget@people.test')
    await addPerson(merchant, 'stays@people.test')
    const { id } = await aSegment(merchant, is('customer', 'email', 'is_set'))
    await okaeri.settle()
    await merchant.scope().transaction((scope) => removeMembers(scope, [person]))
    await merchant.call(deleteCustomer, { params: { id: person } })
    await okaeri.settle()
    expect(await segmentOf(merchant, id)).toMatchObject({ customer_count: 1, customer_percentage: 100 })
    expect(await membersOf(merchant, id)).toHaveLength(1)
  })

  test('that became invalid says why and delays no other', async () => {
    const merchant = await okaeri.merchant()
    await addPerson(merchant, 'one@people.test')
    const broken = await aSegment(merchant, is('customer', 'email', 'is_set'))
    const sound = await aSegment(merchant, is('customer', 'email', 'is_set'))
    await okaeri.settle()
    await okaeri.query`update segments set conditions = jsonb_set(conditions, '{name}', '"gone"')
      where merchant_id = ${merchant.id} and id = ${broken.id}`
    await addPerson(merchant, 'two@people.test')
    await okaeri.settle()
    expect(await segmentOf(merchant, broken.id)).toMatchObject({ status: 'failed', failure: 'conditions_unusable' })
    expect(await segmentOf(merchant, sound.id)).toMatchObject({ status: 'ready', customer_count: 2 })
  })

  test('is paged both ways by cursors and downloaded, with formulas for spreadsheets escaped', async () => {
    const merchant = await okaeri.merchant()
    const ids: string[] = []
    for (let n = 0; n < 7; n++) ids.unshift(await addPerson(merchant, `p${n}@people.test`, n === 0 ? ['=1+1'] : []))
    const { id } = await aSegment(merchant, is('customer', 'email', 'is_set'), '/全員: "A"')
    await okaeri.settle()
    const page = (cursor?: string | null) =>
      merchant.call(endpoints.listSegmentCustomers, {
        params: { id },
        query: { limit: 3, ...(cursor ? { cursor } : {}) },
      })
    const seen = (found: Awaited<ReturnType<typeof page>>) => found.data.map((customer) => customer.id)
    const first = await page()
    expect([first.prev, first.total, first.total_exact]).toEqual([null, 7, true])
    const second = await page(first.next)
    const third = await page(second.next)
    expect([...seen(first), ...seen(second), ...seen(third)]).toEqual(ids)
    expect(third.next).toBeNull()
    expect(seen(await page(third.prev))).toEqual(seen(second))
    expect((await page((await page(third.prev)).prev)).prev).toBeNull()
    const last = await page('end')
    expect(seen(last)).toEqual(ids.slice(-3))
    expect(last.next).toBeNull()
    expect(seen(await page(last.prev))).toEqual(ids.slice(1, 4))
    const response = await fetch(`${okaeri.url}/customer_segments/${id}/download?lang=en`, {
      headers: { authorization: `Bearer test.${merchant.id}.${merchant.memberId}.viewer` },
    })
    expect(response.headers.get('content-disposition')).toContain(encodeURIComponent('_全員'))
    const lines = (await response.text()).trimEnd().split('\r\n')
    expect(lines).toHaveLength(8)
    expect(lines[0]).toContain('Customer ID,Store customer ID')
    expect(lines.find((line) => line.includes('p0@people.test'))).toContain("'=1+1")
  })
})

describe('two at once', () => {
  test('never count a customer twice', async () => {
    const merchant = await okaeri.merchant()
    const { id } = await aSegment(merchant, is('customer', 'tags', 'has', ['in']))
    await okaeri.settle()
    const people: string[] = []
    for (let n = 0; n < 20; n++) people.push(await addPerson(merchant, `t${n}@people.test`, ['in']))
    const scope = () => merchantScope(okaeri.context, merchant.id)
    const rounds = Array.from({ length: 4 }, async (_, worker) => {
      for (let round = 0; round < 6; round++) {
        await okaeri.query`update customers set tags = case when ${(round + worker) % 2} = 0 then '{in}'::text[] else '{}' end
          where merchant_id = ${merchant.id} and id = ${people[(worker * 5 + round) % 20] ?? ''}`
        await upsertChanged(scope(), people.slice(worker * 3, worker * 3 + 10))
        if (worker === 3) {
          await okaeri.query`update segments set count_number = count_number + 1 where merchant_id = ${merchant.id} and id = ${id}`
          await calculateSegment.run(scope(), { segmentId: id })
        } else await applyCustomerChanges(scope())
      }
    })
    await Promise.all(rounds)
    await upsertChanged(scope(), people)
    await okaeri.settle()
    const rows = await okaeri.query<{ n: number }>`
      select count(*)::int as n from customers where merchant_id = ${merchant.id} and tags = '{in}'`
    expect((await segmentOf(merchant, id)).customer_count).toBe(rows[0]?.n)
    expect(await membersOf(merchant, id)).toHaveLength(rows[0]?.n ?? -1)
  })

  test('a change made while changes are processed is not lost', async () => {
    const merchant = await okaeri.merchant()
    const person = await addPerson(merchant, 'late@people.test')
    const { id } = await aSegment(merchant, is('customer', 'tags', 'has', ['in']))
    await okaeri.settle()
    const scope = merchantScope(okaeri.context, merchant.id)
    await upsertChanged(scope, [person])
    // The writer has changed the customer and holds the row; the updater neither waits for it nor removes its change.
    await okaeri.context.db.transaction().execute(async (transaction) => {
      await sql`update customers set tags = '{in}' where merchant_id = ${merchant.id} and id = ${person}`.execute(
        transaction,
      )
      await upsertChanged({ ...scope, db: transaction }, [person])
      expect(await applyCustomerChanges(merchantScope(okaeri.context, merchant.id))).toBe(true)
    })
    expect((await segmentOf(merchant, id)).customer_count).toBe(0)
    await okaeri.settle()
    expect((await segmentOf(merchant, id)).customer_count).toBe(1)
  })
})

const DAY_MS = 86_400_000
const people = fc.integer({ min: 0, max: 5 })
type Event =
  | { kind: 'order'; who: number; amount: number; daysAgo: number }
  | { kind: 'cancel' | 'refund'; nth: number }
  | { kind: 'tags'; who: number; tags: string[] }
  | { kind: 'consent'; who: number; granted: boolean }
  | { kind: 'suppress' | 'lift' | 'delete' | 'come'; who: number }
  | { kind: 'enter'; who: number; nth: number }
  | { kind: 'fail' | 'resolve' | 'restart' | 'forget'; nth: number }
  | { kind: 'days'; days: number }
  | { kind: 'go on' | 'follow' }
const event: fc.Arbitrary<Event> = fc.oneof(
  fc.record({
    kind: fc.constant('order' as const),
    who: people,
    amount: fc.integer({ min: 1, max: 20 }),
    daysAgo: fc.integer({ min: 0, max: 40 }),
  }),
  fc.record({ kind: fc.constantFrom('cancel' as const, 'refund' as const), nth: fc.nat(5) }),
  fc.record({
    kind: fc.constant('tags' as const),
    who: people,
    tags: fc.subarray(['vip', '常連', 'ＶＩＰ']),
  }),
  fc.record({ kind: fc.constant('consent' as const), who: people, granted: fc.boolean() }),
  fc.record({
    kind: fc.constantFrom('suppress' as const, 'lift' as const, 'delete' as const, 'come' as const),
    who: people,
  }),
  fc.record({ kind: fc.constant('days' as const), days: fc.integer({ min: 1, max: 12 }) }),
  fc.record({ kind: fc.constant('enter' as const), who: people, nth: fc.nat(1) }),
  fc.record({
    kind: fc.constantFrom('fail' as const, 'resolve' as const, 'restart' as const, 'forget' as const),
    nth: fc.nat(5),
  }),
  fc.constant({ kind: 'go on' as const }),
  fc.constant({ kind: 'follow' as const }),
)

const waiting: PlainNode = {
  id: 'w',
  kind: 'wait',
  settings: { wait: { mode: 'for', amount: 3, unit: 'days' } },
  next: { next: null },
}
/** The status of an execution may refuse the action. */
const mayBeRefused = async (changing: Promise<unknown>): Promise<void> => {
  await changing.catch((error: unknown) => {
    if (!(error instanceof AppError && error.reason === 'execution_status_forbids')) throw error
  })
}

const orderOf = (n: number, { who, amount, daysAgo }: Extract<Event, { kind: 'order' }>, now: Date): StoreOrder => ({
  storeOrderId: 5000 + n,
  storeCustomerId: 1000 + who,
  name: `#${n}`,
  email: null,
  processedAt: new Date(now.getTime() - daysAgo * DAY_MS),
  totalAmount: amount,
  currentAmount: amount,
  currency: 'JPY',
  financialStatus: 'PAID',
  cancelledAt: null,
  landingSite: null,
  updatedAt: now,
  lines: [],
})

const rules: readonly Condition[] = [
  is('orders', 'orders_count', 'greater', 1),
  is('orders', 'orders_amount', 'between', [5, 30]),
  is('orders', 'last_order_at', 'within_last_days', 7),
  all(is('orders', 'last_order_at', 'more_than_days_ago', 10), is('customer', 'tags', 'has_not', ['vip'])),
  is('customer', 'tags', 'has', ['vip', '常連']),
  all(is('consent', 'accepts_marketing', 'is', true), is('consent', 'suppressed', 'is', false)),
  is('consent', 'marketing_changed_at', 'within_last_days', 3),
  any(is('customer', 'birthday', 'within_next_days', 5), is('customer', 'created_at', 'more_than_days_ago', 4)),
  is('orders', 'ordered', 'at_least', {
    measure: 'count',
    value: 2,
    filter: {},
    window: { within_days: 9 },
  }),
]
/** Of two scenarios. */
const rulesAbout = (scenarios: readonly string[]): readonly Condition[] => {
  const [first = '', second = ''] = scenarios
  const times = { value: 1, scenarios: null, reasons: null, window: null }
  return [
    is('scenarios', 'scenario_now', 'has', { scenarios: null }),
    is('scenarios', 'scenario_now', 'has_not', { scenarios: [first] }),
    is('scenarios', 'scenario_entered', 'at_least', { ...times, window: { within_days: 4 } }),
    is('scenarios', 'scenario_entered', 'exactly', { ...times, value: 2, scenarios: [second] }),
    is('scenarios', 'scenario_ended', 'at_most', { ...times, window: { within_days: 5 } }),
    is('scenarios', 'scenario_ended', 'at_least', { ...times, reasons: ['bought', 'unsubscribed'] }),
  ]
}

describe('whatever happens', () => {
  test('incremental updates give the same result as calculating everything again', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 3, maxLength: 18 }), async (events) => {
        const merchant = await okaeri.merchant({ timezone: 'Asia/Tokyo' })
        const scope = () => merchantScope(okaeri.context, merchant.id)
        const person = (who: number) => ({
          storeCustomerId: 1000 + who,
          email: `p${who % 4}@people.test`,
          firstName: null,
          lastName: null,
          phone: null,
          language: null,
          address: null,
          tags: null,
          createdAt: okaeri.clock.now(),
          updatedAt: okaeri.clock.now(),
        })
        const come = async (who: number): Promise<void> => {
          const [id] = [...(await upsertStoreCustomers(scope(), [person(who)])).values()]
          await okaeri.query`update customers set birthday = ${`1990-0${(who % 9) + 1}-15`} where merchant_id = ${merchant.id} and id = ${id ?? ''}`
        }
        for (const who of [0, 1, 2, 3]) await come(who)
        const idOf = async (who: number): Promise<string | null> => {
          const rows = await okaeri.query<{ id: string }>`
            select id from customers where merchant_id = ${merchant.id} and store_customer_id = ${1000 + who}`
          return rows[0]?.id ?? null
        }
        const segments: string[] = []
        // The work itself, without the queue.
        const calculate = async (): Promise<void> => {
          for (const segmentId of segments) await calculateSegment.run(scope(), { segmentId })
        }
        const follow = async (): Promise<void> => {
          for (const { run } of segmentWork.toReversed())
            while (await run(okaeri.context, new AbortController().signal));
          await calculate()
        }
        const scenarios: string[] = []
        for (const ends_on of [[], ['bought', 'unsubscribed'] as const])
          scenarios.push(
            await addScenario(
              scope(),
              flowOf([waiting], { trigger: { kind: 'manual', segment_id: null }, ends_on: [...ends_on] }),
            ),
          )
        const continueScenario = async (): Promise<void> => {
          while (await enterDue(scope()));
          while ((await advanceDue(scope())) > 0);
        }
        const executionOf = async (nth: number): Promise<string | null> => {
          const rows = await okaeri.query<{ id: string }>`
            select id from executions where merchant_id = ${merchant.id} order by id offset ${nth} limit 1`
          return rows[0]?.id ?? null
        }
        for (const conditions of [...rules, ...rulesAbout(scenarios)])
          segments.push((await aSegment(merchant, conditions)).id)
        await calculate()
        const orders: StoreOrder[] = []
        for (const happened of events) {
          okaeri.advance(1000)
          const now = okaeri.clock.now()
          switch (happened.kind) {
            case 'order': {
              const order = orderOf(orders.length, happened, now)
              orders.push(order)
              await upsertStoreOrders(scope(), [order])
              break
            }
            case 'cancel': {
              const order = orders[happened.nth]
              if (order) await upsertStoreOrders(scope(), [{ ...order, cancelledAt: now, updatedAt: now }])
              break
            }
            case 'refund':
              await applyRefund(scope(), { storeOrderId: 5000 + happened.nth, amounts: ['3'], createdAt: now })
              break
            case 'tags':
              await upsertStoreCustomers(scope(), [{ ...person(happened.who), tags: happened.tags }])
              break
            case 'come':
              await come(happened.who)
              break
            case 'delete':
              await removeStoreCustomer(scope(), 1000 + happened.who)
              break
            case 'consent': {
              const customerId = await idOf(happened.who)
              if (customerId)
                await changeConsent(scope(), {
                  customerId,
                  to: happened.granted ? 'granted' : 'withdrawn',
                  occurredAt: now,
                  kind: 'marketing',
                  source: 'member',
                })
              break
            }
            case 'suppress':
              await suppress(scope(), { address: `p${happened.who % 4}@people.test`, reason: 'manual' })
              break
            case 'lift':
              await liftSuppression(scope(), { address: `p${happened.who % 4}@people.test` })
              break
            case 'enter': {
              const customerId = await idOf(happened.who)
              const scenarioId = scenarios[happened.nth] ?? ''
              const key = `manual:${merchant.id}:${now.toISOString()}`
              if (customerId)
                await recordEvents(scope(), [
                  { kind: 'manual', key, customerId, scenarioId, subject: {}, occurredAt: now },
                ])
              await continueScenario()
              break
            }
            case 'fail': {
              // The customer stays in the scenario.
              const id = await executionOf(happened.nth)
              await okaeri.query`update executions set status = 'failed'
                where merchant_id = ${merchant.id} and id = ${id} and status = 'running'`
              break
            }
            case 'resolve':
            case 'restart':
            case 'forget': {
              const id = await executionOf(happened.nth)
              const verb = { resolve: resolveExecution, restart: restartExecution, forget: deleteExecution }
              if (id) await mayBeRefused(verb[happened.kind](scope(), id))
              break
            }
            case 'go on':
              await continueScenario()
              break
            case 'days':
              okaeri.advance(happened.days * DAY_MS)
              break
            case 'follow':
              await follow()
          }
        }
        await follow()
        const followed = await Promise.all(segments.map((id) => membersOf(merchant, id)))
        const counts = await Promise.all(segments.map(async (id) => (await segmentOf(merchant, id)).customer_count))
        expect(counts).toEqual(followed.map(({ length }) => length))
        for (const id of segments)
          await merchant.call(endpoints.recountSegment, { params: { id }, body: { force: true } })
        await calculate()
        expect(await Promise.all(segments.map((id) => membersOf(merchant, id)))).toEqual(followed)
        // The next run must not process this merchant when its day changes.
        await okaeri.query`update segments set deleted_at = now() where merchant_id = ${merchant.id}`
      }),
      { numRuns: thorough ? 15 : 6 },
    )
  })
})

test('However many comparisons there are, no statement grows too large for the memory of a process', async () => {
  const PEOPLE = 4000
  const merchant = await okaeri.merchant()
  const campaignIds = Array.from({ length: 199 }, () => newId())
  await okaeri.query`
    insert into campaigns (merchant_id, id, name, status, created_at, updated_at)
    select ${merchant.id}, id, 'c', 'sent', ${okaeri.clock.now()}, ${okaeri.clock.now()} from unnest(${campaignIds}::uuid[]) as id`
  const received = (campaignId: string): Leaf =>
    is('emails', 'emails_received', 'at_least', { value: 1, campaigns: [campaignId], window: null })
  const { id } = await aSegment(merchant, any(...campaignIds.map(received), is('customer', 'tags', 'has', ['vip'])))
  await okaeri.settle()
  await okaeri.query`
    insert into customers (merchant_id, id, tags, created_at, updated_at)
    select ${merchant.id}, okaeri_uuidv7(${okaeri.clock.now()}), case when n % 2 = 0 then array['vip'] else '{}' end, ${okaeri.clock.now()},
      ${okaeri.clock.now()} from generate_series(1, ${PEOPLE}::int) n`
  const rows = await okaeri.query<{ id: string }>`select id from customers where merchant_id = ${merchant.id}`
  await upsertChanged(
    merchant.scope(),
    rows.map((row) => row.id),
  )
  let largest = 0
  const pool = new pg.Pool({ connectionString: okaeri.databaseUrl, max: 1 })
  const db = new Kysely<DB>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => {
      const named = query.parameters.reduce<number>((sum, each) => sum + (Array.isArray(each) ? each.length : 1), 0)
      largest = Math.max(largest, named)
    },
  })
  await applyCustomerChanges(merchantScope({ ...okaeri.context, db }, merchant.id))
  await db.destroy()
  expect(await membersOf(merchant, id)).toHaveLength(PEOPLE / 2)
  expect(largest).toBeLessThan(600_000)
})
