import { whyInScenario } from '@okaeri/contract/scenarios/entering-routes'
import { enableScenario } from '@okaeri/contract/scenarios/routes'
import type { FormValues } from '@okaeri/contract/scenarios/scenario'
import { beforeEach, describe, expect, test } from 'vitest'
import { addFavorite, removeFavorite } from '../../../../test/favorites.ts'
import { addCustomers, addEmail } from '../../../../test/fixtures.ts'
import { eachWithWebhookStore, merchant, okaeri, sandbox, store, withSandbox } from '../../../../test/with-okaeri.ts'
import { setStock } from '../../../../test/restock.ts'
import { aScenario } from '../../../../test/builders/scenario.ts'
import { learnIntervals } from '../../orders/index.ts'

// What e2e/journeys/templates.spec.ts cannot do from outside: favorites, which are set on the storefront (not built yet), webhooks that
// arrive at the same moment, and years of purchases.

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const GREEN_TEA = { id: 9001, variants: [{ id: 9101, price: 1200, stock: 3 }] }

withSandbox()
eachWithWebhookStore()
let round = 0
beforeEach(() => {
  round += 1
})

const address = (name: string): string => `${name}-${round}@templates.test`
async function enable(template: string, form: FormValues = {}): Promise<string> {
  const email = await addEmail(merchant.scope(), { subject: template })
  const body = { name: template, template, form: { email, ...form } }
  const action = await aScenario(merchant, body)
  await merchant.call(enableScenario, { params: { id: action.id } })
  return action.id
}
const pass = async (ms: number): Promise<void> => {
  okaeri.advance(ms)
  await okaeri.settle()
}
const got = async (name: string): Promise<string[]> => {
  await okaeri.settle()
  return sandbox.mailbox
    .list({ to: address(name) })
    .map(({ subject }) => subject)
    .sort()
}

describe('favorites', () => {
  let likes = ''
  let bought = ''
  beforeEach(async () => {
    await store.tell('products/create', store.product(GREEN_TEA))
    await okaeri.settle()
    await setStock(merchant.scope(), 3, 9101)
    ;[likes = '', bought = ''] = await addCustomers(merchant.scope(), [
      { email: address('likes') },
      { email: address('bought') },
      { email: address('other') },
    ])
    okaeri.advance(MINUTE)
  })
  const like = (customerId: string) =>
    addFavorite(merchant.scope(), { customerId }, { storeProductId: GREEN_TEA.id, storeVariantId: 9101 })
  const change = async (price: number, stock: number): Promise<void> => {
    okaeri.advance(MINUTE)
    await store.tell('products/update', store.product({ ...GREEN_TEA, variants: [{ id: 9101, price, stock }] }))
    await okaeri.settle()
    await setStock(merchant.scope(), stock, 9101)
    // Nothing more changes.
    await pass(10 * MINUTE)
  }

  test('get a reminder some days later, unless something was bought meanwhile', async () => {
    await enable('FavoriteReminderAction')
    await like(likes)
    await like(bought)
    await okaeri.settle()
    await pass(2 * DAY)
    await okaeri.query`update customers set store_customer_id = 701 where merchant_id = ${merchant.id} and id = ${bought}`
    await store.tell(
      'orders/create',
      store.order({ id: 7701, person: { id: 701, email: address('bought') }, paid: true }),
    )
    await okaeri.settle()
    expect(await got('likes')).toEqual([])
    await pass(DAY + MINUTE)
    expect(await got('likes')).toEqual(['FavoriteReminderAction'])
    expect(await got('bought')).toEqual([])
    expect(await got('other')).toEqual([])
  })

  test('get no reminder after they were removed', async () => {
    await enable('FavoriteReminderAction')
    await like(likes)
    await like(bought)
    await okaeri.settle()
    await removeFavorite(
      merchant.scope(),
      { customerId: bought },
      { storeProductId: GREEN_TEA.id, storeVariantId: 9101 },
    )
    await pass(3 * DAY + MINUTE)
    expect(await got('likes')).toEqual(['FavoriteReminderAction'])
    expect(await got('bought')).toEqual([])
  })

  test('that are nearly sold out are sent once the stock falls to the number, not when it is gone', async () => {
    await enable('FavoriteLowStockAction', { stock: 2 })
    await like(likes)
    await change(1200, 3)
    await change(1200, 0)
    expect(await got('likes')).toEqual([])
    await change(1200, 9)
    await change(1200, 2)
    expect(await got('likes')).toEqual(['FavoriteLowStockAction'])
    await change(1200, 1)
    expect(await got('likes')).toEqual(['FavoriteLowStockAction'])
    expect(await got('other')).toEqual([])
  })

  test('that became cheaper are sent once, to the customers who have them', async () => {
    await enable('FavoritePriceAction')
    await like(likes)
    await change(1000, 3)
    await change(900, 3)
    expect(await got('likes')).toEqual(['FavoritePriceAction'])
    expect(await got('other')).toEqual([])
    await pass(7 * DAY)
    await change(800, 3)
    expect(await got('likes')).toEqual(['FavoritePriceAction', 'FavoritePriceAction'])
  })

  test('that are back in stock are sent; dearer or sold-out ones are not', async () => {
    await enable('FavoriteStockAction')
    await like(likes)
    await change(1500, 0)
    expect(await got('likes')).toEqual([])
    await change(1500, 4)
    expect(await got('likes')).toEqual(['FavoriteStockAction'])
    expect(await got('other')).toEqual([])
  })
})

test('two orders received at once are the first and the second, and a cancelled one is neither', async () => {
  await enable('FirstPurchaseAction', { days: 0 })
  const second = await enable('NthPurchaseAction', { days: 0, count: 2 })
  const [once, twice] = [address('once'), address('twice')]
  const [customer_id = ''] = await addCustomers(merchant.scope(), [{ email: once }, { email: twice }])
  await okaeri.query`update customers set store_customer_id = case when email = ${once} then 801 else 802 end
    where merchant_id = ${merchant.id}`
  const at = (minutes: number) => new Date(okaeri.clock.now().getTime() + minutes * MINUTE)
  const person = { id: 802, email: twice }
  await store.tell('orders/create', store.order({ id: 8803, person, cancelled: true, at: at(-3) }))
  await store.tell('orders/create', store.order({ id: 8802, person, paid: true, at: at(-1) }))
  await store.tell('orders/create', store.order({ id: 8801, person, paid: true, at: at(-2) }))
  await store.tell('orders/create', store.order({ id: 8804, person: { id: 801, email: once }, paid: true }))
  await okaeri.settle()
  expect(await got('twice')).toEqual(['FirstPurchaseAction', 'NthPurchaseAction'])
  expect(await got('once')).toEqual(['FirstPurchaseAction'])
  const { why } = await merchant.call(whyInScenario, { params: { id: second }, query: { customer_id } })
  expect(why.rules.find(({ rule }) => rule === 'event')).toMatchObject({ admits: false, detail: { nth: 1 } })
})

describe('buying more', () => {
  /** Six customers, each buying both teas three times: one every 20 days, the other every 45. */
  const yearsOfOrders = async (): Promise<void> => {
    const people = await addCustomers(
      merchant.scope(),
      Array.from({ length: 6 }, (_, index) => ({ email: address(`regular-${index}`) })),
    )
    for (const [product, days] of [
      [9001, 20],
      [9002, 45],
    ] as const)
      for (const customerId of people)
        for (const time of [1, 2, 3])
          await okaeri.query`
            with placed as (
              insert into orders (merchant_id, id, store_order_id, customer_id, name, processed_at, total_amount, current_amount, currency)
              values (${merchant.id}, gen_random_uuid(), (random() * 1e12)::bigint, ${customerId}, '#',
                ${new Date(okaeri.clock.now().getTime() - time * days * DAY)}, 1000, 1000, 'JPY')
              returning id, processed_at
            )
            insert into order_lines (merchant_id, order_id, position, customer_id, store_product_id, title, quantity, amount, processed_at)
            select ${merchant.id}, id, 0, ${customerId}, ${product}, '茶', 1, 1000, processed_at from placed`
    await learnIntervals(merchant.scope())
  }
  const buy = async (name: string, id: number): Promise<void> => {
    await store.tell('orders/create', store.order({ id, person: { id, email: address(name) }, paid: true }))
    await okaeri.settle()
    await okaeri.query`update customers set marketing_state = 'granted' where merchant_id = ${merchant.id}`
  }

  test('comes when the product is usually bought again, or after the days of the form if that is not known', async () => {
    await yearsOfOrders()
    await enable('ReplenishmentAction', { days: 30 })
    await buy('drinks-tea', 901)
    await pass(19 * DAY)
    expect(await got('drinks-tea')).toEqual([])
    await pass(DAY + MINUTE)
    expect(await got('drinks-tea')).toEqual(['ReplenishmentAction'])
  })

  test('comes once for two orders of the same second', async () => {
    await enable('ReplenishmentAction', { days: 30 })
    const at = okaeri.clock.now()
    const person = { id: 921, email: address('hurries') }
    const tell = (topic: string, id: number) =>
      store.tell(topic, { ...store.order({ id, person, paid: true, at }), updated_at: at.toISOString() })
    await tell('orders/paid', 9211)
    await okaeri.settle()
    // The webhook of the first order comes last.
    await tell('orders/create', 9212)
    await tell('orders/create', 9211)
    await okaeri.settle()
    await okaeri.query`update customers set marketing_state = 'granted' where merchant_id = ${merchant.id}`
    await pass(30 * DAY + MINUTE)
    expect(await got('hurries')).toEqual(['ReplenishmentAction'])
  })

  test('comes after the days of the form if the product’s interval is not known or not used', async () => {
    await enable('ReplenishmentAction', { days: 30 })
    await buy('first-of-all', 911)
    await pass(29 * DAY)
    expect(await got('first-of-all')).toEqual([])
    await pass(DAY + MINUTE)
    expect(await got('first-of-all')).toEqual(['ReplenishmentAction'])
    await yearsOfOrders()
    await enable('ReplenishmentAction', { days: 10, usual_interval: false })
    await buy('impatient', 912)
    await pass(10 * DAY + MINUTE)
    expect(await got('impatient')).toEqual(['ReplenishmentAction'])
  })
})
