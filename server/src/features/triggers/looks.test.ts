import { listEvents } from '@okaeri/contract/scenarios/event'
import type { Trigger, TriggerOf } from '@okaeri/contract/scenarios/trigger'
import { describe, expect, test } from 'vitest'
import { addFavorite } from '../../../test/favorites.ts'
import { addCustomers } from '../../../test/fixtures.ts'
import { untilWaiting } from '../../../test/locks.ts'
import { addScenario, asleep, flowOf } from '../../../test/scenarios.ts'
import { merchant, okaeri, store, withWebhookStores } from '../../../test/with-okaeri.ts'
import { changeConsent } from '../consent/index.ts'
import { mergeCustomers } from '../customers/index.ts'
import { selectPastOfTrigger } from './index.ts'

withWebhookStores()

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const pass = async (ms: number): Promise<void> => {
  okaeri.advance(ms)
  await okaeri.settle()
}
const people = async (...numbers: number[]): Promise<string[]> => {
  const ids = await addCustomers(
    merchant.scope(),
    numbers.map(() => ({})),
  )
  for (const [index, number] of numbers.entries())
    await okaeri.query`update customers set store_customer_id = ${number} where id = ${ids[index] ?? ''}`
  return ids
}
const sell = async (id: number, { price = 1000, stock = 5 } = {}): Promise<void> => {
  await store.tell('products/update', store.product({ id, variants: [{ id: id * 10, price, stock }] }))
  await okaeri.settle()
}
const look = (customerId: string, product: number, views = 1) =>
  okaeri.query`insert into product_views as v (merchant_id, customer_id, store_product_id, first_viewed_at, viewed_at, views)
    values (${merchant.id}, ${customerId}, ${product}, ${okaeri.clock.now()}, ${okaeri.clock.now()}, ${views})
    on conflict (merchant_id, customer_id, store_product_id) do update set viewed_at = excluded.viewed_at`
const putInCart = (customerId: string, product: number, quantity = 1) =>
  okaeri.query`insert into cart_products (merchant_id, customer_id, store_product_id, quantity, first_seen_at, seen_at, changed_at)
    values (${merchant.id}, ${customerId}, ${product}, ${quantity}, ${okaeri.clock.now()}, ${okaeri.clock.now()},
      ${okaeri.clock.now()})`
const buy = (id: number, person: number) => store.tell('orders/create', store.order({ id, person: { id: person } }))
const left = (rest: Partial<TriggerOf<'browse_abandoned'>> = {}): TriggerOf<'browse_abandoned'> => ({
  kind: 'browse_abandoned',
  after_minutes: 240,
  least_looks: 1,
  unless_cart: true,
  leaves_out_sold_out: true,
  ...rest,
})
const enable = (trigger: Trigger): Promise<string> => addScenario(merchant.scope(), flowOf([asleep], { trigger }))
/** Customer and products of each event of that kind, the last looked at first. */
const said = async (kind: string): Promise<string[]> =>
  (await merchant.call(listEvents, { query: { limit: 200 } })).data
    .filter((event) => event.kind === kind)
    .map(({ customer_id, subject }) =>
      saying(customer_id ?? '', ...(subject.lines ?? []).map(({ store_product_id }) => store_product_id)),
    )
    .sort()
/** As when the events themselves are swept, and only what they began is left. */
async function keepOnlyWithExecutions(): Promise<void> {
  const { data } = await merchant.call(listEvents, { query: { limit: 200 } })
  for (const { id, kind, occurred_at, subject } of data)
    await okaeri.query`update executions set kept_event = ${JSON.stringify({ kind, occurred_at, subject })}
      where merchant_id = ${merchant.id} and event_id = ${id}`
}
/** Of each execution the customer, and how many products are kept with it. */
async function keptOf(scenario: string): Promise<string[]> {
  const rows = await okaeri.query<{ customer: string; lines: number }>`
    select customer_id as customer, coalesce(jsonb_array_length(kept_event -> 'subject' -> 'lines'), 0) as lines from executions
    where merchant_id = ${merchant.id} and scenario_id = ${scenario}`
  return rows.map(({ customer, lines }) => `${customer} ${lines}`).sort()
}
const withdraw = (customerId: string) =>
  changeConsent(merchant.scope(), {
    customerId,
    kind: 'marketing',
    to: 'withdrawn',
    source: 'sync',
    occurredAt: okaeri.clock.now(),
  })
const saying = (customer: string, ...products: (number | null)[]): string => [customer, ...products].join(' ')

test('the permission taken back takes the products out of what happened', async () => {
  const [gone = '', stays = ''] = await people(771, 772)
  await sell(1)
  const scenario = await enable(left())
  await pass(MINUTE)
  for (const one of [gone, stays]) await look(one, 1)
  await pass(5 * HOUR)
  expect(await said('browse_abandoned')).toEqual([saying(gone, 1), saying(stays, 1)].sort())
  await keepOnlyWithExecutions()
  await withdraw(gone)
  await okaeri.settle()
  expect(await said('browse_abandoned')).toEqual([saying(gone), saying(stays, 1)].sort())
  expect(await keptOf(scenario)).toEqual([`${gone} 0`, `${stays} 1`].sort())
})

test('of two customers who became one the products stay only where the one who stays gives the permission', async () => {
  const [from = '', silent = '', other = '', agrees = ''] = await people(773, 774, 775, 776)
  await sell(1)
  const scenario = await enable(left())
  await pass(MINUTE)
  for (const one of [from, other]) await look(one, 1)
  await pass(5 * HOUR)
  await keepOnlyWithExecutions()
  // Later than the other agreed: no is what holds.
  await withdraw(silent)
  for (const [fromId, intoId] of [
    [from, silent],
    [other, agrees],
  ] as const)
    await mergeCustomers(merchant.scope(), { fromId, intoId })
  const those = (all: string[]): string[] => all.filter((line) => [silent, agrees].some((id) => line.startsWith(id)))
  expect(those(await said('browse_abandoned'))).toEqual([saying(silent), saying(agrees, 1)].sort())
  expect(await keptOf(scenario)).toEqual([`${silent} 0`, `${agrees} 1`].sort())
})

test.each(['browse_abandoned', 'viewed_price_dropped'] as const)(
  'the permission taken back while an event of %s is being recorded leaves none behind',
  async (kind) => {
    const [gone = ''] = await people(773)
    await sell(1)
    await enable(kind === 'browse_abandoned' ? left() : { kind, fall: { unit: 'percent', least: 5 }, within_days: 7 })
    await pass(MINUTE)
    await look(gone, 1)
    okaeri.advance(5 * HOUR)
    let recording: Promise<unknown> = Promise.resolve()
    await merchant.scope().transaction(async (scope) => {
      await changeConsent(scope, {
        customerId: gone,
        kind: 'marketing',
        to: 'withdrawn',
        source: 'sync',
        occurredAt: okaeri.clock.now(),
      })
      recording = kind === 'browse_abandoned' ? okaeri.settle() : sell(1, { price: 500 }).then(() => pass(HOUR))
      await untilWaiting(okaeri, { over: recording })
    })
    await recording
    await okaeri.settle()
    expect(await said(kind)).toEqual([])
  },
)

describe('who looked and left', () => {
  test('gets an event hours after the last look, with what they looked at, the last first', async () => {
    const [one = '', stays = '', never = ''] = await people(701, 702, 703)
    await sell(1)
    await sell(2)
    await sell(3, { stock: 0 })
    await enable(left())
    await pass(MINUTE)
    await look(one, 1)
    await look(stays, 1)
    await pass(MINUTE)
    await look(one, 2)
    await look(one, 3)
    await look(never, 3)
    await pass(3 * HOUR + 50 * MINUTE)
    // Looks again: the four hours begin again.
    await look(stays, 2)
    expect(await said('browse_abandoned')).toEqual([])
    await pass(11 * MINUTE)
    expect(await said('browse_abandoned')).toEqual([saying(one, 2, 1)])
    await pass(4 * HOUR)
    expect(await said('browse_abandoned')).toEqual([saying(one, 2, 1), saying(stays, 2, 1)].sort())
    // Nothing more of the same looks, however often the clock is looked at.
    await pass(2 * HOUR)
    expect(await said('browse_abandoned')).toHaveLength(2)
  })

  test('sold-out products stay in, and looks are counted, where the scenario says so', async () => {
    const [one = ''] = await people(711)
    await sell(1)
    await sell(2)
    await sell(3, { stock: 0 })
    await enable(left({ leaves_out_sold_out: false, least_looks: 2 }))
    await pass(MINUTE)
    await look(one, 1, 1)
    await look(one, 2, 2)
    await pass(MINUTE)
    await look(one, 3, 5)
    await pass(5 * HOUR)
    expect(await said('browse_abandoned')).toEqual([saying(one, 3, 2)])
  })

  test('not who bought that day, and not who left a cart or a checkout, which is for those scenarios', async () => {
    const [bought = '', before = '', seen = '', cart = '', checkout = ''] = await people(721, 722, 723, 724, 725)
    await sell(1)
    await enable(left())
    await enable({ kind: 'cart_abandoned', after_minutes: 60 })
    await pass(MINUTE)
    await buy(9001, 722)
    for (const each of [bought, before, seen, cart, checkout]) await look(each, 1)
    await putInCart(seen, 1, 2)
    await store.tell('carts/create', store.cart({ token: 'c-724' }))
    await store.tell('checkouts/create', store.checkout({ id: 9725, token: 't-725', person: { id: 725 } }))
    await okaeri.settle()
    await okaeri.query`update carts set customer_id = ${cart} where merchant_id = ${merchant.id} and token = 'c-724'`
    await pass(HOUR)
    await buy(9002, 721)
    await pass(5 * HOUR)
    expect(await said('browse_abandoned')).toEqual([])
    // The cart that a page reported, though the store reports it of no one.
    const events = await said('cart_abandoned')
    expect(events.map((each) => each.slice(0, seen.length)).sort()).toEqual([seen, cart].sort())
    expect(events).toContain(saying(seen, 1))
  })

  test('a cart keeps no one out where the scenario says so; one left days before never does', async () => {
    const [cart = '', old = ''] = await people(731, 732)
    await sell(1)
    await enable(left({ unless_cart: false }))
    await putInCart(cart, 1)
    await look(cart, 1)
    await pass(5 * HOUR)
    expect(await said('browse_abandoned')).toEqual([saying(cart, 1)])
    await putInCart(old, 1)
    await pass(3 * DAY)
    await enable(left())
    await pass(MINUTE)
    await look(old, 1)
    await pass(5 * HOUR)
    expect((await said('browse_abandoned')).filter((each) => each.startsWith(old))).toHaveLength(2)
  })

  test('the rehearsal of such a scenario finds who looked and left in the last months', async () => {
    const [one = '', bought = ''] = await people(741, 742)
    await sell(1)
    await sell(2)
    await look(one, 1)
    await look(bought, 1)
    await pass(HOUR)
    await buy(9003, 742)
    await pass(2 * DAY)
    await look(one, 2)
    const until = new Date(okaeri.clock.now().getTime() + DAY)
    const past = await selectPastOfTrigger(merchant.scope(), left(), {
      span: { from: new Date(until.getTime() - 90 * DAY), until },
      timezone: 'Asia/Tokyo',
      countOrders: () => Promise.resolve(() => 0),
    })
    expect(past.map(({ customerId }) => customerId)).toEqual([one, one])
  })
})

describe('when the price of what they looked at falls', () => {
  const settle = () => pass(10 * MINUTE)

  test('those hear of it who looked within the days and did not buy, once for a round, the largest fall first', async () => {
    const [one = '', bought = '', longAgo = '', likes = ''] = await people(751, 752, 753, 754)
    await sell(1)
    await sell(2)
    await look(longAgo, 1)
    await pass(8 * DAY)
    for (const each of [one, bought, likes]) await look(each, 1)
    await look(one, 2)
    await addFavorite(merchant.scope(), { customerId: likes }, { storeProductId: 1 })
    await pass(MINUTE)
    await store.tell('orders/create', {
      ...store.order({ id: 9010, person: { id: 752 } }),
      line_items: [
        {
          id: 1,
          product_id: 1,
          variant_id: 10,
          title: 'x',
          quantity: 1,
          price_set: { shop_money: { amount: '1000', currency_code: 'JPY' } },
        },
      ],
    })
    await okaeri.settle()
    // No scenario asks: nothing is written.
    await sell(1, { price: 990 })
    await settle()
    expect(await said('viewed_price_dropped')).toEqual([])
    await enable({ kind: 'viewed_price_dropped', fall: { unit: 'percent', least: 5 }, within_days: 7 })
    await sell(1, { price: 900 })
    await sell(2, { price: 500 })
    await settle()
    expect(await said('viewed_price_dropped')).toEqual([saying(one, 2, 1), saying(likes, 1)].sort())
    // Favorites are left to their own scenario.
    await enable({ kind: 'favorite_price_dropped' })
    await sell(1, { price: 800 })
    await settle()
    expect(await said('viewed_price_dropped')).toEqual([saying(one, 2, 1), saying(one, 1), saying(likes, 1)].sort())
  })

  test('one of two scenarios lets in only who looked within its own days', async () => {
    const [one = '', recent = ''] = await people(761, 762)
    await sell(1)
    await look(one, 1)
    await pass(20 * DAY)
    await look(recent, 1)
    const short = await enable({ kind: 'viewed_price_dropped', within_days: 7 })
    const long = await enable({ kind: 'viewed_price_dropped', within_days: 90 })
    await sell(1, { price: 900 })
    await settle()
    const rows = await okaeri.query<{ scenario: string; customer: string }>`
      select scenario_id as scenario, customer_id as customer from executions where merchant_id = ${merchant.id}`
    expect(rows.map(({ scenario, customer }) => `${scenario} ${customer}`).sort()).toEqual(
      [`${short} ${recent}`, `${long} ${one}`, `${long} ${recent}`].sort(),
    )
  })
})
