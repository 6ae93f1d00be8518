import { health } from '@okaeri/contract/system/routes'
import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, expect, test, vi } from 'vitest'
import { aReservedCampaign, campaignOf } from '../../../../test/builders/campaign.ts'
import { addCustomers, addEmail } from '../../../../test/fixtures.ts'
import { takeLease } from '../../../../test/leases.ts'
import { holdRows, untilWaiting } from '../../../../test/locks.ts'
import { onCluster } from '../../../../test/one-node.ts'
import { addScenario, nodeOf, statusesOf, visit, withScenarioMail } from '../../../../test/scenario-mail.ts'
import { okaeri } from '../../../../test/with-okaeri.ts'
import { parseReply } from '../../../integrations/mail/reply.ts'
import { newId } from '../../../kernel/ids.ts'
import {
  channelOf,
  insertScenarioDeliveries,
  messageForNode,
  type NodeMessage,
  resultDefaults,
  sendUncertainAgain,
  withholdCodes,
} from '../index.ts'
import { createLease } from './lease.ts'
import { deleteLease, extendLease, listBehindWatermark, returnLeasedRows, storeResults } from './lease-queries.ts'
import type { ResultRow } from '../rows.ts'
import { recoverLeases } from './recovery.ts'
import { sendReleased } from './sending.ts'
import { readAccepted } from '../transmit-log/transmit-log.ts'

withScenarioMail()
afterEach(() => {
  vi.useRealTimers()
})

const sent = (id: string): ResultRow => ({
  id,
  status: 'sent',
  reason: null,
  detail: '250 Ok',
  nextAttemptAt: null,
  countsAttempt: true,
  sentAt: okaeri.clock.now(),
  filledSubject: null,
  batchId: null,
})

const transmitOf = (delivery: string) => ({ delivery, customer: null, execution: null, round: null })

/** Five deliveries of one message, all `sending` under one lease. */
async function leased() {
  const merchant = await okaeri.merchant()
  const scope = merchant.scope()
  const people = await addCustomers(
    scope,
    Array.from({ length: 5 }, (_, n) => ({ email: `leased-${n}@held.test` })),
  )
  const scenario = await addScenario(merchant)
  const emailId = await addEmail(scope)
  const message = (await scope.transaction((scope) => messageForNode(scope, nodeOf(scenario, emailId)))) as NodeMessage
  const rows = await scope.transaction((scope) =>
    insertScenarioDeliveries(
      scope,
      { scenarioId: scenario, nodeId: 'mail', message, ignoresConsent: false },
      people.map((id) => visit(id)),
    ),
  )
  const { leaseId: id, transmitLog } = await takeLease(scope, message.id)
  await sql`update deliveries set status = 'sending', lease_id = ${id}, attempts = 1
    where merchant_id = ${merchant.id} and scenario_id = ${scenario}`.execute(okaeri.context.db)
  const program = { kind: 'scenario', id: scenario, nodeId: 'mail' } as const
  const lease = {
    leaseId: id,
    messageId: message.id,
    merchantInTestMode: false,
    codeDoubts: 0,
    seconds: 60,
    journalId: transmitLog.journalId,
    program,
    transmitLog,
    channel: channelOf(okaeri.context, 'email'),
  }
  return { merchant, scope, scenario, message, lease, ids: rows.toSorted() as string[] }
}

test('of a dead worker’s rows those up to the mark have an unknown fate unless a result came; those behind it have not left', async () => {
  const { merchant, scope, scenario, message, lease, ids } = await leased()
  const cleared = (to: string | null) => extendLease(scope, { ...lease, watermark: to })
  expect(await cleared(ids[2] as string)).toMatchObject({ is_ours: true, may_send: true })
  // A sign of life, or a mark further back, takes nothing back that may have left.
  await cleared(null)
  await cleared(ids[1] as string)
  expect(await storeResults(scope, lease, [sent(ids[0] as string)])).toEqual({ is_ours: true, may_send: true })
  const expired = { id: lease.leaseId, message_id: message.id, watermark: ids[2] as string }
  const uncertain = await listBehindWatermark(scope, expired)
  expect(uncertain.toSorted()).toEqual([ids[1], ids[2]])
  await returnLeasedRows(scope, expired, { mayHaveLeft: uncertain, isSafe: false })
  await deleteLease(scope, lease.leaseId)
  const after = [
    ['sent', null],
    ['uncertain', null],
    ['uncertain', null],
    ['pending', null],
    ['pending', null],
  ]
  expect(await statusesOf(merchant, scenario)).toEqual(after)
  // The fence: a worker that was only slow can no longer write.
  expect(await cleared(ids[4] as string)).toMatchObject({ is_ours: false, may_send: true })
  expect(await storeResults(scope, lease, [sent(ids[3] as string)])).toEqual({ is_ours: false, may_send: true })
  expect(await statusesOf(merchant, scenario)).toEqual(after)
})

test.each(['scenario', 'campaign'] as const)(
  'codes that a %s’s mails show are doubted while a worker has claimed them: what it cleared may leave, the rest goes back',
  async (kind) => {
    const { merchant, scope, scenario, message, lease, ids } = await leased()
    const { db } = okaeri.context
    const campaignId = newId()
    await sql`update messages set uses_coupon = true, campaign_id = ${kind === 'campaign' ? campaignId : null},
        scenario_id = case when ${kind === 'campaign'} then null else scenario_id end
      where merchant_id = ${merchant.id} and id = ${message.id}`.execute(db)
    const held = createLease(scope, { ...lease, id: lease.leaseId })
    const [first, second] = ids as [string, string]
    expect(await held.advanceWatermark(first)).toBe(true)
    await withholdCodes(scope, { campaignId: kind === 'campaign' ? campaignId : null })
    // Before it knows of it.
    expect(held.mayTransmit([transmitOf(first)])).toBe(true)
    held.report(sent(first))
    expect(await held.advanceWatermark(second)).toBe(false)
    expect(held.mayTransmit([transmitOf(second)])).toBe(false)
    await held.end()
    expect((await statusesOf(merchant, scenario)).map(([status]) => status)).toEqual([
      'sent',
      'pending',
      'pending',
      'pending',
      'pending',
    ])
  },
)

test('of a dead worker’s rows those its journal says were taken are sent, at the time they were taken, and are counted', async () => {
  const { merchant, scope, scenario, message, lease, ids } = await leased()
  const { db } = okaeri.context
  const [first, second, third, fourth] = ids as [string, string, string, string]
  const { transmitLog } = lease
  await extendLease(scope, { ...lease, watermark: fourth })
  transmitLog.begin({ id: lease.leaseId, program: scenario, node: 'mail', channel: 'email' })
  const takenAt = new Date(okaeri.clock.now().getTime() - 3_600_000)
  transmitLog.add([transmitOf(first)])
  transmitLog.accepted(first, takenAt)
  transmitLog.add([transmitOf(second)])
  // Nothing leaves after it, so its end is not on file.
  transmitLog.accepted(second, takenAt)
  const { journalId } = transmitLog
  const { dataDir } = okaeri.context.settings
  const onFile = (id: number) => [...readAccepted(dataDir, merchant.id, { id, journal_id: journalId }).keys()]
  expect([onFile(lease.leaseId), onFile(lease.leaseId + 1)]).toEqual([[first], []])
  vi.useFakeTimers({ toFake: ['performance', 'Date'], now: Date.now() })
  for (let second = 0; second < 15; second += 1) {
    expect(await recoverLeases(okaeri.context, merchant.id)).toBe(false)
    vi.advanceTimersByTime(1000)
  }
  expect(await recoverLeases(okaeri.context, merchant.id)).toBe(true)
  vi.useRealTimers()
  const { rows } = await sql`select id, status, sent_at, lease_id is null as free from deliveries
    where merchant_id = ${merchant.id} order by id`.execute(db)
  const rest = { sent_at: null }
  expect(rows).toEqual([
    { id: first, status: 'sent', sent_at: takenAt, free: true },
    { ...rest, id: second, status: 'uncertain', free: false },
    { ...rest, id: third, status: 'uncertain', free: false },
    { ...rest, id: fourth, status: 'uncertain', free: false },
    { ...rest, id: ids[4], status: 'pending', free: true },
  ])
  const { rows: counted } = await sql<{ from: Date }>`select uncounted_from as "from" from messages
    where id = ${message.id}`.execute(db)
  expect(counted[0]?.from).toEqual(takenAt)
})

test('that a mail was taken stands in the journal when the next one leaves', async () => {
  const { merchant, scope, scenario, lease, ids } = await leased()
  const held = createLease(scope, { ...lease, id: lease.leaseId })
  const [first, second, third] = ids as [string, string, string]
  lease.transmitLog.begin({ id: lease.leaseId, program: scenario, node: 'mail', channel: 'email' })
  await held.advanceWatermark(third)
  held.mayTransmit([transmitOf(first)])
  const { sentAt } = sent(first)
  held.report({ ...sent(first), sentAt })
  held.report({ ...resultDefaults(second), status: 'failed', reason: 'permanent' })
  const journal = { id: lease.leaseId, journal_id: lease.journalId }
  const onFile = () => readAccepted(okaeri.context.settings.dataDir, merchant.id, journal)
  expect(onFile()).toEqual(new Map())
  held.mayTransmit([transmitOf(third)])
  expect(onFile()).toEqual(new Map([[first, sentAt]]))
  await held.end()
})

test('what a mail said to its recipient is kept with its result, but not if the person was erased while it was on its way', async () => {
  const { merchant, scope, lease, ids } = await leased()
  const [theirs, forgotten] = ids as [string, string]
  await sql`update deliveries set customer_id = null, address = null where merchant_id = ${merchant.id} and id = ${forgotten}`.execute(
    okaeri.context.db,
  )
  const said = { filledSubject: '山田様へ', detail: '250 <yamada@held.test> Ok' }
  await storeResults(
    scope,
    lease,
    [theirs, forgotten].map((id) => ({ ...sent(id), ...said })),
  )
  const { rows } = await sql`select id, status, filled_subject, detail from deliveries
    where merchant_id = ${merchant.id} and id = any(${[theirs, forgotten]}::uuid[]) order by id`.execute(
    okaeri.context.db,
  )
  expect(rows).toEqual([
    { id: theirs, status: 'sent', filled_subject: said.filledSubject, detail: said.detail },
    { id: forgotten, status: 'sent', filled_subject: null, detail: null },
  ])
})

test('a body leaves only when its delivery is cleared, and none when the lease is gone', async () => {
  const { scope, lease, ids } = await leased()
  const held = createLease(scope, { ...lease, id: lease.leaseId })
  const [first, second, third] = ids as [string, string, string]
  expect(held.mayTransmit([transmitOf(first)])).toBe(false)
  expect(await held.advanceWatermark(second)).toBe(true)
  expect([first, second, third].map((id) => held.mayTransmit([transmitOf(id)]))).toEqual([true, true, false])
  await deleteLease(scope, lease.leaseId)
  expect(await held.advanceWatermark(third)).toBe(false)
  expect([first, second, third].map((id) => held.mayTransmit([transmitOf(id)]))).toEqual([false, false, false])
  await held.end()
})

test.each<['performance' | 'Date', string]>([
  ['performance', 'frozen'],
  ['Date', 'on a machine that slept'],
])(
  'a worker that was away for longer than its lease lets nothing leave before it gave a sign of life (%s: %s)',
  async (clock) => {
    const { scope, lease, ids } = await leased()
    const held = createLease(scope, { ...lease, id: lease.leaseId })
    const [first, second] = ids as [string, string]
    vi.useFakeTimers({ toFake: [clock], now: Date.now() })
    expect(await held.advanceWatermark(second)).toBe(true)
    vi.advanceTimersByTime(59_000)
    expect(held.mayTransmit([transmitOf(first)])).toBe(true)
    vi.advanceTimersByTime(2_000)
    expect(held.mayTransmit([transmitOf(second)])).toBe(false)
    expect(await held.advanceWatermark(second)).toBe(true)
    expect(held.mayTransmit([transmitOf(second)])).toBe(true)
    await held.end()
  },
)

test('a message stopped, or test mode switched, keeps back what was cleared', async () => {
  const { merchant, scope, lease, ids, message } = await leased()
  const extend = () => extendLease(scope, { ...lease, watermark: ids[0] as string })
  await sql`update merchants set test_mode = true where id = ${merchant.id}`.execute(okaeri.context.db)
  expect(await extend()).toMatchObject({ is_ours: true, may_send: false })
  await sql`update merchants set test_mode = false where id = ${merchant.id}`.execute(okaeri.context.db)
  expect(await extend()).toMatchObject({ is_ours: true, may_send: true })
  await sql`update messages set state = 'held' where merchant_id = ${merchant.id} and id = ${message.id}`.execute(
    okaeri.context.db,
  )
  expect(await extend()).toMatchObject({ is_ours: true, may_send: false })
})

test('while answers cannot be stored no more is cleared than a worker’s death may leave uncertain', async () => {
  const { merchant, scope, scenario, lease, ids } = await leased()
  const held = createLease(scope, { ...lease, id: lease.leaseId })
  const [first, second] = ids as [string, string]
  expect(await held.advanceWatermark(first)).toBe(true)
  const row = await holdRows(okaeri, 'select from deliveries where merchant_id = $1 and id = $2 for update', [
    merchant.id,
    first,
  ])
  held.report(sent(first))
  await untilWaiting(okaeri)
  for (let i = 0; i < 201; i += 1) held.report(sent(newId()))
  let open: boolean | null = null
  const clearing = held.advanceWatermark(second).then((answer) => (open = answer))
  // A sign of life goes the way the clearing would have gone, and is through: the lease itself is not what is held.
  expect(await extendLease(scope, { ...lease, watermark: null })).toMatchObject({ is_ours: true, may_send: true })
  expect([open, held.mayTransmit([transmitOf(second)])]).toEqual([null, false])
  await row.release()
  await clearing
  expect([open, held.mayTransmit([transmitOf(second)])]).toEqual([true, true])
  held.report(sent(second))
  await held.end()
  expect((await statusesOf(merchant, scenario)).slice(0, 2)).toEqual([
    ['sent', null],
    ['sent', null],
  ])
})

test('where trying again is safe answers wait for others, so that many share a commit, but not for long', async () => {
  const { merchant, scope, scenario, lease, ids } = await leased()
  vi.useFakeTimers({ toNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance', 'Date'] })
  const held = createLease(scope, { ...lease, channel: channelOf(okaeri.context, 'line'), id: lease.leaseId })
  const [first, second, third] = ids as [string, string, string]
  for (const id of [first, second]) {
    held.report(sent(id))
    expect(await held.advanceWatermark(id)).toBe(true)
  }
  const sending = ['sending', null]
  const stored = ['sent', null]
  expect((await statusesOf(merchant, scenario)).slice(0, 3)).toEqual([sending, sending, sending])
  const row = await holdRows(okaeri, 'select from deliveries where merchant_id = $1 and id = $2 for update', [
    merchant.id,
    first,
  ])
  vi.advanceTimersByTime(100)
  vi.useRealTimers()
  await untilWaiting(okaeri)
  await row.release()
  held.report(sent(third))
  await held.end()
  expect((await statusesOf(merchant, scenario)).slice(0, 3)).toEqual([stored, stored, stored])
})

test('a claim whose commit arrives when the lease ends is not left behind', async () => {
  const { merchant, scope, scenario, lease } = await leased()
  const of = [merchant.id, lease.leaseId]
  await sql`update deliveries set status = 'pending', lease_id = null where merchant_id = ${merchant.id}`.execute(
    okaeri.context.db,
  )
  const held = createLease(scope, { ...lease, id: lease.leaseId })
  const claim = new pg.Client({ connectionString: okaeri.databaseUrl })
  await claim.connect()
  await claim.query('begin')
  await claim.query('select from delivery_leases where merchant_id = $1 and id = $2 for key share', of)
  await claim.query(`update deliveries set status = 'sending', lease_id = $2, attempts = 1 where merchant_id = $1`, of)
  const ending = held.end()
  await untilWaiting(okaeri)
  await claim.query('commit')
  await claim.end()
  await ending
  expect(await statusesOf(merchant, scenario)).toEqual(Array.from({ length: 5 }, () => ['pending', null]))
})

test('a server’s words are stored whatever signs are in them', async () => {
  const { merchant, scope, scenario, lease, ids } = await leased()
  const { text } = parseReply(['250-2.0.0 taken\0 in', '250 \u00e9\u0007 as A\0B'])
  await storeResults(scope, lease, [{ ...sent(ids[0] as string), detail: text }])
  expect((await statusesOf(merchant, scenario))[0]).toEqual(['sent', null])
})

test('a worker that lost its lease while frozen tells what it knows: what was answered, and what never left', async () => {
  const { merchant, scope, scenario, message, lease, ids } = await leased()
  const held = createLease(scope, { ...lease, id: lease.leaseId })
  const [first, second, third] = ids as [string, string, string]
  await held.advanceWatermark(third)
  expect([first, second].map((id) => held.mayTransmit([transmitOf(id)]))).toEqual([true, true])
  // Another took it over meanwhile, and could not know which had left.
  await returnLeasedRows(
    scope,
    { id: lease.leaseId, message_id: message.id },
    { mayHaveLeft: [first, second, third], isSafe: false },
  )
  await deleteLease(scope, lease.leaseId)
  await sql`update messages set state = 'done' where id = ${message.id}`.execute(okaeri.context.db)
  held.report(sent(first))
  await held.end()
  expect(await statusesOf(merchant, scenario)).toEqual([
    ['sent', null],
    ['uncertain', null],
    ['pending', null],
    ['pending', null],
    ['pending', null],
  ])
  const { rows } = await sql<{ state: string }>`select state from messages where id = ${message.id}`.execute(
    okaeri.context.db,
  )
  expect(rows[0]?.state).not.toBe('done')
})

test('a worker that wakes when its message is done and the campaign not yet: who got nothing is sent it', async () => {
  const merchant = await okaeri.merchant()
  const scope = merchant.scope()
  const { db } = okaeri.context
  await addCustomers(
    scope,
    Array.from({ length: 3 }, (_, n) => ({ email: `woken-${n}@held.test` })),
  )
  const scheduled_at = new Date(okaeri.clock.now().getTime() + 3_600_000).toISOString()
  const { id } = await aReservedCampaign(merchant, { send_type: 'scheduled', scheduled_at })
  await okaeri.settle()
  const { rows } = await sql<{ id: string; message_id: string }>`
    select id, message_id from deliveries where merchant_id = ${merchant.id} order by id`.execute(db)
  const messageId = rows[0]?.message_id as string
  const ids = rows.map(({ id }) => id)
  const { leaseId, transmitLog } = await takeLease(scope, messageId)
  await sql`update campaigns set status = 'sending', started_at = ${scope.now} where id = ${id}`.execute(db)
  await sql`update deliveries set status = 'sending', lease_id = ${leaseId}, attempts = 1
    where merchant_id = ${merchant.id}`.execute(db)
  const program = { kind: 'campaign', id, nodeId: null } as const
  const channel = channelOf(okaeri.context, 'email')
  const held = createLease(scope, {
    id: leaseId,
    messageId,
    program,
    channel,
    merchantInTestMode: false,
    codeDoubts: 0,
    seconds: 60,
    transmitLog,
  })
  await held.advanceWatermark(ids[2] as string)
  // Another took all for uncertain, and found nothing left to send.
  await returnLeasedRows(scope, { id: leaseId, message_id: messageId }, { mayHaveLeft: ids, isSafe: false })
  await deleteLease(scope, leaseId)
  await sql`update messages set state = 'done' where id = ${messageId}`.execute(db)
  await held.end()
  await okaeri.settle()
  expect((await campaignOf(merchant, id)).balance).toMatchObject({ sent: 3, skipped: 0, uncertain: 0 })
  expect((await campaignOf(merchant, id)).status).toBe('sent')
})

test('what a person has sent again since is not taken back by a worker that wakes up', async () => {
  const { merchant, scope, scenario, message, lease, ids } = await leased()
  const held = createLease(scope, { ...lease, id: lease.leaseId })
  await held.advanceWatermark(ids[1] as string)
  await returnLeasedRows(
    scope,
    { id: lease.leaseId, message_id: message.id },
    { mayHaveLeft: ids.slice(0, 2), isSafe: false },
  )
  await deleteLease(scope, lease.leaseId)
  await scope.transaction((scope) => sendUncertainAgain(scope, scenario))
  const other = await takeLease(scope, message.id)
  await sql`update deliveries set status = 'sending', lease_id = ${other.leaseId} where id = ${ids[0]}`.execute(
    okaeri.context.db,
  )
  await returnLeasedRows(
    scope,
    { id: other.leaseId, message_id: message.id },
    { mayHaveLeft: [ids[0] as string], isSafe: false },
  )
  await held.end()
  expect((await statusesOf(merchant, scenario)).slice(0, 2)).toEqual([
    ['uncertain', null],
    ['pending', null],
  ])
})

test('on a full disk no body leaves, the lease is given back in order, and health tells it until there is room', async () => {
  const { merchant, scope, scenario, lease, ids } = await leased()
  const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
  const transmitLog = {
    ...lease.transmitLog,
    position: lease.transmitLog.position,
    add: () => {
      throw full
    },
  }
  const held = createLease(scope, { ...lease, transmitLog, id: lease.leaseId })
  await held.advanceWatermark(ids[1] as string)
  expect([held.mayTransmit([transmitOf(ids[0] as string)]), held.open]).toEqual([false, false])
  expect(await okaeri.call(health, {})).toMatchObject({ sending: 'stands' })
  await held.end()
  expect(await statusesOf(merchant, scenario)).toEqual(Array.from({ length: 5 }, () => ['pending', null]))
  await okaeri.settle()
  expect(await okaeri.call(health, {})).toMatchObject({ sending: 'goes_on' })
  expect((await statusesOf(merchant, scenario)).every(([status]) => status === 'sent')).toBe(true)
})

test.skipIf(onCluster)(
  'while the disk of the database is full, what needs no writing does not tell that sending goes on',
  async () => {
    const [full, other] = [await leased(), await leased()]
    for (const { scope, lease, merchant } of [full, other]) {
      await deleteLease(scope, lease.leaseId)
      await sql`update deliveries set status = 'pending', lease_id = null where merchant_id = ${merchant.id}`.execute(
        okaeri.context.db,
      )
    }
    await sql`update members set email_confirmed_at = null where merchant_id = ${other.merchant.id}`.execute(
      okaeri.context.db,
    )
    await sql`create function is_full() returns trigger language plpgsql as
    $$ begin raise exception 'No space left on device' using errcode = '53100'; end $$`.execute(okaeri.context.db)
    await sql`create trigger is_full before insert on delivery_leases for each statement execute function is_full()`.execute(
      okaeri.context.db,
    )
    const send = ({ merchant }: typeof full) => sendReleased(okaeri.context, merchant.id, new AbortController().signal)
    await send(full)
    await send(other)
    expect(await okaeri.call(health, {})).toMatchObject({ sending: 'stands' })
    await sql`drop function is_full cascade`.execute(okaeri.context.db)
    await send(full)
    expect(await okaeri.call(health, {})).toMatchObject({ sending: 'goes_on' })
  },
)

test.each([-3_600_000, 0, 3_600_000])(
  'a lease runs out when its beat stood still for as long as it lasts, with clocks moved by %i ms meanwhile',
  async (moved) => {
    const { merchant, scope, scenario, lease } = await leased()
    vi.useFakeTimers({ toFake: ['performance', 'Date'], now: Date.now() })
    const look = () => recoverLeases(okaeri.context, merchant.id)
    const lookFor = async (seconds: number) => {
      for (let second = 0; second < seconds; second += 1) {
        expect(await look()).toBe(false)
        vi.advanceTimersByTime(1000)
      }
    }
    await lookFor(14)
    vi.setSystemTime(Date.now() + moved)
    await extendLease(scope, { ...lease, watermark: null })
    await lookFor(15)
    expect(await look()).toBe(true)
    expect((await statusesOf(merchant, scenario)).every(([status]) => status === 'pending')).toBe(true)
  },
)

test('a watcher that was away itself begins again', async () => {
  const { merchant } = await leased()
  vi.useFakeTimers({ toFake: ['performance', 'Date'], now: Date.now() })
  expect(await recoverLeases(okaeri.context, merchant.id)).toBe(false)
  vi.advanceTimersByTime(60_000)
  expect(await recoverLeases(okaeri.context, merchant.id)).toBe(false)
})
