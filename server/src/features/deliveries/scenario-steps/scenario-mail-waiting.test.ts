import { changeSettings } from '@okaeri/contract/merchants/routes'
import { expect, test } from 'vitest'
import { addCustomers, addEmail, setSendingHours } from '../../../../test/fixtures.ts'
import {
  addScenario,
  dropped,
  got,
  nodeOf,
  statusesOf,
  visit,
  withScenarioMail,
  writeNow,
} from '../../../../test/scenario-mail.ts'
import { takeLease } from '../../../../test/leases.ts'
import { okaeri } from '../../../../test/with-okaeri.ts'
import { aSentCampaign } from '../../../../test/builders/campaign.ts'
import { resultsOfScenarios } from '../../stats/index.ts'
import {
  cancelMessagesOfExecutions,
  countUncertainOf,
  holdScenarioMessages,
  insertScenarioDeliveries,
  joinDeliveries,
  messageForNode,
  releaseScenarioMessages,
  sendUncertainAgain,
  type NodeMessage,
} from '../index.ts'
import { deleteLease, returnLeasedRows, storeResults } from '../sending/lease-queries.ts'

withScenarioMail()

const HOUR = 3_600_000

test('tests go to the test addresses alone, and without any they are not sent', async () => {
  const merchant = await okaeri.merchant({ test_emails: ['team@shop.test'] })
  const [id] = await addCustomers(merchant.scope(), [{ email: 'someone@x.test', marketing_state: 'withdrawn' }])
  const scenario = await addScenario(merchant)
  const node = nodeOf(scenario, await addEmail(merchant.scope()), { forTests: true })
  await writeNow(merchant, node, [visit(id as string), visit(null)])
  await okaeri.settle()
  expect(got.map(({ recipients }) => recipients)).toEqual([['team@shop.test'], ['team@shop.test']])
  expect(got[0]?.subject).toContain('someone@x.test')
  await okaeri.query`update merchants set test_emails = '{}' where id = ${merchant.id}`
  await writeNow(merchant, node, [visit(id as string)])
  await okaeri.settle()
  expect(got).toHaveLength(2)
  expect((await statusesOf(merchant, scenario))[2]).toEqual(['skipped', 'no_test_address'])
  expect((await resultsOfScenarios(merchant.scope(), [scenario])).get(scenario)).toBeUndefined()
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
  const merchant = await okaeri.merchant()
  const scope = merchant.scope()
  await setSendingHours(scope, 2, 5)
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
  await holdScenarioMessages(merchant.scope(), scenario)
  await okaeri.settle()
  expect(got).toHaveLength(0)
  await releaseScenarioMessages(merchant.scope(), scenario, new Date(0))
  await okaeri.settle()
  expect(got).toHaveLength(1)
})

test('what waited for more than a day while its scenario was stopped comes too late, and says so', async () => {
  const merchant = await okaeri.merchant()
  const [one, two] = await addCustomers(merchant.scope(), [{}, {}])
  const scenario = await addScenario(merchant)
  const node = nodeOf(scenario, await addEmail(merchant.scope()))
  await writeNow(merchant, node, [visit(one as string)])
  await holdScenarioMessages(merchant.scope(), scenario)
  okaeri.advance(25 * HOUR)
  await writeNow(merchant, node, [visit(two as string)])
  await releaseScenarioMessages(merchant.scope(), scenario, new Date(okaeri.clock.now().getTime() - 24 * HOUR))
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
  const { leaseId } = await takeLease(scope, message.id)
  await okaeri.query`update deliveries set status = 'sending', lease_id = ${leaseId}, attempts = 1
    where merchant_id = ${merchant.id} and scenario_id = ${scenario}`
  await cancelMessagesOfExecutions(
    scope,
    visits.slice(0, 4).map(({ executionId }) => executionId),
  )
  const nextAttemptAt = new Date(okaeri.clock.now().getTime() + HOUR)
  const plain = { detail: null, countsAttempt: true, filledSubject: null, batchId: null }
  await storeResults(scope, { leaseId, messageId: message.id, merchantInTestMode: false, codeDoubts: 0 }, [
    { ...plain, id: rows[0] as string, status: 'pending', reason: 'temporary', nextAttemptAt, sentAt: null },
    {
      ...plain,
      id: rows[2] as string,
      status: 'sent',
      reason: null,
      nextAttemptAt: null,
      sentAt: okaeri.clock.now(),
    },
  ])
  await returnLeasedRows(
    scope,
    { id: leaseId, message_id: message.id },
    { mayHaveLeft: [rows[3] as string], isSafe: false },
  )
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
  expect((await resultsOfScenarios(merchant.scope(), [scenario])).get(scenario)).toMatchObject([{ sent: 1 }])
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
  await holdScenarioMessages(merchant.scope(), scenario)
  await merchant.scope().transaction((scope) => sendUncertainAgain(scope, scenario, { held: true }))
  await okaeri.settle()
  expect(got).toHaveLength(0)
  await releaseScenarioMessages(merchant.scope(), scenario, new Date(0))
  await okaeri.settle()
  expect(got).toHaveLength(2)
})

test('a campaign and a scenario together respect the cap on how often one person is mailed', async () => {
  const merchant = await okaeri.merchant()
  await merchant.call(changeSettings, { body: { userSetting: { frequency_cap_count: 2, frequency_cap_days: 3 } } })
  const [id] = await addCustomers(merchant.scope(), [{ email: 'often@x.test' }])
  const scenario = await addScenario(merchant)
  const emailId = await addEmail(merchant.scope())
  const campaign = async (): Promise<Record<string, number> | undefined> =>
    (await aSentCampaign(merchant, { email_id: emailId })).balance?.skipped_by_reason
  expect(await campaign()).toEqual({})
  // Two at once, and one of them has a place.
  await writeNow(merchant, nodeOf(scenario, emailId), [visit(id as string), visit(id as string)])
  await okaeri.settle()
  expect(await statusesOf(merchant, scenario)).toEqual([
    ['sent', null],
    ['skipped', 'frequency_cap'],
  ])
  await expect(campaign()).rejects.toMatchObject({ reason: 'audience_empty' })
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
