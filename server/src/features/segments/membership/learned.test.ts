import type { Leaf } from '@okaeri/contract/segments/condition'
import { listSegmentCustomers } from '@okaeri/contract/segments/routes'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { addCustomers } from '../../../../test/fixtures.ts'
import { connectSandbox, eachWithMerchant, merchant, okaeri, withSandbox } from '../../../../test/with-okaeri.ts'
import { aSegment } from '../../../../test/builders/segment.ts'

// A customer who enters a segment because we learned something, not because something happened, is not reported (decision 56).

let reported: string[] = []
withSandbox()
beforeAll(() => {
  const { publish } = okaeri.context
  okaeri.context.publish = (scope, name, fact) => {
    if (name === 'segment.entered' || name === 'segment.left')
      reported.push(...(fact as { customerIds: readonly string[] }).customerIds.map((id) => `${name} ${id}`))
    return publish(scope, name, fact)
  }
})
eachWithMerchant()
beforeEach(() => {
  reported = []
})

const vip: Leaf = { type: 'condition', id: 'r', category: 'customer', name: 'tags', operator: 'has', value: ['vip'] }
const hasEmail: Leaf = {
  type: 'condition',
  id: 'r',
  category: 'customer',
  name: 'email',
  operator: 'is_set',
  value: null,
}
async function segment(conditions: Leaf): Promise<string> {
  const { id } = await aSegment(merchant, conditions)
  await okaeri.settle()
  return id
}
const members = async (id: string): Promise<number> =>
  (await merchant.call(listSegmentCustomers, { params: { id }, query: {} })).total
const tag = (ids: readonly string[], tags: string) =>
  okaeri.query`update customers set tags = ${tags}::text[] where merchant_id = ${merchant.id} and id = any(${[...ids]}::uuid[])`
const changed = (customerIds: readonly string[], learned: boolean): Promise<void> =>
  okaeri.context.publish(merchant.scope(), 'customers.changed', { customerIds, learned })
const changedWidely = (learned: boolean): Promise<void> =>
  okaeri.context.publish(merchant.scope(), 'customers.changed_widely', { learned })

test('What happened is reported, what was only learned is not; a customer with both is reported', async () => {
  const id = await segment(vip)
  const [happened = '', learned = '', both = '', other = ''] = await addCustomers(merchant.scope(), [{}, {}, {}, {}])
  await tag([happened, learned, both, other], '{vip}')
  await changed([learned, both], true)
  await changed([happened, both], false)
  await changed([learned], true)
  await okaeri.settle()
  expect(await members(id)).toBe(3)
  expect(reported.toSorted()).toEqual([`segment.entered ${happened}`, `segment.entered ${both}`].toSorted())
  reported = []
  await tag([happened, learned], '{}')
  await changed([happened], false)
  await changed([learned], true)
  await okaeri.settle()
  expect(await members(id)).toBe(1)
  expect(reported).toEqual([`segment.left ${happened}`])
})

test('After a change so wide that everyone is evaluated again no customer is reported; the next change is', async () => {
  const id = await segment(vip)
  const [one = '', two = ''] = await addCustomers(merchant.scope(), [{}, {}])
  await tag([one], '{vip}')
  await changedWidely(true)
  // Requested once more before it was answered: the cause is still a copy.
  await changedWidely(false)
  await okaeri.settle()
  expect(await members(id)).toBe(1)
  expect(reported).toEqual([])
  await tag([two], '{vip}')
  await changedWidely(false)
  await okaeri.settle()
  expect(reported).toEqual([`segment.entered ${two}`])
})

test('A copy of the store starts nothing', async () => {
  const id = await segment(hasEmail)
  await connectSandbox(merchant)
  await okaeri.settle()
  const rows = await okaeri.query`select from sync_runs where merchant_id = ${merchant.id} and status <> 'done'`
  expect(rows).toEqual([])
  expect(await members(id)).toBeGreaterThan(20)
  expect(reported).toEqual([])
})
