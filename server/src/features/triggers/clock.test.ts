import { changeSettings } from '@okaeri/contract/merchants/routes'
import { listEvents } from '@okaeri/contract/scenarios/event'
import { listExecutions } from '@okaeri/contract/scenarios/execution'
import type { Flow } from '@okaeri/contract/scenarios/flow/flow'
import { sendLateOnes, skipLateOnes } from '@okaeri/contract/scenarios/execution'
import { sql } from 'kysely'
import { DateTime } from 'luxon'
import { describe, expect, test } from 'vitest'
import { addCustomers, beginCopying, finishCopying } from '../../../test/fixtures.ts'
import { addScenario, asleep, flowOf, pathOf } from '../../../test/scenarios.ts'
import { merchant, okaeri, store, withWebhookStores } from '../../../test/with-okaeri.ts'
import type { Context } from '../../kernel/context.ts'
import { newId } from '../../kernel/ids.ts'
import { guestOf, joinGuest } from '../guests/index.ts'
import { checkClocks } from './clock.ts'
import { daysDue } from './daily-triggers.ts'
import { datesOfYears, timeOn } from './days.ts'
import { insertVersion, updateScenario } from '../flows/queries.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const TOKYO = 'Asia/Tokyo'
withWebhookStores()

const flow = (rest: Partial<Flow>): Flow => flowOf([asleep], rest)
const scenario = (trigger: Flow['trigger']): Promise<string> => addScenario(merchant.scope(), flow({ trigger }))
/** Customer ids; empty for a guest. */
const entered = async (scenarioId: string): Promise<string[]> =>
  (await merchant.call(listExecutions, { query: { action_id: scenarioId, limit: 200 } })).data
    .map(({ customer }) => customer?.id ?? '')
    .sort()
const moveTo = (at: Date): void => {
  const ms = at.getTime() - okaeri.clock.now().getTime()
  if (ms < 0) throw new Error('that is over')
  okaeri.advance(ms)
}
const local = (text: string): Date => DateTime.fromISO(text, { zone: TOKYO }).toJSDate()
/** A day this many days from now, in the merchant's calendar. */
const dayIn = (days: number): string =>
  DateTime.fromJSDate(okaeri.clock.now(), { zone: TOKYO }).plus({ days }).toFormat('yyyy-MM-dd')
const born = async (birthdays: readonly string[]): Promise<string[]> => {
  const ids = await addCustomers(
    merchant.scope(),
    birthdays.map(() => ({})),
  )
  for (const [index, birthday] of birthdays.entries())
    await okaeri.query`update customers set birthday = ${birthday} where id = ${ids[index] ?? ''}`
  return ids
}

describe('days', () => {
  test('a time of day is in the merchant’s zone, through both clock changes', () => {
    expect(timeOn('2026-07-01', '10:00', TOKYO).toISOString()).toBe('2026-07-01T01:00:00.000Z')
    expect(timeOn('2026-03-29', '10:00', 'Europe/Berlin').toISOString()).toBe('2026-03-29T08:00:00.000Z')
    expect(timeOn('2026-03-28', '10:00', 'Europe/Berlin').toISOString()).toBe('2026-03-28T09:00:00.000Z')
    // That day's clock has no 02:30.
    expect(timeOn('2026-03-29', '02:30', 'Europe/Berlin').toISOString()).toBe('2026-03-29T01:30:00.000Z')
    expect(timeOn('2026-10-25', '10:00', 'Europe/Berlin').toISOString()).toBe('2026-10-25T09:00:00.000Z')
  })

  test('a birthday on 29 February is on 28 February in a common year', () => {
    expect(datesOfYears('2027-02-28')).toContain('1992-02-29')
    expect(datesOfYears('2027-02-28')).toContain('1004-02-29')
    expect(datesOfYears('2027-02-28')).toContain('1991-02-28')
    expect(datesOfYears('2028-02-28')).not.toContain('1992-02-29')
    expect(datesOfYears('2028-02-29')).toContain('1992-02-29')
    expect(datesOfYears('2028-02-29')).not.toContain('1991-02-29')
    expect(datesOfYears('2027-03-01')).not.toContain('1992-02-29')
  })

  test('days that passed while no worker ran are missed, up to a week back, but never days before the scenario was enabled', () => {
    const trigger = { kind: 'birthday', days_before: 0, time: '10:00' } as const
    const given = { timezone: TOKYO, enabledAt: local('2026-01-01T00:00'), lookedDay: '2026-05-01' }
    const none = { days: [], missed: [], passedOver: [] }
    const between = ['2026-05-02', '2026-05-03']
    expect(daysDue(trigger, { ...given, now: local('2026-05-04T09:59') })).toEqual({ ...none, missed: between })
    expect(daysDue(trigger, { ...given, now: local('2026-05-04T23:00') })).toEqual({
      ...none,
      missed: between,
      days: ['2026-05-04'],
    })
    expect(
      daysDue(trigger, { ...given, now: local('2026-05-04T12:00'), enabledAt: local('2026-05-04T11:00') }),
    ).toEqual(none)
    const later = daysDue(trigger, { ...given, now: local('2026-05-12T12:00') })
    expect(later.passedOver).toEqual(['2026-05-02', '2026-05-03', '2026-05-04'])
    expect([later.missed.at(0), later.missed.at(-1), later.days]).toEqual(['2026-05-05', '2026-05-11', ['2026-05-12']])
    // Looked at a minute after midnight: no outage.
    expect(
      daysDue({ ...trigger, time: '23:59' }, { ...given, lookedDay: '2026-05-03', now: local('2026-05-05T00:00') }),
    ).toEqual({ ...none, days: ['2026-05-04'] })
    // The same if no worker ran or if the sandbox's clock was moved.
    expect(daysDue(trigger, { ...given, now: local('2026-05-04T09:00') })).toEqual({ ...none, missed: between })
  })
})

/** A worker that has just started. */
const startWorker = (rest: Partial<Context> = {}): Promise<boolean> =>
  checkClocks.run({ ...okaeri.context, ...rest }, new AbortController().signal)
const statusesOf = async (scenarioId: string): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await merchant.call(listExecutions, { query: { action_id: scenarioId, limit: 200 } })).data.map(
      ({ customer, status }) => [customer?.id ?? '', status],
    ),
  )

describe('days without a worker', () => {
  test('birthdays ask first afterwards, once, and are not sent automatically; those before the scenario was enabled are not', async () => {
    moveTo(local(`${dayIn(1)}T12:00`))
    await okaeri.settle()
    const year = (days: number): string => `1990${dayIn(days).slice(4)}`
    const [, one = '', other = '', today = ''] = await born([year(-1), year(1), year(2), year(3)])
    const id = await scenario({ kind: 'birthday', days_before: 0, time: '10:00' })
    okaeri.advance(3 * 24 * HOUR)
    await Promise.all([startWorker(), startWorker()])
    await startWorker()
    await okaeri.settle()
    expect(await statusesOf(id)).toEqual({ [one]: 'late', [other]: 'late', [today]: 'running' })
    const { data } = await merchant.call(listExecutions, { query: { action_id: id, status: 'late' } })
    expect(await pathOf(merchant, data[0]?.id ?? '')).toEqual(['asleep late'])
    expect(await merchant.call(sendLateOnes, { params: { id } })).toEqual({ count: 2 })
    await okaeri.settle()
    expect(await statusesOf(id)).toEqual({ [one]: 'running', [other]: 'running', [today]: 'running' })
    expect(await pathOf(merchant, data[0]?.id ?? '')).toEqual(['asleep late', 'asleep played', 'asleep asleep'])
    await startWorker()
    await okaeri.settle()
    expect(await entered(id)).toHaveLength(3)
  })

  test('those of more than a week ago are only counted', async () => {
    moveTo(local(`${dayIn(1)}T12:00`))
    await okaeri.settle()
    const year = (days: number): string => `1990${dayIn(days).slice(4)}`
    const [, , kept = ''] = await born([year(1), year(2), year(5)])
    const id = await scenario({ kind: 'birthday', days_before: 0, time: '10:00' })
    okaeri.advance(10 * 24 * HOUR)
    const warned: unknown[] = []
    const log = Object.assign(Object.create(okaeri.context.log) as Context['log'], {
      warn: (fields: unknown) => warned.push(fields),
    })
    await startWorker({ log })
    await startWorker({ log })
    await okaeri.settle()
    expect(await statusesOf(id)).toEqual({ [kept]: 'late' })
    expect(warned).toEqual([{ merchantId: merchant.id, scenarioId: id, people: 2 }])
  })

  test('dates and days without an order ask too', async () => {
    await store.tell('orders/create', store.order({ id: 8021, person: { id: 604 } }))
    await okaeri.settle()
    const [customerId = ''] = await addCustomers(merchant.scope(), [{}])
    const metafield = newId()
    await okaeri.query`insert into metafield_settings (merchant_id, id, name, namespace, key, namespace_type, value_type, status, created_at, updated_at)
      values (${merchant.id}, ${metafield}, '契約', 'shop', 'due', 'custom', 'date', 'ready', now(), now())`
    const at = `${dayIn(2)}T00:00:00Z`
    await okaeri.query`insert into customer_metafields (merchant_id, metafield_setting_id, customer_id, value, value_at, updated_at)
      values (${merchant.id}, ${metafield}, ${customerId}, ${at}, ${at}, now())`
    const daily = { kind: 'metafield_date', time: '10:00', offset_days: 0, every_year: false } as const
    const dates = await scenario({ ...daily, metafield })
    const silent = await scenario({ kind: 'days_without_order', days: 2, time: '10:00' })
    okaeri.advance(5 * 24 * HOUR)
    await startWorker()
    await okaeri.settle()
    expect(await statusesOf(dates)).toEqual({ [customerId]: 'late' })
    expect(Object.values(await statusesOf(silent))).toEqual(['late'])
    expect(await merchant.call(skipLateOnes, { params: { id: dates } })).toEqual({ count: 1 })
    await okaeri.settle()
    expect(await statusesOf(dates)).toEqual({ [customerId]: 'done' })
  })

  test('abandoned baskets more than a day late ask; those of the last day continue, older ones are counted', async () => {
    const id = await scenario({ kind: 'checkout_abandoned', after_minutes: 60 })
    const people = [681, 682, 683]
    for (const number of people)
      await store.tell('checkouts/create', store.checkout({ id: number, token: `d-${number}`, person: { id: number } }))
    await okaeri.settle()
    okaeri.advance(9 * 24 * HOUR)
    const lastChanged = (number: number, hoursAgo: number) =>
      okaeri.query`update checkouts set store_updated_at = ${new Date(okaeri.clock.now().getTime() - hoursAgo * HOUR)}
        where merchant_id = ${merchant.id} and token = ${`d-${number}`}`
    await lastChanged(682, 3 * 24)
    await lastChanged(683, 5)
    await Promise.all([startWorker(), startWorker()])
    await okaeri.settle()
    expect(Object.values(await statusesOf(id)).sort()).toEqual(['late', 'running'])
  })

  test('a worker that dies while recording them leaves nothing behind; the next one records all', async () => {
    moveTo(local(`${dayIn(1)}T12:00`))
    await okaeri.settle()
    const [one = ''] = await born([`1990${dayIn(1).slice(4)}`])
    const id = await scenario({ kind: 'birthday', days_before: 0, time: '10:00' })
    okaeri.advance(3 * 24 * HOUR)
    const { db } = okaeri.context
    await sql`alter table scenario_clocks
      add constraint dies check (merchant_id <> ${sql.lit(merchant.id)} or looked_day is null) not valid`.execute(db)
    try {
      await expect(startWorker()).rejects.toThrow('dies')
    } finally {
      await sql`alter table scenario_clocks drop constraint dies`.execute(db)
    }
    expect((await merchant.call(listEvents, { query: { kind: 'birthday' } })).data).toEqual([])
    await startWorker()
    await okaeri.settle()
    expect(await statusesOf(id)).toEqual({ [one]: 'late' })
  })
})

describe('birthdays', () => {
  test('start at their time in the merchant’s zone, once, also when the time is changed on that day', async () => {
    const day = dayIn(2)
    const year = (number: number): string => `${number}${day.slice(4)}`
    const [one = '', other = ''] = await born([
      year(1980),
      year(1004),
      `1980${dayIn(3).slice(4)}`,
      `1980${dayIn(1).slice(4)}`,
    ])
    moveTo(local(`${day}T09:00`))
    const id = await scenario({ kind: 'birthday', days_before: 0, time: '10:00' })
    await okaeri.settle()
    expect(await entered(id)).toEqual([])
    moveTo(local(`${day}T10:00:30`))
    await okaeri.settle()
    await okaeri.settle()
    expect(await entered(id)).toEqual([one, other].sort())
    const [event] = (await merchant.call(listEvents, { query: { kind: 'birthday' } })).data
    expect(event).toMatchObject({ subject: { day }, occurred_at: local(`${day}T10:00`).toISOString() })
    await insertVersion(merchant.scope(), id, 2, flow({ trigger: { kind: 'birthday', days_before: 0, time: '12:00' } }))
    await updateScenario(merchant.scope(), id, { version: 2 })
    moveTo(local(`${day}T12:30`))
    await okaeri.settle()
    expect(await entered(id)).toHaveLength(2)
  })

  test('start some days before', async () => {
    const [, inTime] = await born([`1990${dayIn(3).slice(4)}`, `1990${dayIn(4).slice(4)}`])
    const at = local(`${dayIn(1)}T07:00`)
    const id = await scenario({ kind: 'birthday', days_before: 3, time: '07:00' })
    moveTo(new Date(at.getTime() + MINUTE))
    await okaeri.settle()
    expect(await entered(id)).toEqual([inTime])
  })

  test('when the sandbox’s clock is moved over several days none is lost: those of past days ask', async () => {
    const ids = await born([`1990${dayIn(3).slice(4)}`, `1990${dayIn(9).slice(4)}`, `1990${dayIn(20).slice(4)}`])
    const [over = '', onTheDay = ''] = ids
    const id = await scenario({ kind: 'birthday', days_before: 0, time: '10:00' })
    await okaeri.settle()
    moveTo(local(`${dayIn(9)}T12:00`))
    await okaeri.settle()
    expect(await entered(id)).toEqual(ids.slice(0, 2).sort())
    expect(await statusesOf(id)).toEqual({ [over]: 'late', [onTheDay]: 'running' })
    expect(await merchant.call(sendLateOnes, { params: { id } })).toEqual({ count: 1 })
    await okaeri.settle()
    expect(await statusesOf(id)).toEqual({ [over]: 'running', [onTheDay]: 'running' })
  })
})

describe('dates in metafields', () => {
  const setting = async (valueType: string, values: readonly [string, string][]): Promise<string> => {
    const id = newId()
    await okaeri.query`insert into metafield_settings (merchant_id, id, name, namespace, key, namespace_type, value_type, status, created_at, updated_at)
      values (${merchant.id}, ${id}, '契約', 'shop', ${`due_${valueType}`}, 'custom', ${valueType}, 'ready', now(), now())`
    for (const [customerId, at] of values)
      await okaeri.query`insert into customer_metafields (merchant_id, metafield_setting_id, customer_id, value, value_at, updated_at)
        values (${merchant.id}, ${id}, ${customerId}, ${at}, ${at}, now())`
    return id
  }
  const daily = { kind: 'metafield_date', time: '10:00' } as const
  test('start days before or after the date, for dates and for instants in the merchant’s zone', async () => {
    const ids = await addCustomers(merchant.scope(), [{}, {}, {}, {}])
    const [one = '', other = '', third = '', fourth = ''] = ids
    const days = await setting('date', [
      [one, `${dayIn(4)}T00:00:00Z`],
      [other, `${dayIn(5)}T00:00:00Z`],
    ])
    // 00:30 in Tokyo is the day before in UTC.
    await setting('date_time', [
      [third, local(`${dayIn(0)}T00:30`).toISOString()],
      [fourth, local(`${dayIn(1)}T00:30`).toISOString()],
    ])
    const before = await scenario({ ...daily, metafield: days, offset_days: -3, every_year: false })
    const after = await scenario({ ...daily, metafield: 'shop.due_date_time', offset_days: 1, every_year: false })
    const gone = await scenario({ ...daily, metafield: newId(), offset_days: 1, every_year: false })
    moveTo(local(`${dayIn(1)}T10:01`))
    await okaeri.settle()
    expect(await entered(before)).toEqual([one])
    expect(await entered(after)).toEqual([third])
    expect(await entered(gone)).toEqual([])
  })

  test('start every year on the same day', async () => {
    const [one = '', other = ''] = await addCustomers(merchant.scope(), [{}, {}])
    const days = await setting('date', [
      [one, `2019${dayIn(1).slice(4)}T00:00:00Z`],
      [other, `2019${dayIn(2).slice(4)}T00:00:00Z`],
    ])
    const yearly = await scenario({ ...daily, metafield: days, offset_days: 0, every_year: true })
    const once = await scenario({ ...daily, metafield: days, offset_days: 0, every_year: false })
    moveTo(local(`${dayIn(1)}T10:01`))
    await okaeri.settle()
    expect(await entered(yearly)).toEqual([one])
    expect(await entered(once)).toEqual([])
  })
})

test('days without an order wait until all orders are copied, and are then checked', async () => {
  await store.tell('orders/create', store.order({ id: 8011, person: { id: 603 } }))
  await okaeri.settle()
  const id = await scenario({ kind: 'days_without_order', days: 10, time: '10:00' })
  await beginCopying(merchant.scope())
  moveTo(local(`${dayIn(10)}T10:01`))
  await okaeri.settle()
  expect(await entered(id)).toEqual([])
  await finishCopying(merchant.scope())
  await okaeri.settle()
  expect(await entered(id)).toHaveLength(1)
})

test('days without an order start once per silence, unless an order came', async () => {
  await store.tell('orders/create', store.order({ id: 8001, person: { id: 601 } }))
  await store.tell('orders/create', store.order({ id: 8002, person: { id: 602 } }))
  await okaeri.settle()
  const id = await scenario({ kind: 'days_without_order', days: 10, time: '10:00' })
  okaeri.advance(5 * 24 * HOUR)
  await store.tell('orders/create', store.order({ id: 8003, person: { id: 602 } }))
  await okaeri.settle()
  moveTo(local(`${dayIn(5)}T10:01`))
  await okaeri.settle()
  okaeri.advance(HOUR)
  await okaeri.settle()
  const [silent, ...others] = await entered(id)
  expect(others).toEqual([])
  moveTo(local(`${dayIn(5)}T10:01`))
  await okaeri.settle()
  expect(await entered(id)).toHaveLength(2)
  expect(await entered(id)).toContain(silent)
})

describe('a time zone changed meanwhile', () => {
  const LOS_ANGELES = 'America/Los_Angeles'
  const inZone = (timezone: string) =>
    merchant.call(changeSettings, { body: { userSetting: { timezone } } }).then(() => undefined)
  /** Ten o’clock, and a minute, so many days from now. */
  const tenIn = (zone: string, days: number): Date =>
    DateTime.fromJSDate(okaeri.clock.now(), { zone }).plus({ days }).set({ hour: 10, minute: 1 }).toJSDate()
  const events = async () => {
    const kinds = (await merchant.call(listEvents, { query: { limit: 200 } })).data.map(({ kind }) => kind)
    return ['days_without_order', 'metafield_date'].map((kind) => kinds.filter((one) => one === kind).length)
  }

  // The same moment lies on two days.
  test.for([
    [TOKYO, LOS_ANGELES],
    [LOS_ANGELES, TOKYO],
  ] as const)('starts nobody twice for the same moment: %s, then %s', async ([before, after]) => {
    await inZone(before)
    await store.tell('orders/create', store.order({ id: 8011, person: { id: 611 } }))
    await okaeri.settle()
    const [customerId = ''] = await addCustomers(merchant.scope(), [{}])
    const metafield = newId()
    const at = okaeri.clock.now()
    await okaeri.query`insert into metafield_settings (merchant_id, id, name, namespace, key, namespace_type, value_type, status, created_at, updated_at)
      values (${merchant.id}, ${metafield}, '来店', 'shop', 'visit', 'custom', 'date_time', 'ready', ${at}, ${at})`
    await okaeri.query`insert into customer_metafields (merchant_id, metafield_setting_id, customer_id, value, value_at, updated_at)
      values (${merchant.id}, ${metafield}, ${customerId}, ${at.toISOString()}, ${at}, ${at})`
    await scenario({ kind: 'days_without_order', days: 10, time: '10:00' })
    const dated = { kind: 'metafield_date', time: '10:00', offset_days: 10, every_year: false, metafield } as const
    await scenario(dated)
    for (let day = 0; day < 10; day += 1) {
      moveTo(tenIn(before, 1))
      await okaeri.settle()
    }
    expect(await events()).toEqual([1, 1])
    await inZone(after)
    await okaeri.settle()
    for (let day = 0; day < 2; day += 1) {
      moveTo(tenIn(after, 1))
      await okaeri.settle()
    }
    expect(await events()).toEqual([1, 1])
    // Another order, and another date.
    await store.tell('orders/create', store.order({ id: 8012, person: { id: 611 } }))
    const again = okaeri.clock.now()
    await okaeri.query`update customer_metafields set value_at = ${again}, updated_at = ${again}
      where merchant_id = ${merchant.id} and customer_id = ${customerId}`
    for (let day = 0; day < 11; day += 1) {
      moveTo(tenIn(after, 1))
      await okaeri.settle()
    }
    expect(await events()).toEqual([2, 2])
  })
})

describe('abandoned carts and checkouts', () => {
  const kinds = async () => (await merchant.call(listEvents, { query: { limit: 200 } })).data.map(({ kind }) => kind)
  test('start some time after their last change, once for each state they are left in', async () => {
    const id = await scenario({ kind: 'checkout_abandoned', after_minutes: 60 })
    const basket = { id: 9001, token: 't-1', person: { id: 611 } }
    await store.tell('checkouts/create', store.checkout(basket))
    await okaeri.settle()
    okaeri.advance(59 * MINUTE)
    await okaeri.settle()
    expect(await entered(id)).toHaveLength(0)
    okaeri.advance(2 * MINUTE)
    await okaeri.settle()
    okaeri.advance(30 * MINUTE)
    await okaeri.settle()
    expect(await entered(id)).toHaveLength(1)
    const [event] = (await merchant.call(listEvents, { query: { kind: 'checkout_abandoned' } })).data
    expect(event?.subject).toMatchObject({
      amount: 1200,
      currency: 'JPY',
      recovery_url: `https://${store.shop}/checkouts/t-1/recover`,
      lines: [{ title: '煎茶', quantity: 1 }],
    })
    await store.tell('checkouts/update', store.checkout({ ...basket, items: 2 }))
    okaeri.advance(2 * HOUR)
    await okaeri.settle()
    expect(await entered(id)).toHaveLength(2)
  })

  test('are found at once when the webhook is minutes late, and within the hour when it is hours late', async () => {
    const id = await scenario({ kind: 'checkout_abandoned', after_minutes: 60 })
    okaeri.advance(3 * HOUR)
    await okaeri.settle()
    const tellLate = async (number: number, minutesAgo: number): Promise<void> => {
      await store.tell('checkouts/create', store.checkout({ id: number, token: `l-${number}`, person: { id: number } }))
      await okaeri.settle()
      await okaeri.query`update checkouts set store_updated_at = ${new Date(okaeri.clock.now().getTime() - minutesAgo * MINUTE)}
        where merchant_id = ${merchant.id} and token = ${`l-${number}`}`
      await okaeri.settle()
    }
    await tellLate(9501, 65)
    expect(await entered(id)).toHaveLength(1)
    await tellLate(9502, 150)
    expect(await entered(id)).toHaveLength(1)
    okaeri.advance(HOUR)
    await okaeri.settle()
    expect(await entered(id)).toHaveLength(2)
  })

  const left = (number: number) => ({
    id: number,
    token: `t-${number}`,
    cartToken: `c-${number}`,
    person: { id: number },
  })
  const leave = async (numbers: readonly number[]): Promise<void> => {
    for (const number of numbers) {
      await store.tell('carts/create', store.cart({ token: `c-${number}` }))
      await store.tell('checkouts/create', store.checkout(left(number)))
    }
    await okaeri.settle()
  }

  test.for(['cart_abandoned', 'checkout_abandoned'] as const)(
    '%s: not when they were bought or emptied, or anything was bought since',
    async (kind) => {
      const id = await scenario({ kind, after_minutes: 60 })
      await leave([621, 622, 623, 624])
      okaeri.advance(10 * MINUTE)
      await store.tell(
        'orders/create',
        store.order({ id: 8101, person: { id: 621 }, checkoutToken: 't-621', cartToken: 'c-621' }),
      )
      await store.tell('checkouts/update', store.checkout({ ...left(622), items: 0 }))
      await store.tell('carts/update', store.cart({ token: 'c-622', items: 0 }))
      // Bought in another way.
      await store.tell('orders/create', store.order({ id: 8102, person: { id: 623 } }))
      await okaeri.settle()
      okaeri.advance(2 * HOUR)
      await okaeri.settle()
      expect(await entered(id)).toHaveLength(1)
    },
  )

  test('a cart execution ends when the checkout is left, if the flow says so', async () => {
    const trigger = { kind: 'cart_abandoned', after_minutes: 60 } as const
    const carts = await addScenario(merchant.scope(), flow({ trigger, ends_on: ['bought', 'checkout_left'] }))
    const lasting = await scenario(trigger)
    await leave([661, 662])
    okaeri.advance(2 * HOUR)
    await okaeri.settle()
    const endings = async (scenarioId: string): Promise<string[]> =>
      (await merchant.call(listExecutions, { query: { action_id: scenarioId } })).data
        .map(({ end_reason }) => end_reason ?? 'not ended')
        .sort()
    expect(await endings(carts)).toEqual(['not ended', 'not ended'])
    const checkouts = await scenario({ kind: 'checkout_abandoned', after_minutes: 60 })
    await store.tell('checkouts/update', store.checkout({ ...left(661), items: 2 }))
    okaeri.advance(2 * HOUR)
    await okaeri.settle()
    expect(await entered(checkouts)).toHaveLength(1)
    expect(await endings(carts)).toEqual(['checkout_left', 'not ended'])
    expect(await endings(lasting)).toEqual(['not ended', 'not ended'])
  })

  test('a cart with a begun checkout starts only the checkout scenario, if there is one', async () => {
    const carts = await scenario({ kind: 'cart_abandoned', after_minutes: 60 })
    const checkouts = await scenario({ kind: 'checkout_abandoned', after_minutes: 60 })
    await leave([641])
    const { guestId } = await guestOf(merchant.scope(), { token: 'only-a-cart' })
    await store.tell('carts/create', store.cart({ token: 'c-642' }))
    await okaeri.settle()
    await okaeri.query`update carts set guest_id = ${guestId} where merchant_id = ${merchant.id} and token = 'c-642'`
    okaeri.advance(2 * HOUR)
    await okaeri.settle()
    expect(await entered(carts)).toEqual([''])
    expect(await entered(checkouts)).toHaveLength(1)
    await updateScenario(merchant.scope(), checkouts, { status: 'stopped' })
    await leave([643])
    okaeri.advance(2 * HOUR)
    await okaeri.settle()
    expect(await entered(carts)).toHaveLength(2)
  })

  test('of a guest who became a customer belong to the customer; of no one to no one', async () => {
    const [customerId = '', named = ''] = await addCustomers(merchant.scope(), [{}, { email: 'named@example.test' }])
    const scope = merchant.scope()
    const { guestId } = await guestOf(scope, { token: 'browser' })
    const unknown = await guestOf(scope, { token: 'unknown' })
    await joinGuest(scope, guestId, customerId)
    const carts = await scenario({ kind: 'cart_abandoned', after_minutes: 60 })
    const checkouts = await scenario({ kind: 'checkout_abandoned', after_minutes: 60 })
    for (const token of ['g-1', 'g-2', 'g-3']) await store.tell('carts/create', store.cart({ token }))
    await store.tell('checkouts/create', store.checkout({ id: 9301, token: 'n-1', email: 'Named@example.test' }))
    await store.tell('checkouts/create', store.checkout({ id: 9302, token: 'n-2', email: 'stranger@example.test' }))
    await okaeri.settle()
    for (const [token, guest] of [
      ['g-1', guestId],
      ['g-2', unknown.guestId],
    ])
      await okaeri.query`update carts set guest_id = ${guest} where merchant_id = ${merchant.id} and token = ${token}`
    okaeri.advance(2 * HOUR)
    await okaeri.settle()
    expect(await entered(carts)).toEqual(['', customerId])
    expect(await entered(checkouts)).toEqual([named])
    expect((await kinds()).filter((kind) => kind.endsWith('abandoned'))).toHaveLength(3)
  })

  test('left before the first look are found, however late that is', async () => {
    const id = await scenario({ kind: 'checkout_abandoned', after_minutes: 60 })
    await leave([651])
    await okaeri.query`delete from scenario_clocks where merchant_id = ${merchant.id}`
    okaeri.advance(40 * HOUR)
    await okaeri.settle()
    expect(await entered(id)).toHaveLength(1)
  })

  test('left before the scenario was enabled start nothing', async () => {
    await store.tell('checkouts/create', store.checkout({ id: 9401, token: 'b-1', person: { id: 631 } }))
    await okaeri.settle()
    okaeri.advance(2 * HOUR)
    const id = await scenario({ kind: 'checkout_abandoned', after_minutes: 60 })
    await okaeri.settle()
    okaeri.advance(2 * HOUR)
    await okaeri.settle()
    expect(await entered(id)).toEqual([])
  })
})
