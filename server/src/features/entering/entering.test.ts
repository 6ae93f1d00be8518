import { whyInScenario } from '@okaeri/contract/scenarios/entering-routes'
import { listEvents } from '@okaeri/contract/scenarios/event'
import { listExecutions } from '@okaeri/contract/scenarios/execution'
import type { Flow } from '@okaeri/contract/scenarios/flow/flow'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { addCustomers, beginCopying, finishCopying } from '../../../test/fixtures.ts'
import { addScenario, asleep, flowOf, granted } from '../../../test/scenarios.ts'
import { merchant, okaeri, store, withWebhookStores } from '../../../test/with-okaeri.ts'
import { aSegment } from '../../../test/builders/segment.ts'
import { changeConsent } from '../consent/index.ts'
import { recordEvents } from '../events/index.ts'
import { guestOf } from '../guests/index.ts'
import { enterDue, enterScenarios } from './entering.ts'
import { isHeldOut } from './entering-rules.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
withWebhookStores()

const scenario = (rest: Partial<Flow>, name?: string): Promise<string> =>
  addScenario(merchant.scope(), flowOf([asleep], rest), name)
const executions = async (scenarioId: string) =>
  (await merchant.call(listExecutions, { query: { action_id: scenarioId, limit: 200 } })).data
const events = async (query: Record<string, string> = {}) =>
  (await merchant.call(listEvents, { query: { limit: 200, ...query } })).data
const entriesOf = async (scenarioId: string) =>
  await okaeri.query<{ refused_by: string | null; detail: Record<string, unknown> | null; waits: boolean }>`
      select refused_by, detail, waits from scenario_entries
      where merchant_id = ${merchant.id} and scenario_id = ${scenarioId} order by event_id`

const happen = (customerId: string, key: string, at: Date = okaeri.clock.now()) =>
  recordEvents(merchant.scope(), [{ kind: 'order_paid', key, customerId, occurredAt: at }])

describe('entering', () => {
  test('an event lets its customer into every scenario it starts, and says so', async () => {
    const paid = await scenario({ trigger: { kind: 'order_paid' } }, 'お礼')
    const created = await scenario({ trigger: { kind: 'order_created' } }, '確認')
    const cancelled = await scenario({ trigger: { kind: 'order_cancelled' } })
    await store.tell('orders/create', store.order({ id: 7101, person: { id: 511 }, paid: true }))
    await okaeri.settle()
    expect(await executions(paid)).toMatchObject([
      { status: 'running', node: { id: 'asleep' }, event: { kind: 'order_paid', subject: { store_order_id: 7101 } } },
    ])
    expect(await executions(created)).toHaveLength(1)
    expect(await executions(cancelled)).toHaveLength(0)
    expect((await events({ kind: 'order_paid' }))[0]?.entries).toMatchObject([
      { scenario_id: paid, scenario_name: 'お礼', refused_by: null, execution_id: expect.any(String) },
    ])
    await store.tell('orders/create', store.order({ id: 7101, person: { id: 511 }, paid: true }))
    await okaeri.settle()
    expect(await executions(paid)).toHaveLength(1)
  })

  test('a customer who enters or leaves a segment enters the scenarios of that segment', async () => {
    const [customerId = '', other = ''] = await addCustomers(merchant.scope(), [
      { marketing_state: 'unknown' },
      { marketing_state: 'unknown' },
    ])
    const segmentOf = async (name: string): Promise<string> => (await aSegment(merchant, granted, name)).id
    const segment_id = await segmentOf('許可した人')
    const another = await segmentOf('べつの人')
    await okaeri.settle()
    const came = await scenario({ trigger: { kind: 'segment_entered', segment_id } })
    const went = await scenario({ trigger: { kind: 'segment_left', segment_id } })
    const elsewhere = await scenario({ trigger: { kind: 'segment_left', segment_id: another } })
    for (const [id, to] of [
      [customerId, 'granted'],
      [other, 'granted'],
    ] as const)
      await changeConsent(merchant.scope(), { customerId: id, kind: 'marketing', to, source: 'storefront' })
    await okaeri.settle()
    expect(await executions(came)).toHaveLength(2)
    expect(await executions(went)).toHaveLength(0)
    okaeri.advance(HOUR)
    await changeConsent(merchant.scope(), { customerId, kind: 'marketing', to: 'withdrawn', source: 'storefront' })
    await okaeri.settle()
    expect(await executions(went)).toMatchObject([
      { customer: { id: customerId }, event: { kind: 'segment_left', subject: { segment_id } } },
    ])
    expect(await executions(elsewhere)).toHaveLength(1)
  })

  test('events wait while the store is copied for the first time, because conditions cannot be answered yet', async () => {
    const [customerId = '', other = ''] = await addCustomers(merchant.scope(), [{}, {}])
    const id = await scenario({ condition: granted })
    await okaeri.query`delete from sync_steps where merchant_id = ${merchant.id}`
    await beginCopying(merchant.scope())
    await happen(customerId, 'meanwhile')
    await okaeri.settle()
    expect(await entriesOf(id)).toEqual([])
    await finishCopying(merchant.scope())
    await okaeri.settle()
    expect((await executions(id)).map(({ customer }) => customer?.id)).toEqual([customerId])
    // During a later copy events are processed, because they also end executions.
    await beginCopying(merchant.scope())
    await happen(other, 'again')
    await okaeri.settle()
    expect(await executions(id)).toHaveLength(2)
  })

  test('events before a scenario is enabled, or while it is stopped, start nothing', async () => {
    const [customerId = ''] = await addCustomers(merchant.scope(), [{}])
    await happen(customerId, 'before')
    okaeri.advance(1000)
    const id = await scenario({})
    await okaeri.settle()
    expect(await executions(id)).toHaveLength(0)
    await okaeri.query`update scenarios set status = 'stopped' where merchant_id = ${merchant.id}`
    await happen(customerId, 'stopped')
    await okaeri.settle()
    await okaeri.query`update scenarios set status = 'active' where merchant_id = ${merchant.id}`
    await okaeri.settle()
    expect(await executions(id)).toHaveLength(0)
  })

  test('the condition keeps out customers who do not meet it, with the compared values; it keeps out all guests', async () => {
    const [yes = '', no = ''] = await addCustomers(merchant.scope(), [{}, { marketing_state: 'withdrawn' }])
    const { guestId } = await guestOf(merchant.scope(), { token: 'another-browser' })
    const id = await scenario({ condition: granted })
    const everyone = await scenario({})
    await recordEvents(merchant.scope(), [
      { kind: 'order_paid', key: 'a', customerId: yes, occurredAt: okaeri.clock.now() },
      { kind: 'order_paid', key: 'b', customerId: no, occurredAt: okaeri.clock.now() },
      { kind: 'order_paid', key: 'c', guestId, occurredAt: okaeri.clock.now() },
      { kind: 'order_paid', key: 'd', occurredAt: okaeri.clock.now() },
    ])
    await okaeri.settle()
    expect((await executions(id)).map(({ customer }) => customer?.id)).toEqual([yes])
    expect(await entriesOf(id)).toMatchObject([
      { refused_by: null },
      { refused_by: 'condition', detail: { parts: [{ path: 'conditions', holds: false }] } },
      { refused_by: 'condition' },
      { refused_by: 'customer_known' },
    ])
    expect(await executions(everyone)).toHaveLength(3)
  })

  test('a condition that names something deleted lets no one in, and delays nothing else', async () => {
    const [customerId = ''] = await addCustomers(merchant.scope(), [{}])
    const broken = await scenario({
      condition: {
        type: 'condition',
        id: 'r',
        category: 'segments',
        name: 'member',
        operator: 'is_member',
        value: ['0190a000-0000-7000-8000-000000000000'],
      } as never,
    })
    const other = await scenario({})
    await happen(customerId, 'a')
    await okaeri.settle()
    expect(await executions(other)).toHaveLength(1)
    expect(await entriesOf(broken)).toMatchObject([
      { refused_by: 'condition', detail: { unusable: expect.anything() } },
    ])
  })

  test('a scenario with an unreadable flow or a database error keeps no one out of the others, and says so', async () => {
    const [customerId = ''] = await addCustomers(merchant.scope(), [{}])
    const unreadable = await scenario({})
    const failing = await scenario({ reentry: { mode: 'once' } })
    const other = await scenario({ reentry: { mode: 'once' } })
    await okaeri.query`update scenario_versions set flow = '{}' where merchant_id = ${merchant.id} and scenario_id = ${unreadable}`
    await okaeri.query`alter table executions add constraint fails check (scenario_id <> ${sql.lit(failing)}::uuid)`
    try {
      await happen(customerId, 'a')
      await okaeri.settle()
    } finally {
      await okaeri.query`alter table executions drop constraint fails`
    }
    expect(await executions(other)).toHaveLength(1)
    expect(await entriesOf(unreadable)).toMatchObject([{ refused_by: 'failed', detail: { error: 'Error' } }])
    expect(await entriesOf(failing)).toMatchObject([{ refused_by: 'failed', detail: { code: '23514' }, waits: false }])
    const { why } = await merchant.call(whyInScenario, { params: { id: failing }, query: { customer_id: customerId } })
    expect(why.rules.filter(({ admits }) => !admits)).toMatchObject([{ rule: 'failed', at: expect.any(String) }])
    await happen(customerId, 'b')
    await okaeri.settle()
    expect(await executions(failing)).toHaveLength(1)
  })

  test('a deleted customer does not enter', async () => {
    const id = await scenario({})
    await happen('0190a000-0000-7000-8000-000000000001', 'a')
    await okaeri.settle()
    expect(await entriesOf(id)).toMatchObject([{ refused_by: 'customer_known' }])
  })
})

describe('re-entry', () => {
  const twice = async (reentry: Flow['reentry'], pauseMs: number, between?: (id: string) => Promise<void>) => {
    const [customerId = ''] = await addCustomers(merchant.scope(), [{}])
    const id = await scenario({ reentry })
    await happen(customerId, `first ${id}`)
    await okaeri.settle()
    okaeri.advance(pauseMs)
    await between?.(id)
    await happen(customerId, `second ${id}`)
    await okaeri.settle()
    return (await executions(id)).length
  }
  const finish = (id: string) =>
    okaeri.query`update executions set status = 'done', end_reason = 'finished', ended_at = ${okaeri.clock.now()}, wake_at = null, asleep = false
      where merchant_id = ${merchant.id} and scenario_id = ${id}`

  test('once: never again, also after the execution is done or deleted', async () => {
    expect(await twice({ mode: 'once' }, DAY)).toBe(1)
    expect(await twice({ mode: 'once' }, DAY, async (id) => void (await finish(id)))).toBe(1)
    const gone = (id: string) => okaeri.query`delete from executions where scenario_id = ${id}`
    expect(await twice({ mode: 'once' }, DAY, async (id) => void (await gone(id)))).toBe(0)
  })

  test('while none runs: again once the last one has ended', async () => {
    expect(await twice({ mode: 'when_none_runs' }, DAY)).toBe(1)
    expect(await twice({ mode: 'when_none_runs' }, 0, async (id) => void (await finish(id)))).toBe(2)
  })

  test('every seven days: on the seventh calendar day, and not while one runs', async () => {
    const done = async (id: string) => void (await finish(id))
    expect(await twice({ mode: 'every_days', days: 7 }, 6 * DAY, done)).toBe(1)
    expect(await twice({ mode: 'every_days', days: 7 }, 7 * DAY, done)).toBe(2)
    expect(await twice({ mode: 'every_days', days: 7 }, 7 * DAY)).toBe(1)
  })

  test('always: one for each event, also at the same time', async () => {
    expect(await twice({ mode: 'always' }, 0)).toBe(2)
  })

  test('guests are separate', async () => {
    const id = await scenario({ reentry: { mode: 'once' } })
    for (const token of ['one-browser', 'other-browser']) {
      const { guestId } = await guestOf(merchant.scope(), { token })
      for (const key of ['a', 'b'])
        await recordEvents(merchant.scope(), [
          { kind: 'order_paid', key: `${token}${key}`, guestId, occurredAt: okaeri.clock.now() },
        ])
    }
    await okaeri.settle()
    expect(await executions(id)).toHaveLength(2)
  })

  test('two workers at the same time never let a customer in twice', async () => {
    const ids = await addCustomers(
      merchant.scope(),
      Array.from({ length: 300 }, () => ({})),
    )
    const once = await scenario({ reentry: { mode: 'once' } })
    const always = await scenario({ reentry: { mode: 'always' } })
    await Promise.all(
      ['a', 'b', 'c'].flatMap((key) => [
        recordEvents(
          merchant.scope(),
          ids.map((customerId) => ({
            kind: 'order_paid' as const,
            key: `${key}${customerId}`,
            customerId,
            occurredAt: okaeri.clock.now(),
          })),
        ),
        enterDue(merchant.scope()),
        enterDue(merchant.scope()),
      ]),
    )
    while ((await Promise.all([enterDue(merchant.scope()), enterDue(merchant.scope())])).some(Boolean));
    const rows = await okaeri.query<{ scenario_id: string; executions: number; people: number }>`
      select scenario_id, count(*)::int as executions, count(distinct customer_id)::int as people from executions
      where merchant_id = ${merchant.id} group by scenario_id`
    expect(rows.find(({ scenario_id }) => scenario_id === once)).toMatchObject({ executions: 300, people: 300 })
    expect(rows.find(({ scenario_id }) => scenario_id === always)).toMatchObject({ executions: 900, people: 300 })
  })

  test('the hold-out group is always the same customers, about as many as set', async () => {
    const ids = Array.from({ length: 5000 }, (_, index) => `person-${index}`)
    const held = ids.filter((id) => isHeldOut('scenario', id, 20))
    expect(held.length).toBeGreaterThan(900)
    expect(held.length).toBeLessThan(1100)
    expect(ids.filter((id) => isHeldOut('scenario', id, 20))).toEqual(held)
    expect(ids.filter((id) => isHeldOut('scenario', id, 40) || !held.includes(id)).length).toBe(5000)
    expect(ids.some((id) => isHeldOut('scenario', id, 0))).toBe(false)
    const [customerId = ''] = await addCustomers(merchant.scope(), [{}])
    const id = await scenario({})
    await okaeri.query`update scenarios set holdout_percent = 50 where merchant_id = ${merchant.id}`
    await happen(customerId, 'a')
    await okaeri.settle()
    expect(await executions(id)).toMatchObject([{ held_out: isHeldOut(id, customerId, 50) }])
  })
})

describe('ending early', () => {
  const asleepAfter = async (rest: Partial<Flow>, customerId: string, at = okaeri.clock.now()) => {
    const id = await scenario({ trigger: { kind: 'favorite_added' }, ...rest })
    await recordEvents(merchant.scope(), [
      { kind: 'favorite_added', key: `f${at.getTime()}`, customerId, occurredAt: at },
    ])
    await okaeri.settle()
    return id
  }
  test('an order ends executions that began before it, not its own, nor those that end by something else', async () => {
    await store.tell('customers/create', store.customer({ id: 521 }))
    await okaeri.settle()
    const customerId = (await events())[0]?.customer_id ?? ''
    const before = await asleepAfter({ ends_on: ['bought'], reentry: { mode: 'once' } }, customerId)
    okaeri.advance(HOUR)
    const endedBy = await asleepAfter({ ends_on: ['order_cancelled', 'unsubscribed'] }, customerId)
    const own = await scenario({ trigger: { kind: 'order_created' }, ends_on: ['bought'] })
    okaeri.advance(HOUR)
    await store.tell('orders/create', store.order({ id: 7201, person: { id: 521 } }))
    await okaeri.settle()
    expect(await executions(before)).toMatchObject([{ status: 'done', end_reason: 'bought' }])
    expect(await executions(endedBy)).toMatchObject([{ status: 'running' }])
    expect(await executions(own)).toMatchObject([{ status: 'running' }])
    okaeri.advance(HOUR)
    await store.tell('orders/paid', store.order({ id: 7201, person: { id: 521 }, paid: true }))
    await okaeri.settle()
    expect(await executions(own)).toMatchObject([{ status: 'running' }])
    await store.tell('orders/create', store.order({ id: 7202, person: { id: 521 } }))
    await okaeri.settle()
    expect((await executions(own)).map(({ status }) => status)).toEqual(['running', 'done'])
  })

  test('an earlier order that arrives late ends nothing', async () => {
    await store.tell('customers/create', store.customer({ id: 522 }))
    await okaeri.settle()
    const placed = okaeri.clock.now()
    okaeri.advance(HOUR)
    const id = await asleepAfter({ ends_on: ['bought'] }, (await events())[0]?.customer_id ?? '')
    await store.tell('orders/create', store.order({ id: 7203, person: { id: 522 }, at: placed }))
    await okaeri.settle()
    expect(await executions(id)).toMatchObject([{ status: 'running' }])
  })

  test('a cancelled order ends the execution it started', async () => {
    const id = await scenario({ trigger: { kind: 'order_created' }, ends_on: ['order_cancelled'] })
    for (const number of [7204, 7205])
      await store.tell('orders/create', store.order({ id: number, person: { id: number } }))
    await okaeri.settle()
    await store.tell('orders/cancelled', store.order({ id: 7204, person: { id: 7204 }, cancelled: true }))
    await okaeri.settle()
    expect((await executions(id)).map(({ status, end_reason }) => `${status} ${end_reason}`).sort()).toEqual([
      'done order_cancelled',
      'running null',
    ])
  })

  test('a customer who unsubscribes leaves the scenarios that end by it', async () => {
    const [customerId = ''] = await addCustomers(merchant.scope(), [{}])
    const id = await asleepAfter({ ends_on: ['unsubscribed'] }, customerId)
    await changeConsent(merchant.scope(), {
      customerId,
      kind: 'marketing',
      to: 'withdrawn',
      source: 'unsubscribe_link',
    })
    expect(await executions(id)).toMatchObject([{ status: 'done', end_reason: 'unsubscribed' }])
  })
})

test('events older than 90 days are deleted, except those of running executions; entries are kept', async () => {
  const [one = '', other = '', third = ''] = await addCustomers(merchant.scope(), [{}, {}, {}])
  const id = await scenario({ reentry: { mode: 'once' } })
  await happen(one, 'a')
  await happen(other, 'b')
  await okaeri.settle()
  await happen(one, 'refused')
  await happen(third, 'c')
  await okaeri.settle()
  await okaeri.query`update executions set status = 'done', ended_at = now(), wake_at = null, asleep = false
    where merchant_id = ${merchant.id} and customer_id = ${one}`
  okaeri.advance(91 * DAY)
  await okaeri.settle()
  expect(new Set((await events()).map(({ customer_id }) => customer_id))).toEqual(new Set([other, third]))
  await happen(one, 'again')
  await okaeri.settle()
  expect((await executions(id)).filter(({ customer }) => customer?.id === one)).toHaveLength(1)
})

test('a merchant whose events cannot be processed delays no other merchant', async () => {
  const others = [merchant, await okaeri.merchant(), await okaeri.merchant()]
  const [, broken] = others
  const ids: string[] = []
  for (const one of others) {
    const [customerId = ''] = await addCustomers(one.scope(), [{}])
    ids.push(await addScenario(one.scope(), flowOf([asleep], { reentry: { mode: 'once' } })))
    await recordEvents(one.scope(), [{ kind: 'order_paid', key: 'o', customerId, occurredAt: okaeri.clock.now() }])
  }
  await okaeri.query`alter table events add constraint fails check (merchant_id <> ${sql.lit(broken?.id)}::uuid) not valid`
  await expect(enterScenarios.run(okaeri.context, new AbortController().signal)).rejects.toMatchObject({
    code: '23514',
  })
  await okaeri.query`alter table events drop constraint fails`
  const rows = await okaeri.query<{ merchant_id: string }>`
    select merchant_id from executions where scenario_id = any(${ids}::uuid[])`
  expect(rows.map(({ merchant_id }) => merchant_id).sort()).toEqual(
    [others[0], others[2]].flatMap((one) => one?.id ?? []).sort(),
  )
  await okaeri.query`update events set looked_at = now() where merchant_id = ${broken?.id}`
})
