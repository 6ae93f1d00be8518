import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { EventKind } from '@okaeri/contract/scenarios/event'
import type { Flow } from '@okaeri/contract/scenarios/flow/flow'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addCustomers } from '../../../test/fixtures.ts'
import { startTestOkaeri, type TestMerchant, type TestOkaeri } from '../../../test/harness.ts'
import {
  happenPlainly,
  type PlainExecution,
  type PlainWorld,
  pausePlainly,
  playPlainly,
  restartPlainly,
  runPlainly,
} from '../../../test/plain-execution.ts'
import { addEvent, addExecutions, addScenario, flowOf, granted, type PlainNode } from '../../../test/scenarios.ts'
import { thorough } from '../../../test/thorough.ts'
import { armCrashPoint } from '../../kernel/crash-point.ts'
import { advanceExecutions } from './time-slice.ts'
import { wakeByEvents } from '../executions/step-queries.ts'
import { pauseExecution, playExecution, restartExecution } from '../executions/execution.ts'
import { doEffects } from './effects.ts'

// Random graphs with random events, clocks and actions, while the process dies between any two steps: the engine gives the same result
// as a plain interpreter of one execution.

const MINUTE = 60_000
const CUSTOMERS = 3
const eventKinds = ['order_paid', 'favorite_added'] as const satisfies readonly EventKind[]

let okaeri: TestOkaeri
let merchant: TestMerchant
let now = Date.parse('2026-02-27T03:04:05.678Z')
let receiver: http.Server
let url: string
/** Calls by id: a repeated id is a repeated call. */
const calls = new Map<string, string>()
beforeAll(async () => {
  receiver = http.createServer((request, response) => {
    let body = ''
    request.on('data', (data: Buffer) => {
      body += data.toString()
    })
    request.on('end', () => {
      const { id, execution, node } = JSON.parse(body) as Record<'execution' | 'node', { id: string }> & { id: string }
      calls.set(id, `${execution.id} ${node.id}`)
      response.end()
    })
  })
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening))
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  okaeri = await startTestOkaeri()
  okaeri.context.clock.now = () => new Date(now)
  merchant = await okaeri.merchant()
})
afterAll(async () => {
  await okaeri.close()
  receiver.closeAllConnections()
  receiver.close()
})

const ids = ['n0', 'n1', 'n2', 'n3', 'n4', 'n5', 'n6'] as const
const graph = fc.integer({ min: 1, max: ids.length }).chain((size) => {
  const to = fc.option(fc.constantFrom(...ids.slice(0, size)), { freq: 5 })
  const settings = (id: string): fc.Arbitrary<PlainNode> =>
    fc.oneof(
      fc.tuple(fc.integer({ min: 1, max: 90 }), fc.constantFrom('minutes' as const, 'hours' as const), to).map(
        ([amount, unit, next]): PlainNode => ({
          id,
          kind: 'wait',
          settings: { wait: { mode: 'for', amount, unit } },
          next: { next },
        }),
      ),
      to.map(
        (next): PlainNode => ({
          id,
          kind: 'wait',
          settings: { wait: { mode: 'until_weekday', weekdays: [1, 4], time: '10:30' } },
          next: { next },
        }),
      ),
      fc.tuple(fc.constantFrom(...eventKinds), fc.integer({ min: 1, max: 600 }), to, to).map(
        ([event, amount, happened, timed_out]): PlainNode => ({
          id,
          kind: 'wait_for_event',
          settings: { event, amount, unit: 'minutes' },
          next: { happened, timed_out },
        }),
      ),
      fc
        .tuple(to, to)
        .map(([yes, no]): PlainNode => ({ id, kind: 'branch', settings: { condition: granted }, next: { yes, no } })),
      fc.tuple(to, to).map(
        ([a, b]): PlainNode => ({
          id,
          kind: 'random_split',
          settings: { shares: [30, 70] },
          next: { a, b, c: null, d: null, e: null },
        }),
      ),
      to.map((next): PlainNode => ({ id, kind: 'call_webhook', settings: { url: '' }, next: { next } })),
      to.map((next): PlainNode => ({ id, kind: 'add_note', settings: { text: 'x' }, next: { next } })),
      fc.constant<PlainNode>({ id, kind: 'end', settings: {}, next: {} }),
    )
  return fc.tuple(...ids.slice(0, size).map(settings))
})

/** Whether a loop takes no time. The clock stands still here, so waiting for an event does not count as a wait. */
function hasTimelessLoop(nodes: readonly PlainNode[]): boolean {
  const targets = new Map(
    nodes.map(({ id, kind, next }) => [
      id,
      kind === 'wait' ? [] : Object.values(next as Record<string, string | null>),
    ]),
  )
  const leadsTo = (from: string, wanted: string, seen: Set<string>): boolean =>
    (targets.get(from) ?? []).some((target) => {
      if (target === wanted) return true
      if (target === null || seen.has(target)) return false
      seen.add(target)
      return leadsTo(target, wanted, seen)
    })
  return nodes.some(({ id }) => leadsTo(id, id, new Set()))
}

const person = fc.nat({ max: CUSTOMERS - 1 })
const command = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ what: fc.constant('time' as const), minutes: fc.integer({ min: 1, max: 3000 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      what: fc.constant('event' as const),
      person,
      kind: fc.constantFrom(...eventKinds),
      // The store's webhook may be late.
      minutesAgo: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 3000 })),
    }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('consent' as const), person }) },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constantFrom('pause' as const, 'play' as const, 'restart' as const),
      execution: fc.nat({ max: CUSTOMERS - 1 }),
    }),
  },
)
/** The process dies at the nth pass of one of these points, repeatedly. */
const crashes = fc.array(
  fc.record({ point: fc.constantFrom('woken', 'advanced'), passings: fc.integer({ min: 1, max: 4 }) }),
  { maxLength: 4 },
)

class Died extends Error {
  /** As PostgreSQL reports a shutdown, which loses everything not committed. */
  readonly code = '57P01'
}
async function workThroughDeaths(deaths: { point: string; passings: number }[]): Promise<void> {
  const never = new AbortController().signal
  for (let busy = true; busy; ) {
    const death = deaths.shift()
    armCrashPoint(death ? `${death.point}:${death.passings}` : '', () => {
      throw new Died('the process died')
    })
    try {
      do busy = (await advanceExecutions.run(okaeri.context, never)) || (await doEffects.run(okaeri.context, never))
      while (busy)
    } catch (error) {
      if (!(error instanceof Died)) throw error
      busy = true
    } finally {
      armCrashPoint('')
    }
  }
}

interface StoredRow {
  id: string
  status: string
  node_id: string | null
  asleep: boolean
  wake_at: Date | null
  round: number
  steps: string[] | null
  effects: string[] | null
}
async function stored(executionIds: readonly string[]): Promise<Map<string, StoredRow>> {
  const rows = await okaeri.query<StoredRow>`
    select e.id, e.status, e.node_id, e.asleep, e.wake_at, e.round, (
        select array_agg(t.node_id || ' ' || t.outcome || ' ' || t.round order by t.seq) from execution_steps t
        where t.merchant_id = e.merchant_id and t.execution_id = e.id
      ) as steps, (
        select array_agg(f.execution_id || ' ' || f.node_id || ' ' || f.round order by f.id) from execution_effects f
        where f.merchant_id = e.merchant_id and f.execution_id = e.id
      ) as effects
    from executions e where e.merchant_id = ${merchant.id} and e.id = any(${[...executionIds]}::uuid[])`
  return new Map(rows.map((row) => [row.id, row]))
}

/** Found by lot once: a wait that was over before the first step, and after it a loop without one, for those who consent. */
const loopAfterAnOldWait = [
  { id: 'n0', kind: 'add_note', settings: { text: 'x' }, next: { next: 'n1' } },
  { id: 'n1', kind: 'wait', settings: { wait: { mode: 'for', amount: 1, unit: 'minutes' } }, next: { next: 'n2' } },
  { id: 'n2', kind: 'branch', settings: { condition: granted }, next: { yes: 'n2', no: null } },
] satisfies PlainNode[]

test('the engine does what a plain interpreter does, whatever happens and wherever it dies; effects happen exactly once', async () => {
  await fc.assert(
    fc.asyncProperty(
      graph,
      fc.array(fc.tuple(command, crashes), { maxLength: 10 }),
      crashes,
      async (nodes, commands, first) => {
        calls.clear()
        // Each lap of such a loop would call again.
        const calling = !hasTimelessLoop(nodes)
        const flow: Flow = flowOf(
          nodes.map((node): PlainNode => {
            if (node.kind !== 'call_webhook') return node
            return calling ? { ...node, settings: { url } } : { ...node, kind: 'add_note', settings: { text: 'x' } }
          }),
        )
        const customerIds = await addCustomers(
          merchant.scope(),
          Array.from({ length: CUSTOMERS }, (_, at) => ({
            marketing_state: at % 2 === 0 ? ('granted' as const) : ('withdrawn' as const),
          })),
        )
        const scenarioId = await addScenario(merchant.scope(), flow)
        const executionIds = await addExecutions(
          merchant.scope(),
          scenarioId,
          customerIds.map((customerId) => ({ customerId })),
        )
        const world: PlainWorld = {
          scenarioId,
          flow,
          now,
          consents: new Set(customerIds.filter((_, at) => at % 2 === 0)),
          events: [],
        }
        const plain = executionIds.map(
          (id, at): PlainExecution => ({
            id,
            customerId: customerIds[at] ?? '',
            status: 'running',
            nodeId: flow.start,
            asleep: false,
            since: now,
            wakeAt: now,
            accepted: false,
            awaits: null,
            startedAt: now - 30 * MINUTE,
            attempts: 0,
            round: 1,
            steps: [],
            effects: [],
          }),
        )
        const compare = async (deaths: { point: string; passings: number }[]): Promise<void> => {
          await workThroughDeaths([...deaths])
          for (const execution of plain) runPlainly(execution, world)
          const rows = await stored(executionIds)
          for (const { id, status, nodeId, asleep, wakeAt, round, steps, effects } of plain) {
            const row = rows.get(id)
            expect(row?.steps ?? []).toEqual(steps)
            expect(row?.effects ?? []).toEqual(effects)
            expect(row).toMatchObject({ status, node_id: nodeId, asleep, round })
            if (asleep) expect(row?.wake_at?.getTime()).toBe(wakeAt)
          }
          expect([...calls.values()].sort()).toEqual(
            plain.flatMap(({ effects }) => effects.map((effect) => effect.slice(0, effect.lastIndexOf(' ')))).sort(),
          )
        }
        // They entered half an hour ago, and no worker ran. Meanwhile one of them bought.
        await okaeri.query`update executions set created_at = ${new Date(now - 30 * MINUTE)} where merchant_id = ${merchant.id}`
        const bought = { kind: 'order_paid' as const, customerId: customerIds[0] ?? '' }
        await addEvent(merchant.scope(), { ...bought, occurredAt: new Date(now - 10 * MINUTE) })
        world.events.push({ ...bought, at: now - 10 * MINUTE })
        await compare(first)
        for (const [does, deaths] of commands) {
          const scope = merchant.scope()
          if (does.what === 'time') {
            now += does.minutes * MINUTE
            world.now = now
          } else if (does.what === 'event') {
            const customerId = customerIds[does.person] ?? ''
            const at = now - does.minutesAgo * MINUTE
            await addEvent(scope, { kind: does.kind, customerId, occurredAt: new Date(at) })
            await wakeByEvents(scope, { kind: does.kind, customerIds: [customerId] })
            world.events.push({ customerId, kind: does.kind, at })
            for (const execution of plain)
              if (execution.customerId === customerId) happenPlainly(execution, { kind: does.kind, at }, world)
          } else if (does.what === 'consent') {
            const customerId = customerIds[does.person] ?? ''
            const had = world.consents.delete(customerId)
            if (!had) world.consents.add(customerId)
            await okaeri.query`update customers set marketing_state = ${had ? 'withdrawn' : 'granted'}
            where merchant_id = ${merchant.id} and id = ${customerId}`
          } else {
            const execution = plain[does.execution]
            if (!execution) continue
            if (does.what === 'restart') {
              restartPlainly(execution, world)
              await restartExecution(scope, execution.id)
            } else {
              const allowed = does.what === 'pause' ? pausePlainly(execution) : playPlainly(execution, now)
              const doing = (does.what === 'pause' ? pauseExecution : playExecution)(scope, execution.id)
              if (allowed) await doing
              else await expect(doing).rejects.toMatchObject({ reason: 'execution_status_forbids' })
            }
          }
          await compare(deaths)
        }
        // What still waits must not reach the next run.
        await okaeri.query`delete from executions where merchant_id = ${merchant.id}`
        now += MINUTE
      },
    ),
    { numRuns: thorough ? 250 : 25, examples: [[loopAfterAnOldWait, [], []]] },
  )
})
