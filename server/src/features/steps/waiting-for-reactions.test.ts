import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addCustomers, addEmail } from '../../../test/fixtures.ts'
import {
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
import { withScenarioMail } from '../../../test/scenario-mail.ts'
import { okaeri } from '../../../test/with-okaeri.ts'
import type { TestMerchant } from '../../../test/harness.ts'
import { checkFlow } from '@okaeri/contract/scenarios/routes'

withScenarioMail()

const HOUR = 3_600_000
const reaction = (nodeId: string, what: 'opened' | 'clicked'): PlainNode => ({
  id: 'r',
  kind: 'wait_for_reaction',
  settings: { node_id: nodeId, reaction: what, amount: 3, unit: 'hours' },
  next: { reacted: 'yes', not_reacted: 'no' },
})
const ends = [endNode('yes'), endNode('no')]
async function start(
  what: 'opened' | 'clicked',
  given: readonly { email: string | null; heldOut?: boolean; test?: boolean }[],
  merchant?: TestMerchant,
) {
  const of = merchant ?? (await okaeri.merchant())
  const scope = of.scope()
  const customerIds = await addCustomers(scope, given)
  const mail = mailNode('m', await addEmail(scope), 'r')
  const scenarioId = await addScenario(scope, flowOf([mail, reaction('m', what), ...ends]))
  const ids = await addExecutions(
    scope,
    scenarioId,
    given.map(({ heldOut = false, test = false }, at) => ({ customerId: customerIds[at] ?? null, heldOut, test })),
  )
  await okaeri.settle()
  return { merchant: of, ids, endsOf: () => Promise.all(ids.map(async (id) => (await pathOf(of, id)).at(-1))) }
}
const react = (merchant: TestMerchant, id: string | undefined, column: 'opened_at' | 'clicked_at') =>
  okaeri.query`update deliveries set ${sql.ref(column)} = now() where merchant_id = ${merchant.id} and execution_id = ${id}`

test('customers who opened or clicked in time take another branch than the others; a click counts as an open', async () => {
  const people = ['a', 'b', 'c'].map((name) => ({ email: `${name}@x.test` }))
  const opened = await start('opened', people)
  const clicked = await start('clicked', people)
  for (const { merchant, ids } of [opened, clicked]) {
    await react(merchant, ids[0], 'opened_at')
    await react(merchant, ids[1], 'clicked_at')
  }
  okaeri.advance(2 * HOUR)
  await okaeri.settle()
  expect(await opened.endsOf()).toEqual(['r asleep', 'r asleep', 'r asleep'])
  okaeri.advance(HOUR)
  await okaeri.settle()
  expect(await opened.endsOf()).toEqual(['yes ended', 'yes ended', 'no ended'])
  expect(await clicked.endsOf()).toEqual(['no ended', 'yes ended', 'no ended'])
})

test('where nothing is sent there is nothing to wait for; a test waits for nothing', async () => {
  const { endsOf } = await start('opened', [
    { email: 'h@x.test', heldOut: true },
    { email: 't@x.test', test: true },
  ])
  expect(await endsOf()).toEqual(['no ended', 'no ended'])
})

test('a mail that waits for the sending hours has its time from when it was sent', async () => {
  const merchant = await okaeri.merchant({
    sending_hours: { enabled: true, start: '09:00', end: '18:00', exclude_post_purchase: false },
  })
  const toLocal = (hour: number): number => {
    const now = okaeri.clock.now()
    const at = new Date(now)
    at.setUTCHours(hour - 9, 0, 0, 0)
    while (at <= now) at.setUTCDate(at.getUTCDate() + 1)
    return at.getTime() - now.getTime()
  }
  okaeri.advance(toLocal(20))
  const { ids, endsOf } = await start('opened', [{ email: 'late@x.test' }], merchant)
  const { wake_at } = await executionOf(merchant, ids[0] ?? '')
  expect(new Date(wake_at ?? 0).getTime() - okaeri.clock.now().getTime()).toBeCloseTo(16 * HOUR, -5)
  okaeri.advance(13 * HOUR)
  await okaeri.settle()
  await react(merchant, ids[0], 'opened_at')
  okaeri.advance(3 * HOUR)
  await okaeri.settle()
  okaeri.advance(HOUR)
  await okaeri.settle()
  expect(await endsOf()).toEqual(['yes ended'])
})

test('it waits for a step that sends, and LINE reports no opens', async () => {
  const merchant = await okaeri.merchant()
  const problemsOf = async (...nodes: PlainNode[]) => {
    const { problems } = await merchant.call(checkFlow, { body: { flow: flowOf([...nodes, ...ends]) } })
    return problems.filter(({ node_id }) => node_id === 'r').map(({ problem }) => problem)
  }
  const emailId = await addEmail(merchant.scope())
  expect(await problemsOf(mailNode('m', emailId, 'r'), reaction('m', 'opened'))).toEqual([])
  expect(await problemsOf(mailNode('m', emailId, 'r'), reaction('yes', 'opened'))).toEqual(['reaction_to_nothing'])
  expect(await problemsOf(mailNode('m', emailId, 'r'), reaction('gone', 'opened'))).toEqual(['reaction_to_nothing'])
  expect(await problemsOf(lineNode('l', null, 'r'), reaction('l', 'opened'))).toEqual(['reaction_unknown'])
  expect(await problemsOf(lineNode('l', null, 'r'), reaction('l', 'clicked'))).toEqual([])
})
