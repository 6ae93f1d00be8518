import type net from 'node:net'
import * as campaigns from '@okaeri/contract/campaigns/routes'
import { listEmailHistories } from '@okaeri/contract/emails/routes'
import { changeSettings } from '@okaeri/contract/merchants/routes'
import { getDashboard } from '@okaeri/contract/reports/routes'
import { sql } from 'kysely'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addCustomers, addEmail, GOOD_HTML } from '../../../test/fixtures.ts'
import { startTestOkaeri, type TestMerchant, type TestOkaeri } from '../../../test/harness.ts'
import { newId } from '../../kernel/ids.ts'
import type { TransactionScope } from '../../kernel/merchant-scope.ts'
import { resultsOfNodes, resultsOfScenarios } from '../stats/index.ts'
import {
  cancelMailOfExecutions,
  countUncertainOf,
  holdScenarioMail,
  insertScenarioDeliveries,
  joinDeliveries,
  listScenarioDeliveries,
  type MailingNode,
  messageForNode,
  type NodeMessage,
  releaseScenarioMail,
  type ScenarioRecipient,
  sendUncertainAgain,
} from './index.ts'
import { deleteLease, flushLease, insertLease, returnLeasedRows } from './lease-queries.ts'

interface Got extends Email {
  recipients: string[]
}
let got: Got[] = []
/** Addresses at which the connection breaks after the body. */
let dropped = new Set<string>()
let server: SMTPServer
let okaeri: TestOkaeri
beforeAll(async () => {
  server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onData(stream, session, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const recipients = session.envelope.rcptTo.map(({ address }) => address)
        if (recipients.some((address) => dropped.has(address))) {
          const connection = [...server.connections].find((one) => (one as { id?: string }).id === session.id)
          return (connection as unknown as { _socket: net.Socket })._socket.destroy()
        }
        void PostalMime.parse(Buffer.concat(chunks)).then((mail) => {
          got.push({ ...mail, recipients })
          callback()
        })
      })
    },
  })
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.server.address() as net.AddressInfo).port))
  })
  okaeri = await startTestOkaeri({ smtpUrl: `smtp://127.0.0.1:${port}` })
})
afterAll(async () => {
  await okaeri.close()
  await new Promise<void>((resolve) => server.close(() => resolve()))
})
beforeEach(() => {
  got = []
  dropped = new Set()
})

async function addScenario(merchant: TestMerchant): Promise<string> {
  const id = newId()
  const now = okaeri.clock.now()
  await sql`insert into scenarios (merchant_id, id, name, status, mode, version, trigger_kind, created_at, updated_at)
    values (${merchant.id}, ${id}, 'お誕生日', 'active', 'flow', 1, 'birthday', ${now}, ${now})`.execute(
    okaeri.context.db,
  )
  return id
}
const nodeOf = (scenarioId: string, emailId: string, over: Partial<MailingNode> = {}): MailingNode => ({
  scenarioId,
  nodeId: 'mail',
  version: 1,
  emailId,
  trackingParameters: null,
  priority: 'normal',
  postPurchase: false,
  forTests: false,
  ...over,
})
const visit = (customerId: string | null, over: Partial<ScenarioRecipient> = {}): ScenarioRecipient => ({
  executionId: newId(),
  round: 1,
  customerId,
  variables: null,
  skip: null,
  ...over,
})
async function write(
  scope: TransactionScope,
  node: MailingNode,
  visits: readonly ScenarioRecipient[],
  ignoresConsent = false,
): Promise<string[]> {
  const message = (await messageForNode(scope, node)) as NodeMessage
  const { scenarioId, nodeId } = node
  return insertScenarioDeliveries(scope, { scenarioId, nodeId, message, ignoresConsent }, visits)
}
const writeNow = (merchant: TestMerchant, node: MailingNode, visits: readonly ScenarioRecipient[], toAll = false) =>
  merchant.scope().transaction((scope) => write(scope, node, visits, toAll))
async function statusesOf(merchant: TestMerchant, scenarioId: string): Promise<[string, string | null][]> {
  const { rows } = await sql<{ status: string; reason: string | null }>`select status, reason from deliveries
    where merchant_id = ${merchant.id} and scenario_id = ${scenarioId} order by id`.execute(okaeri.context.db)
  return rows.map(({ status, reason }) => [status, reason])
}
const HOUR = 3_600_000
const AGENT = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148'

test('a scenario’s mails go through the ledger: consent, suppression, hold-out and missing addresses are named', async () => {
  const merchant = await okaeri.merchant()
  const people = await addCustomers(merchant.scope(), [
    { email: 'a@x.test' },
    { email: 'no@x.test', marketing_state: 'withdrawn' },
    { email: null },
    { email: 'held@x.test' },
  ])
  const scenario = await addScenario(merchant)
  const emailId = await addEmail(merchant.scope())
  const visits = [
    ...people.map((id, index) => visit(id, index === 3 ? { skip: 'holdout' } : {})),
    visit(null),
    visit(newId()),
  ]
  const ids = await writeNow(merchant, nodeOf(scenario, emailId), visits)
  expect(new Set(ids).size).toBe(6)
  await okaeri.settle()
  expect(got.map(({ recipients }) => recipients)).toEqual([['a@x.test']])
  expect(await statusesOf(merchant, scenario)).toEqual([
    ['sent', null],
    ['skipped', 'no_consent'],
    ['skipped', 'no_address'],
    ['skipped', 'holdout'],
    ['skipped', 'no_address'],
    ['skipped', 'customer_gone'],
  ])
  const { data } = await listScenarioDeliveries(
    merchant.scope(),
    { id: scenario, name: 'お誕生日' },
    { limit: 10, offset: 0 },
  )
  expect(data[0]).toMatchObject({
    kind: 'scenario',
    scenario_id: scenario,
    scenario_name: 'お誕生日',
    node_id: 'mail',
    campaign_name: null,
  })
  const histories = await merchant.call(listEmailHistories, { query: { customer_id: people[0] as string } })
  expect(histories.data[0]).toMatchObject({ scenario_id: scenario, scenario_name: 'お誕生日', campaign_id: null })
  expect((await resultsOfScenarios(merchant.scope(), [scenario])).get(scenario)?.sent).toBe(1)
  expect(await resultsOfNodes(merchant.scope(), scenario)).toMatchObject([{ node_id: 'mail', sent: 1 }])
  const { rows } = await sql<{ sent: number }>`select email_sent_count as sent from customers
    where merchant_id = ${merchant.id} and id = ${people[0] as string}`.execute(okaeri.context.db)
  expect(rows[0]?.sent).toBe(1)
})

test('a scenario for everyone mails those without consent too, never the suppressed', async () => {
  const merchant = await okaeri.merchant()
  const people = await addCustomers(merchant.scope(), [
    { email: 'no@x.test', marketing_state: 'withdrawn' },
    { email: 'gone@x.test' },
  ])
  await sql`insert into suppressions (merchant_id, id, address_key, reason, created_at)
    values (${merchant.id}, gen_random_uuid(), 'gone@x.test', 'hard_bounce', now())`.execute(okaeri.context.db)
  const scenario = await addScenario(merchant)
  await writeNow(
    merchant,
    nodeOf(scenario, await addEmail(merchant.scope())),
    people.map((id) => visit(id)),
    true,
  )
  await okaeri.settle()
  expect(await statusesOf(merchant, scenario)).toEqual([
    ['sent', null],
    ['skipped', 'suppressed'],
  ])
})

test('one visit of a node is one mail, however often it is written', async () => {
  const merchant = await okaeri.merchant()
  const [id] = await addCustomers(merchant.scope(), [{ email: 'once@x.test' }])
  const scenario = await addScenario(merchant)
  const node = nodeOf(scenario, await addEmail(merchant.scope()))
  const one = visit(id as string)
  const first = await writeNow(merchant, node, [one])
  await okaeri.settle()
  expect(await writeNow(merchant, node, [one, { ...one, round: 2 }])).toEqual([first[0], expect.any(String)])
  await okaeri.settle()
  expect(got).toHaveLength(2)
})

test('a mail changed later is another message for those who come later', async () => {
  const merchant = await okaeri.merchant()
  const people = await addCustomers(merchant.scope(), [{}, {}, {}])
  const scenario = await addScenario(merchant)
  const emailId = await addEmail(merchant.scope(), { subject: 'before' })
  const node = nodeOf(scenario, emailId)
  await writeNow(merchant, node, [visit(people[0] as string)])
  await sql`update emails set subject = 'after' where merchant_id = ${merchant.id} and id = ${emailId}`.execute(
    okaeri.context.db,
  )
  await writeNow(merchant, node, [visit(people[1] as string)])
  await writeNow(merchant, node, [visit(people[2] as string)])
  await okaeri.settle()
  expect(got.map(({ subject }) => subject).filter((subject) => subject === 'after')).toHaveLength(2)
  expect(got).toHaveLength(3)
  const { rows } = await sql`select from messages where merchant_id = ${merchant.id}`.execute(okaeri.context.db)
  expect(rows).toHaveLength(2)
})

test('a mail edited while it is being frozen is frozen as one state of it', async () => {
  const merchant = await okaeri.merchant()
  const scenario = await addScenario(merchant)
  const emailId = await addEmail(merchant.scope(), { subject: 'before' })
  const node = nodeOf(scenario, emailId)
  const freeze = async () => (await merchant.scope().transaction((scope) => messageForNode(scope, node))) as NodeMessage
  const waiting = async (): Promise<number> =>
    (
      await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        okaeri.context.db,
      )
    ).rows.length
  const { freezing } = await merchant.scope().transaction(async (scope) => {
    await sql`lock table messages in access exclusive mode`.execute(scope.db)
    const freezing = freeze()
    await expect.poll(waiting).toBe(1)
    await sql`update emails set subject = 'after', content = replace(content, '</p>', 'edited</p>')
      where merchant_id = ${merchant.id} and id = ${emailId}`.execute(okaeri.context.db)
    return { freezing }
  })
  const { id } = await freezing
  const { rows } = await sql<{ subject: string; html: string }>`select subject, html from messages
    where merchant_id = ${merchant.id} and id = ${id}`.execute(okaeri.context.db)
  expect(rows[0]?.html).toContain('edited')
  expect(rows[0]?.subject).toBe('after')
  expect((await freeze()).id).toBe(id)
})

test('a deleted email is told, not sent', async () => {
  const merchant = await okaeri.merchant()
  const scenario = await addScenario(merchant)
  expect(await merchant.scope().transaction((scope) => messageForNode(scope, nodeOf(scenario, newId())))).toMatchObject(
    {
      missing: 'email_gone',
    },
  )
})

test('rows written while the message is being found done are sent all the same', async () => {
  const merchant = await okaeri.merchant()
  const people = await addCustomers(
    merchant.scope(),
    Array.from({ length: 12 }, () => ({})),
  )
  const scenario = await addScenario(merchant)
  const node = nodeOf(scenario, await addEmail(merchant.scope()))
  // Written, but not yet committed, while the senders find nothing left to do.
  for (const id of people.slice(0, 2)) {
    let sending: Promise<void> = Promise.resolve()
    await merchant.scope().transaction(async (scope) => {
      await write(scope, node, [visit(id)])
      sending = okaeri.settle()
      await new Promise((resolve) => setTimeout(resolve, 150))
    })
    await sending
    await okaeri.settle()
  }
  // And in any order.
  await Promise.all([...people.slice(2).map((id) => writeNow(merchant, node, [visit(id)])), okaeri.settle()])
  await okaeri.settle()
  expect(got).toHaveLength(12)
  const { rows } = await sql<{ state: string }>`select state from messages where merchant_id = ${merchant.id}`.execute(
    okaeri.context.db,
  )
  expect(rows).toEqual([{ state: 'done' }])
})

test('event and coupon are filled in for each recipient, in the text and in links that are counted', async () => {
  const merchant = await okaeri.merchant()
  const people = await addCustomers(merchant.scope(), [{ email: 'one@x.test' }, { email: 'two@x.test' }])
  const scenario = await addScenario(merchant)
  const emailId = await addEmail(merchant.scope(), {
    subject: '{{ event.order_name }} の続き',
    content: GOOD_HTML.replace(
      '</p>',
      `</p><p>{{ event.items }} {{ event.total }} / {{ coupon.code }} {{ coupon.ratio }}% {{ coupon.expires_at }}</p>
      {% for line in event.lines %}<b>{{ line.title }}:{{ line.quantity }}</b>{% endfor %}
      <a id="cart" href="{{ event.recovery_url }}">戻る</a> <a id="use" href="https://shop.test/discount/[coupon]?redirect=/">使う</a>`,
    ),
  })
  const variables = (code: string) => ({
    event: {
      order_name: '#7',
      amount: 1980,
      currency: 'JPY',
      recovery_url: `https://shop.test/cart?key=${code}`,
      lines: [
        { store_product_id: 1, store_variant_id: null, title: 'カップ', quantity: 2 },
        { store_product_id: 2, store_variant_id: null, title: '<皿>', quantity: 1 },
      ],
    },
    coupon: { code, ratio_percent: 10, expires_at: '2026-12-24T14:59:59.000Z' },
  })
  await writeNow(merchant, nodeOf(scenario, emailId), [
    visit(people[0] as string, { variables: variables('AAA') }),
    visit(people[1] as string, { variables: variables('BBB') }),
  ])
  await okaeri.settle()
  const mail = got.find(({ recipients }) => recipients[0] === 'two@x.test')
  expect(mail?.subject).toBe('#7 の続き')
  expect(mail?.html).toContain('カップ × 2、&lt;皿&gt; × 1 ￥1,980 / BBB 10% 2026年12月24日')
  expect(mail?.html).toContain('<b>カップ:2</b><b>&lt;皿&gt;:1</b>')
  const target = async (id: string): Promise<string | null> => {
    const [, href = ''] = new RegExp(`id="${id}" href="([^"]+)"`).exec(mail?.html ?? '') ?? []
    expect(href).toMatch(/\/c\//)
    return (await fetch(href, { redirect: 'manual', headers: { 'user-agent': AGENT } })).headers.get('location')
  }
  okaeri.advance(60_000)
  expect(await target('use')).toContain('https://shop.test/discount/BBB?redirect=/&utm_source=okaeri')
  okaeri.advance(10_000)
  expect(await target('cart')).toContain('https://shop.test/cart?key=BBB&utm_source=okaeri')
  okaeri.advance(10_000)
  await okaeri.settle()
  expect(await resultsOfNodes(merchant.scope(), scenario)).toMatchObject([{ sent: 2, opened: 1, clicked: 1 }])
})

test('an order after a click is credited to the scenario and its node, and taken out again when it is cancelled', async () => {
  const merchant = await okaeri.merchant()
  const [id = ''] = await addCustomers(merchant.scope(), [{ email: 'buyer@x.test' }])
  const scenario = await addScenario(merchant)
  await writeNow(merchant, nodeOf(scenario, await addEmail(merchant.scope())), [visit(id)])
  await okaeri.settle()
  const [, href = ''] = /href="([^"]*\/c\/[^"]*)"/.exec(got[0]?.html ?? '') ?? []
  okaeri.advance(60_000)
  await fetch(href, { redirect: 'manual', headers: { 'user-agent': AGENT } })
  okaeri.advance(60_000)
  const order = newId()
  const processedAt = okaeri.clock.now()
  const { publish } = okaeri.context
  const about = { orderId: order, customerId: id, amount: 5000, currency: 'JPY' }
  const placed = { ...about, emailKey: 'buyer@x.test', processedAt, landingSite: null }
  await publish(merchant.scope(), 'orders.placed', { orders: [placed] })
  const brought = { orders: 1, revenue: 5000, clicked: 1, opened: 1 }
  expect(await resultsOfNodes(merchant.scope(), scenario)).toMatchObject([{ node_id: 'mail', ...brought }])
  expect((await resultsOfScenarios(merchant.scope(), [scenario])).get(scenario)).toMatchObject(brought)
  const { figures } = await merchant.call(getDashboard, { query: {} })
  expect(figures).toMatchObject({ sent: 1, clicked: 1, orders: 1 })
  await publish(merchant.scope(), 'order.cancelled', about)
  expect(await resultsOfNodes(merchant.scope(), scenario)).toMatchObject([{ orders: 0, revenue: 0, clicked: 1 }])
})

test('a campaign is not sent with tags that only scenarios fill', async () => {
  const merchant = await okaeri.merchant()
  await addCustomers(merchant.scope(), [{}])
  const email_id = await addEmail(merchant.scope(), {
    content: GOOD_HTML.replace('</p>', '</p><p>{{ coupon.code }}</p>'),
  })
  const { campaign } = await merchant.call(campaigns.createCampaign, {
    body: { name: 'x', segment_type: 'all', email_id },
  })
  const params = { id: campaign.id }
  const { review } = await merchant.call(campaigns.reviewCampaign, { params, query: {} })
  expect(review.findings).toContainEqual({ code: 'needs_scenario', level: 'blocks', detail: 'coupon' })
  await expect(merchant.call(campaigns.reserveCampaign, { params, body: {} })).rejects.toMatchObject({
    reason: 'preflight_failed',
  })
})

test('tests go to the test addresses alone, and without any they are not sent', async () => {
  const merchant = await okaeri.merchant({ test_emails: ['team@shop.test'] })
  const [id] = await addCustomers(merchant.scope(), [{ email: 'someone@x.test', marketing_state: 'withdrawn' }])
  const scenario = await addScenario(merchant)
  const node = nodeOf(scenario, await addEmail(merchant.scope()), { forTests: true })
  await writeNow(merchant, node, [visit(id as string), visit(null)])
  await okaeri.settle()
  expect(got.map(({ recipients }) => recipients)).toEqual([['team@shop.test'], ['team@shop.test']])
  expect(got[0]?.subject).toContain('someone@x.test')
  await sql`update merchants set test_emails = '{}' where id = ${merchant.id}`.execute(okaeri.context.db)
  await writeNow(merchant, node, [visit(id as string)])
  await okaeri.settle()
  expect(got).toHaveLength(2)
  expect((await statusesOf(merchant, scenario))[2]).toEqual(['skipped', 'no_test_address'])
  expect((await resultsOfScenarios(merchant.scope(), [scenario])).get(scenario)?.sent).toBe(0)
})

test('in test mode nothing reaches a customer, and only the first mails of a message go out at all', async () => {
  const merchant = await okaeri.merchant({ test_mode: true, test_emails: ['team@shop.test'] })
  const people = await addCustomers(
    merchant.scope(),
    Array.from({ length: 60 }, () => ({})),
  )
  const scenario = await addScenario(merchant)
  const node = nodeOf(scenario, await addEmail(merchant.scope()))
  await writeNow(
    merchant,
    node,
    people.map((id) => visit(id)),
  )
  await okaeri.settle()
  expect(new Set(got.flatMap(({ recipients }) => recipients))).toEqual(new Set(['team@shop.test']))
  const { testModeCap } = okaeri.context.settings
  expect(got).toHaveLength(testModeCap)
  expect((await statusesOf(merchant, scenario)).filter(([, reason]) => reason === 'test_cap')).toHaveLength(
    60 - testModeCap,
  )
})

test('mails wait for the allowed sending hours; after a purchase they need not', async () => {
  const merchant = await okaeri.merchant({ timezone: 'Asia/Tokyo' })
  const hour = (ms: number): string => {
    const local = new Date(okaeri.clock.now().getTime() + 9 * HOUR + ms)
    return `${String(local.getUTCHours()).padStart(2, '0')}:00`
  }
  const sending_hours = { enabled: true, start: hour(2 * HOUR), end: hour(4 * HOUR), exclude_post_purchase: true }
  await merchant.call(changeSettings, { body: { userSetting: { sending_hours } } })
  const [one, two] = await addCustomers(merchant.scope(), [{ email: 'later@x.test' }, { email: 'now@x.test' }])
  const scenario = await addScenario(merchant)
  const emailId = await addEmail(merchant.scope())
  await writeNow(merchant, nodeOf(scenario, emailId), [visit(one as string)])
  await writeNow(merchant, nodeOf(scenario, emailId, { nodeId: 'thanks', postPurchase: true }), [visit(two as string)])
  await okaeri.settle()
  expect(got.map(({ recipients }) => recipients)).toEqual([['now@x.test']])
  okaeri.advance(2 * HOUR)
  await okaeri.settle()
  expect(got.map(({ recipients }) => recipients)).toEqual([['now@x.test'], ['later@x.test']])
})

test('two customers who turn out to be one get one mail of a node, though both waited for the morning', async () => {
  const hour = (okaeri.clock.now().getUTCHours() + 9) % 24
  const at = (hours: number): string => `${String((hour + hours) % 24).padStart(2, '0')}:00`
  const merchant = await okaeri.merchant({
    sending_hours: JSON.stringify({ enabled: true, start: at(1), end: at(5), exclude_post_purchase: false }),
  })
  const scope = merchant.scope()
  const [one = '', same = '', other = ''] = await addCustomers(scope, [
    { email: 'one@merged.test' },
    { email: 'same@merged.test' },
    { email: 'other@merged.test' },
  ])
  const [scenario, another] = [await addScenario(merchant), await addScenario(merchant)]
  const emailId = await addEmail(scope)
  const laps = visit(one)
  const node = nodeOf(scenario, emailId)
  await writeNow(merchant, node, [laps, visit(same), visit(other)])
  await writeNow(merchant, node, [{ ...laps, round: 2 }])
  await writeNow(merchant, nodeOf(another, emailId), [visit(same)])
  await joinDeliveries(scope, { fromId: one, intoId: same })
  expect(await statusesOf(merchant, scenario)).toEqual([
    ['pending', null],
    ['skipped', 'duplicate_address'],
    ['pending', null],
    ['pending', null],
  ])
  expect(await statusesOf(merchant, another)).toEqual([['pending', null]])
  okaeri.advance(2 * HOUR)
  await okaeri.settle()
  expect(got.map(({ recipients }) => recipients[0] ?? '').toSorted((one, other) => one.localeCompare(other))).toEqual([
    'other@merged.test',
    'same@merged.test',
    'same@merged.test',
    'same@merged.test',
  ])
})

test('a stopped scenario’s mails wait until it runs again', async () => {
  const merchant = await okaeri.merchant()
  const [id] = await addCustomers(merchant.scope(), [{}])
  const scenario = await addScenario(merchant)
  await writeNow(merchant, nodeOf(scenario, await addEmail(merchant.scope())), [visit(id as string)])
  await holdScenarioMail(merchant.scope(), scenario)
  await okaeri.settle()
  expect(got).toHaveLength(0)
  await releaseScenarioMail(merchant.scope(), scenario, new Date(0))
  await okaeri.settle()
  expect(got).toHaveLength(1)
})

test('what waited for more than a day while its scenario was stopped comes too late, and says so', async () => {
  const merchant = await okaeri.merchant()
  const [one, two] = await addCustomers(merchant.scope(), [{}, {}])
  const scenario = await addScenario(merchant)
  const node = nodeOf(scenario, await addEmail(merchant.scope()))
  await writeNow(merchant, node, [visit(one as string)])
  await holdScenarioMail(merchant.scope(), scenario)
  okaeri.advance(25 * HOUR)
  await writeNow(merchant, node, [visit(two as string)])
  await releaseScenarioMail(merchant.scope(), scenario, new Date(okaeri.clock.now().getTime() - 24 * HOUR))
  await okaeri.settle()
  expect(await statusesOf(merchant, scenario)).toEqual([
    ['skipped', 'expired'],
    ['sent', null],
  ])
})

test('a mail a worker holds when its execution ends early is not tried again; what became of it stays', async () => {
  const merchant = await okaeri.merchant()
  const scope = merchant.scope()
  const ids = await addCustomers(
    scope,
    ['refused', 'unbegun', 'sent', 'left', 'wanted'].map((name) => ({ email: `${name}@held.test` })),
  )
  const scenario = await addScenario(merchant)
  const emailId = await addEmail(scope)
  const visits = ids.map((id) => visit(id))
  const message = (await scope.transaction((scope) => messageForNode(scope, nodeOf(scenario, emailId)))) as NodeMessage
  const rows = await scope.transaction((scope) =>
    insertScenarioDeliveries(scope, { scenarioId: scenario, nodeId: 'mail', message, ignoresConsent: false }, visits),
  )
  const leaseId = await insertLease(scope, { workerId: newId(), messageId: message.id, seconds: 60 })
  await sql`update deliveries set status = 'sending', lease_id = ${leaseId}, attempts = 1
    where merchant_id = ${merchant.id} and scenario_id = ${scenario}`.execute(okaeri.context.db)
  await cancelMailOfExecutions(
    scope,
    visits.slice(0, 4).map(({ executionId }) => executionId),
  )
  const nextAttemptAt = new Date(okaeri.clock.now().getTime() + HOUR)
  const plain = { detail: null, countsAttempt: true }
  await flushLease(scope, {
    leaseId,
    messageId: message.id,
    merchantInTestMode: false,
    seconds: 60,
    handedOver: [],
    results: [
      { ...plain, id: rows[0] as string, status: 'pending', reason: 'temporary', nextAttemptAt, sentAt: null },
      {
        ...plain,
        id: rows[2] as string,
        status: 'sent',
        reason: null,
        nextAttemptAt: null,
        sentAt: okaeri.clock.now(),
      },
    ],
  })
  await returnLeasedRows(scope, { id: leaseId, message_id: message.id, handed_over: [rows[3] as string] })
  await deleteLease(scope, leaseId)
  expect(await statusesOf(merchant, scenario)).toEqual([
    ['skipped', 'cancelled'],
    ['skipped', 'cancelled'],
    ['sent', null],
    ['uncertain', null],
    ['pending', null],
  ])
})

test('mails of unknown fate are sent again only when a person asks', async () => {
  const merchant = await okaeri.merchant()
  const [id] = await addCustomers(merchant.scope(), [{ email: 'maybe@x.test' }])
  dropped.add('maybe@x.test')
  const scenario = await addScenario(merchant)
  await writeNow(merchant, nodeOf(scenario, await addEmail(merchant.scope())), [visit(id as string)])
  await okaeri.settle()
  expect(await statusesOf(merchant, scenario)).toEqual([['uncertain', null]])
  okaeri.advance(HOUR)
  await okaeri.settle()
  expect(await countUncertainOf(merchant.scope(), scenario)).toBe(1)
  dropped.clear()
  expect(await merchant.scope().transaction((scope) => sendUncertainAgain(scope, scenario))).toBe(1)
  await okaeri.settle()
  expect(await statusesOf(merchant, scenario)).toEqual([['sent', null]])
  expect((await resultsOfScenarios(merchant.scope(), [scenario])).get(scenario)?.sent).toBe(1)
})

test('mails of unknown fate sent again while their scenario is stopped wait with the others until it runs', async () => {
  const merchant = await okaeri.merchant()
  const [maybe, later] = await addCustomers(merchant.scope(), [{ email: 'perhaps@x.test' }, { email: 'waits@x.test' }])
  dropped.add('perhaps@x.test')
  const scenario = await addScenario(merchant)
  const node = nodeOf(scenario, await addEmail(merchant.scope()))
  await writeNow(merchant, node, [visit(maybe as string)])
  await okaeri.settle()
  dropped.clear()
  await writeNow(merchant, node, [visit(later as string)])
  await holdScenarioMail(merchant.scope(), scenario)
  await merchant.scope().transaction((scope) => sendUncertainAgain(scope, scenario, { held: true }))
  await okaeri.settle()
  expect(got).toHaveLength(0)
  await releaseScenarioMail(merchant.scope(), scenario, new Date(0))
  await okaeri.settle()
  expect(got).toHaveLength(2)
})

test('a campaign and a scenario together respect the cap on how often one person is mailed', async () => {
  const merchant = await okaeri.merchant()
  await merchant.call(changeSettings, { body: { userSetting: { frequency_cap_count: 2, frequency_cap_days: 3 } } })
  const [id] = await addCustomers(merchant.scope(), [{ email: 'often@x.test' }])
  const scenario = await addScenario(merchant)
  const emailId = await addEmail(merchant.scope())
  const campaign = async (): Promise<Record<string, number> | undefined> => {
    const { campaign } = await merchant.call(campaigns.createCampaign, {
      body: { name: 'x', segment_type: 'all', email_id: emailId },
    })
    await merchant.call(campaigns.reserveCampaign, { params: { id: campaign.id }, body: {} })
    await okaeri.settle()
    return (await merchant.call(campaigns.getCampaign, { params: { id: campaign.id } })).campaign.balance
      ?.skipped_by_reason
  }
  expect(await campaign()).toEqual({})
  // Two at once, of which one has a place.
  await writeNow(merchant, nodeOf(scenario, emailId), [visit(id as string), visit(id as string)])
  await okaeri.settle()
  expect(await statusesOf(merchant, scenario)).toEqual([
    ['sent', null],
    ['skipped', 'frequency_cap'],
  ])
  expect(await campaign()).toEqual({ frequency_cap: 1 })
  await writeNow(merchant, nodeOf(scenario, emailId, { nodeId: 'always', priority: 'always' }), [visit(id as string)])
  await okaeri.settle()
  expect(got).toHaveLength(3)
  okaeri.advance(3 * 24 * HOUR)
  expect(await campaign()).toEqual({})
})

test('messages to one person that are sent at once by several workers do not pass the cap together', async () => {
  const merchant = await okaeri.merchant({ frequency_cap_count: 1 })
  const people = await addCustomers(
    merchant.scope(),
    Array.from({ length: 30 }, () => ({})),
  )
  const scenario = await addScenario(merchant)
  const emailId = await addEmail(merchant.scope())
  await Promise.all(
    ['a', 'b', 'c', 'd'].map((nodeId) =>
      writeNow(
        merchant,
        nodeOf(scenario, emailId, { nodeId }),
        people.map((id) => visit(id)),
      ),
    ),
  )
  await Promise.all([okaeri.settle(), okaeri.settle(), okaeri.settle(), okaeri.settle()])
  expect(got).toHaveLength(30)
})
