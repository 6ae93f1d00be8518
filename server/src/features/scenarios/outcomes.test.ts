import { getFlow } from '@okaeri/contract/scenarios/routes'
import { expect, test } from 'vitest'
import { addCustomers } from '../../../test/fixtures.ts'
import { addExecutions, addScenario, flowOf, mailNode, waitNode } from '../../../test/scenarios.ts'
import { okaeri, withOkaeri } from '../../../test/with-okaeri.ts'
import { anEmail } from '../../../test/builders/email.ts'
import { endExecutions } from '../executions/ending.ts'

withOkaeri()

test('each step shows who was skipped, who waits and who ended early, with reasons and without tests', async () => {
  const merchant = await okaeri.merchant()
  const email = await anEmail(merchant, { name: 'お礼', subject: 'お礼' })
  const scope = merchant.scope()
  const id = await addScenario(scope, flowOf([mailNode('mail', email.id, 'wait'), waitNode('wait', null, 5)]))
  const customers = await addCustomers(scope, [
    {},
    { marketing_state: 'unknown' },
    { marketing_state: 'withdrawn' },
    { email: null },
  ])
  const ids = await addExecutions(
    scope,
    id,
    customers.map((customerId) => ({ customerId })),
  )
  await addExecutions(scope, id, [{ customerId: customers[1] ?? '', test: true }])
  await okaeri.settle()
  await merchant.scope().transaction(async (scope) => {
    await endExecutions(scope, [
      { executionId: ids[3] ?? '', reason: 'bought' },
      { executionId: ids[1] ?? '', reason: 'unsubscribed' },
      { executionId: ids[2] ?? '', reason: 'bought' },
    ])
  })
  const { counts } = await merchant.call(getFlow, { params: { id } })
  const [mail, wait] = ['mail', 'wait'].map((node) => counts.find(({ node_id }) => node_id === node))
  expect(mail).toMatchObject({
    entered: 4,
    passed: 4,
    ended: [],
    skipped: [
      { reason: 'no_consent', count: 2 },
      { reason: 'no_address', count: 1 },
    ],
  })
  expect(wait).toMatchObject({
    entered: 4,
    waiting: 1,
    skipped: [],
    ended: [
      { reason: 'bought', count: 2 },
      { reason: 'unsubscribed', count: 1 },
    ],
  })
})
