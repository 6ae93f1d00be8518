import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startStores } from '../seed/test-stores.ts'

let rig: Awaited<ReturnType<typeof startStores>>
let token: string

beforeAll(async () => {
  rig = await startStores()
  token = (await rig.install()).token.access_token ?? ''
})
afterAll(() => rig.close())

const ask = (query: string, variables?: Record<string, unknown>) => rig.graphql(token, query, variables)

describe('queries', () => {
  test('the shop and what the app may do', async () => {
    const { data } = await ask(
      '{ shop { name ianaTimezone currencyCode primaryDomain { url } plan { publicDisplayName } } currentAppInstallation { accessScopes { handle } } shopLocales { locale primary } }',
    )
    expect(data.shop).toMatchObject({ ianaTimezone: 'Asia/Tokyo', currencyCode: 'JPY' })
    expect(data.currentAppInstallation.accessScopes).toContainEqual({ handle: 'write_customers' })
  })

  test('all customers come exactly once over the pages', async () => {
    const seen: string[] = []
    let after: string | null = null
    do {
      const { data } = await ask(
        'query ($after: String) { customers(first: 30, after: $after, sortKey: UPDATED_AT, reverse: true) { nodes { id updatedAt } pageInfo { hasNextPage endCursor } } }',
        { after },
      )
      seen.push(...data.customers.nodes.map((node: { id: string }) => node.id))
      after = data.customers.pageInfo.hasNextPage ? data.customers.pageInfo.endCursor : null
    } while (after !== null)
    expect(seen).toHaveLength(80)
    expect(new Set(seen)).toHaveLength(80)
  })

  test("a customer's sums agree with the orders", async () => {
    const { data } = await ask(
      '{ customers(first: 20) { nodes { id numberOfOrders amountSpent { amount } lastOrder { id } orders(first: 60, sortKey: PROCESSED_AT, reverse: true) { nodes { id cancelledAt currentTotalPriceSet { shopMoney { amount } } } } } } }',
    )
    expect(data.customers.nodes).toHaveLength(20)
    for (const { numberOfOrders, amountSpent, lastOrder, orders } of data.customers.nodes) {
      const placed: {
        id: string
        cancelledAt: string | null
        currentTotalPriceSet: { shopMoney: { amount: string } }
      }[] = orders.nodes
      expect(Number(numberOfOrders)).toBe(placed.filter(({ cancelledAt }) => cancelledAt === null).length)
      const spent = placed.reduce((sum, { currentTotalPriceSet: { shopMoney } }) => sum + Number(shopMoney.amount), 0)
      expect(Number(amountSpent.amount)).toBe(spent)
      expect(lastOrder?.id ?? null).toBe(placed[0]?.id ?? null)
    }
  })

  test('the filter language finds by time, id, address and tag', async () => {
    const { data } = await ask(
      '{ customers(first: 1) { nodes { id updatedAt defaultEmailAddress { emailAddress } } } }',
    )
    const [known] = data.customers.nodes
    const find = async (query: string) =>
      (
        await ask('query ($q: String) { customers(first: 100, query: $q) { nodes { id tags updatedAt } } }', {
          q: query,
        })
      ).data.customers.nodes
    expect(await find(`id:${known.id.split('/').at(-1)}`)).toHaveLength(1)
    expect(
      (await find(`email:${known.defaultEmailAddress.emailAddress}`)).map(({ id }: { id: string }) => id),
    ).toContain(known.id)
    const since = await find(`updated_at:>='${known.updatedAt}' AND updated_at:<='${known.updatedAt}'`)
    expect(since.map(({ id }: { id: string }) => id)).toContain(known.id)
    for (const customer of await find('tag:会員 AND -tag:VIP')) {
      expect(customer.tags).toContain('会員')
      expect(customer.tags).not.toContain('VIP')
    }
    expect(await find("updated_at:>='2999-01-01'")).toEqual([])
  })

  test('a mistake is answered as the platform does', async () => {
    const { errors } = await ask('{ shop { nope } }')
    expect(errors[0]).toMatchObject({
      message: "Field 'nope' doesn't exist on type 'Shop'",
      extensions: { code: 'undefinedField' },
    })
    expect((await ask('{ customers { nodes { id } } }')).errors[0].message).toBe(
      'you must provide one of first or last',
    )
    const wrong = await rig.post(
      '/admin/api/2026-07/graphql.json',
      { query: '{ shop { name } }' },
      { 'x-shopify-access-token': 'no' },
    )
    expect(wrong.status).toBe(401)
    expect(wrong.body.errors).toMatch(/Invalid API key or access token/)
  })
})

describe('changes', () => {
  test('consent takes three states and needs an address', async () => {
    const update = (customerId: string, marketingState: string) =>
      ask(
        'mutation ($input: CustomerEmailMarketingConsentUpdateInput!) { customerEmailMarketingConsentUpdate(input: $input) { customer { defaultEmailAddress { marketingState } } userErrors { code message } } }',
        { input: { customerId, emailMarketingConsent: { marketingState } } },
      ).then(({ data }) => data.customerEmailMarketingConsentUpdate)
    const { data } = await ask('{ customers(first: 1) { nodes { id } } }')
    const { id } = data.customers.nodes[0]
    expect((await update(id, 'UNSUBSCRIBED')).customer.defaultEmailAddress.marketingState).toBe('UNSUBSCRIBED')
    expect((await update(id, 'NOT_SUBSCRIBED')).userErrors[0].code).toBe('INVALID')
    const made = await ask(
      'mutation { customerCreate(input: { firstName: "無" lastName: "住所" }) { customer { id } userErrors { message } } }',
    )
    expect((await update(made.data.customerCreate.customer.id, 'SUBSCRIBED')).userErrors).toHaveLength(1)
  })

  test('a customer is made, changed, tagged, given a birthday and removed', async () => {
    const made = await ask(
      'mutation { customerCreate(input: { email: "new@example.jp" lastName: "新井" tags: ["a"] }) { customer { id tags } userErrors { message } } }',
    )
    const { id } = made.data.customerCreate.customer
    const taken = await ask(
      'mutation { customerCreate(input: { email: "NEW@example.jp" }) { customer { id } userErrors { field message } } }',
    )
    expect(taken.data.customerCreate.userErrors).toEqual([
      { field: ['email'], message: 'Email has already been taken' },
    ])
    await ask('mutation ($id: ID!) { tagsAdd(id: $id, tags: ["A", "b"]) { node { id } userErrors { message } } }', {
      id,
    })
    const set = await ask(
      'mutation ($m: [MetafieldsSetInput!]!) { metafieldsSet(metafields: $m) { metafields { value } userErrors { code } } }',
      { m: [{ ownerId: id, namespace: 'facts', key: 'birth_date', type: 'date', value: '1990-02-30' }] },
    )
    expect(set.data.metafieldsSet.userErrors[0].code).toBe('INVALID_VALUE')
    await ask('mutation ($m: [MetafieldsSetInput!]!) { metafieldsSet(metafields: $m) { userErrors { code } } }', {
      m: [{ ownerId: id, namespace: 'facts', key: 'birth_date', type: 'date', value: '1990-04-01' }],
    })
    const read = await ask(
      'query ($id: ID!) { customer(id: $id) { tags metafield(namespace: "facts", key: "birth_date") { value type } } }',
      { id },
    )
    expect(read.data.customer).toEqual({ tags: ['a', 'b'], metafield: { value: '1990-04-01', type: 'date' } })
    const gone = await ask('mutation ($id: ID!) { customerDelete(input: { id: $id }) { deletedCustomerId } }', { id })
    expect(gone.data.customerDelete.deletedCustomerId).toBe(id)
  })
})

describe('bulk operations', () => {
  const query =
    '{ customers { edges { node { id displayName metafields(namespace: "facts") { edges { node { id value } } } } } } }'
  const run = (text: string) =>
    ask(
      'mutation ($q: String!) { bulkOperationRunQuery(query: $q) { bulkOperation { id status } userErrors { code message } } }',
      {
        q: text,
      },
    ).then(({ data }) => data.bulkOperationRunQuery)
  const node = (id: string) =>
    ask(
      'query ($id: ID!) { node(id: $id) { ... on BulkOperation { id status errorCode objectCount rootObjectCount url partialDataUrl } } }',
      {
        id,
      },
    ).then(({ data }) => data.node)

  test('an export runs, refuses a second one beside it and ends in a file', async () => {
    const { bulkOperation } = await run(query)
    expect(bulkOperation.status).toBe('CREATED')
    expect((await run(query)).userErrors[0].code).toBe('OPERATION_IN_PROGRESS')
    await rig.settle()
    const done = await node(bulkOperation.id)
    expect(done.status).toBe('COMPLETED')
    const text = await (await fetch(done.url)).text()
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const customers = lines.filter((line) => !line.__parentId)
    const children = lines.filter((line) => line.__parentId)
    expect(String(lines.length)).toBe(done.objectCount)
    expect(String(customers.length)).toBe(done.rootObjectCount)
    expect(children.length).toBeGreaterThan(20)
    expect(Object.keys(customers[0])).toEqual(['id', 'displayName'])
    const ids = new Set(customers.map(({ id }) => id))
    expect(children.every(({ __parentId }) => ids.has(__parentId))).toBe(true)
  })

  test('one can be canceled, and one without a connection is refused', async () => {
    expect((await run('{ shop { name } }')).userErrors[0].code).toBe('INVALID')
    const { bulkOperation } = await run(query)
    await ask(
      'mutation ($id: ID!) { bulkOperationCancel(id: $id) { bulkOperation { status } userErrors { message } } }',
      {
        id: bulkOperation.id,
      },
    )
    await rig.settle()
    expect((await node(bulkOperation.id)).status).toBe('CANCELED')
  })
})

describe('metafields', () => {
  test('the store tells what its customers’ metafields are, and how many there are', async () => {
    const { data } = await ask(
      '{ metafieldDefinitions(ownerType: CUSTOMER, first: 50) { nodes { namespace key name type { name } metafieldsCount } } }',
    )
    const { nodes } = data.metafieldDefinitions
    expect(nodes).toContainEqual(
      expect.objectContaining({ namespace: 'facts', key: 'birth_date', type: { name: 'date' } }),
    )
    expect(nodes.find(({ key }: { key: string }) => key === 'points').metafieldsCount).toBeGreaterThan(0)
    const none = await ask('{ metafieldDefinitions(ownerType: ORDER, first: 50) { nodes { key } } }')
    expect(none.data.metafieldDefinitions.nodes).toEqual([])
  })

  test('values are held against their definition, and can be deleted', async () => {
    const made = await ask('mutation { customerCreate(input: { email: "points@example.jp" }) { customer { id } } }')
    const { id } = made.data.customerCreate.customer
    const set = async (field: Record<string, unknown>) =>
      (
        await ask(
          'mutation ($m: [MetafieldsSetInput!]!) { metafieldsSet(metafields: $m) { metafields { value } userErrors { code } } }',
          { m: [{ ownerId: id, namespace: 'loyalty', key: 'points', ...field }] },
        )
      ).data.metafieldsSet
    expect((await set({ value: 'many' })).userErrors[0].code).toBe('INVALID_VALUE')
    expect((await set({ value: '10', type: 'number_decimal' })).userErrors[0].code).toBe('INVALID_TYPE')
    expect(await set({ value: '10' })).toEqual({ metafields: [{ value: '10' }], userErrors: [] })
    const remove =
      'mutation ($m: [MetafieldIdentifierInput!]!) { metafieldsDelete(metafields: $m) { deletedMetafields { key } userErrors { message } } }'
    const name = { ownerId: id, namespace: 'loyalty', key: 'points' }
    expect((await ask(remove, { m: [name] })).data.metafieldsDelete.deletedMetafields).toEqual([{ key: 'points' }])
    expect((await ask(remove, { m: [name] })).data.metafieldsDelete.deletedMetafields).toEqual([null])
  })
})
