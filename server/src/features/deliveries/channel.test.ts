import { NO_PARAMETERS } from '@okaeri/contract/campaigns/campaign'
import { ChannelName } from '@okaeri/contract/deliveries/delivery'
import { RestockChannel } from '@okaeri/contract/restocks/channel'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { addCustomers, addEmail } from '../../../test/fixtures.ts'
import { takeLease } from '../../../test/leases.ts'
import { addScenario, got, nodeOf, statusesOf, visit, withScenarioMail } from '../../../test/scenario-mail.ts'
import { okaeri } from '../../../test/with-okaeri.ts'
import { emailChannel } from '../channels/index.ts'
import { newId } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import type { Answer, Channel, Channels, ComposedBatch, Composer, FilledRow, PreparedContent } from './channel.ts'
import {
  cancelMessage,
  type ClaimedRow,
  failedResult,
  findMessage,
  freezeMessage,
  insertScenarioDeliveries,
  listScenarioDeliveries,
  messageForNode,
  type NodeMessage,
  resultDefaults,
  type Result,
} from './index.ts'
import { campaignProgram } from '../stats/index.ts'
import {
  deleteLease,
  extendLease,
  listLeases,
  returnLeasedRows,
  type SeenLease,
  storeResults,
} from './sending/lease-queries.ts'
import { failPending } from './queries.ts'
import { recoverLeases } from './sending/recovery.ts'
import { sendReleased } from './sending/sending.ts'

// A made-up channel over the same ledger: a hand-over carries three people, and its provider drops what it has by the delivery's id.

withScenarioMail()
const DAY_MS = 86_400_000
let channels: () => Channels
beforeEach(() => {
  channels = okaeri.context.ports.channels
})
afterEach(() => {
  vi.useRealTimers()
  okaeri.context.ports.channels = channels
})

/**
 * `loses`: how many of its first answers do not arrive, though the provider has what was handed over. `fixesBatches`: it recognizes a
 * hand-over by the key of its batch, even if the people in it differ the second time.
 */
function startCarrier({
  loses,
  againIn = 0,
  fixesBatches = false,
  connections = 1,
  meanwhile = () => Promise.resolve(),
}: {
  loses: number
  againIn?: number
  fixesBatches?: boolean
  connections?: number
  /** While it works on a hand-over, the first being 1. */
  meanwhile?: (handOver: number) => Promise<void>
}) {
  let refuses: string | null = null
  const delivered: string[] = []
  const handOvers: string[][] = []
  const known = new Set<string>()
  const take = (rows: readonly ClaimedRow[]): Answer => {
    const ids = rows.map(({ id }) => id)
    handOvers.push(ids)
    if (refuses && ids.includes(refuses)) return { kind: 'refused' }
    const taken = rows.filter(({ id, batch_id }) => !known.has(batch_id ?? id))
    delivered.push(...taken.map(({ id }) => id))
    for (const { id, batch_id } of rows) known.add(batch_id ?? id)
    return { kind: handOvers.length <= loses ? 'unknown' : 'taken' }
  }
  const composer: Composer<FilledRow, ComposedBatch, Answer> = {
    batchSize: 3,
    fixesBatches,
    pace: null,
    enrich: (_, rows) => Promise.resolve(rows),
    fill: null,
    acquireConnection: () => ({
      compose: (people) => ({ rows: people.map(({ row }) => row) }),
      async handOver({ rows }, mayTransmit, upcoming) {
        if (!mayTransmit()) return { kind: 'withheld' }
        upcoming()
        const answer = take(rows)
        await meanwhile(handOvers.length)
        return answer
      },
      judge: ({ kind }, { rows }, now) => ({ results: judged(kind, rows, now) }),
      close: () => undefined,
    }),
  }
  const judged = (kind: string, rows: readonly ClaimedRow[], now: Date): Result[] => {
    const batchId = kind === 'refused' ? newId() : (rows[0]?.batch_id ?? null)
    return rows.map(({ id }, at) => {
      if (kind === 'taken') return { ...resultDefaults(id), status: 'sent', sentAt: now }
      if (kind === 'refused' && rows.length === 1) return failedResult(id, 'permanent', 'refused')
      if (kind === 'refused')
        return { ...resultDefaults(id), status: 'pending', countsAttempt: false, batchId: at === 0 ? newId() : batchId }
      return { ...resultDefaults(id), status: 'pending', nextAttemptAt: new Date(now.getTime() + againIn), batchId }
    })
  }
  const channel: Channel = {
    ...emailChannel,
    name: 'line',
    safeRetryMs: DAY_MS,
    title: () => sql`'carried'`,
    routeOf: () => ({ name: 'carrier', connections }),
    openContent: () => Promise.resolve(composer),
  }
  okaeri.context.ports.channels = () => ({ email: emailChannel, line: channel })
  return {
    delivered,
    handOvers,
    /** With this delivery in it, it takes nothing of a hand-over. */
    refuse(id: string) {
      refuses = id
    },
  }
}

async function written(people: number, settings: Parameters<typeof okaeri.merchant>[0] = {}) {
  const merchant = await okaeri.merchant(settings)
  // What tests before have left is sent by none of them.
  await sql`update messages set state = 'done' where merchant_id <> ${merchant.id}`.execute(okaeri.context.db)
  const scope = merchant.scope()
  const customers = await addCustomers(
    scope,
    Array.from({ length: people }, (_, n) => ({ email: `carried-${n}@channel.test` })),
  )
  const scenario = await addScenario(merchant)
  const node = nodeOf(scenario, await addEmail(scope))
  const { message, ids } = await scope.transaction(async (scope) => {
    const message = (await messageForNode(scope, node)) as NodeMessage
    const mail = { scenarioId: scenario, nodeId: 'mail', message, ignoresConsent: true }
    const ids = await insertScenarioDeliveries(
      scope,
      mail,
      customers.map((id) => visit(id)),
    )
    await sql`update messages set channel = 'line' where merchant_id = ${merchant.id} and id = ${message.id}`.execute(
      scope.db,
    )
    await sql`update deliveries set channel = 'line' where merchant_id = ${merchant.id} and message_id = ${message.id}`.execute(
      scope.db,
    )
    return { message, ids: ids.toSorted() }
  })
  return { merchant, scope, scenario, message, ids }
}

test('a channel that carries three people at once and may try again sends to everybody once, though answers are lost', async () => {
  const { merchant, scope, scenario, ids } = await written(8)
  const carrier = startCarrier({ loses: 2 })
  await okaeri.settle()
  expect(carrier.delivered.toSorted()).toEqual(ids)
  expect(Math.max(...carrier.handOvers.map(({ length }) => length))).toBe(3)
  // Those of the lost answers were handed over a second time.
  expect(carrier.handOvers.flat().length).toBeGreaterThan(ids.length)
  expect(await statusesOf(merchant, scenario)).toEqual(ids.map(() => ['sent', null]))
  expect(got).toEqual([])
  const { data } = await listScenarioDeliveries(scope, { id: scenario, name: 's' }, { limit: 10, offset: 0 })
  expect(data.map(({ channel, subject }) => `${channel} ${subject}`)).toEqual(ids.map(() => 'line carried'))
  const ofChannel = async (channel: 'email' | 'line') =>
    (await listScenarioDeliveries(scope, { id: scenario, name: 's' }, { channel, limit: 10, offset: 0 })).total
  expect([await ofChannel('line'), await ofChannel('email')]).toEqual([ids.length, 0])
})

test('a message of another channel is frozen without a mail', async () => {
  const scope = (await okaeri.merchant()).scope()
  const tracking = { enabled: false, parameters: NO_PARAMETERS }
  const own: string[] = []
  const insert: PreparedContent['insert'] = (_, messageId) => Promise.resolve(void own.push(messageId))
  const content: PreparedContent = { channel: 'line', contentId: newId(), tracking, links: [], insert }
  const id = await freezeMessage(scope, content, { program: campaignProgram(newId()) })
  expect(own).toEqual([id])
  expect(await findMessage(scope, id)).toMatchObject({ channel: 'line', state: 'held' })
})

test.each([
  ['may be tried again wait again', DAY_MS, 'pending'],
  ['may not be tried again are uncertain', 0, 'uncertain'],
])('of a dead worker’s hand-overs those that %s', async (_, safeRetryMs, status) => {
  const { merchant, scope, scenario, message, ids } = await written(3)
  const { leaseId, transmitLog } = await takeLease(scope, message.id)
  await sql`update deliveries set status = 'sending', lease_id = ${leaseId}, attempts = 1
    where merchant_id = ${merchant.id} and scenario_id = ${scenario}`.execute(okaeri.context.db)
  const lease = {
    leaseId,
    messageId: message.id,
    merchantInTestMode: false,
    codeDoubts: 0,
    journalId: transmitLog.journalId,
  }
  await extendLease(scope, { ...lease, watermark: ids[1] as string })
  transmitLog.close()
  okaeri.context.ports.channels = () => ({ line: { ...emailChannel, name: 'line', safeRetryMs } })
  vi.useFakeTimers({ toFake: ['performance', 'Date'], now: Date.now() })
  let recovered = false
  for (let second = 0; second < 120 && !recovered; second += 1) {
    recovered = await recoverLeases(okaeri.context, merchant.id)
    vi.advanceTimersByTime(1000)
  }
  expect(await statusesOf(merchant, scenario)).toEqual([
    [status, null],
    [status, null],
    ['pending', null],
  ])
})

/** The provider took it, and the answer is lost: it waits to be tried again. */
async function onceUnknown() {
  const all = await written(1)
  const carrier = startCarrier({ loses: 1, againIn: 60_000 })
  await okaeri.settle()
  expect(carrier.delivered).toEqual(all.ids)
  expect(await statusesOf(all.merchant, all.scenario)).toEqual([['pending', null]])
  return { ...all, carrier }
}
const age = (merchantId: string, hours: number) =>
  sql`update deliveries set first_tried_at = ${new Date(Date.now() - hours * 3_600_000)} where merchant_id = ${merchantId}`.execute(
    okaeri.context.db,
  )

test.each([
  ['within the time its provider remembers is sent, once', 23, 'sent'],
  ['after it is uncertain, and is not sent', 24, 'uncertain'],
])('what is tried again %s', async (_, hours, status) => {
  const { merchant, scenario, carrier, ids } = await onceUnknown()
  await age(merchant.id, hours)
  okaeri.advance(60_000)
  await okaeri.settle()
  expect(await statusesOf(merchant, scenario)).toEqual([[status, null]])
  expect(carrier.delivered).toEqual(ids)
  expect(carrier.handOvers).toHaveLength(status === 'sent' ? 2 : 1)
})

test.each([
  ['is stopped', cancelMessage],
  ['cannot be filled in', (scope: MerchantScope, id: string) => failPending(scope, id, 'broken')],
])('what may have arrived and %s before it is tried again is uncertain', async (_, end) => {
  const { scope, merchant, scenario, message } = await onceUnknown()
  await scope.transaction((scope) => end(scope, message.id))
  expect(await statusesOf(merchant, scenario)).toEqual([['uncertain', null]])
})

test('who can no longer be written to, and may have got it, is uncertain, not skipped', async () => {
  const { merchant, scenario, ids } = await onceUnknown()
  await sql`update customers set email = null, email_key = null where merchant_id = ${merchant.id}`.execute(
    okaeri.context.db,
  )
  okaeri.advance(60_000)
  await okaeri.settle()
  expect(await statusesOf(merchant, scenario)).toEqual(ids.map(() => ['uncertain', null]))
})

test('a try that surely did not arrive does not count from then', async () => {
  const { merchant, scope, scenario, message, ids } = await written(3)
  const { leaseId, transmitLog } = await takeLease(scope, message.id)
  await sql`update deliveries set status = 'sending', lease_id = ${leaseId}, attempts = 1, first_tried_at = now()
    where merchant_id = ${merchant.id} and scenario_id = ${scenario}`.execute(okaeri.context.db)
  transmitLog.close()
  const lease = { leaseId, messageId: message.id, merchantInTestMode: false, codeDoubts: 0 }
  const [refused, unknown] = ids as [string, string, string]
  await storeResults(scope, lease, [
    { ...resultDefaults(refused), status: 'pending', countsAttempt: false },
    { ...resultDefaults(unknown), status: 'pending' },
  ])
  await returnLeasedRows(scope, { id: leaseId, message_id: message.id }, { mayHaveLeft: [], isSafe: true })
  const { rows } = await sql<{ id: string; counts: boolean }>`select id, first_tried_at is not null as counts
    from deliveries where merchant_id = ${merchant.id} and scenario_id = ${scenario} order by id`.execute(
    okaeri.context.db,
  )
  expect(rows).toEqual(ids.map((id) => ({ id, counts: id === unknown })))
})

test('a batch whose answer is lost is tried again with the same people and under the same key, even if others have become due meanwhile', async () => {
  const { merchant, scenario, ids } = await written(8)
  const carrier = startCarrier({ loses: 1, againIn: 60_000, fixesBatches: true })
  await okaeri.settle()
  const [first] = carrier.handOvers
  expect(first).toEqual(ids.slice(0, 3))
  okaeri.advance(60_000)
  await okaeri.settle()
  expect(carrier.handOvers.map((handOver) => handOver.length)).toEqual([3, 3, 2, 3])
  expect(carrier.handOvers.at(-1)).toEqual(first)
  expect(carrier.delivered.toSorted()).toEqual(ids)
  expect(await statusesOf(merchant, scenario)).toEqual(ids.map(() => ['sent', null]))
})

test('a batch that a dead worker may have handed over waits whole, and is claimed whole by one worker', async () => {
  const { merchant, scope, scenario, message, ids } = await written(6)
  const carrier = startCarrier({ loses: 0, fixesBatches: true })
  const { db } = okaeri.context
  const [one, other] = [newId(), newId()]
  // Two batches with alternating rows; the first rows of one were never tried.
  const batches = ids.map((_, at) => (at === 0 ? null : at % 2 === 0 ? one : other))
  const tried = batches.map((batch) => batch && okaeri.clock.now())
  await sql`update deliveries d set batch_id = g.batch, attempts = 1, first_tried_at = g.tried
    from unnest(${ids}::uuid[], ${batches}::uuid[], ${tried}::timestamptz[]) as g (id, batch, tried)
    where d.merchant_id = ${merchant.id} and d.id = g.id`.execute(db)
  await okaeri.settle()
  const members = (batch: string) => ids.filter((_, at) => batches[at] === batch)
  expect(carrier.handOvers.map(String).toSorted()).toEqual(
    [[ids[0]], members(one), members(other)].map(String).toSorted(),
  )
  expect(await statusesOf(merchant, scenario)).toEqual(ids.map(() => ['sent', null]))
  expect(await findMessage(scope, message.id)).toMatchObject({ state: 'done' })
})

test('while another worker holds one of a batch, no worker takes the others of it', async () => {
  const { merchant, scenario, ids } = await written(3)
  const carrier = startCarrier({ loses: 0, fixesBatches: true })
  await sql`update deliveries set batch_id = ${newId()}, first_tried_at = now() where merchant_id = ${merchant.id}`.execute(
    okaeri.context.db,
  )
  await okaeri.context.db.transaction().execute(async (other) => {
    await sql`select from deliveries where merchant_id = ${merchant.id} and id = ${ids[1]} for update`.execute(other)
    await okaeri.settle()
    expect(carrier.handOvers).toEqual([])
  })
  await okaeri.settle()
  expect(carrier.handOvers).toEqual([ids])
  expect(await statusesOf(merchant, scenario)).toEqual(ids.map(() => ['sent', null]))
})

test('a batch refused for one of its people is parted until that one is found; the others get it', async () => {
  const { merchant, scenario, ids } = await written(5)
  const carrier = startCarrier({ loses: 0, fixesBatches: true })
  carrier.refuse(ids[1] as string)
  await okaeri.settle()
  expect(carrier.delivered.toSorted()).toEqual(ids.filter((_, at) => at !== 1))
  expect(await statusesOf(merchant, scenario)).toEqual(
    ids.map((_, at) => (at === 1 ? ['failed', 'permanent'] : ['sent', null])),
  )
})

test('in test mode each person is handed over alone', async () => {
  const { ids } = await written(3, { test_mode: true, test_emails: ['team@shop.test'] })
  const carrier = startCarrier({ loses: 0, fixesBatches: true })
  await okaeri.settle()
  expect(carrier.handOvers.flat().toSorted()).toEqual(ids)
  expect(carrier.handOvers.every(({ length }) => length === 1)).toBe(true)
})

test('of many connections none takes some of the batch that another hands over', async () => {
  const { merchant, scenario, ids } = await written(9)
  const carrier = startCarrier({ loses: 0, fixesBatches: true, connections: 8 })
  await okaeri.settle()
  expect(carrier.handOvers.map(({ length }) => length)).toEqual([3, 3, 3])
  expect(carrier.delivered.toSorted()).toEqual(ids)
  expect(await statusesOf(merchant, scenario)).toEqual(ids.map(() => ['sent', null]))
})

test('a fault after the hand-over loses the answer, not what is known of it: it is tried again under the same key', async () => {
  const { merchant, scenario, ids } = await written(3)
  let faults = 1
  const meanwhile = (): Promise<void> => {
    faults -= 1
    return faults < 0 ? Promise.resolve() : Promise.reject(new Error('a fault of ours'))
  }
  const carrier = startCarrier({ loses: 0, fixesBatches: true, meanwhile })
  await expect(okaeri.settle()).rejects.toThrow('a fault of ours')
  expect(await firstTries(merchant.id)).toEqual({ known: 3, batches: 1 })
  await okaeri.settle()
  expect(carrier.handOvers).toEqual([ids, ids])
  expect(carrier.delivered).toEqual(ids)
  expect(await statusesOf(merchant, scenario)).toEqual(ids.map(() => ['sent', null]))
})
async function firstTries(merchantId: string) {
  const { rows } = await sql<{ known: number; batches: number }>`
    select count(first_tried_at)::int as known, count(distinct batch_id)::int as batches
    from deliveries where merchant_id = ${merchantId}`.execute(okaeri.context.db)
  return rows[0]
}

test('while a hand-over hangs another process takes the batch over: the same people, the same key, everybody once', async () => {
  const { merchant, scope, scenario, message, ids } = await written(3)
  const meanwhile = async (handOver: number): Promise<void> => {
    if (handOver > 1) return
    const [lease] = await listLeases(scope)
    await returnLeasedRows(scope, lease as SeenLease, { mayHaveLeft: ids, isSafe: true })
    await deleteLease(scope, (lease as SeenLease).id)
    await sendReleased(okaeri.context, merchant.id, new AbortController().signal)
    expect(await statusesOf(merchant, scenario)).toEqual(ids.map(() => ['sent', null]))
  }
  const carrier = startCarrier({ loses: 1, fixesBatches: true, meanwhile })
  await okaeri.settle()
  expect(carrier.handOvers).toEqual([ids, ids])
  expect(carrier.delivered).toEqual(ids)
  expect(await statusesOf(merchant, scenario)).toEqual(ids.map(() => ['sent', null]))
  expect(await findMessage(scope, message.id)).toMatchObject({ state: 'done' })
})

/** A batch of three that the provider has, and whose answer is lost. */
async function batchUnknown(settings: Parameters<typeof written>[1] = {}) {
  const all = await written(3, settings)
  const carrier = startCarrier({ loses: 1, againIn: 60_000, fixesBatches: true })
  await okaeri.settle()
  expect(carrier.handOvers).toEqual([all.ids])
  const again = async () => {
    okaeri.advance(60_000)
    await okaeri.settle()
  }
  return { ...all, carrier, again }
}

test('who can no longer be written to leaves a batch that may have arrived, and is uncertain; the others are asked for under its key', async () => {
  const { merchant, scenario, ids, carrier, again } = await batchUnknown()
  await sql`update customers c set email = null, email_key = null from deliveries d
    where c.merchant_id = ${merchant.id} and d.merchant_id = c.merchant_id and d.customer_id = c.id and d.id = ${ids[1]}`.execute(
    okaeri.context.db,
  )
  await again()
  expect(carrier.handOvers).toEqual([ids, [ids[0], ids[2]]])
  expect(carrier.delivered).toEqual(ids)
  expect(await statusesOf(merchant, scenario)).toEqual([
    ['sent', null],
    ['uncertain', null],
    ['sent', null],
  ])
})

test('what may have arrived has its place under the cap: it is asked for again, and the next message is not sent', async () => {
  const { merchant, scope, scenario, carrier, again, ids } = await batchUnknown({
    frequency_cap_count: 1,
    frequency_cap_days: 7,
  })
  const [{ customer }] = (
    await sql<{ customer: string }>`select customer_id as customer from deliveries where id = ${ids[0]}`.execute(
      scope.db,
    )
  ).rows as [{ customer: string }]
  const node = { ...nodeOf(scenario, await addEmail(scope)), nodeId: 'later' }
  const [later] = await scope.transaction(async (scope) => {
    const message = (await messageForNode(scope, node)) as NodeMessage
    const mail = { scenarioId: scenario, nodeId: 'later', message, ignoresConsent: true }
    return insertScenarioDeliveries(scope, mail, [visit(customer)])
  })
  await okaeri.settle()
  const fate = await sql`select status, reason from deliveries where id = ${later}`.execute(scope.db)
  expect(fate.rows).toEqual([{ status: 'skipped', reason: 'frequency_cap' }])
  await again()
  expect(carrier.handOvers).toEqual([ids, ids])
  expect((await statusesOf(merchant, scenario)).filter(([status]) => status === 'sent')).toHaveLength(3)
})

test('what may have arrived before test mode was switched on is not repeated to testers', async () => {
  const { merchant, scenario, ids, carrier, again } = await batchUnknown()
  await sql`update merchants set test_mode = true, test_emails = '{team@shop.test}' where id = ${merchant.id}`.execute(
    okaeri.context.db,
  )
  await again()
  expect(carrier.handOvers).toEqual([ids])
  expect(await statusesOf(merchant, scenario)).toEqual(ids.map(() => ['uncertain', null]))
})

test('the checks of the database take just the channels there are', async () => {
  const { rows } = await sql<{ name: string; taken: string[] }>`
    select conrelid::regclass::text as name,
      array(select (regexp_matches(pg_get_constraintdef(oid), '''([^'']+)''', 'g'))[1]) as taken
    from pg_constraint where contype = 'c' and pg_get_constraintdef(oid) ~ '\\mchannel = ANY' order by 1`.execute(
    okaeri.context.db,
  )
  const ofLedger = ['channel_pauses', 'deliveries', 'message_stats', 'messages', 'scenario_stats']
  expect(Object.fromEntries(rows.map(({ name, taken }) => [name, taken]))).toEqual({
    ...Object.fromEntries(ofLedger.map((name) => [name, ChannelName.options])),
    restock_requests: RestockChannel.options,
  })
})
