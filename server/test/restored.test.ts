import fs from 'node:fs'
import { hostname } from 'node:os'
import path from 'node:path'
import * as campaigns from '@okaeri/contract/campaigns/routes'
import { getSettings } from '@okaeri/contract/merchants/routes'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { type Sink, startSink } from '../bench/smtp-sink.ts'
import { dumpDatabase, restoreDatabase } from './dumps.ts'
import { addCustomers, addEmail } from './fixtures.ts'
import { startTestOkaeri, type TestMerchant, type TestOkaeri } from './harness.ts'
import { addExecutions, addScenario, flowOf } from './scenarios.ts'
import { aCampaign, campaignOf } from './builders/campaign.ts'
import { releaseSending, reportHold } from '../src/app/sending-hold.ts'
import { markFolderAlive } from '../src/features/deliveries/transmit-log/witness.ts'
import { compareWithJournals, readHold } from '../src/features/deliveries/index.ts'

const PEOPLE = 25

async function withRestorable(work: (world: World) => Promise<void>): Promise<void> {
  const sink = await startSink({ port: 0 })
  const okaeri = await startTestOkaeri({ smtpUrl: `smtp://127.0.0.1:${sink.port}` })
  try {
    const merchant = await okaeri.merchant()
    await addCustomers(
      merchant.scope(),
      Array.from({ length: PEOPLE }, (_, n) => ({ email: `restored-${n}@a.test` })),
    )
    await work({ sink, okaeri, merchant })
  } finally {
    await okaeri.close()
    await sink.close()
  }
}
interface World {
  sink: Sink
  okaeri: TestOkaeri
  merchant: TestMerchant
}

const draft = async ({ merchant }: World): Promise<string> => (await aCampaign(merchant)).id
const reserve = ({ merchant }: World, id: string) =>
  merchant.call(campaigns.reserveCampaign, { params: { id }, body: {} })
const most = ({ sink }: World): number => Math.max(0, ...sink.countByRecipient().values())

test.each(['before it was reserved', 'when it was reserved'])(
  'a dump taken %s sends a campaign to no one a second time: sending is on hold, and after a look all who got it are uncertain',
  (moment) =>
    withRestorable(async (world) => {
      const { okaeri, merchant, sink } = world
      const id = await draft(world)
      if (moment === 'when it was reserved') {
        await reserve(world, id)
        await okaeri.query`update campaigns set scheduled_at = scheduled_at + interval '1 hour' where id = ${id}`
        await okaeri.settle()
      }
      const dump = await dumpDatabase(okaeri.databaseUrl)
      if (moment === 'when it was reserved')
        await okaeri.query`update campaigns set scheduled_at = scheduled_at - interval '1 hour' where id = ${id}`
      else await reserve(world, id)
      await okaeri.settle()
      expect(sink.countByRecipient().size).toBe(PEOPLE)

      await restoreDatabase(okaeri.databaseUrl, dump)
      // One more, who was not there when it was sent: no one is lost.
      await addCustomers(merchant.scope(), moment === 'when it was reserved' ? [] : [{ email: 'new@a.test' }])
      if (moment === 'when it was reserved')
        await okaeri.query`update campaigns set scheduled_at = scheduled_at - interval '1 hour' where id = ${id}`
      else await reserve(world, id)
      await okaeri.settle()
      expect(sink.countByRecipient().size).toBe(PEOPLE)
      await okaeri.settle()
      expect(await campaignOf(world.merchant, id)).toMatchObject({ status: 'waiting', wait_reason: 'sending_held' })
      const pages = async () => (await merchant.call(getSettings, {})).sending_hold
      expect(await pages()).toMatchObject({ because: 'restored' })
      expect(await reportHold(okaeri.context)).toContain(
        `${PEOPLE} people were sent campaign "春のお知らせ" (merchant ${merchant.id}); of these messages ${PEOPLE} wait here and become uncertain.`,
      )

      await releaseSending(okaeri.context, { uncertain: false })
      expect(await pages()).toBeNull()
      await okaeri.settle()
      const { status, balance } = await campaignOf(world.merchant, id)
      expect({ status, balance }).toMatchObject({
        status: 'sent',
        balance: { uncertain: PEOPLE, pending: 0, sent: moment === 'when it was reserved' ? 0 : 1 },
      })
      expect(most(world)).toBe(1)

      // A person may decide that a second mail is better than none.
      await merchant.call(campaigns.resendUncertain, { params: { id }, body: { uncertain_seen: PEOPLE } })
      await okaeri.settle()
      expect((await campaignOf(world.merchant, id)).balance).toMatchObject({ uncertain: 0 })
      expect(most(world)).toBe(2)
    }),
)

test('a scenario’s mails of a forgotten time are not sent again, whether the database knows their executions or not', () =>
  withRestorable(async (world) => {
    const { okaeri, merchant, sink } = world
    const scope = merchant.scope()
    const email_id = await addEmail(scope)
    const scenarioId = await addScenario(
      scope,
      flowOf([
        { id: 'm', kind: 'send_email', settings: { email_id, tracking_parameters: null }, next: { next: 'e' } },
        { id: 'e', kind: 'end', settings: {}, next: {} },
      ]),
    )
    const rows = await okaeri.query<{ id: string }>`select id from customers where merchant_id = ${merchant.id}`
    const [known, unknown] = [rows.slice(0, 10), rows.slice(10)]
    await addExecutions(
      scope,
      scenarioId,
      known.map(({ id }) => ({ customerId: id })),
    )
    const dump = await dumpDatabase(okaeri.databaseUrl)
    await addExecutions(
      scope,
      scenarioId,
      unknown.map(({ id }) => ({ customerId: id })),
    )
    await okaeri.settle()
    expect(sink.countByRecipient().size).toBe(PEOPLE)
    await restoreDatabase(okaeri.databaseUrl, dump)
    await okaeri.settle()
    // Of those who are not in it, nothing waits.
    expect(await reportHold(okaeri.context)).toContain(
      `${PEOPLE} people were sent scenario "購入のお礼" (merchant ${merchant.id}); of these messages 10 wait here and become uncertain.`,
    )
    await addExecutions(
      scope,
      scenarioId,
      unknown.map(({ id }) => ({ customerId: id })),
    )
    await okaeri.settle()
    await releaseSending(okaeri.context, { uncertain: false })
    await okaeri.settle()
    expect(most(world)).toBe(1)
    // A customer who enters once more later is mailed.
    await addExecutions(
      scope,
      scenarioId,
      unknown.slice(0, 3).map(({ id }) => ({ customerId: id })),
    )
    await okaeri.settle()
    expect([...sink.countByRecipient().values()].filter((count) => count === 2)).toHaveLength(3)
  }))

test('a copy of the data folder that was put back holds sending, one that was only moved beside its original does not', () =>
  withRestorable(async (world) => {
    const { okaeri, sink } = world
    const { context } = okaeri
    const folder = path.join(context.settings.dataDir, 'departures')
    const id = await draft(world)
    await reserve(world, id)
    await okaeri.settle()
    expect(sink.countByRecipient().size).toBe(PEOPLE)
    const backup = `${folder}.backup`
    const again = () => compareWithJournals(context)

    // Moved to another disk: the original is there, and nothing happened in it since.
    fs.cpSync(folder, backup, { recursive: true, preserveTimestamps: true })
    const { dataDir } = context.settings
    const elsewhere = path.join(dataDir, 'elsewhere')
    fs.mkdirSync(elsewhere)
    fs.cpSync(folder, path.join(elsewhere, 'departures'), { recursive: true, preserveTimestamps: true })
    context.settings.dataDir = elsewhere
    await again()
    expect(await readHold(context)).toBeNull()
    context.settings.dataDir = dataDir

    // With the database in it, that one was copied too, and the original may be sending.
    fs.mkdirSync(path.join(elsewhere, 'postgres'))
    fs.rmSync(path.join(elsewhere, 'departures'), { recursive: true })
    fs.cpSync(folder, path.join(elsewhere, 'departures'), { recursive: true, preserveTimestamps: true })
    // Copied while it ran: the database a little later than the folder.
    await sql`update ledger_state set folders = (select jsonb_object_agg(key, value::bigint + 5) from jsonb_each_text(folders))`.execute(
      context.db,
    )
    context.settings.dataDir = elsewhere
    await again()
    expect(await readHold(context)).toMatchObject({ because: 'copied' })
    expect(await reportHold(context)).toContain('--uncertain is right')
    await releaseSending(context, { uncertain: true })
    context.settings.dataDir = dataDir

    // The folder lives on, and so does the database: an older copy put back is no older database.
    await again()
    fs.rmSync(folder, { recursive: true })
    fs.cpSync(backup, folder, { recursive: true, preserveTimestamps: true })
    await again()
    expect(await readHold(context)).toBeNull()

    // Both put back, as they were at the same moment.
    const dump = await sql<{ folders: unknown }>`select folders from ledger_state`.execute(context.db)
    fs.rmSync(backup, { recursive: true })
    fs.cpSync(folder, backup, { recursive: true, preserveTimestamps: true })
    await again()
    fs.rmSync(folder, { recursive: true })
    fs.cpSync(backup, folder, { recursive: true, preserveTimestamps: true })
    await sql`update ledger_state set folders = ${JSON.stringify(dump.rows[0]?.folders)}::jsonb`.execute(context.db)
    await again()
    expect(await readHold(context)).toMatchObject({ because: 'copied' })
    // It is reported once: after the release the folder is one of its own.
    await releaseSending(context, { uncertain: true })
    await again()
    expect(await readHold(context)).toBeNull()
  }))

test('a data folder put back under a worker that runs is noticed by it, before it makes the folder one of its own', () =>
  withRestorable(async (world) => {
    const { context } = world.okaeri
    const folder = path.join(context.settings.dataDir, 'departures')
    const backup = `${folder}.backup`
    await reserve(world, await draft(world))
    await world.okaeri.settle()
    const putBack = () => {
      fs.rmSync(folder, { recursive: true })
      fs.cpSync(backup, folder, { recursive: true, preserveTimestamps: true })
    }
    fs.cpSync(folder, backup, { recursive: true, preserveTimestamps: true })
    await markFolderAlive(context)
    // The database has moved on since: no older one was put back with it.
    putBack()
    await markFolderAlive(context)
    expect(await readHold(context)).toBeNull()

    fs.rmSync(backup, { recursive: true })
    fs.cpSync(folder, backup, { recursive: true, preserveTimestamps: true })
    putBack()
    await markFolderAlive(context)
    expect(await readHold(context)).toMatchObject({ because: 'copied' })
  }))

test('of a campaign whose audience was not written yet when the copy was made, everybody is uncertain too', () =>
  withRestorable(async (world) => {
    const { okaeri, sink } = world
    const id = await draft(world)
    await reserve(world, id)
    expect(await campaignOf(world.merchant, id)).toMatchObject({ status: 'reserving' })
    await okaeri.query`update ledger_state set held_since = now(), held_because = 'copied'`
    const report = await releaseSending(okaeri.context, { uncertain: true })
    expect(report).toContain(`${PEOPLE} people of campaign "春のお知らせ" are uncertain now.`)
    await okaeri.settle()
    expect(await campaignOf(world.merchant, id)).toMatchObject({
      status: 'sent',
      balance: { uncertain: PEOPLE, sent: 0 },
    })
    expect(sink.countByRecipient().size).toBe(0)
  }))

test('of a campaign that was under way everybody is uncertain too, though the machine’s clock is before its time now', () =>
  withRestorable(async (world) => {
    const { okaeri, sink } = world
    const id = await draft(world)
    await reserve(world, id)
    await okaeri.query`update ledger_state set held_since = now(), held_because = 'copied'`
    await okaeri.settle()
    expect(await campaignOf(world.merchant, id)).toMatchObject({ status: 'waiting' })
    const hours = 2 * 3_600_000
    okaeri.advance(-hours)
    await releaseSending(okaeri.context, { uncertain: true })
    okaeri.advance(hours)
    await okaeri.settle()
    expect(await campaignOf(world.merchant, id)).toMatchObject({
      status: 'sent',
      balance: { uncertain: PEOPLE, sent: 0 },
    })
    expect(sink.countByRecipient().size).toBe(0)
  }))

test('a start, a second one, and a database with no word of it yet hold nothing', () =>
  withRestorable(async (world) => {
    const { context } = world.okaeri
    await sql`update ledger_state set home = null`.execute(context.db)
    for (const _ of [1, 2]) await compareWithJournals(context)
    expect(await readHold(context)).toBeNull()
    // A template that was copied before anything was sent.
    await sql`update ledger_state set home = split_part(home, '/', 1) || '/1/' || split_part(home, '/', 3)`.execute(
      context.db,
    )
    await compareWithJournals(context)
    expect(await readHold(context)).toBeNull()
    // Put back from a dump: the table is another.
    await sql`update ledger_state set home = split_part(home, '/', 1) || '/' || split_part(home, '/', 2) || '/1'`.execute(
      context.db,
    )
    await compareWithJournals(context)
    expect(await readHold(context)).toMatchObject({ because: 'restored' })
  }))

test('a worker that has not reported what it sent is named, also where its clock is ahead of the one that found the dump', () =>
  withRestorable(async (world) => {
    const { context } = world.okaeri
    const { dataDir } = context.settings
    const id = await draft(world)
    await reserve(world, id)
    const ahead = new Date(context.clock.realNow().getTime() + 600_000)
    vi.spyOn(context.clock, 'realNow').mockReturnValue(ahead)
    await world.okaeri.settle()
    vi.restoreAllMocks()
    expect(world.sink.countByRecipient().size).toBe(PEOPLE)
    await sql`update ledger_state set home = split_part(home, '/', 1) || '/' || split_part(home, '/', 2) || '/1'`.execute(
      context.db,
    )
    context.settings.dataDir = path.join(dataDir, 'of another machine')
    await compareWithJournals(context)
    expect(await reportHold(context)).toContain(`${hostname()}:${dataDir}\n`)
    context.settings.dataDir = dataDir
    await compareWithJournals(context)
    expect(await reportHold(context)).not.toContain(hostname())
  }))
