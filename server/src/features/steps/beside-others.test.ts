import type { CouponTerms } from '@okaeri/contract/coupons/coupon'
import { playExecution } from '@okaeri/contract/scenarios/execution'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addCustomers, addEmail } from '../../../test/fixtures.ts'
import { untilWaiting } from '../../../test/locks.ts'
import { endNode, executionOf, mailNode, type PlainNode, startExecutions } from '../../../test/scenarios.ts'
import { merchant, okaeri, withMerchants } from '../../../test/with-okaeri.ts'
import { settleCodes } from '../coupons/code-creation-queries.ts'
import { advanceDue, advanceExecutions } from './time-slice.ts'

// What other transactions do to the same rows before a batch of executions is committed.

const HOUR = 3_600_000
withMerchants()

/** Runs what is due. Before that commits, the other work starts, and either waits for it or finishes. */
async function advanceBeside(other: () => Promise<void>): Promise<void> {
  const { others } = await merchant.scope().transaction(async (scope) => {
    await advanceDue(scope)
    const others = other()
    await untilWaiting(okaeri, { over: others })
    return { others }
  })
  await others
}

const terms: CouponTerms = {
  prefix: 'OBK',
  ratio_percent: 10,
  valid_days: 14,
  minimum: { kind: 'none' },
  applies_to: { kind: 'all' },
}
const issue: PlainNode = { id: 'c', kind: 'issue_coupon', settings: { coupon: terms }, next: { next: 'e' } }

test('a coupon made before its waiting step is committed still continues that step', async () => {
  const { id } = await startExecutions(merchant.scope(), [issue, endNode('e')])
  await advanceDue(merchant.scope())
  okaeri.advance(4 * HOUR)
  await advanceDue(merchant.scope())
  expect(await executionOf(merchant, id)).toMatchObject({ status: 'failed', last_error: { error: 'coupon_not_made' } })
  const rows = await okaeri.query<{ id: string; discount_id: string }>`
    select id, discount_id from coupons where merchant_id = ${merchant.id}`
  const [coupon] = rows
  await merchant.call(playExecution, { params: { id } })
  await advanceBeside(() =>
    merchant.scope().transaction(async (scope) => {
      const { visits } = await settleCodes(scope, coupon?.discount_id ?? '', [{ id: coupon?.id ?? '', error: null }])
      await scope.context.publish(scope, 'coupons.settled', {
        visits: visits.map(({ execution_id, node_id, round }) => ({
          executionId: execution_id,
          nodeId: node_id,
          round,
        })),
      })
    }),
  )
  await advanceDue(merchant.scope())
  expect(await executionOf(merchant, id)).toMatchObject({ status: 'done' })
})

test('playing one execution asks for its coupon again; another that failed at the same time does not', async () => {
  const { ids } = await startExecutions(merchant.scope(), [issue, endNode('e')], 2)
  const [played = '', other = ''] = ids
  await advanceDue(merchant.scope())
  await okaeri.query`update coupons set status = 'failed', error = 'refused' where merchant_id = ${merchant.id}`
  await okaeri.query`update executions set wake_at = ${merchant.scope().now}, woken_by = 'effect', awaits = null
    where merchant_id = ${merchant.id} and id = ${played}`
  await advanceDue(merchant.scope(), [played])
  await okaeri.query`update executions set wake_at = ${merchant.scope().now}, woken_by = 'effect', awaits = null
    where merchant_id = ${merchant.id} and id = ${other}`
  await merchant.call(playExecution, { params: { id: played } })
  await advanceDue(merchant.scope())
  expect(await executionOf(merchant, other)).toMatchObject({ status: 'failed' })
  expect(await executionOf(merchant, played)).toMatchObject({ status: 'running', node: { id: 'c' } })
})

test('two customers merge while a mail is written for the removed one: the remaining one gets it', async () => {
  const emailId = await addEmail(merchant.scope())
  const { customerId: fromId } = await startExecutions(merchant.scope(), [mailNode('m', emailId, 'e'), endNode('e')])
  const [intoId = ''] = await addCustomers(merchant.scope(), [{ email: 'into@example.test' }])
  await advanceBeside(() =>
    merchant.scope().transaction((scope) => scope.context.publish(scope, 'customers.merged', { fromId, intoId })),
  )
  const rows = await okaeri.query<{ customer_id: string }>`
    select customer_id from deliveries where merchant_id = ${merchant.id}`
  expect(rows).toEqual([{ customer_id: intoId }])
})

test('a lock on a scenario delays only its merchant, and fails no execution', async () => {
  const held = merchant
  const emailId = await addEmail(held.scope())
  const { id, scenarioId } = await startExecutions(held.scope(), [mailNode('m', emailId, 'e'), endNode('e')])
  const neighbour = await okaeri.merchant()
  const other = await startExecutions(neighbour.scope(), [endNode('e')])
  await held.scope().transaction(async (scope) => {
    await sql`select from scenarios where merchant_id = ${held.id} and id = ${scenarioId} for update`.execute(scope.db)
    await expect(advanceExecutions.run(okaeri.context, new AbortController().signal)).rejects.toMatchObject({
      code: '55P03',
    })
    expect(await executionOf(neighbour, other.id)).toMatchObject({ status: 'done' })
  })
  await advanceDue(held.scope())
  expect(await executionOf(held, id)).toMatchObject({ status: 'done', last_error: null })
})

test('a deleted customer leaves no address in waiting mails', async () => {
  const emailId = await addEmail(merchant.scope())
  const { customerId } = await startExecutions(merchant.scope(), [
    mailNode('m', emailId, 'w'),
    {
      id: 'w',
      kind: 'wait',
      settings: { wait: { mode: 'for', amount: 3, unit: 'days' } },
      next: { next: null },
    },
  ])
  await advanceDue(merchant.scope())
  await merchant
    .scope()
    .transaction((scope) => scope.context.publish(scope, 'customer.deleted', { customerId, emailKey: null }))
  const rows = await okaeri.query`select status, address, variables from deliveries where merchant_id = ${merchant.id}`
  expect(rows).toEqual([{ status: 'skipped', address: null, variables: null }])
})

test('a deleted customer leaves no address when only the mail is left', async () => {
  const emailId = await addEmail(merchant.scope())
  const { customerId } = await startExecutions(merchant.scope(), [mailNode('m', emailId, null)])
  await advanceDue(merchant.scope())
  await merchant.scope().transaction(async (scope) => {
    await scope.context.publish(scope, 'customer.deleted', { customerId, emailKey: null })
    await sql`delete from customers where merchant_id = ${merchant.id} and id = ${customerId}`.execute(scope.db)
  })
  await okaeri.settle()
  const rows = await okaeri.query`select reason, address, variables from deliveries where merchant_id = ${merchant.id}`
  expect(rows).toEqual([{ reason: 'customer_gone', address: null, variables: null }])
})
