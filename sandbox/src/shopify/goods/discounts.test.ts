import { afterAll, beforeAll, expect, test } from 'vitest'
import { startStores } from '../seed/test-stores.ts'

let rig: Awaited<ReturnType<typeof startStores>>
let token: string
beforeAll(async () => {
  rig = await startStores()
  token = (await rig.install('read_customers,read_orders,read_products,write_discounts')).token.access_token ?? ''
})
afterAll(() => rig.close())

const CREATE = `mutation ($discount: DiscountCodeBasicInput!) { discountCodeBasicCreate(basicCodeDiscount: $discount) {
  codeDiscountNode { id } userErrors { field code message } } }`
const ADD = `mutation ($id: ID!, $codes: [DiscountRedeemCodeInput!]!) { discountRedeemCodeBulkAdd(discountId: $id, codes: $codes) {
  bulkCreation { id } userErrors { code } } }`
const MADE = `query ($id: ID!) { discountRedeemCodeBulkCreation(id: $id) { done codesCount importedCount failedCount
  codes(first: 250) { nodes { code discountRedeemCode { id } errors { code } } } } }`
const discount = (code: string, over: Record<string, unknown> = {}) => ({
  title: 'Ten percent',
  code,
  startsAt: new Date(Date.now() - 60_000).toISOString(),
  endsAt: new Date(Date.now() + 86_400_000).toISOString(),
  context: { all: 'ALL' },
  usageLimit: 1,
  customerGets: { value: { percentage: 0.1 }, items: { all: true } },
  ...over,
})
const create = async (code: string, over: Record<string, unknown> = {}) =>
  (await rig.graphql(token, CREATE, { discount: discount(code, over) })).data.discountCodeBasicCreate
const order = (codes: string[], quantity = 1) =>
  rig.post('/sandbox/orders.json', {
    email: 'buyer@example.test',
    items: [{ variant_id: null, quantity }],
    discount_codes: codes,
  })

test('codes are added in bulk, and the answer says which were taken', async () => {
  const { codeDiscountNode } = await create('FIRST')
  await rig.post('/sandbox/switches.json', { bulk_duration_ms: 0 })
  const codes = [{ code: 'SECOND' }, { code: 'first' }]
  const added = await rig.graphql(token, ADD, { id: codeDiscountNode.id, codes })
  const { id } = added.data.discountRedeemCodeBulkAdd.bulkCreation
  const { data } = await rig.graphql(token, MADE, { id })
  expect(data.discountRedeemCodeBulkCreation).toMatchObject({ done: true, importedCount: 1, failedCount: 1 })
  expect(data.discountRedeemCodeBulkCreation.codes.nodes).toMatchObject([
    { code: 'SECOND', discountRedeemCode: { id: expect.any(String) }, errors: [] },
    { code: 'first', discountRedeemCode: null, errors: [{ code: 'TAKEN' }] },
  ])
  expect((await create('second')).userErrors).toMatchObject([{ code: 'TAKEN' }])
})

test('an order with a code costs less, and the code is used up', async () => {
  await create('TENOFF')
  const total = async (given: string[]): Promise<number> => {
    const { body } = await order(given)
    const { data } = await rig.graphql(
      token,
      `query ($id: ID!) { order(id: $id) { totalPriceSet { shopMoney { amount } } } }`,
      {
        id: `gid://shopify/Order/${body.order.id}`,
      },
    )
    return Number(data.order.totalPriceSet.shopMoney.amount)
  }
  const full = await total([])
  expect(await total(['tenoff'])).toBe(full - Math.round(full * 0.1))
  expect((await order(['TENOFF'])).body).toMatchObject({ message: expect.stringContaining('used already') })
})

test('a code with a minimum or for other products is refused; one that is only written down costs nothing', async () => {
  await create('MANY', { minimumRequirement: { quantity: { greaterThanOrEqualToQuantity: '2' } } })
  expect((await order(['MANY'])).status).not.toBe(200)
  expect((await order(['MANY'], 2)).status).toBe(200)
  await create('OTHER', {
    customerGets: { value: { percentage: 0.5 }, items: { products: { productsToAdd: ['gid://shopify/Product/1'] } } },
  })
  expect((await order(['OTHER'])).status).not.toBe(200)
  expect((await order(['JUST A WORD'])).status).toBe(200)
})

test('without the scope it is refused', async () => {
  const { token: poor } = await rig.install('read_customers')
  const answer = await rig.graphql(poor.access_token ?? '', CREATE, { discount: discount('NO') })
  expect(answer.errors[0].extensions.code).toBe('ACCESS_DENIED')
})
