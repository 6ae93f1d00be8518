import { getCustomer, getTimeline, listCustomerOrders } from '@okaeri/contract/customers/routes'
import type { TimelineEntry, TimelinePart } from '@okaeri/contract/customers/timeline'
import { liftSuppression } from '@okaeri/contract/consent/routes'
import { listSuppressions } from '@okaeri/contract/consent/routes'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addExecutions, addScenario, flowOf } from '../../../test/scenarios.ts'
import { merchant, okaeri, withOneMerchant } from '../../../test/with-okaeri.ts'
import { aCustomer } from '../../../test/builders/customer.ts'
import { newId } from '../../kernel/ids.ts'
import { changeConsent, suppress } from '../consent/index.ts'

const HOUR_MS = 3_600_000
withOneMerchant()

const add = async (email: string): Promise<string> => (await aCustomer(merchant, email, { last_name: '加藤' })).id
const timeline = async (id: string, query: Record<string, unknown> = {}) =>
  (await merchant.call(getTimeline, { params: { id }, query })).data
const consent = (customerId: string, to: 'granted' | 'withdrawn', source: 'member' | 'unsubscribe_link') =>
  changeConsent(merchant.scope(), { customerId, kind: 'marketing', to, source })
/** A skipped message, as the ledger would write it now. */
async function skip(customerId: string, reason: string, campaignId = newId()): Promise<void> {
  okaeri.advance(HOUR_MS)
  const { customer } = await merchant.call(getCustomer, { params: { id: customerId } })
  await okaeri.query`insert into deliveries (merchant_id, id, kind, campaign_id, customer_id, message_id, status, reason, address, created_at)
    values (${merchant.id}, ${newId()}, 'campaign', ${campaignId}, ${customerId}, ${newId()},
      ${reason === 'sent' ? 'sent' : 'skipped'}, ${reason === 'sent' ? null : reason}, ${customer.email}, ${okaeri.clock.now()})`
  okaeri.advance(HOUR_MS)
}
const reasons = (entries: readonly TimelineEntry[]) =>
  entries.flatMap((entry) => (entry.kind === 'message' ? [entry.why_not] : [])).reverse()

test('a skipped message says which consent applied then, since when, and who changed it', async () => {
  const id = await add('why@example.jp')
  await skip(id, 'no_consent')
  await consent(id, 'granted', 'member')
  okaeri.advance(HOUR_MS)
  await consent(id, 'withdrawn', 'unsubscribe_link')
  await skip(id, 'no_consent')
  await consent(id, 'granted', 'member')
  // Consent was given when it was prepared, and withdrawn before it could be sent.
  await skip(id, 'no_consent')
  await consent(id, 'withdrawn', 'unsubscribe_link')
  const [never, link, meanwhile] = reasons(await timeline(id))
  expect(never).toMatchObject({ state: 'unknown', since: null, source: null })
  expect(link).toMatchObject({ state: 'withdrawn', source: 'unsubscribe_link', changed_meanwhile: false })
  expect(meanwhile).toMatchObject({ state: 'withdrawn', source: 'unsubscribe_link', changed_meanwhile: true })
})

test('a suppressed message shows the proof in force then, though it was lifted later', async () => {
  const id = await add('gone@example.jp')
  await suppress(merchant.scope(), { address: 'gone@example.jp', reason: 'hard_bounce', detail: '550 unknown user' })
  await skip(id, 'suppressed')
  const [row] = (await merchant.call(listSuppressions, { query: { q: 'gone@' } })).data
  await merchant.call(liftSuppression, { params: { id: row?.id ?? '' }, body: { reason: '戻った' } })
  const entries = await timeline(id)
  expect(reasons(entries)).toMatchObject([
    { decided_by: 'suppression', reason: 'hard_bounce', proof: '550 unknown user', changed_meanwhile: false },
  ])
  expect(entries.map(({ kind }) => kind)).toEqual(['suppression_lifted', 'message', 'suppressed', 'customer_created'])
  expect(entries[0]).toMatchObject({ lift_reason: '戻った', by: `${merchant.id}@shop.test` })
})

test('a duplicate names who got the message instead', async () => {
  const [one, two] = [await add('twin@example.jp'), await add('twin2@example.jp')]
  await okaeri.query`update customers set email = 'twin@example.jp', email_key = 'twin@example.jp' where merchant_id = ${merchant.id} and id = ${two}`
  const campaignId = newId()
  await skip(one, 'sent', campaignId)
  await skip(two, 'duplicate_address', campaignId)
  expect(reasons(await timeline(two))).toMatchObject([{ decided_by: 'other_customer', customer_id: one }])
})

test('messages can be looked at by the channel they went by', async () => {
  const id = await add('ways@example.jp')
  for (const reason of ['no_consent', 'not_linked']) await skip(id, reason)
  await okaeri.query`update deliveries set channel = 'line' where merchant_id = ${merchant.id} and customer_id = ${id} and reason = 'not_linked'`
  const channelsOf = async (part: TimelinePart) =>
    (await timeline(id, { part })).map((entry) => (entry.kind === 'message' ? entry.message.channel : entry.kind))
  expect(await channelsOf('messages')).toEqual(['line', 'email'])
  expect(await channelsOf('emails')).toEqual(['email'])
  expect(await channelsOf('line')).toEqual(['line'])
})

test('everything is in one order, paged without gaps, and can be filtered by kind', async () => {
  const id = await add('busy@example.jp')
  const { db } = okaeri.context
  const at = (hours: number) => new Date(okaeri.clock.now().getTime() + hours * HOUR_MS)
  for (let n = 0; n < 12; n += 1)
    await sql`insert into orders (merchant_id, id, store_order_id, customer_id, name, processed_at, total_amount, current_amount, currency, cancelled_at)
      values (${merchant.id}, ${newId()}, ${9000 + n}, ${id}, ${`#${n}`}, ${at(n % 4)}, 1000, ${n === 2 ? 400 : 1000}, 'JPY', ${n === 3 ? at(9) : null})`.execute(
      db,
    )
  await sql`insert into favorites (merchant_id, id, customer_id, store_product_id, status, created_at, removed_at)
    values (${merchant.id}, ${newId()}, ${id}, 1, 'removed', ${at(1)}, ${at(5)})`.execute(db)
  await sql`insert into restock_requests (merchant_id, id, customer_id, store_product_id, status, created_at, sent_at)
    values (${merchant.id}, ${newId()}, ${id}, 1, 'sent', ${at(2)}, ${at(6)})`.execute(db)
  await sql`insert into checkouts (merchant_id, id, store_checkout_id, customer_id, total_amount, currency, lines, created_at, store_updated_at)
    values (${merchant.id}, ${newId()}, 77, ${id}, 500, 'JPY', '[{"quantity": 2}, {"quantity": 1}]', ${at(3)}, ${at(3)})`.execute(
    db,
  )
  await sql`insert into carts (merchant_id, id, token, customer_id, items_count, created_at, store_updated_at)
    values (${merchant.id}, ${newId()}, 'c1', ${id}, 4, ${at(1)}, ${at(4)})`.execute(db)
  const deliveryId = newId()
  await sql`insert into deliveries (merchant_id, id, kind, customer_id, message_id, status, address, created_at, sent_at)
    values (${merchant.id}, ${deliveryId}, 'campaign', ${id}, ${newId()}, 'sent', 'busy@example.jp', ${at(7)}, ${at(7)})`.execute(
    db,
  )
  await sql`insert into tracking_hits (merchant_id, id, delivery_id, kind, link_position, occurred_at, verdict, evidence, judged_at)
    values (${merchant.id}, ${newId()}, ${deliveryId}, 'click', 0, ${at(8)}, 'machine', 'scanner', ${at(8)})`.execute(
    db,
  )
  const scenarioId = await addScenario(
    merchant.scope(),
    flowOf([{ id: 'n', kind: 'add_note', settings: { text: '常連になりました' }, next: { next: null } }]),
  )
  await addExecutions(merchant.scope(), scenarioId, [{ customerId: id }])
  await okaeri.settle()
  await consent(id, 'granted', 'member')
  const all = await timeline(id, { limit: 200 })
  const kinds = new Set(all.map(({ kind }) => kind))
  for (const kind of [
    'order_placed',
    'order_cancelled',
    'favorite_added',
    'favorite_removed',
    'restock_requested',
    'restock_sent',
  ])
    expect(kinds, kind).toContain(kind)
  const ofScenario = { scenario_id: scenarioId, scenario_name: '購入のお礼' }
  expect(all.find(({ kind }) => kind === 'scenario_entered')).toMatchObject(ofScenario)
  expect(all.find(({ kind }) => kind === 'scenario_step')).toMatchObject({ ...ofScenario, text: '常連になりました' })
  expect(all.find(({ kind }) => kind === 'scenario_ended')).toMatchObject({ ...ofScenario, reason: 'finished' })
  expect(all.find(({ kind }) => kind === 'checkout_started')).toMatchObject({ items_count: 3, total: { amount: 500 } })
  expect(all.find(({ kind }) => kind === 'message_clicked')).toMatchObject({
    channel: 'email',
    verdict: 'machine',
    evidence: 'scanner',
  })
  const times = all.map((entry) => entry.at)
  expect(times).toEqual([...times].sort().reverse())
  const met: string[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: { data: TimelineEntry[]; next: string | null } = await merchant.call(getTimeline, {
      params: { id },
      query: { limit: 3, ...(cursor === undefined ? {} : { cursor }) },
    })
    met.push(...page.data.map((entry) => entry.id))
    cursor = page.next
  }
  expect(met).toEqual(all.map((entry) => entry.id))
  expect(new Set((await timeline(id, { part: 'permissions' })).map(({ kind }) => kind))).toEqual(
    new Set(['consent_changed']),
  )
  expect(
    (await merchant.call(listCustomerOrders, { params: { id }, query: { limit: 5, offset: 10 } })).data,
  ).toHaveLength(2)
})

test('an invalid cursor is refused, and another merchant’s customer is not found', async () => {
  const id = await add('cursor@example.jp')
  for (const cursor of ['x', '\ud83d', Buffer.from('["2026-02-31 00:00:00+00","message:x"]').toString('base64url')])
    await expect(timeline(id, { cursor }), cursor).rejects.toMatchObject({ fields: { cursor: 'invalid' } })
  const other = await okaeri.merchant()
  await expect(other.call(getTimeline, { params: { id }, query: {} })).rejects.toMatchObject({ status: 404 })
  await expect(other.call(listCustomerOrders, { params: { id }, query: {} })).rejects.toMatchObject({ status: 404 })
})
