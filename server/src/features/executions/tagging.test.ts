import { getExecution } from '@okaeri/contract/scenarios/execution'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  type Sandbox,
  startTestOkaeri,
  startTestSandbox,
  type TestMerchant,
  type TestOkaeri,
} from '../../../test/harness.ts'
import { SHOP } from '../../../test/sandbox-store.ts'
import { addExecutions, addScenario, flowOf } from '../../../test/scenarios.ts'
import { WAIT } from '../../../test/waits.ts'
import { globalId } from '../../integrations/shopify/sync-operations.ts'
import { connectSandboxStore, getStoreClient } from '../stores/index.ts'

let sandbox: Sandbox
let okaeri: TestOkaeri
let merchant: TestMerchant
beforeAll(async () => {
  sandbox = await startTestSandbox()
  okaeri = await startTestOkaeri({ sandbox })
  merchant = await okaeri.merchant()
  await connectSandboxStore(merchant.scope(), SHOP)
})
afterAll(async () => {
  await okaeri.close()
  await sandbox.close()
})

const customers = async () =>
  (
    await sql<{ id: string; store_customer_id: number; tags: string[] }>`
      select id, store_customer_id, tags from customers where merchant_id = ${merchant.id} order by store_customer_id`.execute(
      okaeri.context.db,
    )
  ).rows
const tagsInStore = async (storeCustomerId: number): Promise<string[]> => {
  const client = await getStoreClient(merchant.scope())
  const { customer } = await client.graphql<{ customer: { tags: string[] } }>(
    'query Tags($id: ID!) { customer(id: $id) { tags } }',
    { id: globalId('Customer', storeCustomerId) },
  )
  return customer.tags
}

test('A scenario tags a customer in the store, and at once here; what the store refuses keeps the execution', async () => {
  await vi.waitFor(async () => {
    await okaeri.settle()
    expect(await customers()).toHaveLength(30)
  }, WAIT)
  const [one, gone] = await customers()
  if (!one || !gone) throw new Error('the store has customers')
  const scenarioId = await addScenario(
    merchant.scope(),
    flowOf([
      { id: 'add', kind: 'tag_customer', settings: { add: ['常連', 'VIP'], remove: [] }, next: { next: 'remove' } },
      { id: 'remove', kind: 'tag_customer', settings: { add: [], remove: ['VIP'] }, next: { next: null } },
    ]),
  )
  await sql`update customers set store_customer_id = 999999 where merchant_id = ${merchant.id} and id = ${gone.id}`.execute(
    okaeri.context.db,
  )
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
