import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Sink, startSink } from '../bench/smtp-sink.ts'
import { schedule } from '../src/app/schedule.ts'
import { campaignWork } from '../src/features/campaigns/index.ts'
import { recountMails } from '../src/features/customers/index.ts'
import {
  compareWithJournals,
  deliveryWork,
  mayReachPeople,
  readHold,
  sumUpMails,
} from '../src/features/deliveries/index.ts'
import { journalOf } from '../src/features/deliveries/transmit-log/witness.ts'
import { writeValues } from '../src/features/metafields/value-queries.ts'
import { learnIntervals } from '../src/features/orders/index.ts'
import {
  updateMembers,
  updateRemoteMembers,
} from '../src/features/segments/membership/incremental-membership-queries.ts'
import { replaceMembers } from '../src/features/segments/membership/members-queries.ts'
import { storeFetchedMembers } from '../src/features/segments/remote/remote-queries.ts'
import { scoreCustomersNow } from '../src/features/segments/scores.ts'
import { advanceExecutions } from '../src/features/steps/index.ts'
import type { Context } from '../src/kernel/context.ts'
import { isDatabaseAway } from '../src/kernel/database/database-trouble.ts'
import { distribute, migrate } from '../src/kernel/database/migrate.ts'
import { newId } from '../src/kernel/ids.ts'
import { merchantScope, type TransactionScope } from '../src/kernel/merchant-scope.ts'
import { amongAll, type DueWork, eachMerchantWithDue, recurring } from '../src/kernel/work/due-merchants.ts'
import { aReservedCampaign, campaignOf } from './builders/campaign.ts'
import { type Cluster, createJoined, startCluster } from './citus.ts'
import { addCustomers, addEmail } from './fixtures.ts'
import { startTestOkaeri, type TestMerchant } from './harness.ts'
import { addExecutions, addScenario, endNode, flowOf, mailNode, pathOf } from './scenarios.ts'
import { okaeri, withOkaeri } from './with-okaeri.ts'

// A node of the cluster is stopped. The other files need theirs, so this one has a cluster of its own.

const bin = process.env['CITUS_BIN']
let cluster: Cluster
let sink: Sink

function withCluster(): void {
  let databaseUrl = ''
  beforeAll(async () => {
    cluster = await startCluster(bin ?? '')
    databaseUrl = await createJoined(cluster, 'okaeri')
    await migrate(databaseUrl)
    await distribute(databaseUrl)
    sink = await startSink({ port: 0 })
  })
  withOkaeri(() => ({ databaseUrl, smtpUrl: `smtp://127.0.0.1:${sink.port}` }))
  afterAll(async () => {
    await sink.close()
    await cluster.stop()
  })
}

const gotBy = (address: string): number => sink.countByRecipient().get(address) ?? 0

async function nodeOf(merchant: TestMerchant): Promise<number> {
  const rows = await okaeri.query<{ nodeport: number }>`
    select n.nodeport from pg_dist_placement p join pg_dist_node n using (groupid)
    where p.shardid = get_shard_id_for_distribution_column('merchants', ${merchant.id}::uuid)`
  return cluster.urls.findIndex((url) => Number(new URL(url).port) === rows[0]?.nodeport)
}

/** With a member, as every merchant has who signed up. */
async function aMerchant(): Promise<TestMerchant> {
  const merchant = await okaeri.merchant()
  await okaeri.query`insert into sign_in_directory (email_key, merchant_id, member_id)
    values (${`${merchant.id}@a.test`}, ${merchant.id}, ${merchant.memberId})`
  return merchant
}

/** Two merchants on two nodes. */
async function apart(): Promise<[TestMerchant, TestMerchant]> {
  const here = await aMerchant()
  for (;;) {
    const there = await aMerchant()
    if ((await nodeOf(there)) !== (await nodeOf(here))) return [here, there]
  }
}

const isAway = (merchant: TestMerchant): Promise<void> =>
  expect(
    merchant.scope().db.selectFrom('merchants').select('id').where('id', '=', merchant.id).execute(),
  ).rejects.toSatisfy(isDatabaseAway)

/** While `work` runs, the node of the merchant is stopped. */
async function withoutNodeOf(merchant: TestMerchant, work: () => Promise<void>): Promise<void> {
  const node = await nodeOf(merchant)
  cluster.stopNode(node)
  try {
    await isAway(merchant)
    await work()
  } finally {
    cluster.startNode(node)
  }
}

const never = new AbortController().signal
/** A process that does not know yet which nodes answer. */
const anew = (): Context => ({ ...okaeri.context })
/** All that a worker does for campaigns and scenarios, until there is none left. */
async function workAll(context = okaeri.context): Promise<void> {
  for (let worked = true; worked; ) {
    worked = false
    for (const item of [...campaignWork, advanceExecutions, ...deliveryWork])
      worked = (await item.run(context, never)) || worked
  }
}

/** Each buys the same thing again after 30 days, often enough that it is known when they will. */
async function buyOften({ id: merchantId }: TestMerchant, customerIds: readonly string[]): Promise<void> {
  const { db } = okaeri.context
  const days = [100, 70, 40, 10]
  let number = 0
  for (const customerId of customerIds)
    for (const day of days) {
      const [id, at] = [newId(), new Date(okaeri.clock.now().getTime() - day * 86_400_000)]
      await sql`insert into orders (merchant_id, id, store_order_id, customer_id, name, processed_at, total_amount, current_amount, currency)
        values (${merchantId}, ${id}, ${++number}, ${customerId}, '#', ${at}, 1000, 1000, 'JPY')`.execute(db)
      await sql`insert into order_lines (merchant_id, order_id, position, customer_id, store_product_id, title, quantity, amount, processed_at)
        values (${merchantId}, ${id}, 0, ${customerId}, 9001, '茶', 1, 1000, ${at})`.execute(db)
    }
  await sql`update customers set orders_count = 4, orders_amount = 4000, last_order_at = ${okaeri.clock.now()}
    where merchant_id = ${merchantId} and id = any(${[...customerIds]}::uuid[])`.execute(db)
}

/** Someone at the beginning of a scenario of one mail; returns their execution. */
async function atAMail(merchant: TestMerchant, email: string): Promise<string> {
  const scope = merchant.scope()
  const [customerId = ''] = await addCustomers(scope, [{ email }])
  const mail = mailNode('m', await addEmail(scope), 'end')
  const [id = ''] = await addExecutions(scope, await addScenario(scope, flowOf([mail, endNode('end')])), [
    { customerId },
  ])
  return id
}

const ofOneTable: DueWork = {
  name: 'of one table',
  merchants: () => sql`select distinct merchant_id from changed_customers`,
}
const ofTwoTables: DueWork = {
  name: 'of two tables',
  merchants: (_context, among = amongAll) => sql`
    select m.id as merchant_id from merchants m cross join lateral (
      select 1 from changed_customers x
      where x.merchant_id = m.id and ${among('x.merchant_id')} order by x.customer_id limit 1) x`,
  next: () => sql`select null::timestamptz as at from merchants limit 1`,
}

describe.skipIf(!bin)('while a node of the cluster is away', () => {
  withCluster()

  test('campaigns and scenarios of merchants on the others are sent once, and those of its own once it is back', async () => {
    const [here, there] = await apart()
    await addCustomers(here.scope(), [{ email: 'here@a.test' }])
    await addCustomers(there.scope(), [{ email: 'there@a.test' }])
    const [hers, theirs] = [await aReservedCampaign(here), await aReservedCampaign(there)]
    const [her, them] = [await atAMail(here, 'of-here@a.test'), await atAMail(there, 'of-there@a.test')]
    const got = (): number[] => ['here@a.test', 'of-here@a.test', 'there@a.test', 'of-there@a.test'].map(gotBy)
    await withoutNodeOf(there, async () => {
      await workAll()
      expect((await campaignOf(here, hers.id)).status).toBe('sent')
      expect(await pathOf(here, her)).toEqual(['m next', 'end ended'])
      // Who is in the scenario is also in the audience.
      expect(got()).toEqual([1, 2, 0, 0])
    })
    await workAll(anew())
    expect((await campaignOf(there, theirs.id)).status).toBe('sent')
    expect(await pathOf(there, them)).toEqual(['m next', 'end ended'])
    expect(got()).toEqual([1, 2, 1, 2])
  })

  test('what is calculated for a merchant on the others is written', async () => {
    const [here, there] = await apart()
    const scope = here.scope()
    const ids = await addCustomers(scope, [{}, {}, {}, {}, {}])
    const [first = '', second = ''] = ids
    await buyOften(here, ids)
    await sql`insert into deliveries (merchant_id, id, kind, customer_id, message_id, status, created_at, sent_at)
      values (${here.id}, ${newId()}, 'campaign', ${first}, ${newId()}, 'sent', ${scope.now}, ${scope.now})`.execute(
      scope.db,
    )
    const segment = { followed: newId(), replaced: newId(), listed: newId() }
    await sql`update customers set store_customer_id = 77 where merchant_id = ${here.id} and id = ${second}`.execute(
      scope.db,
    )
    await sql`insert into remote_segment_members (merchant_id, segment_id, store_customer_id)
      values (${here.id}, ${segment.listed}, 77), (${here.id}, ${segment.replaced}, 77)`.execute(scope.db)
    const value = {
      settingId: newId(),
      value: 'a',
      number: null,
      at: null,
      texts: [],
      readable: true,
      updatedAt: scope.now,
    }
    const inTransaction = <T>(work: (scope: TransactionScope) => Promise<T>): Promise<T> => scope.transaction(work)
    await withoutNodeOf(there, async () => {
      const is = (id: string) => sql<boolean>`c.id = ${id}`
      const follow = (where: RawBuilder<boolean>) =>
        inTransaction((scope) => updateMembers(scope, [{ id: segment.followed, where }], ids))
      expect(await follow(is(first))).toEqual(new Map([[segment.followed, { entered: [first], left: [] }]]))
      expect(await follow(is(second))).toEqual(new Map([[segment.followed, { entered: [second], left: [first] }]]))
      const replace = (where: RawBuilder<boolean>) =>
        inTransaction((scope) => replaceMembers(scope, segment.replaced, where, { withIds: true }))
      expect(await replace(is(first))).toEqual({ entered: [first], left: [], total: 1, customersTotal: 5 })
      expect(await replace(is(second))).toEqual({ entered: [second], left: [first], total: 1, customersTotal: 5 })
      expect(await inTransaction((scope) => updateRemoteMembers(scope, segment.listed, ids))).toEqual({
        entered: [second],
        left: [],
      })
      expect(await inTransaction((scope) => storeFetchedMembers(scope, segment.replaced))).toMatchObject({
        total: 1,
        unknown: 0,
      })
      expect(await recountMails(scope, ids, sumUpMails)).toEqual([first])
      const write = (customerId: string) => inTransaction((scope) => writeValues(scope, [{ ...value, customerId }]))
      expect(await write(first)).toEqual([{ settingId: value.settingId, customerId: first, value: 'a' }])
      expect(await write(first)).toEqual([])
      await scoreCustomersNow(scope)
      await learnIntervals(scope)
    })
    const { rows } =
      await sql`select (select count(*)::int from customer_scores where merchant_id = ${here.id} and recency > 0) as scored,
      (select count(*)::int from customer_mail_times where merchant_id = ${here.id}) as timed,
      (select days from product_intervals where merchant_id = ${here.id}) as days`.execute(scope.db)
    expect(rows).toEqual([{ scored: 5, timed: 1, days: 30 }])
  })

  test('a process that starts sends for merchants on the others; what left for those of its own is compared first once it is back', async () => {
    const [here, there] = await apart()
    for (const merchant of [here, there]) {
      await addCustomers(merchant.scope(), [{ email: `${merchant.id}@a.test` }])
      await aReservedCampaign(merchant)
    }
    await workAll(anew())
    expect([here, there].map(({ id }) => gotBy(`${id}@a.test`))).toEqual([1, 1])
    const started = anew()
    const scopeOf = ({ id }: TestMerchant) => merchantScope(started, id)
    await withoutNodeOf(there, async () => {
      const another = await startTestOkaeri({
        databaseUrl: okaeri.databaseUrl,
        env: { DATA_DIR: okaeri.context.settings.dataDir },
      })
      await another.close()
      await compareWithJournals(started)
      expect(await readHold(started)).toBeNull()
      await journalOf(started, here.id)
      expect(await mayReachPeople(scopeOf(here))).toBe(true)
      await expect(journalOf(started, there.id)).rejects.toSatisfy(isDatabaseAway)
      expect(await mayReachPeople(scopeOf(there))).toBe(false)
    })
    // It comes back as it was before the mail left.
    await sql`delete from departure_journals where merchant_id = ${there.id}`.execute(started.db)
    expect(await mayReachPeople(scopeOf(there))).toBe(false)
    expect(await readHold(started)).toMatchObject({ because: 'restored' })
    await sql`update ledger_state set held_since = null, held_because = null`.execute(started.db)
    // It is known now.
    await journalOf(started, there.id)
    expect(await readHold(started)).toBeNull()
  })

  test('all kinds of work ask the nodes that are there alone', async () => {
    const [, there] = await apart()
    const failed: string[] = []
    await withoutNodeOf(there, async () => {
      const context = anew()
      for (const { name, take } of schedule)
        await take?.(context, never).catch((error: unknown) => failed.push(`${name}: ${String(error)}`))
    })
    expect(failed).toEqual([])
  })

  test.for([ofOneTable, ofTwoTables])(
    'what is due is found where the question is $name, and asked again',
    async (due) => {
      const [here, there] = await apart()
      for (const { id } of [here, there])
        await okaeri.query`insert into changed_customers (merchant_id, customer_id, changed_at)
        values (${id}, okaeri_uuidv7(now()), now())`
      const turns: string[] = []
      const item = recurring({
        name: 'work',
        everyMs: 1000,
        due,
        turn: ({ merchantId }) => {
          turns.push(merchantId)
          return Promise.resolve(false)
        },
      })
      await withoutNodeOf(there, async () => {
        expect(await item.look?.(anew(), never)).toMatchObject({ worked: false, found: true })
        expect(turns).toContain(here.id)
        expect(turns).not.toContain(there.id)
        // Who has to have asked all merchants is not answered by a part of them.
        await expect(eachMerchantWithDue(okaeri.context, due, never, () => Promise.resolve(true))).rejects.toSatisfy(
          isDatabaseAway,
        )
      })
      await item.look?.(anew(), never)
      expect(turns).toEqual(expect.arrayContaining([here.id, there.id]))
    },
  )
})
