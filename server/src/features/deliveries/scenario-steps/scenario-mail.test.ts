import * as campaigns from '@okaeri/contract/campaigns/routes'
import { changeEmail, listEmailHistories } from '@okaeri/contract/emails/routes'
import { getDashboard } from '@okaeri/contract/reports/routes'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addCustomers, addEmail, GOOD_HTML } from '../../../../test/fixtures.ts'
import { untilWaiting } from '../../../../test/locks.ts'
import {
  addScenario,
  got,
  nodeOf,
  statusesOf,
  visit,
  withScenarioMail,
  write,
  writeNow,
} from '../../../../test/scenario-mail.ts'
import { okaeri } from '../../../../test/with-okaeri.ts'
import { aCampaign } from '../../../../test/builders/campaign.ts'
import { anEmail } from '../../../../test/builders/email.ts'
import { newId } from '../../../kernel/ids.ts'
import { changeConsent, pauseMarketing } from '../../consent/index.ts'
import { resultsOfNodes, resultsOfScenarios } from '../../stats/index.ts'
import { listScenarioDeliveries, messageForNode, type NodeMessage } from '../index.ts'

withScenarioMail()

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
  expect((await resultsOfScenarios(merchant.scope(), [scenario])).get(scenario)).toMatchObject([{ sent: 1 }])
  expect(await resultsOfNodes(merchant.scope(), scenario)).toMatchObject([{ node_id: 'mail', sent: 1 }])
  const rows = await okaeri.query<{ sent: number }>`select email_sent_count as sent from customers
    where merchant_id = ${merchant.id} and id = ${people[0] as string}`
  expect(rows[0]?.sent).toBe(1)
})

test('mails on favorites and restock ask their own permission, which a pause of marketing leaves alone', async () => {
  const merchant = await okaeri.merchant()
  const people = await addCustomers(merchant.scope(), [
    { email: 'said-nothing@n.test' },
    { email: 'no-marketing@n.test', marketing_state: 'withdrawn' },
    { email: 'only-alerts@n.test', marketing_state: 'withdrawn' },
    { email: 'no-alerts@n.test' },
    { email: 'paused@n.test' },
  ])
  const say = (at: number, to: 'granted' | 'withdrawn') =>
    changeConsent(merchant.scope(), {
      customerId: people[at] ?? '',
      kind: 'notification',
      to,
      source: 'subscribe_link',
    })
  await say(2, 'granted')
  await say(3, 'withdrawn')
  await pauseMarketing(merchant.scope(), 'paused@n.test')
  const emailId = await addEmail(merchant.scope())
  for (const [consentKind, expected] of [
    ['notification', [null, 'no_consent', null, 'no_consent', null]],
    ['marketing', [null, 'no_consent', 'no_consent', null, 'paused']],
  ] as const) {
    const scenario = await addScenario(merchant)
    await writeNow(
      merchant,
      nodeOf(scenario, emailId, { consentKind }),
      people.map((id) => visit(id)),
    )
    await okaeri.settle()
    expect((await statusesOf(merchant, scenario)).map(([, reason]) => reason)).toEqual(expected)
  }
})

test('a scenario for everyone mails those without consent too, never the suppressed', async () => {
  const merchant = await okaeri.merchant()
  const people = await addCustomers(merchant.scope(), [
    { email: 'no@x.test', marketing_state: 'withdrawn' },
    { email: 'gone@x.test' },
  ])
  await okaeri.query`insert into suppressions (merchant_id, id, address_key, reason, created_at)
    values (${merchant.id}, gen_random_uuid(), 'gone@x.test', 'hard_bounce', now())`
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
  await okaeri.query`update emails set subject = 'after' where merchant_id = ${merchant.id} and id = ${emailId}`
  await writeNow(merchant, node, [visit(people[1] as string)])
  await writeNow(merchant, node, [visit(people[2] as string)])
  await okaeri.settle()
  expect(got.map(({ subject }) => subject).filter((subject) => subject === 'after')).toHaveLength(2)
  expect(got).toHaveLength(3)
  const rows = await okaeri.query`select from messages where merchant_id = ${merchant.id}`
  expect(rows).toHaveLength(2)
})

test('a mail edited while it is being frozen is frozen as one state of it', async () => {
  const merchant = await okaeri.merchant()
  const scenario = await addScenario(merchant)
  const emailId = await addEmail(merchant.scope(), { subject: 'before' })
  const node = nodeOf(scenario, emailId)
  const freeze = async () => (await merchant.scope().transaction((scope) => messageForNode(scope, node))) as NodeMessage
  const { freezing } = await merchant.scope().transaction(async (scope) => {
    await sql`lock table messages in access exclusive mode`.execute(scope.db)
    const freezing = freeze()
    await untilWaiting(okaeri)
    await okaeri.query`update emails set subject = 'after', content = replace(content, '</p>', 'edited</p>')
      where merchant_id = ${merchant.id} and id = ${emailId}`
    return { freezing }
  })
  const { id } = await freezing
  const rows = await okaeri.query<{ subject: string; html: string }>`select subject, html from email_contents
    where merchant_id = ${merchant.id} and message_id = ${id}`
  expect(rows[0]?.html).toContain('edited')
  expect(rows[0]?.subject).toBe('after')
  expect((await freeze()).id).toBe(id)
})

test('a step sends each person the variant of their language, and what was changed in one of them is another message', async () => {
  const merchant = await okaeri.merchant()
  const people = await addCustomers(merchant.scope(), [
    { email: 'ja@x.test' },
    { email: 'en@x.test' },
    { email: 'none@x.test' },
  ])
  await okaeri.query`update customers set language = split_part(email, '@', 1) where merchant_id = ${merchant.id}
    and email <> 'none@x.test'`
  const scenario = await addScenario(merchant)
  const english = { language: 'en' as const, subject: 'Welcome', content: GOOD_HTML }
  const { id: emailId } = await anEmail(merchant, { subject: 'ようこそ', variants: [english] })
  const subjects = () => Object.fromEntries(got.map(({ recipients, subject }) => [recipients[0], subject]))
  const visits = () => people.map((id) => visit(id))
  await writeNow(merchant, nodeOf(scenario, emailId), visits())
  await okaeri.settle()
  expect(subjects()).toEqual({ 'ja@x.test': 'ようこそ', 'en@x.test': 'Welcome', 'none@x.test': 'ようこそ' })
  await writeNow(merchant, nodeOf(scenario, emailId), visits())
  const countMessages = async () => (await okaeri.query`select from messages where merchant_id = ${merchant.id}`).length
  expect(await countMessages()).toBe(1)
  await merchant.call(changeEmail, {
    params: { id: emailId },
    body: { variants: [{ ...english, subject: 'Hello', plain_text: '{{ unsubscribe_url }}' }] },
  })
  await writeNow(merchant, nodeOf(scenario, emailId), visits())
  expect(await countMessages()).toBe(2)
  await okaeri.settle()
  expect(subjects()).toMatchObject({ 'ja@x.test': 'ようこそ', 'en@x.test': 'Hello' })
  const written = got.find(({ subject }) => subject === 'Hello')
  expect(written?.text?.trim()).toMatch(/^http[^ ]+\/u\/[\w-]+$/)
})

test('a deleted email is reported, not sent', async () => {
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
  // Written, but not yet committed, while the senders find nothing left to do: they are done, or wait to be.
  for (const id of people.slice(0, 2)) {
    let sending: Promise<void> = Promise.resolve()
    await merchant.scope().transaction(async (scope) => {
      await write(scope, node, [visit(id)])
      sending = okaeri.settle()
      await untilWaiting(okaeri, { over: sending })
    })
    await sending
    await okaeri.settle()
  }
  // And in any order.
  await Promise.all([...people.slice(2).map((id) => writeNow(merchant, node, [visit(id)])), okaeri.settle()])
  await okaeri.settle()
  expect(got).toHaveLength(12)
  const rows = await okaeri.query<{ state: string }>`select state from messages where merchant_id = ${merchant.id}`
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
  expect(mail?.html).toContain('カップ × 2、&lt;皿&gt; × 1 ¥1,980 / BBB 10% 2026年12月24日')
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
  expect((await resultsOfScenarios(merchant.scope(), [scenario])).get(scenario)).toMatchObject([brought])
  const { figures } = await merchant.call(getDashboard, { query: {} })
  expect(figures).toMatchObject({ sent: 1, clicked: 1, orders: 1 })
  await publish(merchant.scope(), 'order.cancelled', about)
  expect(await resultsOfNodes(merchant.scope(), scenario)).toMatchObject([{ orders: 0, revenue: 0, clicked: 1 }])
})

test('a campaign is not sent with a coupon whose worth it does not say', async () => {
  const merchant = await okaeri.merchant()
  await addCustomers(merchant.scope(), [{}])
  const email_id = await addEmail(merchant.scope(), {
    content: GOOD_HTML.replace('</p>', '</p><p>{{ coupon.code }}</p>'),
  })
  const params = { id: (await aCampaign(merchant, { email_id })).id }
  const { review } = await merchant.call(campaigns.reviewCampaign, { params, query: {} })
  expect(review.findings).toContainEqual({ code: 'coupon_not_set', level: 'blocks', detail: null, line: 1 })
  await expect(merchant.call(campaigns.reserveCampaign, { params, body: {} })).rejects.toMatchObject({
    reason: 'preflight_failed',
  })
})
