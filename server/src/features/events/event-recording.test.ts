import { createCustomer } from '@okaeri/contract/customers/routes'
import { getEvent, listEvents } from '@okaeri/contract/scenarios/event'
import { expect, test } from 'vitest'
import { addFavorite } from '../../../test/favorites.ts'
import { addCustomers } from '../../../test/fixtures.ts'
import { merchant, okaeri, store, withWebhookStores } from '../../../test/with-okaeri.ts'
import { changeConsent } from '../consent/index.ts'
import { joinGuest, guestOf } from '../guests/index.ts'

withWebhookStores()

const events = async (query: Record<string, string> = {}) =>
  (await merchant.call(listEvents, { query: { limit: 200, ...query } })).data
const kinds = async () => (await events()).map(({ kind }) => kind).sort()

test('an order gives one event each for created, paid and fulfilled, however often and in whatever order its webhooks come', async () => {
  const person = { id: 501 }
  for (const topic of ['orders/paid', 'orders/create', 'orders/updated', 'orders/create'])
    await store.tell(topic, store.order({ id: 7001, person, paid: true, yen: 4800 }))
  await okaeri.settle()
  expect(await kinds()).toEqual(['order_created', 'order_paid'])
  await store.tell('orders/updated', store.order({ id: 7001, person, paid: true, fulfilled: true }))
  await store.tell('orders/updated', store.order({ id: 7001, person, paid: true, fulfilled: true }))
  await okaeri.settle()
  expect(await kinds()).toEqual(['order_created', 'order_fulfilled', 'order_paid'])
  const [created] = await events({ kind: 'order_created' })
  expect(created).toMatchObject({
    customer_name: '山田 花子',
    subject: { store_order_id: 7001, order_name: '#7001', amount: 4800, currency: 'JPY' },
    entries: [],
  })
  const { event } = await merchant.call(getEvent, { params: { id: created?.id ?? '' } })
  expect(event.subject.lines).toEqual([{ store_product_id: 9001, store_variant_id: 9101, title: '煎茶', quantity: 1 }])
})

test('an order first sent long after it was placed gives no event', async () => {
  await store.tell('orders/updated', store.order({ id: 7002, person: { id: 502 }, paid: true, fulfilled: true }))
  await okaeri.settle()
  expect(await kinds()).toEqual([])
})

test('old orders entered into the store give no event, neither then nor when they change', async () => {
  const long = { at: new Date(okaeri.clock.now().getTime() - 8 * 86_400_000) }
  const short = { at: new Date(okaeri.clock.now().getTime() - 6 * 86_400_000) }
  await store.tell('orders/create', store.order({ id: 7005, person: { id: 506 }, ...long }))
  await store.tell(
    'orders/create',
    store.order({ id: 7006, person: { id: 507 }, paid: true, fulfilled: true, ...long }),
  )
  await okaeri.settle()
  await store.tell('orders/paid', store.order({ id: 7005, person: { id: 506 }, paid: true, ...long }))
  await store.tell(
    'orders/updated',
    store.order({ id: 7005, person: { id: 506 }, paid: true, fulfilled: true, ...long }),
  )
  await okaeri.settle()
  expect(await kinds()).toEqual([])
  // A store that was down for some days sent it late.
  await store.tell('orders/create', store.order({ id: 7007, person: { id: 508 }, paid: true, ...short }))
  await okaeri.settle()
  okaeri.advance(30 * 86_400_000)
  await store.tell(
    'orders/updated',
    store.order({ id: 7007, person: { id: 508 }, paid: true, fulfilled: true, ...short }),
  )
  await okaeri.settle()
  expect(await kinds()).toEqual(['order_created', 'order_fulfilled', 'order_paid'])
})

test('a cancelled order gives an event', async () => {
  await store.tell('orders/create', store.order({ id: 7003, person: { id: 503 } }))
  await store.tell('orders/cancelled', store.order({ id: 7003, person: { id: 503 }, cancelled: true }))
  await okaeri.settle()
  expect(await kinds()).toEqual(['order_cancelled', 'order_created'])
})

test('a guest’s order with the address of a known customer is that customer’s', async () => {
  const [customerId] = await addCustomers(merchant.scope(), [{ email: 'known@example.test' }])
  await store.tell('orders/create', store.order({ id: 7004, email: 'Known@example.test' }))
  await okaeri.settle()
  expect(await events()).toMatchObject([{ kind: 'order_created', customer_id: customerId }])
})

test('a customer is created once, in the store or here', async () => {
  await store.tell('customers/create', store.customer({ id: 504 }))
  await store.tell('customers/update', store.customer({ id: 505 }))
  await okaeri.settle()
  await okaeri.query`update store_connections set status = 'disconnected' where merchant_id = ${merchant.id}`
  await merchant.call(createCustomer, { body: { email: 'new@example.test', last_name: '佐藤' } })
  expect(await kinds()).toEqual(['customer_created', 'customer_created'])
})

test('marketing consent gives an event; consent from a copy or an import does not, nor does other consent', async () => {
  const ids = await addCustomers(
    merchant.scope(),
    Array.from({ length: 4 }, () => ({ marketing_state: 'unknown' as const })),
  )
  const give = (index: number, kind: 'marketing' | 'notification', source: 'storefront' | 'import' | 'sync') =>
    changeConsent(merchant.scope(), { customerId: ids[index] ?? '', kind, to: 'granted', source })
  await give(0, 'marketing', 'storefront')
  await give(1, 'marketing', 'import')
  await give(2, 'marketing', 'sync')
  await give(3, 'notification', 'storefront')
  expect(await events()).toMatchObject([{ kind: 'consent_given', customer_id: ids[0] }])
})

test('a favorite gives an event, a guest’s too, which becomes the customer’s when the guest joins', async () => {
  const [customerId] = await addCustomers(merchant.scope(), [{}])
  const scope = merchant.scope()
  const { guestId } = await guestOf(scope, { token: 'a-browser' })
  const wanted = { storeProductId: 9001, storeVariantId: 9101 }
  await addFavorite(scope, { guestId }, wanted)
  await addFavorite(scope, { guestId }, wanted)
  expect(await events()).toMatchObject([
    {
      kind: 'favorite_added',
      customer_id: null,
      guest_id: guestId,
      subject: { store_product_id: 9001, store_variant_id: 9101 },
    },
  ])
  await joinGuest(scope, guestId, customerId ?? '')
  expect(await events()).toMatchObject([{ customer_id: customerId, guest_id: null }])
})
