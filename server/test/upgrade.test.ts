import * as campaigns from '@okaeri/contract/campaigns/routes'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'
import { startSink } from '../bench/smtp-sink.ts'
import { newId } from '../src/kernel/ids.ts'
import { hashToken } from '../src/kernel/keyring.ts'
import { merchantScope } from '../src/kernel/merchant-scope.ts'
import { migrate } from '../src/kernel/database/migrate.ts'
import { guestOf } from '../src/features/guests/index.ts'
import { listEmailHistories } from '../src/features/reports/history.ts'
import { addStats, campaignProgram, resultsOfCampaigns } from '../src/features/stats/index.ts'
import { dumpDatabase, restoreAsOf } from './dumps.ts'
import { addCustomers, addEmail } from './fixtures.ts'
import { createTestDatabase, startTestOkaeri, type TestMerchant } from './harness.ts'

const BEFORE_CHANNELS = '0340_change_numbers_from_outside.sql'
const BEFORE_MAILS_HAD_A_TABLE = '0350_messages_name_their_channel.sql'
const BEFORE_GUESTS_HAD_NO_ROW = '0555_what_the_store_does_with_discounts.sql'
/** The clock of each Okaeri in a test begins at the same time of day: what the first reserved may lie ahead for the second. */
const HOUR = 3_600_000
const people = Array.from({ length: 7 }, (_, n) => ({ email: `upgraded-${n}@a.test` }))

/** The database of an installation as it was after that migration, with a campaign reserved for everybody. */
async function installationAsOf(last: string) {
  const okaeri = await startTestOkaeri()
  try {
    const merchant = await okaeri.merchant()
    const customers = await addCustomers(merchant.scope(), people)
    const campaign = await reserve(merchant)
    const databaseUrl = await createTestDatabase()
    await restoreAsOf(databaseUrl, await dumpDatabase(okaeri.databaseUrl), last)
    return { databaseUrl, merchantId: merchant.id, campaign, customer: customers[0] as string }
  } finally {
    await okaeri.close()
  }
}

async function reserve(merchant: TestMerchant): Promise<string> {
  const body = { name: '春のお知らせ', segment_type: 'all' as const, email_id: await addEmail(merchant.scope()) }
  const { id } = (await merchant.call(campaigns.createCampaign, { body })).campaign
  await merchant.call(campaigns.reserveCampaign, { params: { id }, body: {} })
  return id
}

test('what was reserved before messages named their channel is sent after, and so is what an older worker beside still freezes', async () => {
  const { databaseUrl, merchantId, campaign, customer } = await installationAsOf(BEFORE_CHANNELS)
  expect(await migrate(databaseUrl)).toContain('0350_messages_name_their_channel.sql')
  const sink = await startSink({ port: 0 })
  const okaeri = await startTestOkaeri({ databaseUrl, smtpUrl: `smtp://127.0.0.1:${sink.port}` })
  try {
    const { db } = okaeri.context
    // As the statements of a worker of the previous version write them.
    const older = newId()
    await sql`insert into messages (merchant_id, id, email_id, subject, preheader, from_name, from_email, html, text, links,
        tracking_enabled, state, created_at)
      select merchant_id, ${older}, email_id, subject, preheader, from_name, from_email, html, text, links, false, 'released', created_at
      from messages where merchant_id = ${merchantId} and campaign_id = ${campaign}`.execute(db)
    await sql`insert into deliveries (merchant_id, id, kind, channel, campaign_id, customer_id, message_id, status, address, created_at)
      values (${merchantId}, ${newId()}, 'campaign', 'email', ${newId()}, ${customer}, ${older}, 'pending', 'upgraded-0@a.test', now())`.execute(
      db,
    )
    await sql`insert into mailer_pauses (merchant_id, mailer, until, detail) values (${merchantId}, 'global', now(), 'x')
      on conflict (merchant_id, mailer) do nothing`.execute(db)

    okaeri.advance(HOUR)
    await okaeri.settle()
    expect(sink.countByRecipient()).toEqual(new Map(people.map(({ email }, n) => [email, n === 0 ? 2 : 1])))
    const { rows } = await sql`select status from campaigns where merchant_id = ${merchantId}`.execute(db)
    expect(rows).toEqual([{ status: 'sent' }])
  } finally {
    await okaeri.close()
    await sink.close()
  }
})

/** As the statement by which a process of the previous version reads the mail it is going to send. */
const readAsBefore = sql`subject, preheader, from_name, from_email, reply_to, html, text`

test('a mail frozen before mails had a table is sent from it after, and what an older worker beside freezes is sent and shown too', async () => {
  const { databaseUrl, merchantId, campaign, customer } = await installationAsOf(BEFORE_MAILS_HAD_A_TABLE)
  expect(await migrate(databaseUrl)).toContain('0360_mails_have_a_table.sql')
  const sink = await startSink({ port: 0 })
  const okaeri = await startTestOkaeri({ databaseUrl, smtpUrl: `smtp://127.0.0.1:${sink.port}` })
  try {
    const { db } = okaeri.context
    const mailOf = (table: 'messages' | 'email_contents', id: string) =>
      sql`select ${readAsBefore} from ${sql.table(table)} where merchant_id = ${merchantId}
        and ${sql.ref(table === 'messages' ? 'id' : 'message_id')} = ${id}`.execute(db)
    const { rows: frozen } = await sql<{ id: string }>`select id from messages
      where merchant_id = ${merchantId} and campaign_id = ${campaign}`.execute(db)
    const before = frozen[0]?.id as string
    expect((await mailOf('email_contents', before)).rows).toEqual((await mailOf('messages', before)).rows)
    // Only in the table from here on, as after the columns are gone.
    await sql`update messages set subject = null, from_name = null, from_email = null, html = null, text = null
      where merchant_id = ${merchantId} and id = ${before}`.execute(db)

    const older = newId()
    await sql`insert into messages (merchant_id, id, email_id, subject, preheader, from_name, from_email, reply_to, html, text, links,
        tracking_enabled, tracking_parameters, state, test_mode, channel, created_at)
      select m.merchant_id, ${older}, m.email_id, 'older', e.preheader, e.from_name, e.from_email, e.reply_to, e.html, e.text, m.links,
        false, m.tracking_parameters, 'released', false, 'email', m.created_at
      from messages m join email_contents e on e.merchant_id = m.merchant_id and e.message_id = m.id
      where m.merchant_id = ${merchantId} and m.id = ${before}`.execute(db)
    // Later than what is sent in a moment, whatever the hour is outside.
    const later = new Date(okaeri.clock.now().getTime() + 2 * HOUR)
    await sql`insert into deliveries (merchant_id, id, kind, channel, campaign_id, customer_id, message_id, status, address, created_at)
      values (${merchantId}, okaeri_uuidv7(${later}), 'campaign', 'email', ${newId()}, ${customer}, ${older}, 'pending',
        'upgraded-0@a.test', now())`.execute(db)
    okaeri.advance(HOUR)
    await okaeri.settle()
    expect(sink.countByRecipient()).toEqual(new Map(people.map(({ email }, n) => [email, n === 0 ? 2 : 1])))
    const histories = await listEmailHistories(merchantScope(okaeri.context, merchantId), {
      customer_id: customer,
      limit: 10,
      offset: 0,
    })
    // The newest first.
    expect(histories.data).toMatchObject([
      { status: 'sent', subject: 'older' },
      { status: 'sent', subject: expect.stringContaining('春の新作') },
    ])
  } finally {
    await okaeri.close()
    await sink.close()
  }
})

test('an older worker beside finds the mail that a newer one froze, and adds to the sums that a newer one wrote', async () => {
  const okaeri = await startTestOkaeri()
  try {
    const { db } = okaeri.context
    const merchant = await okaeri.merchant()
    await addCustomers(merchant.scope(), people)
    const campaign = await reserve(merchant)
    const { rows: read } = await sql`select ${readAsBefore} from messages
      where merchant_id = ${merchant.id} and campaign_id = ${campaign}`.execute(db)
    const { rows: kept } = await sql`select ${readAsBefore} from email_contents
      where merchant_id = ${merchant.id}`.execute(db)
    expect(read).toEqual(kept)
    expect(kept).toHaveLength(1)

    const at = new Date('2026-03-01T10:00:00Z')
    const content = newId()
    await addStats(merchant.scope(), [
      { at, program: campaignProgram(campaign), channel: 'email', contentId: content, opened: 1 },
    ])
    await sql`insert into message_stats as s (merchant_id, bucket, program_id, email_id, node_id, opened)
      values (${merchant.id}, ${at}, ${campaign}, ${content}, '', 2)
      on conflict (merchant_id, bucket, program_id, email_id, node_id) do update set opened = s.opened + excluded.opened`.execute(
      db,
    )
    expect((await resultsOfCampaigns(merchant.scope(), [campaign])).get(campaign)?.opened).toBe(3)
  } finally {
    await okaeri.close()
  }
})

test('guests of before who left something keep their id, and rows of those who left nothing go', async () => {
  const before = await startTestOkaeri()
  const databaseUrl = await createTestDatabase()
  let merchantId = ''
  try {
    merchantId = (await before.merchant()).id
    await restoreAsOf(databaseUrl, await dumpDatabase(before.databaseUrl), BEFORE_GUESTS_HAD_NO_ROW)
  } finally {
    await before.close()
  }
  const tokens = ['left-nothing', 'left-a-favorite', 'here-an-hour-ago', 'signed-in'] as const
  const ids = new Map(tokens.map((token) => [token, newId()]))
  const old = new pg.Pool({ connectionString: databaseUrl })
  try {
    for (const token of tokens)
      await old.query(
        `insert into guests (merchant_id, id, token_hash, customer_id, created_at, last_seen_at)
          values ($1, $2, $3, $4, now() - interval '9 days', now() - $5::interval)`,
        [
          merchantId,
          ids.get(token),
          hashToken(token),
          token === 'signed-in' ? newId() : null,
          token === 'here-an-hour-ago' ? '1 hour' : '2 days',
        ],
      )
    await old.query(
      `insert into favorites (merchant_id, id, guest_id, store_product_id, created_at) values ($1, $2, $3, 1, now())`,
      [merchantId, newId(), ids.get('left-a-favorite')],
    )
  } finally {
    await old.end()
  }
  expect(await migrate(databaseUrl)).toContain('0564_guests_who_left_nothing.sql')
  const okaeri = await startTestOkaeri({ databaseUrl })
  try {
    const scope = merchantScope(okaeri.context, merchantId)
    const known = await Promise.all(
      tokens.map(async (token) => (await guestOf(scope, { token })).guestId === ids.get(token)),
    )
    expect(known).toEqual([false, true, true, true])
  } finally {
    await okaeri.close()
  }
})
