import {
  conditionCategories,
  operatorsOf,
  type Condition,
  type ConditionField,
  checkCondition,
  type Leaf,
  type Operator,
  valueShapeOf,
} from '@okaeri/contract/segments/condition'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/harness.ts'
import { type Connection, connect } from '../../kernel/database.ts'
import { newId } from '../../kernel/ids.ts'
import { compileCondition } from './condition-sql.ts'
import { localDay, startOfDay } from './local-day.ts'
import { dayIn, matchesCondition, type Moment, type Person } from './plain-evaluation.ts'

// Places where calendars are hard: clocks change at 2:00, at 1:00, at midnight, at 0:00 twice, by a whole day.
const zones = [
  'Asia/Tokyo',
  'America/New_York',
  'Europe/London',
  'Asia/Kolkata',
  'Pacific/Apia',
  'America/Havana',
  'Asia/Beirut',
  'America/Sao_Paulo',
] as const
const hardDays = [
  '2024-02-28',
  '2024-02-29',
  '2024-03-01',
  '2024-12-31',
  '2025-01-01',
  '2025-02-28',
  '2025-03-01',
  '2025-03-09',
  '2025-03-10',
  '2025-03-30',
  '2025-10-26',
  '2025-11-02',
  '2025-11-03',
  '2011-12-29',
  '2011-12-30',
  '2011-12-31',
  '2017-10-15',
  '2018-02-18',
  '2018-02-17',
]
const MINUTE_MS = 60_000
const aroundMidnight = fc
  .tuple(
    fc.constantFrom(...zones),
    fc.constantFrom(...hardDays),
    fc.constantFrom(-61, -60, -30, 0, 30, 60, 61, 600),
    fc.constantFrom(-1, 0, 1),
  )
  .map(([zone, day, minutes, ms]) => new Date(startOfDay(day, zone).getTime() + minutes * MINUTE_MS + ms))

const products = Array.from({ length: 5 }, (_, index) => ({ id: newId(), number: 9000 + index }))
const texts = [
  '山田',
  'ﾔﾏﾀﾞ',
  'ＡＢＣ',
  'abc',
  'Zoë',
  'ZOË',
  '100%',
  'a_b',
  'axb',
  'back\\slash',
  "O'Brien",
  '東京都渋谷区',
  '',
  ' ',
  '髙橋',
]
const textArb = fc.array(fc.constantFrom(...texts), { minLength: 1, maxLength: 2 }).map((parts) => parts.join(''))
const states = ['granted', 'withdrawn', 'pending', 'unknown']
const personArb: fc.Arbitrary<Person> = fc.record({
  id: fc.constant('').map(() => newId()),
  storeCustomerId: fc.option(fc.integer({ min: 1000, max: 999_999 })),
  email: fc.option(fc.nat(40).map((n) => `Person${n}@Shop.test`)),
  firstName: fc.option(textArb),
  lastName: fc.option(textArb),
  displayName: textArb,
  phone: fc.option(fc.constantFrom('+819012345678', '03-1234-5678', '')),
  address: textArb,
  tags: fc.uniqueArray(fc.constantFrom('VIP', 'vip', 'ＶＩＰ', '常連', '50%', 'wholesale'), { maxLength: 3 }),
  birthday: fc.option(
    fc
      .tuple(fc.constantFrom('1004', '1988'), fc.constantFrom('02-28', '02-29', '03-01', '12-31', '01-01', '07-07'))
      .map((parts) => parts.join('-')),
  ),
  createdAt: aroundMidnight,
  ordersCount: fc.nat(6),
  ordersAmount: fc.constantFrom(0, 1, 999, 1000, 1001, 1234, 123_456),
  lastOrderAt: fc.option(aroundMidnight),
  purchases: fc.array(
    fc.record({
      productId: fc.constantFrom(...products.map(({ id }) => id)),
      at: aroundMidnight,
      cancelled: fc.boolean(),
    }),
    { maxLength: 3 },
  ),
  marketingState: fc.constantFrom(...states),
  marketingChangedAt: fc.option(aroundMidnight),
  notificationState: fc.constantFrom(...states),
  suppressed: fc.constant(false),
})

const dayArb = fc.constantFrom(...hardDays)
const amountArb = fc.constantFrom(0, 1, 2, 5, 9.99, 10, 12.34, 999, 1000, 1234.56)
const pair = <T extends string | number>(arb: fc.Arbitrary<T>) =>
  fc.tuple(arb, arb).map(([a, b]) => (a <= b ? [a, b] : [b, a]))
function valueArb(field: ConditionField, operator: Operator): fc.Arbitrary<Leaf['value']> {
  switch (valueShapeOf(field.type, operator)) {
    case 'none':
      return fc.constant(null)
    case 'text':
      return fc.oneof(
        textArb.filter((text) => text.trim() !== ''),
        fc.constantFrom('person1', 'PERSON12@shop.test', '%', '_', '\\', '1', '90123', 'Ａ'),
        fc.nat(people.length - 1).map((n) => people[n]?.id ?? ''),
      )
    case 'number':
      return amountArb
    case 'number_range':
      return pair(amountArb)
    case 'boolean':
      return fc.boolean()
    case 'date':
      return dayArb
    case 'date_range':
      return pair(dayArb)
    case 'days':
      return fc.constantFrom(0, 1, 2, 3, 27, 31, 60, 365, 366)
    case 'month':
      return fc.integer({ min: 1, max: 12 })
    case 'choices':
      return fc.uniqueArray(fc.constantFrom(...states), { minLength: 1, maxLength: 3 })
    case 'tags':
      return fc.uniqueArray(fc.constantFrom('Vip', '常連 ', '50%', '５０％', 'none of these'), {
        minLength: 1,
        maxLength: 2,
      })
    case 'products':
      return fc.record({
        ids: fc.uniqueArray(fc.constantFrom(newId(), ...products.map(({ id }) => id)), { minLength: 1, maxLength: 2 }),
        within_days: fc.constantFrom(null, 1, 2, 30, 400),
      })
    default:
      throw new Error(field.type)
  }
}

const comparisons = conditionCategories.flatMap(({ slug, fields }) =>
  (fields as readonly ConditionField[]).flatMap((field) =>
    operatorsOf[field.type].map((operator) => ({ category: slug as string, field, operator })),
  ),
)
const leafOf = ({ category, field, operator }: (typeof comparisons)[number]): fc.Arbitrary<Leaf> =>
  valueArb(field, operator).map((value) => ({
    type: 'condition',
    id: 'x',
    category,
    name: field.name,
    operator,
    value,
  }))
const leafArb = (): fc.Arbitrary<Leaf> => fc.constantFrom(...comparisons).chain(leafOf)
const conditionArb = (depth: number): fc.Arbitrary<Condition> =>
  depth === 0
    ? leafArb()
    : fc.oneof(
        { weight: 2, arbitrary: leafArb() },
        {
          weight: 3,
          arbitrary: fc.record({
            type: fc.constant('group' as const),
            id: fc.constant('g'),
            operator: fc.constantFrom('and' as const, 'or' as const),
            children: fc.array(conditionArb(depth - 1), { minLength: 1, maxLength: 3 }),
          }),
        },
      )
const momentArb: fc.Arbitrary<Moment> = fc.record({
  now: aroundMidnight,
  timezone: fc.constantFrom(...zones),
  currency: fc.constantFrom('JPY', 'USD', 'KWD'),
})

let connection: Connection
const merchantId = newId()
const people = fc.sample(
  fc.uniqueArray(personArb, { minLength: 200, maxLength: 220, selector: (one) => one.storeCustomerId ?? one.id }),
  {
    numRuns: 1,
    seed: 20_260_401,
  },
)[0] as Person[]

/** Whom each condition chooses, all in one statement. */
async function choose(asked: readonly { condition: Condition; moment: Moment }[]): Promise<Set<string>[]> {
  const columns = asked.map(
    ({ condition, moment }, index) =>
      sql`array(select c.id::text from customers c where c.merchant_id = ${merchantId}
        and ${compileCondition(condition, { merchantId, ...moment })}) as ${sql.ref(`r${index}`)}`,
  )
  const { rows } = await sql<Record<string, string[]>>`select ${sql.join(columns)}`.execute(connection.db)
  return asked.map((_, index) => new Set(rows[0]?.[`r${index}`]))
}

async function expectAgreement(asked: readonly { condition: Condition; moment: Moment }[]): Promise<void> {
  const chosen = await choose(asked)
  for (const [index, { condition, moment }] of asked.entries()) {
    expect(checkCondition(condition)).toEqual({})
    const wrong = people.filter(
      (person) => matchesCondition(condition, person, moment) !== chosen[index]?.has(person.id),
    )
    expect({ condition, moment, wrong: wrong.slice(0, 2) }).toEqual({ condition, moment, wrong: [] })
  }
}

beforeAll(async () => {
  connection = connect(await createTestDatabase(), { max: 2, onError: () => {} })
  const suppressed = new Set(['person1@shop.test', 'person2@shop.test', 'person3@shop.test', 'person4@shop.test'])
  for (const person of people) person.suppressed = suppressed.has(person.email?.toLowerCase() ?? '')
  await store(people, [...suppressed])
})
afterAll(() => connection.close())

async function store(people: readonly Person[], suppressed: readonly string[]): Promise<void> {
  const { db } = connection
  const at = new Date('2020-01-01T00:00:00Z')
  await db
    .insertInto('products')
    .values(products.map(({ id, number }) => ({ merchant_id: merchantId, id, store_product_id: number, title: 'p' })))
    .execute()
  await db
    .insertInto('customers')
    .values(
      people.map((person) => ({
        merchant_id: merchantId,
        id: person.id,
        store_customer_id: person.storeCustomerId,
        email: person.email,
        email_key: person.email?.toLowerCase() ?? null,
        first_name: person.firstName,
        last_name: person.lastName,
        display_name: person.displayName,
        phone: person.phone,
        last_address: person.address,
        tags: person.tags,
        birthday: person.birthday,
        marketing_state: person.marketingState,
        marketing_changed_at: person.marketingChangedAt,
        notification_state: person.notificationState,
        orders_count: person.ordersCount,
        orders_amount: person.ordersAmount,
        last_order_at: person.lastOrderAt,
        created_at: person.createdAt,
        updated_at: at,
      })),
    )
    .execute()
  let number = 0
  for (const person of people)
    for (const { productId, at, cancelled } of person.purchases) {
      const orderId = newId()
      number += 1
      await db
        .insertInto('orders')
        .values({
          merchant_id: merchantId,
          id: orderId,
          store_order_id: number,
          customer_id: person.id,
          name: `#${number}`,
          processed_at: at,
          total_amount: 1,
          current_amount: 1,
          currency: 'JPY',
          cancelled_at: cancelled ? at : null,
        })
        .execute()
      await db
        .insertInto('order_lines')
        .values({
          merchant_id: merchantId,
          order_id: orderId,
          position: 0,
          customer_id: person.id,
          title: 'p',
          quantity: 1,
          amount: 1,
          processed_at: at,
          store_product_id: products.find(({ id }) => id === productId)?.number ?? null,
        })
        .execute()
    }
  await db
    .insertInto('suppressions')
    .values([
      ...suppressed.map((address) => ({
        merchant_id: merchantId,
        id: newId(),
        address_key: address,
        reason: 'manual',
        created_at: at,
      })),
      {
        merchant_id: merchantId,
        id: newId(),
        address_key: 'person5@shop.test',
        reason: 'manual',
        created_at: at,
        lifted_at: at,
      },
      // A neighbour's suppression is none of ours.
      { merchant_id: newId(), id: newId(), address_key: 'person6@shop.test', reason: 'manual', created_at: at },
    ])
    .execute()
}

describe('the SQL of a condition chooses whom its plain meaning chooses', () => {
  test.each(comparisons)('$field.name $operator', async (comparison) => {
    await expectAgreement(
      fc.sample(fc.record({ condition: leafOf(comparison), moment: momentArb }), { numRuns: 40, seed: 7 }),
    )
  })

  test('in any nesting of and and or', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ condition: conditionArb(5), moment: momentArb }), { minLength: 1, maxLength: 20 }),
        expectAgreement,
      ),
      { numRuns: 60 },
    )
  })
})

describe('days', () => {
  test('a day begins with its first instant, wherever and however the clocks change', () => {
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.constantFrom(...hardDays), (zone, day) => {
        const start = startOfDay(day, zone)
        // Apia skipped 30 December 2011: that day begins where the next one does.
        const expected = zone === 'Pacific/Apia' && day === '2011-12-30' ? '2011-12-31' : day
        expect(dayIn(zone, start)).toBe(expected)
        expect(dayIn(zone, new Date(start.getTime() - 1)) < day).toBe(true)
        expect(localDay(start, zone)).toBe(expected)
      }),
    )
  })
})
