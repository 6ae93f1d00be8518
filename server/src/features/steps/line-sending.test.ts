import { lineSamples } from '@okaeri/contract/line-messages/samples'
import { disconnectLine } from '@okaeri/contract/line-accounts/routes'
import type { LineMessagePart } from '@okaeri/contract/line-messages/message'
import { checkFlow, stopScenario } from '@okaeri/contract/scenarios/routes'
import { NO_CONDITIONS } from '@okaeri/contract/scenarios/scenario'
import { beforeEach, expect, test } from 'vitest'
import { aLineMessage } from '../../../test/builders/line-message.ts'
import { addCustomers, addEmail } from '../../../test/fixtures.ts'
import {
  befriendCustomers,
  connectLine,
  openLineAccount,
  type PlayedAccount,
  type PlayedUser,
  playLine,
} from '../../../test/line-platform.ts'
import {
  addEvent,
  addExecutions,
  addScenario,
  endNode,
  executionOf,
  flowOf,
  lineNode,
  mailNode,
  pathOf,
  type PlainNode,
} from '../../../test/scenarios.ts'
import { EMPTY, merchant, okaeri, withSandboxStore } from '../../../test/with-okaeri.ts'
import { cancelMessagesOfExecutions, releaseScenarioMessages } from '../deliveries/index.ts'
import { getTemplate, makeFlow } from '../flows/index.ts'
import { updateScenario } from '../flows/queries.ts'

withSandboxStore({ seed: EMPTY, settings: { test_emails: ['team@shop.test'] } })

let account: PlayedAccount
let people: PlayedUser[]
beforeEach(async () => {
  await okaeri.query`delete from line_friends where merchant_id = ${merchant.id}`
  account = await openLineAccount('送る店')
  await connectLine(merchant, account)
  const { data } = await playLine<{ data: PlayedUser[] }>(`users.json?limit=40&account=${account.id}`)
  people = data.filter(({ sentinel }) => sentinel === null)
})

const end = endNode('e')
const issue: PlainNode = {
  id: 'c',
  kind: 'issue_coupon',
  settings: {
    coupon: { prefix: 'L', ratio_percent: 10, valid_days: 14, minimum: { kind: 'none' }, applies_to: { kind: 'all' } },
  },
  next: { next: 'l' },
}
const HELLO: LineMessagePart[] = [{ type: 'text', text: 'こんにちは' }]
const say = async (messages = HELLO, next = 'e') => lineNode('l', (await aLineMessage(merchant, messages)).id, next)

interface Given {
  friend?: 'yes' | 'no' | 'blocked'
  test?: boolean
  heldOut?: boolean
}
/** Customers (friends by default) at the beginning of a new scenario of these nodes. */
async function start(nodes: readonly PlainNode[], given: readonly Given[] = [{}]) {
  const scope = merchant.scope()
  const customerIds = await addCustomers(
    scope,
    given.map(() => ({ email: null })),
  )
  const friends = given.flatMap(({ friend = 'yes' }, at) =>
    friend === 'no' ? [] : [{ customerId: customerIds[at] ?? '', userId: people[at]?.user_id ?? '', friend }],
  )
  await befriendCustomers(merchant, account, friends)
  for (const { userId, friend } of friends)
    if (friend === 'blocked') {
      await playLine(`users/${userId}/block.json?account=${account.id}`, {})
      await okaeri.query`update line_friends set is_friend = false, blocked_at = now()
        where merchant_id = ${merchant.id} and line_user_id = ${userId}`
    }
  const scenarioId = await addScenario(scope, flowOf(nodes))
  const ids = await addExecutions(
    scope,
    scenarioId,
    given.map(({ test, heldOut }, at) => ({
      customerId: customerIds[at] ?? null,
      ...(test !== undefined && { test }),
      ...(heldOut !== undefined && { heldOut }),
    })),
  )
  return { scenarioId, ids, customerIds, id: ids[0] ?? '', customerId: customerIds[0] ?? '' }
}
async function receipts(): Promise<Record<string, number>> {
  const { data } = await playLine<{ data: { user_id: string; count: number }[] }>(`receipts.json?account=${account.id}`)
  return Object.fromEntries(data.map(({ user_id, count }) => [user_id, count]))
}
const chatOf = async (at: number): Promise<string> =>
  JSON.stringify(await playLine(`users/${people[at]?.user_id}/chat.json?account=${account.id}`))
const outcomes = async (scenarioId: string) =>
  (
    await okaeri.query<{ outcome: string }>`select coalesce(reason, status) as outcome from deliveries
      where merchant_id = ${merchant.id} and scenario_id = ${scenarioId} order by id`
  ).map(({ outcome }) => outcome)

test('a step sends its LINE message to friends once; all others are skipped with the reason and continue', async () => {
  const given: Given[] = [{}, {}, { friend: 'no' }, { friend: 'blocked' }, { heldOut: true }]
  const { scenarioId, ids, customerId } = await start([await say(), end], given)
  await okaeri.settle()
  for (const id of ids) expect(await pathOf(merchant, id)).toEqual(['l next', 'e ended'])
  expect(await outcomes(scenarioId)).toEqual(['sent', 'sent', 'not_linked', 'blocked', 'holdout'])
  expect(await receipts()).toEqual({ [people[0]?.user_id ?? '']: 1, [people[1]?.user_id ?? '']: 1 })
  const execution = await executionOf(merchant, ids[0] ?? '')
  expect(execution).toMatchObject({ sent_content: '夏のお知らせ' })
  expect(execution.steps[0]).toMatchObject({
    detail: { line_message_id: expect.any(String) },
    delivery: { channel: 'line', status: 'sent', subject: 'こんにちは' },
  })
  const rows = await okaeri.query<{ line: number; email: number }>`
    select line_sent_count as line, email_sent_count as email from customers
    where merchant_id = ${merchant.id} and id = ${customerId}`
  expect(rows).toEqual([{ line: 1, email: 0 }])
})

test('with a template, LINE reaches only the customers who did not open the mail in time', async () => {
  const scope = merchant.scope()
  const form = { email: await addEmail(scope), email_line: (await aLineMessage(merchant, HELLO)).id, hours: 24 }
  const { flow } = makeFlow(getTemplate('LineIfNotOpenedAction'), form, NO_CONDITIONS)
  const scenarioId = await addScenario(scope, flow)
  const customerIds = await addCustomers(scope, [{ email: 'reads@x.test' }, { email: 'not@x.test' }, { email: null }])
  const friends = customerIds.map((customerId, at) => ({ customerId, userId: people[at]?.user_id ?? '' }))
  await befriendCustomers(merchant, account, friends)
  const ids = await addExecutions(
    scope,
    scenarioId,
    customerIds.map((customerId) => ({ customerId })),
  )
  await okaeri.settle()
  expect(await receipts()).toEqual({})
  await okaeri.query`update deliveries set opened_at = now() where merchant_id = ${merchant.id} and execution_id = ${ids[0]}`
  okaeri.advance(25 * 3_600_000)
  await okaeri.settle()
  expect(await receipts()).toEqual({ [people[1]?.user_id ?? '']: 1, [people[2]?.user_id ?? '']: 1 })
})

test('mail and LINE share one frequency cap', async () => {
  await okaeri.query`update merchants set frequency_cap_count = 1, frequency_cap_days = 1 where id = ${merchant.id}`
  const again = lineNode('again', (await aLineMessage(merchant)).id, 'e')
  const { scenarioId } = await start([await say(HELLO, 'again'), again, end])
  await okaeri.settle()
  expect((await outcomes(scenarioId)).sort()).toEqual(['frequency_cap', 'sent'])
  await okaeri.query`update merchants set frequency_cap_count = null where id = ${merchant.id}`
})

test('event and coupon are written into the message, and its links identify the customer who clicks', async () => {
  const scope = merchant.scope()
  const text = '{{ event.order_name }}のお礼に {{ coupon.code }} https://shop.example/?code=[coupon]'
  const node = await say([{ type: 'text', text }])
  const { scenarioId } = await start([issue, node, end], [])
  const [customerId = ''] = await addCustomers(scope, [{ email: null }])
  await befriendCustomers(merchant, account, [{ customerId, userId: people[0]?.user_id ?? '' }])
  const eventId = await addEvent(scope, { kind: 'order_paid', customerId, subject: { order_name: '#1001' } })
  await addExecutions(scope, scenarioId, [{ customerId, eventId }])
  await okaeri.settle()
  expect(await outcomes(scenarioId)).toEqual(['sent'])
  const rows = await okaeri.query<{ code: string }>`select code from coupons
    where merchant_id = ${merchant.id} and customer_id = ${customerId}`
  expect(await chatOf(0)).toContain(`#1001のお礼に ${rows[0]?.code} `)
  expect(await chatOf(0)).toMatch(/\/c\/[\w-]+-0/)
})

test('a coupon is issued only to customers who get it by mail or LINE', async () => {
  const shows = (next: string | null) => say([{ type: 'text', text: '{{ coupon.code }}' }], next ?? 'e')
  const mail = mailNode('m', await addEmail(merchant.scope()), 'e')
  const { ids } = await start([issue, await shows('m'), mail, end], [{}, { friend: 'no' }])
  await okaeri.settle()
  const codes = await Promise.all(
    ids.map(async (id) => (await executionOf(merchant, id)).steps.find(({ node_id }) => node_id === 'c')?.detail),
  )
  expect(codes).toMatchObject([{ code: expect.stringMatching(/^L/) }, { because: 'no_address' }])
})

test('a test goes to the testers, without tracking, and names the customer it was for', async () => {
  const { scenarioId } = await start(
    [await say([{ type: 'text', text: 'https://shop.example/' }]), end],
    [{}, { test: true }],
  )
  await okaeri.query`update line_friends set is_tester = true
    where merchant_id = ${merchant.id} and line_user_id = ${people[0]?.user_id}`
  await okaeri.settle()
  expect(await receipts()).toEqual({ [people[0]?.user_id ?? '']: 2 })
  const chat = await chatOf(0)
  expect(chat).toMatch(/【テスト】本来の宛先：[^"]*\\nhttps:\/\/shop\.example\//)
  const rows = await okaeri.query<{ kind: string; tracked: boolean }>`
    select d.kind, m.tracking_enabled as tracked from deliveries d
    join messages m on m.merchant_id = ${merchant.id} and m.id = d.message_id
    where d.merchant_id = ${merchant.id} and d.scenario_id = ${scenarioId} order by d.kind`
  expect(rows).toEqual([
    { kind: 'scenario', tracked: true },
    { kind: 'test', tracked: false },
  ])
})

test('what waits is held while its scenario is stopped, goes out when it runs again, and not after an early end', async () => {
  const { scenarioId, ids } = await start([await say(), end], [{}, {}])
  await merchant.call(disconnectLine, {})
  await okaeri.settle()
  expect(await outcomes(scenarioId)).toEqual(['pending', 'pending'])
  await merchant.call(stopScenario, { params: { id: scenarioId } })
  await connectLine(merchant, account)
  await okaeri.settle()
  expect(await outcomes(scenarioId)).toEqual(['pending', 'pending'])
  await merchant.scope().transaction((scope) => cancelMessagesOfExecutions(scope, ids.slice(1)))
  await updateScenario(merchant.scope(), scenarioId, { status: 'active' })
  await releaseScenarioMessages(merchant.scope(), scenarioId, new Date(0))
  await okaeri.settle()
  expect(await outcomes(scenarioId)).toEqual(['sent', 'cancelled'])
  expect(await receipts()).toEqual({ [people[0]?.user_id ?? '']: 1 })
})

test('a deleted LINE message keeps its executions, with the reason', async () => {
  const node = await say()
  const { id } = await start([node, end])
  if (node.kind !== 'send_line') throw new Error('no LINE message')
  // Deleted before the check existed, or in an older backup of the database.
  await okaeri.query`update line_messages set deleted_at = now() where merchant_id = ${merchant.id} and id = ${node.settings.line_message_id}`
  await okaeri.settle()
  expect(await executionOf(merchant, id)).toMatchObject({
    status: 'failed',
    last_error: { error: 'line_message_gone' },
  })
})

test('a flow lists what keeps its LINE step from running, and can only name the merchant’s own messages', async () => {
  const problemsWith = async (node: PlainNode, before: readonly PlainNode[] = []) => {
    const flow = flowOf([...before, node, end], { trigger: { kind: 'consent_given' } })
    const { problems } = await merchant.call(checkFlow, { body: { flow } })
    return problems.filter(({ node_id }) => node_id === 'l').map(({ problem }) => problem)
  }
  const foreign = flowOf([lineNode('l', (await aLineMessage(await okaeri.merchant())).id, 'e'), end])
  await expect(merchant.call(checkFlow, { body: { flow: foreign } })).rejects.toMatchObject({
    fields: { 'flow.nodes.0.settings.line_message_id': 'not_found' },
  })
  expect(await problemsWith(await say())).toEqual([])
  expect(await problemsWith(lineNode('l', null, 'e'))).toEqual(['line_message_missing'])
  const order = await say([{ type: 'text', text: '{{ event.order_name }}' }])
  expect(await problemsWith(order)).toEqual(['line_message_lacks_event'])
  const coupon = await say([{ type: 'text', text: 'https://shop.example/discount/[coupon]' }])
  expect(await problemsWith(coupon)).toEqual(['line_message_lacks_coupon'])
  expect(await problemsWith(coupon, [issue])).toEqual([])
  expect(await problemsWith(await say([...lineSamples.coupon.ja.content.messages]))).toEqual(['line_message_unfit'])
  await merchant.call(disconnectLine, {})
  expect(await problemsWith(await say())).toEqual(['line_not_connected'])
})
