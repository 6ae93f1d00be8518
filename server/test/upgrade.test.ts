import * as campaigns from '@okaeri/contract/campaigns/routes'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startSink } from '../bench/smtp-sink.ts'
import { newId } from '../src/kernel/ids.ts'
import { migrate } from '../src/kernel/migrate.ts'
import { dumpDatabase, restoreAsOf } from './dumps.ts'
import { addCustomers, addEmail } from './fixtures.ts'
import { createTestDatabase, startTestOkaeri } from './harness.ts'

const BEFORE_CHANNELS = '0340_change_numbers_from_outside.sql'
const people = Array.from({ length: 7 }, (_, n) => ({ email: `upgraded-${n}@a.test` }))

/** The database of an installation as it was before messages named their channel, with a campaign reserved for everybody. */
async function installationOfBefore() {
  const okaeri = await startTestOkaeri()
  try {
    const merchant = await okaeri.merchant()
    const customers = await addCustomers(merchant.scope(), people)
    const body = { name: '春のお知らせ', segment_type: 'all' as const, email_id: await addEmail(merchant.scope()) }
    const { id: campaign } = (await merchant.call(campaigns.createCampaign, { body })).campaign
    await merchant.call(campaigns.reserveCampaign, { params: { id: campaign }, body: {} })
    const databaseUrl = await createTestDatabase()
    await restoreAsOf(databaseUrl, await dumpDatabase(okaeri.databaseUrl), BEFORE_CHANNELS)
    return { databaseUrl, merchantId: merchant.id, campaign, customer: customers[0] }
  } finally {
    await okaeri.close()
  }
}

test('what was reserved before messages named their channel is sent after, and so is what an older worker beside still freezes', async () => {
  const { databaseUrl, merchantId, campaign, customer } = await installationOfBefore()
  expect(await migrate(databaseUrl)).toContain('0350_messages_name_their_channel.sql')
  const sink = await startSink({ port: 0 })
  const okaeri = await startTestOkaeri({ databaseUrl, smtpUrl: `smtp://127.0.0.1:${sink.port}` })
  try {
    const { db } = okaeri.context
    // As the statements of a worker of before write them.
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

    await okaeri.settle()
    expect(sink.countByRecipient()).toEqual(new Map(people.map(({ email }, n) => [email, n === 0 ? 2 : 1])))
    const { rows } = await sql`select status from campaigns where merchant_id = ${merchantId}`.execute(db)
    expect(rows).toEqual([{ status: 'sent' }])
  } finally {
    await okaeri.close()
    await sink.close()
  }
})
