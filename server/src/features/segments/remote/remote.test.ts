import { getSync } from '@okaeri/contract/customers/routes'
import type { Segment } from '@okaeri/contract/segments/segment'
import * as endpoints from '@okaeri/contract/segments/routes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { otherWorkers } from '../../../../test/other-worker.ts'
import { connectSandbox, merchant, okaeri, play, sandbox, withSandboxStore } from '../../../../test/with-okaeri.ts'
import { merchantScope } from '../../../kernel/merchant-scope.ts'
import { disconnectStore } from '../../stores/index.ts'
import { fetchRemoteMembers } from './remote.ts'

const workers = otherWorkers()

async function settled(): Promise<void> {
  await okaeri.settle()
  const { sync } = await merchant.call(getSync, {})
  expect([sync.status, sync.webhooks_waiting]).toEqual(['done', 0])
}
const list = async (): Promise<Map<string, Segment>> => {
  const { data } = await merchant.call(endpoints.listSegments, { query: { origin: 'remote', limit: 100 } })
  return new Map(data.map((segment) => [segment.name, segment]))
}
const find = async (name: string): Promise<Segment> => {
  const segment = (await list()).get(name)
  if (!segment) throw new Error(`no segment ${name}`)
  return segment
}
const resync = async (): Promise<void> => {
  await merchant.call(endpoints.resyncRemoteSegments, { body: { force: true } })
  await okaeri.settle()
}

withSandboxStore({ seed: { customers: 2600, products: 5, orders: 400 }, env: workers.env, connected: false })
beforeAll(async () => {
  expect((await merchant.call(endpoints.getRemoteSegments, {})).remote_segments).toEqual({
    status: 'unavailable',
    failure: null,
    listed_at: null,
  })
  await expect(merchant.call(endpoints.resyncRemoteSegments, { body: {} })).rejects.toMatchObject({
    reason: 'store_not_connected',
  })
  await connectSandbox()
  await settled()
})
afterAll(() => workers.end())

test('once the store is copied, its segments exist with their members, as the store counts them', async () => {
  const { segments } = await play<{ segments: { name: string; query: string }[] }>('segments.json')
  const listed = await list()
  expect([...listed.keys()].sort()).toEqual(segments.map(({ name }) => name).sort())
  for (const { name, query } of segments) {
    const segment = listed.get(name)
    expect(segment).toMatchObject({ origin: 'remote', status: 'ready', conditions: null, up_to_date: true })
    expect(segment?.remote).toMatchObject({
      query,
      store_count: segment?.customer_count,
      unknown_count: 0,
      progress: null,
    })
  }
  expect(listed.get('メールを購読している顧客')?.customer_count).toBeGreaterThan(1000)
  const { id } = await find('VIP')
  const { data, total } = await merchant.call(endpoints.listSegmentCustomers, { params: { id }, query: { limit: 200 } })
  expect(data).toHaveLength(Math.min(total, 200))
  expect(data.every(({ tags }) => tags.includes('VIP'))).toBe(true)
  const { target_counts } = await merchant.call(endpoints.getTargetCounts, { params: { id }, query: {} })
  expect(target_counts.total).toBe(total)
  expect((await merchant.call(endpoints.getRemoteSegments, {})).remote_segments.status).toBe('ready')
})

test('segments renamed, changed, added or deleted there are the same here after the next listing, a day later at the latest', async () => {
  const before = await find('VIP')
  const storeId = before.remote?.store_segment_id ?? ''
  await play(`segments/${storeId}/update.json`, { name: '最重要' })
  await play('segments.json', { name: '一万円以上', query: 'amount_spent >= 10000' })
  const abroad = await find('海外の顧客')
  await play(`segments/${abroad.remote?.store_segment_id ?? ''}/delete.json`, {})
  await resync()
  expect(await find('最重要')).toMatchObject({ id: before.id, customer_count: before.customer_count })
  expect((await find('一万円以上')).customer_count).toBeGreaterThan(0)
  expect((await list()).has('海外の顧客')).toBe(false)
  const rows =
    await okaeri.query`select from segment_members where merchant_id = ${merchant.id} and segment_id = ${abroad.id}`
  expect(rows).toHaveLength(0)
  await play(`segments/${storeId}/update.json`, { query: 'number_of_orders > 100000' })
  okaeri.advance(25 * 3_600_000)
  await settled()
  expect(await find('最重要')).toMatchObject({ customer_count: 0, status: 'ready' })
})

test('a difference is shown: customers the store lists but who are unknown here, until they are known', async () => {
  const { id } = await find('一万円以上')
  const { data } = await merchant.call(endpoints.listSegmentCustomers, { params: { id }, query: { limit: 1 } })
  const gone = data[0]
  const before = (await find('一万円以上')).customer_count ?? 0
  await okaeri.query`delete from customers where merchant_id = ${merchant.id} and id = ${gone?.id ?? ''}`
  await merchant.call(endpoints.recountSegment, { params: { id }, body: {} })
  await okaeri.settle()
  const drifted = await find('一万円以上')
  expect(drifted).toMatchObject({ status: 'ready', customer_count: before - 1 })
  expect(drifted.remote).toMatchObject({
    store_count: before,
    unknown_count: 1,
    unknown_ids: [gone?.store_customer_id],
  })
  // The store sends them again.
  await play(`customers/${gone?.store_customer_id ?? ''}/update.json`, { note: 'x' })
  await settled()
  const mended = await find('一万円以上')
  expect(mended.customer_count).toBe(before)
  expect(mended.remote?.unknown_count).toBe(0)
})

test('own segments that refer to one follow its members', async () => {
  const { customer } = await play<{ customer: { id: number } }>('customers.json', { email: 'novel@people.test' })
  await settled()
  const { segment } = await play<{ segment: { id: number } }>('segments.json', {
    name: '新しい印',
    query: "customer_tags CONTAINS 'novel'",
  })
  await resync()
  const { id } = await find('新しい印')
  const own = await merchant.call(endpoints.createSegment, {
    body: {
      conditions: {
        type: 'condition',
        id: 'r',
        category: 'segments',
        name: 'member',
        operator: 'is_member',
        value: [id],
      },
    },
  })
  await okaeri.settle()
  await play('tags.json', { customer_id: customer.id, tags: ['novel'] })
  await settled()
  await merchant.call(endpoints.recountSegment, { params: { id }, body: {} })
  await okaeri.settle()
  const { customer_segment } = await merchant.call(endpoints.getSegment, { params: { id: own.customer_segment.id } })
  expect([customer_segment.customer_count, (await find('新しい印')).customer_count]).toEqual([1, 1])
  await merchant.call(endpoints.deleteSegment, { params: { id: own.customer_segment.id } })
  await play(`segments/${segment.id}/delete.json`, {})
  await resync()
})

test('a query the store cannot evaluate is reported; throttling by the store only takes longer', async () => {
  await play('segments.json', { name: '壊れた条件', query: 'shoe_size = 26' })
  await play('switches.json', { throttle_next: 2 })
  await resync()
  expect(await find('壊れた条件')).toMatchObject({ status: 'failed', failure: 'store_refused', customer_count: null })
  expect((await merchant.call(endpoints.getRemoteSegments, {})).remote_segments).toMatchObject({ status: 'ready' })
})

test('a worker killed between two pages loses nothing: the next one continues after the stored page', async () => {
  const { id, remote } = await find('メールを購読している顧客')
  const worker = await workers.start({ okaeri, sandbox, env: { CRASH_AT: 'members_page:1' } })
  const died = new Promise((resolve) => worker.on('exit', (_, signal) => resolve(signal)))
  await merchant.call(endpoints.recountSegment, { params: { id }, body: {} })
  expect(await died).toBe('SIGKILL')
  const halfway = await find('メールを購読している顧客')
  expect(halfway).toMatchObject({ status: 'calculating', up_to_date: false })
  expect(halfway.remote?.progress).toEqual({ fetched: 1000, total: remote?.store_count })
  const questionOf = async () => {
    const rows = await okaeri.query<{ store_members_query: string | null; count_number: number }>`
      select store_members_query, count_number from segments where merchant_id = ${merchant.id} and id = ${id}`
    return rows[0]
  }
  const question = await questionOf()
  const asked: string[] = []
  const { shopify } = okaeri.context.integrations
  if (!shopify) throw new Error('no store platform')
  const { graphql } = shopify
  shopify.graphql = (connection, operation, variables) => {
    asked.push(/(?:query|mutation) (\w+)/.exec(operation)?.[1] ?? '')
    return graphql(connection, operation, variables)
  }
  try {
    await fetchRemoteMembers.run(merchantScope(okaeri.context, merchant.id), { segmentId: id })
  } finally {
    shopify.graphql = graphql
  }
  expect(question?.store_members_query).toContain('CustomerSegmentMembersQuery')
  expect(asked).toEqual(['SegmentMembersFound', 'SegmentMembers'])
  const done = await find('メールを購読している顧客')
  expect(done).toMatchObject({ status: 'ready', customer_count: remote?.store_count })
})

test('without the store nothing is lost, and the page says why nothing is fetched', async () => {
  const before = await find('4回以上購入した顧客')
  await disconnectStore(merchant.scope())
  await merchant.call(endpoints.recountSegment, { params: { id: before.id }, body: {} })
  await okaeri.settle()
  expect(await find('4回以上購入した顧客')).toMatchObject({
    status: 'failed',
    failure: 'store_not_connected',
    customer_count: before.customer_count,
  })
})
