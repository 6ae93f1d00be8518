import { releaseBrake } from '@okaeri/contract/scenarios/entering-routes'
import { listExecutions } from '@okaeri/contract/scenarios/execution'
import { getScenario } from '@okaeri/contract/scenarios/routes'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addCustomers } from '../../../test/fixtures.ts'
import { startTestOkaeri, type TestMerchant, type TestOkaeri } from '../../../test/harness.ts'
import { addScenario, asleep, flowOf } from '../../../test/scenarios.ts'
import { recordEvents } from '../events/index.ts'
import { askAboutLateWakeUps } from './late.ts'

const HOUR = 3_600_000
let okaeri: TestOkaeri
let merchant: TestMerchant
beforeAll(async () => {
  okaeri = await startTestOkaeri()
  merchant = await okaeri.merchant()
})
afterAll(() => okaeri.close())

const alive = (hoursAgo: number) =>
  sql`update installation set last_alive_at = ${new Date(okaeri.clock.realNow().getTime() - hoursAgo * HOUR)}`.execute(
    okaeri.context.db,
  )

test('After more than a day without a worker, whoever would enter by what happened since then waits for a person', async () => {
  const [customerId = ''] = await addCustomers(merchant.scope(), [{}])
  const paid = await addScenario(merchant.scope(), flowOf([asleep], { trigger: { kind: 'order_paid' } }))
  const favored = await addScenario(merchant.scope(), flowOf([asleep], { trigger: { kind: 'favorite_added' } }))
  const happen = (kind: 'order_paid' | 'favorite_added') =>
    recordEvents(merchant.scope(), [{ kind, key: kind, customerId, occurredAt: okaeri.clock.now() }])
  const braked = async (id: string) => (await merchant.call(getScenario, { params: { id } })).action.braked
  const count = async (id: string) => (await merchant.call(listExecutions, { query: { action_id: id } })).total
  await happen('order_paid')
  okaeri.advance(30 * HOUR)
  await happen('favorite_added')
  // The clock was moved; workers were there all the time.
  await alive(1)
  await askAboutLateWakeUps(okaeri.context)
  expect([await braked(paid), await braked(favored)]).toEqual([null, null])
  await alive(30)
  await askAboutLateWakeUps(okaeri.context)
  await alive(0)
  await okaeri.settle()
  expect(await braked(paid)).toMatchObject({ waiting: 1 })
  expect([await count(paid), await count(favored)]).toEqual([0, 1])
  await merchant.call(releaseBrake, { params: { id: paid } })
  await okaeri.settle()
  expect(await count(paid)).toBe(1)
})
