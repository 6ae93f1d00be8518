import { sql } from 'kysely'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { aCampaign, campaignOf } from '../../../../test/builders/campaign.ts'
import { addCustomers, addEmail, GOOD_HTML } from '../../../../test/fixtures.ts'
import { onCluster } from '../../../../test/one-node.ts'
import { merchant, okaeri, withSandboxStore } from '../../../../test/with-okaeri.ts'
import * as routes from '@okaeri/contract/campaigns/routes'
import { newId, NIL_ID } from '../../../kernel/ids.ts'
import type { MerchantScope } from '../../../kernel/merchant-scope.ts'
import { hasWanted, markAsked, selectWanted, settleCodes } from '../../coupons/code-creation-queries.ts'
import { listWithoutVariables } from '../../deliveries/index.ts'

withSandboxStore({
  seed: { customers: 0, products: 0, orders: 0 },
  settings: { test_mode: false },
  switches: { throttling: false },
})

const coupon = {
  prefix: 'COST',
  ratio_percent: 10,
  valid_days: 14,
  minimum: { kind: 'none' },
  applies_to: { kind: 'all' },
} as const
/** The store makes one with the discount, and then so many at a call. */
const IN_A_BULK = 250
const HTML = GOOD_HTML.replace('</p>', '</p><p>{{ coupon.code }}</p>')

/** The statements about codes and the rows that show them, from the confirmation until all are made. */
async function statementsFor(bulks: number): Promise<number> {
  await okaeri.query`delete from customers where merchant_id = ${merchant.id}`
  const people = Array.from({ length: 1 + bulks * IN_A_BULK }, (_, at) => ({ email: `cost-${bulks}-${at}@code.test` }))
  await addCustomers(merchant.scope(), people)
  const email_id = await addEmail(merchant.scope(), { content: HTML })
  const scheduled_at = new Date(okaeri.context.clock.now().getTime() + 3_600_000).toISOString()
  const { id } = await aCampaign(merchant, { email_id, coupon, send_type: 'scheduled', scheduled_at })
  await okaeri.settle()
  const query = vi.spyOn(pg.Client.prototype, 'query')
  await merchant.call(routes.reserveCampaign, { params: { id }, body: {} })
  await okaeri.settle()
  const texts = query.mock.calls.map(([said]) =>
    typeof said === 'string' ? said : ((said as { text?: string }).text ?? ''),
  )
  query.mockRestore()
  expect(await campaignOf(merchant, id)).toMatchObject({ status: 'reserved' })
  const { coupons } = await merchant.call(routes.getCampaignCoupons, { params: { id } })
  expect(coupons).toMatchObject({ total: people.length, made: people.length })
  await merchant.call(routes.cancelCampaign, { params: { id } })
  await okaeri.settle()
  // What is only looked at while it waits for the store depends on the machine.
  return texts.filter((text) => /\b(update|into|from) coupons\b|deliveries d set variables/.test(text)).length
}

test('each 250 codes more take as many statements, whether they are the first or the last', async () => {
  const [one, two, four] = [await statementsFor(1), await statementsFor(2), await statementsFor(4)]
  expect((four - two) / 2).toBe(two - one)
  // The next codes and noting that they were asked for; those asked for, what came of them, whether there are more, and the messages that say them.
  expect(two - one).toBe(6)
})

/** What this transaction has read of a table so far. */
async function rowsRead({ db }: MerchantScope, table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (seq_tup_read + idx_tup_fetch)::int as count from pg_stat_xact_user_tables where relname = ${table}`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}
const readIn = async (scope: MerchantScope, table: string, run: () => Promise<unknown>): Promise<number> => {
  const before = await rowsRead(scope, table)
  await run()
  return (await rowsRead(scope, table)) - before
}

// The database has counted nothing yet: its planner takes the table for small.
test.skipIf(onCluster)('of thousands of codes just written down, the store’s answer for 250 reads those', async () => {
  await merchant.scope().transaction(async (scope) => {
    const [discountId, campaignId, now] = [newId(), newId(), scope.now]
    await sql`insert into coupons (merchant_id, id, discount_id, code, status, campaign_id, customer_id, issued_at, created_at)
      select ${merchant.id}, okaeri_uuidv7(${now}), ${discountId}, 'COUNT' || n, 'wanted', ${campaignId}, okaeri_uuidv7(${now}), ${now}, ${now}
      from generate_series(1, 4000) n`.execute(scope.db)
    for (const bulkId of ['first', 'second', 'third']) {
      let wanted: { id: string }[] = []
      const read = await readIn(scope, 'coupons', async () => {
        wanted = await selectWanted(
          scope,
          { id: discountId, campaign_id: campaignId },
          { bulkId: null, limit: IN_A_BULK },
        )
        await markAsked(scope, discountId, { ids: wanted.map(({ id }) => id), bulkId })
        await selectWanted(scope, { id: discountId, campaign_id: campaignId }, { bulkId, limit: IN_A_BULK })
        await settleCodes(
          scope,
          discountId,
          wanted.map(({ id }) => ({ id, error: null })),
        )
        await hasWanted(scope, discountId)
      })
      expect(wanted).toHaveLength(IN_A_BULK)
      // Four statements; and what this transaction itself has changed is passed over, which after its end it would not be.
      expect(read).toBeLessThan(2000)
    }
  })
})

test.skipIf(onCluster)(
  'whether a recipient lacks a code is read from the waiting deliveries of the message, not from the ledger',
  async () => {
    await merchant.scope().transaction(async (scope) => {
      const [messageId, others, now] = [newId(), newId(), scope.now]
      for (const [id, count] of [
        [others, 4000],
        [messageId, 50],
      ] as const)
        await sql`insert into deliveries (merchant_id, id, message_id, customer_id, status, kind, channel, created_at)
        select ${merchant.id}, okaeri_uuidv7(${now}), ${id}, okaeri_uuidv7(${now}), 'pending', 'campaign', 'email', ${now}
        from generate_series(1, ${count}::int)`.execute(scope.db)
      const read = await readIn(scope, 'deliveries', async () => {
        expect(await listWithoutVariables(scope, messageId, { after: NIL_ID, limit: 100 })).toHaveLength(50)
      })
      expect(read).toBe(50)
    })
  },
)
