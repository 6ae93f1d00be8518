import { afterAll, beforeAll, expect, test } from 'vitest'
import { startStores } from './seed/test-stores.ts'
import { planSegment, SegmentQueryError } from './segment-query.ts'

let rig: Awaited<ReturnType<typeof startStores>>
let token = ''
beforeAll(async () => {
  rig = await startStores()
  token = (await rig.install()).token.access_token ?? ''
  await rig.post('/sandbox/switches.json', { bulk_duration_ms: 0 })
})
afterAll(() => rig.close())

const list = async () =>
  (
    await rig.graphql(
      token,
      '{ segments(first: 250) { nodes { id name query } pageInfo { hasNextPage } } segmentsCount { count } }',
    )
  ).data
const membersOf = async (query: string): Promise<string[]> =>
  (
    await rig.graphql(
      token,
      'query($q: String) { customerSegmentMembers(query: $q, first: 1000) { edges { node { id } } } }',
      {
        q: query,
      },
    )
  ).data.customerSegmentMembers.edges.map(({ node }: { node: { id: string } }) => node.id.replace('SegmentMember', ''))
const customersWhere = async (query: string): Promise<string[]> =>
  (
    await rig.graphql(token, 'query($q: String) { customers(query: $q, first: 250) { nodes { id } } }', { q: query })
  ).data.customers.nodes.map(({ id }: { id: string }) => id)

test('the first segments are there and really evaluated', async () => {
  const { segments, segmentsCount } = await list()
  expect(segmentsCount.count).toBe(segments.nodes.length)
  expect(segments.nodes.map(({ name }: { name: string }) => name)).toContain('VIP')
  expect(await membersOf('number_of_orders > 3')).toEqual(await customersWhere('orders_count:>3'))
  expect(await membersOf("customer_tags CONTAINS 'VIP'")).toEqual(await customersWhere('tag:VIP'))
  expect(await membersOf("customer_tags CONTAINS 'VIP' AND NOT number_of_orders > 3")).toEqual(
    await customersWhere('tag:VIP AND NOT orders_count:>3'),
  )
  expect((await membersOf("email_subscription_status = 'SUBSCRIBED'")).length).toBeGreaterThan(10)
})

test('members are found first and then read page by page as they were', async () => {
  const [segment] = (await list()).segments.nodes as { id: string }[]
  const found = await rig.graphql(
    token,
    `mutation($id: ID!) { customerSegmentMembersQueryCreate(input: { segmentId: $id }) {
      customerSegmentMembersQuery { id done currentCount } userErrors { message } } }`,
    { id: segment?.id },
  )
  const { id, done, currentCount } = found.data.customerSegmentMembersQueryCreate.customerSegmentMembersQuery
  expect(done).toBe(true)
  const seen: string[] = []
  for (let after: string | null = null; ; ) {
    const answer = await rig.graphql(
      token,
      `query($id: ID!, $after: String) { customerSegmentMembers(queryId: $id, first: 7, after: $after) {
        totalCount edges { node { id } } pageInfo { hasNextPage endCursor } } }`,
      { id, after },
    )
    const page = answer.data.customerSegmentMembers
    expect(page.totalCount).toBe(currentCount)
    seen.push(...page.edges.map(({ node }: { node: { id: string } }) => node.id))
    if (!page.pageInfo.hasNextPage) break
    after = page.pageInfo.endCursor
  }
  expect(new Set(seen).size).toBe(currentCount)
  const membership = await rig.graphql(
    token,
    'query($c: ID!, $s: [ID!]!) { customerSegmentMembership(customerId: $c, segmentIds: $s) { memberships { isMember } } }',
    { c: seen[0]?.replace('SegmentMember', ''), s: [segment?.id] },
  )
  expect(membership.data.customerSegmentMembership.memberships).toEqual([{ isMember: true }])
})

test('members change as customers do', async () => {
  const before = await membersOf("customer_tags CONTAINS 'neu'")
  expect(before).toEqual([])
  const { customer } = (await rig.post('/sandbox/customers.json', { email: 'neu@people.test', tags: ['neu'] })).body
  expect(await membersOf("customer_tags CONTAINS 'neu'")).toEqual([`gid://shopify/Customer/${customer.id}`])
})

test.each([
  'shoe_size = 3',
  'number_of_orders > many',
  "customer_tags = 'VIP'",
  '(number_of_orders > 3',
  'number_of_orders',
  '',
])('a query that cannot be evaluated is refused: %s', (query) => {
  expect(() => planSegment(query, 1_800_000_000)).toThrow(SegmentQueryError)
})
