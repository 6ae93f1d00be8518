import { getExecution } from '@okaeri/contract/scenarios/execution'
import { expect, test } from 'vitest'
import { addExecutions, addScenario, flowOf } from '../../../test/scenarios.ts'
import { merchant, okaeri, withSandboxStore } from '../../../test/with-okaeri.ts'
import { globalId } from '../../integrations/shopify/sync-operations.ts'
import { getStoreClient } from '../stores/index.ts'

withSandboxStore()

const customers = async () =>
  await okaeri.query<{ id: string; store_customer_id: number; tags: string[] }>`
      select id, store_customer_id, tags from customers where merchant_id = ${merchant.id} order by store_customer_id`

const tagsInStore = async (storeCustomerId: number): Promise<string[]> => {
  const client = await getStoreClient(merchant.scope())
  const { customer } = await client.graphql<{ customer: { tags: string[] } }>(
    'query Tags($id: ID!) { customer(id: $id) { tags } }',
    { id: globalId('Customer', storeCustomerId) },
  )
  return customer.tags
}

test('a scenario tags a customer in the store, and at once here; if the store refuses, the execution fails there', async () => {
  await okaeri.settle()
  expect(await customers()).toHaveLength(30)
  const [one, gone] = await customers()
  if (!one || !gone) throw new Error('the store has customers')
  const scenarioId = await addScenario(
    merchant.scope(),
    flowOf([
      { id: 'add', kind: 'tag_customer', settings: { add: ['常連', 'VIP'], remove: [] }, next: { next: 'remove' } },
      { id: 'remove', kind: 'tag_customer', settings: { add: [], remove: ['VIP'] }, next: { next: null } },
    ]),
  )
  await okaeri.query`update customers set store_customer_id = 999999 where merchant_id = ${merchant.id} and id = ${gone.id}`
  const [id = '', refused = ''] = await addExecutions(merchant.scope(), scenarioId, [
    { customerId: one.id },
    { customerId: gone.id },
  ])
  await okaeri.settle()
  const expected = [...one.tags.filter((tag) => tag !== 'VIP'), ...(one.tags.includes('常連') ? [] : ['常連'])].sort()
  expect((await tagsInStore(one.store_customer_id)).toSorted()).toEqual(expected)
  expect((await customers()).find((row) => row.id === one.id)?.tags.toSorted()).toEqual(expected)
  const detail = async (id: string) => (await merchant.call(getExecution, { params: { id } })).execution
  expect(await detail(id)).toMatchObject({ status: 'done' })
  expect(await detail(refused)).toMatchObject({ status: 'failed', last_error: { error: 'store_refused' } })
})
