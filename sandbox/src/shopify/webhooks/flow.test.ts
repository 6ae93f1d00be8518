import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { propertiesOf } from './flow.ts'
import { startStores } from '../seed/test-stores.ts'

let rig: Awaited<ReturnType<typeof startStores>>
const received: { path: string; raw: string; signature: string }[] = []
let answer = 200
const app = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part) => parts.push(part))
  request.on('end', () => {
    const signature = String(request.headers['x-shopify-hmac-sha256'])
    received.push({ path: request.url ?? '', raw: Buffer.concat(parts).toString(), signature })
    response.writeHead(answer).end()
  })
})
beforeAll(async () => {
  rig = await startStores()
  await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  await rig.close()
  app.close()
})

async function customer(): Promise<number> {
  const { body } = await rig.post('/sandbox/customers.json', { last_name: '高橋', first_name: '花' })
  return body.customer.id
}

test('a run of the flow tool’s action is signed, and sent to the app’s own address', async () => {
  const id = await customer()
  const run = { customer_id: id, handle: 'vip', properties: { points: 12 } }
  expect((await rig.post('/sandbox/flow.json', run)).status).toBe(422)
  const { token } = await rig.install()
  const uri = `http://127.0.0.1:${(app.address() as AddressInfo).port}/webhooks/store`
  await rig.graphql(
    token.access_token ?? '',
    'mutation ($sub: WebhookSubscriptionInput!) { webhookSubscriptionCreate(topic: ORDERS_PAID, webhookSubscription: $sub) { userErrors { message } } }',
    { sub: { uri } },
  )
  expect((await rig.post('/sandbox/flow.json', run)).status).toBe(200)
  await rig.settle()
  const [{ path, raw, signature } = { path: '', raw: '', signature: '' }] = received
  expect(path).toBe('/shopify/flow')
  expect(signature).toBe(createHmac('sha256', 'test-secret').update(raw).digest('base64'))
  expect(JSON.parse(raw)).toMatchObject({
    shopify_domain: rig.shop,
    action_run_id: expect.any(String),
    properties: { handle: 'vip', points: '12', customer_id: `gid://shopify/Customer/${id}` },
  })
  expect((await rig.post('/sandbox/flow.json', { ...run, customer_id: 1 })).status).toBe(404)
})

test('a run that the app refuses is not repeated; a person runs one on the customer’s page', async () => {
  answer = 404
  const id = await customer()
  const page = await fetch(`${rig.base}/admin/customers/${id}?lang=en`)
  expect(await page.text()).toContain('Flow action')
  await fetch(`${rig.base}/admin/customers/${id}/flow`, {
    method: 'POST',
    body: new URLSearchParams({ handle: ' winback ', properties: 'rank = gold\nnonsense' }),
    redirect: 'manual',
  })
  await rig.settle()
  const { webhooks } = await rig.read('/sandbox/webhooks.json?topic=flow/action')
  const refused = webhooks.find(({ status }: { status: string }) => status === 'failed')
  expect(refused).toMatchObject({ tries: 1, last_status: 404 })
  expect(refused.body.properties).toMatchObject({ handle: 'winback', rank: 'gold' })
})

test('properties are lines of name and value', () => {
  expect(propertiesOf('a=1\r\n b = x=y \n=z\nq')).toEqual({ a: '1', b: 'x=y' })
})
