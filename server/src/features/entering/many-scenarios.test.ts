import { saveFlow, enableScenario, listScenarios } from '@okaeri/contract/scenarios/routes'
import { MAX_ACTIVE_FLOW_BYTES, MAX_ACTIVE_SCENARIOS } from '@okaeri/contract/scenarios/scenario'
import { beforeEach, expect, test } from 'vitest'
import { addScenario, asleep, flowOf, granted, type PlainNode } from '../../../test/scenarios.ts'
import { merchant, withMerchants } from '../../../test/with-okaeri.ts'
import { setPlan } from '../merchants/index.ts'
import { updateScenario } from '../flows/queries.ts'

// Each event is compared with all active scenarios of a merchant.

withMerchants()
beforeEach(() => setPlan(merchant.scope(), 'pro', { trial: false }))

const flow = flowOf([asleep])
const stopped = async (of = flow): Promise<string> => {
  const id = await addScenario(merchant.scope(), of)
  await updateScenario(merchant.scope(), id, { status: 'stopped' })
  return id
}
const enable = (id: string) => merchant.call(enableScenario, { params: { id } })

test('a limited number of scenarios can be active, even if many are enabled at once', async () => {
  const scope = merchant.scope()
  for (let n = 2; n < MAX_ACTIVE_SCENARIOS; n += 1) await addScenario(scope, flow)
  const some = [await stopped(), await stopped(), await stopped(), await stopped()]
  const answers = await Promise.allSettled(some.map(enable))
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  expect(answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))).toEqual(
    [1, 2].map(() => expect.objectContaining({ status: 409, reason: 'too_many_scenarios_active' })),
  )
  const { total } = await merchant.call(listScenarios, { query: { status: 'active', limit: 10 } })
  expect(total).toBe(MAX_ACTIVE_SCENARIOS)
})

/** Nearly as large as a request with a flow may be. */
const largeFlow = () => {
  const children = Array.from({ length: 20 }, (_, n) => ({ ...granted, id: `r${n}` }))
  const branches = Array.from({ length: 299 }, (_, n): PlainNode => {
    const next = n < 298 ? `b${n + 1}` : 'asleep'
    const condition = { type: 'group' as const, id: 'g', operator: 'or' as const, children }
    return { id: `b${n}`, kind: 'branch', settings: { condition }, next: { yes: next, no: null } }
  })
  return flowOf([...branches, asleep])
}

test('the size of active flows together is limited, also when one is changed; a page of large ones is shown', async () => {
  const large = largeFlow()
  // As PostgreSQL writes it, with spaces.
  const bytes = JSON.stringify(large).replace(/[,:]/g, '$& ').length
  const scope = merchant.scope()
  for (let sum = 2 * bytes; sum < MAX_ACTIVE_FLOW_BYTES; sum += bytes) await addScenario(scope, large)
  const small = await stopped()
  const last = await stopped(large)
  await enable(small)
  const full = expect.objectContaining({ status: 409, reason: 'too_many_scenarios_active' })
  await merchant.call(saveFlow, { params: { id: small }, body: { flow: large } })
  await expect(enable(last)).rejects.toEqual(full)
  await updateScenario(scope, small, { status: 'stopped' })
  await enable(last)
  const { data } = await merchant.call(listScenarios, { query: { limit: 100 } })
  expect(data.map(({ problems }) => problems)).toEqual(data.map(() => []))
  expect(data[0]?.trigger).toEqual(large.trigger)
})
