import {
  type Condition,
  type ConditionField,
  categoriesWith,
  checkCondition,
  type Leaf,
  type Operator,
  operatorsFor,
  valueShapeOf,
  type Window,
} from '@okaeri/contract/segments/condition'
import { METAFIELDS } from '@okaeri/contract/segments/condition-fields'
import { describeComparison, describeCondition } from '@okaeri/contract/segments/condition-words'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase } from '../../../../test/harness.ts'
import { thorough } from '../../../../test/thorough.ts'
import { type Connection, connect } from '../../../kernel/database/database.ts'
import { foldText } from '../../../kernel/folding.ts'
import { newId } from '../../../kernel/ids.ts'
import { executionRows } from '../../executions/membership-queries.ts'
import { compileCondition } from './condition-sql.ts'
import { localDay, startOfDay } from '../membership/local-day.ts'
import {
  counted,
  dayIn,
  isDate,
  matchesCondition,
  type MetafieldValue,
  type Moment,
  type Person,
  type PlainOrder,
  type Shop,
  standing,
} from '../../../../test/plain-evaluation.ts'

// Zones with difficult calendars: clocks change at 2:00, at 1:00, at midnight, at 0:00 twice, by a whole day.
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

const collectionIds = [newId(), newId(), newId()]
const products = Array.from({ length: 6 }, (_, index) => ({
  id: newId(),
  number: 9000 + index,
  vendor: [null, 'メーカー', 'めーかー', 'Ｍａｋｅｒ', 'maker', '100%'][index] ?? null,
  tags: [[], ['セール'], ['せーる', '冬'], ['SALE'], ['50%'], ['冬']][index] ?? [],
  collectionIds: [[0], [0, 1], [1], [2], [], [0, 2]][index]?.map((at) => collectionIds[at] ?? '') ?? [],
  variants: [0, 1].map((variant) => ({ id: newId(), number: 700_000 + index * 10 + variant })),
}))
const productArb = fc.constantFrom(...products)
const campaignIds = [newId(), newId(), newId()]
const scenarioIds = [newId(), newId(), newId()]
const remoteIds = [newId(), newId()]

const metafields = [
  { id: newId(), name: 'ポイント', value_type: 'number_decimal' },
  { id: newId(), name: '会員', value_type: 'boolean' },
  { id: newId(), name: '記念日', value_type: 'date' },
  { id: newId(), name: '来店', value_type: 'date_time' },
  { id: newId(), name: '好きな色', value_type: 'single_line_text_field' },
  { id: newId(), name: '趣味', value_type: 'list.single_line_text_field' },
] as const
const categories = categoriesWith(metafields)

const texts = [
  '山田',
  'ﾔﾏﾀﾞ',
  'やまだ',
  'ヤマダ',
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
  '👩‍👩‍👧',
  'שלום',
  'раураl',
  'paypal',
  'a\u200bb',
  'ab',
  '㌔',
  'キロ',
]
const textArb = fc.array(fc.constantFrom(...texts), { minLength: 1, maxLength: 2 }).map((parts) => parts.join(''))
const wantedTextArb = textArb.filter((text) => foldText(text).trim() !== '')
const tagNames = ['VIP', 'vip', 'ＶＩＰ', '常連', '50%', 'wholesale', 'セール', 'せーる', 'ｾｰﾙ']
const tagArb = fc.uniqueArray(fc.constantFrom(...tagNames), { maxLength: 3 })
const wantedTagsArb = fc.oneof(
  fc.uniqueArray(fc.constantFrom('Vip', '常連 ', '50%', '５０％', 'セール', '冬', 'sale', 'none of these'), {
    minLength: 1,
    maxLength: 2,
  }),
  // More than are searched at once.
  fc.constantFrom('VIP', 'せーる', '冬').map((tag) => [...Array.from({ length: 12 }, (_, n) => `tag ${n}`), tag]),
)
const states = ['granted', 'withdrawn', 'pending', 'unknown']
const smallAmount = fc.constantFrom(0, 1, 500, 999, 1000, 1001, 1234, 12_345)
const orderArb: fc.Arbitrary<PlainOrder> = fc.record({
  at: aroundMidnight,
  cancelled: fc.boolean(),
  amount: smallAmount,
  otherCurrency: fc.constantFrom(false, false, true),
  tags: tagArb,
  codes: fc.uniqueArray(fc.constantFrom('WELCOME10', 'welcome10', 'ＯＫＡＥＲＩ'), { maxLength: 2 }),
  lines: fc.array(
    fc
      .record({
        product: productArb,
        variant: fc.nat(1),
        quantity: fc.integer({ min: 1, max: 3 }),
        amount: smallAmount,
      })
      .map(({ product, variant, quantity, amount }) => ({
        productId: product.id,
        variantId: product.variants[variant]?.id ?? '',
        quantity,
        amount,
      })),
    { maxLength: 3 },
  ),
})
const productIdsArb = fc.uniqueArray(
  productArb.map(({ id }) => id),
  { maxLength: 2 },
)
const metafieldArbs: readonly fc.Arbitrary<MetafieldValue | undefined>[] = [
  fc.constantFrom({ number: -3 }, { number: 0 }, { number: 9.99 }, { number: 1000 }, undefined),
  fc.constantFrom({ boolean: true }, { boolean: false }, undefined),
  fc.option(
    fc.constantFrom(...hardDays).map((day) => ({ day })),
    { nil: undefined },
  ),
  fc.option(
    aroundMidnight.map((at) => ({ at })),
    { nil: undefined },
  ),
  fc.option(
    textArb.map((text) => ({ text })),
    { nil: undefined },
  ),
  fc.option(
    tagArb.map((texts) => ({ texts })),
    { nil: undefined },
  ),
]
const messageParts = {
  campaignId: fc.option(fc.constantFrom(...campaignIds)),
  counts: fc.boolean(),
  sentAt: aroundMidnight,
  clickedAt: fc.option(aroundMidnight),
}
const personArb: fc.Arbitrary<Person> = fc.record({
  id: fc.constant('').map(() => newId()),
  storeCustomerId: fc.option(fc.integer({ min: 1000, max: 999_999 })),
  email: fc.option(fc.nat(40).map((n) => `Person${n}@Shop.test`)),
  firstName: fc.option(textArb),
  lastName: fc.option(textArb),
  displayName: textArb,
  phone: fc.option(fc.constantFrom('+819012345678', '03-1234-5678', '')),
  address: textArb,
  city: fc.option(textArb),
  country: fc.option(fc.constantFrom('Japan', '日本', 'Ｊａｐａｎ', '')),
  zip: fc.option(fc.constantFrom('150-0001', '１５０－０００２', '1500003', 'SW1A 1AA', 'sw1a2', '')),
  provinceCode: fc.option(fc.constantFrom('JP-13', 'JP-27', 'JP-01', 'US-CA')),
  tags: tagArb,
  birthday: fc.option(
    fc
      .tuple(fc.constantFrom('1004', '1988'), fc.constantFrom('02-28', '02-29', '03-01', '12-31', '01-01', '07-07'))
      .map((parts) => parts.join('-')),
  ),
  createdAt: aroundMidnight,
  orders: fc.array(orderArb, { maxLength: 4 }),
  marketingState: fc.constantFrom(...states),
  marketingChangedAt: fc.option(aroundMidnight),
  notificationState: fc.constantFrom(...states),
  notificationChangedAt: fc.option(aroundMidnight),
  lineConnectedAt: fc.option(aroundMidnight),
  lineBlocked: fc.boolean(),
  suppressed: fc.constant(false),
  mails: fc.uniqueArray(fc.record({ ...messageParts, openedAt: fc.option(aroundMidnight) }), {
    maxLength: 4,
    selector: ({ campaignId, sentAt }) => campaignId ?? sentAt.getTime(),
  }),
  lineMessages: fc.uniqueArray(fc.record(messageParts), {
    maxLength: 3,
    selector: ({ campaignId, sentAt }) => campaignId ?? sentAt.getTime(),
  }),
  checkouts: fc.array(
    fc.record({
      createdAt: aroundMidnight,
      completedAt: fc.option(aroundMidnight),
      total: smallAmount,
      productIds: productIdsArb,
    }),
    { maxLength: 2 },
  ),
  carts: fc.array(
    fc.record({
      changedAt: aroundMidnight,
      convertedAt: fc.option(aroundMidnight),
      items: fc.nat(1),
      productIds: productIdsArb,
    }),
    { maxLength: 2 },
  ),
  views: fc.uniqueArray(fc.record({ productId: productArb.map(({ id }) => id), at: aroundMidnight }), {
    maxLength: 2,
    selector: ({ productId }) => productId,
  }),
  cartProducts: fc.uniqueArray(
    fc.record({ productId: productArb.map(({ id }) => id), at: aroundMidnight, quantity: fc.nat(2) }),
    { maxLength: 2, selector: ({ productId }) => productId },
  ),
  favorites: fc.uniqueArray(
    fc.record({ productId: productArb.map(({ id }) => id), at: aroundMidnight, active: fc.boolean() }),
    {
      maxLength: 2,
      selector: ({ productId }) => productId,
    },
  ),
  restocks: fc.uniqueArray(
    fc.record({ productId: productArb.map(({ id }) => id), at: aroundMidnight, sentAt: fc.option(aroundMidnight) }),
    { maxLength: 2, selector: ({ productId }) => productId },
  ),
  ways: fc.array(
    fc.record({
      scenarioId: fc.constantFrom(...scenarioIds),
      test: fc.nat(3).map((n) => n === 0),
      at: aroundMidnight,
      ended: fc.option(
        fc.record({ at: aroundMidnight, reason: fc.constantFrom('finished', 'bought', 'stopped', null) }),
      ),
    }),
    { maxLength: 4 },
  ),
  metafields: fc
    .tuple(...metafieldArbs)
    .map((values) =>
      Object.fromEntries(
        values.flatMap((value, index) => (value ? [[metafields[index]?.id ?? '', value] as const] : [])),
      ),
    ),
  scores: fc.option(
    fc.record({
      recency: fc.integer({ min: 1, max: 5 }),
      frequency: fc.integer({ min: 1, max: 5 }),
      monetary: fc.integer({ min: 1, max: 5 }),
      rfmClass: fc.constantFrom('champions', 'lost', 'new'),
      nextOrderOn: fc.option(fc.constantFrom(...hardDays)),
    }),
  ),
  remoteSegments: fc.subarray(remoteIds),
})

const dayArb = fc.constantFrom(...hardDays)
const amountArb = fc.constantFrom(0, 1, 2, 5, 9.99, 10, 12.34, 999, 1000, 1234.56)
const countArb = fc.constantFrom(0, 1, 2, 3)
const pair = <T extends string | number>(arb: fc.Arbitrary<T>) =>
  fc.tuple(arb, arb).map(([a, b]): [T, T] => (a <= b ? [a, b] : [b, a]))
const windowArb: fc.Arbitrary<Window> = fc.oneof(
  fc.constant(null),
  fc.constantFrom(1, 2, 30, 400).map((within_days) => ({ within_days })),
  pair(dayArb).map(([from, to]) => ({ from, to })),
)
const someIds = (ids: readonly string[]): fc.Arbitrary<string[]> =>
  fc.uniqueArray(fc.constantFrom(...ids, newId()), { minLength: 1, maxLength: 2 })
const measured = (operator: Operator, arb: fc.Arbitrary<number>): fc.Arbitrary<number | [number, number]> =>
  operator === 'between' ? pair(arb) : arb
const productIds = products.map(({ id }) => id)

const someOrAny = (ids: readonly string[]): fc.Arbitrary<string[] | null> => fc.option(someIds(ids))
const amountOrNone: fc.Arbitrary<number | null> = fc.option(amountArb)
const filterPartArb = fc.oneof(
  fc.tuple(fc.constant('products'), someIds(productIds)),
  fc.tuple(fc.constant('variants'), someIds(products.flatMap(({ variants }) => variants.map(({ id }) => id)))),
  fc.tuple(fc.constant('collections'), someIds(collectionIds)),
  fc.tuple(fc.constant('vendors'), fc.constantFrom(['メーカー'], ['MAKER', '100%'])),
  fc.tuple(fc.constant('product_tags'), wantedTagsArb),
  fc.tuple(fc.constant('order_tags'), wantedTagsArb),
  fc.tuple(fc.constant('discount_codes'), fc.constantFrom(['welcome10'], ['okaeri', 'x'])),
)

function valueArb(field: ConditionField, operator: Operator): fc.Arbitrary<Leaf['value']> {
  const wanted = fc.oneof(
    wantedTextArb,
    fc.constantFrom('person1', 'PERSON12@shop.test', '%', '_', '\\', '1', '90123', 'Ａ', 'だ', 'JAPAN'),
    fc.nat(people.length - 1).map((n) => people[n]?.id ?? ''),
  )
  const shape = valueShapeOf(field.type, operator)
  switch (shape) {
    case 'none':
      return fc.constant(null)
    case 'text':
      return wanted
    case 'texts':
      return fc.array(wanted, { minLength: 1, maxLength: 12 })
    case 'number':
    case 'number_range': {
      const number = (field.min ?? 0) < 0 ? fc.oneof(amountArb, fc.constantFrom(-3, -1, -365)) : amountArb
      const fitting = field.max === 5 ? fc.integer({ min: 1, max: 5 }) : number
      const within = field.max === 36_500 ? fitting.filter((n) => Math.abs(n) < 36_500) : fitting
      return shape === 'number' ? within : pair(within)
    }
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
    case 'day_of_month':
      return fc.constantFrom(1, 7, 28, 29, 31)
    case 'choices':
      return fc.uniqueArray(fc.constantFrom(...(field.choices ?? []).map(({ value }) => value)), {
        minLength: 1,
        maxLength: 3,
      })
    case 'postal_prefixes':
      return fc.uniqueArray(fc.constantFrom('150', '１５０-00', '1500001', 'sw1a 1', 'SW', '9'), {
        minLength: 1,
        maxLength: 3,
      })
    case 'tags':
      return wantedTagsArb
    case 'segments':
      return fc.uniqueArray(fc.constantFrom(...segments.keys()), { minLength: 1, maxLength: 2 })
    case 'products':
      return fc.record({ ids: someIds(productIds), within_days: fc.constantFrom(null, 1, 2, 30, 400) })
    case 'ordered':
      return fc
        .record({
          measure: fc.constantFrom('count' as const, 'amount' as const, 'quantity' as const),
          // At most two: all together match no one.
          filter: fc.uniqueArray(filterPartArb, { maxLength: 2, selector: ([key]) => key }).map(Object.fromEntries),
          window: windowArb,
        })
        .chain((value) =>
          measured(operator, value.measure === 'amount' ? amountArb : countArb).map((amount) => ({
            ...value,
            value: amount,
          })),
        )
    case 'mails':
      return fc.record({
        value: measured(operator, countArb),
        campaigns: someOrAny(campaignIds),
        window: windowArb,
      })
    case 'in_scenario':
      return fc.record({ scenarios: someOrAny(scenarioIds) })
    case 'scenarios':
      return fc.record({
        value: measured(operator, countArb),
        scenarios: someOrAny(scenarioIds),
        reasons: field.choices
          ? fc.option(fc.uniqueArray(fc.constantFrom('finished', 'bought', 'coupon_used'), { minLength: 1 }))
          : fc.constant(null),
        window: windowArb,
      })
    case 'things':
      return fc.record({
        products: someOrAny(productIds),
        min_amount: field.has_amount ? amountOrNone : fc.constant(null),
        window: windowArb,
      })
  }
}

const comparisons = categories.flatMap(({ slug, fields }) =>
  fields.flatMap((field) =>
    operatorsFor(field).map((operator) => ({ category: slug as string, field, operator, name: field.name_en })),
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
            operator: fc.constantFrom('and' as const, 'or' as const, 'not' as const),
            children: fc.array(conditionArb(depth - 1), { minLength: 1, maxLength: 3 }),
          }),
        },
      )
/** The account's. With none, two and three digits after the point. */
const [currency = 'JPY'] = fc.sample(fc.constantFrom('JPY', 'USD', 'KWD'), 1)
const momentArb: fc.Arbitrary<Moment> = fc.record({
  now: aroundMidnight,
  timezone: fc.constantFrom(...zones),
  currency: fc.constant(currency),
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

const leaf = (category: string, name: string, operator: string, value: Leaf['value']): Leaf => ({
  type: 'condition',
  id: 'x',
  category,
  name,
  operator,
  value,
})
/** Own segments that conditions name, one of them names others; and remote ones. */
const ownIds = [newId(), newId()] as const
const segments = new Map<string, Condition | null>([
  [ownIds[0], leaf('orders', 'last_order_at', 'more_than_days_ago', 30)],
  [
    ownIds[1],
    {
      type: 'group',
      id: 'g',
      operator: 'not',
      children: [leaf('segments', 'member', 'is_member', [ownIds[0], remoteIds[0] ?? ''])],
    },
  ],
  ...remoteIds.map((id) => [id, null] as const),
])
const shop: Shop = { categories, products: new Map(products.map((product) => [product.id, product])), segments }

/** The customers each condition chooses, all in one statement. */
async function choose(
  asked: readonly { condition: Condition; moment: Moment }[],
  only?: readonly string[],
): Promise<Set<string>[]> {
  const named = new Map(
    [...segments].map(([id, conditions]) => [
      id,
      { name: 's', origin: conditions ? 'own' : 'remote', conditions } as const,
    ]),
  )
  const columns = asked.map(({ condition, moment }, index) => {
    const where = compileCondition(condition, {
      merchantId,
      ...moment,
      categories,
      executionRows,
      segments: named,
      ...(only ? { only } : {}),
    })
    return sql`array(select c.id::text from customers c where c.merchant_id = ${merchantId}
      ${only ? sql`and c.id = any(${[...only]}::uuid[])` : sql``} and ${where}) as ${sql.ref(`r${index}`)}`
  })
  const { rows } = await sql<Record<string, string[]>>`select ${sql.join(columns)}`.execute(connection.db)
  return asked.map((_, index) => new Set(rows[0]?.[`r${index}`]))
}

async function expectAgreement(
  asked: readonly { condition: Condition; moment: Moment }[],
  among: readonly Person[] = people,
): Promise<void> {
  const chosen = await choose(asked, among === people ? undefined : among.map(({ id }) => id))
  for (const [index, { condition, moment }] of asked.entries()) {
    expect(checkCondition(condition, 'conditions', categories)).toEqual({})
    const wrong = among.filter(
      (person) => matchesCondition(condition, person, moment, shop) !== chosen[index]?.has(person.id),
    )
    expect({ condition, moment, wrong: wrong.slice(0, 2) }).toEqual({ condition, moment, wrong: [] })
  }
}

beforeAll(async () => {
  connection = connect(await createTestDatabase(), { name: 'test', max: 2 })
  const suppressed = new Set(['person1@shop.test', 'person2@shop.test', 'person3@shop.test', 'person4@shop.test'])
  for (const person of people) person.suppressed = suppressed.has(person.email?.toLowerCase() ?? '')
  await store(people, [...suppressed])
})
afterAll(() => connection.close())

const numberOf = (productId: string): number => products.find(({ id }) => id === productId)?.number ?? 0
const latest = (instants: readonly (Date | null)[]): Date | null => {
  const times = instants.filter(isDate).map((at) => at.getTime())
  return times.length === 0 ? null : new Date(Math.max(...times))
}
const earliest = (instants: readonly Date[]): Date | null =>
  instants.length === 0 ? null : new Date(Math.min(...instants.map((at) => at.getTime())))

async function store(people: readonly Person[], suppressed: readonly string[]): Promise<void> {
  const { db } = connection
  const at = new Date('2020-01-01T00:00:00Z')
  const insert = async (table: string, rows: readonly Record<string, unknown>[]): Promise<void> => {
    for (let first = 0; first < rows.length; first += 500)
      await db
        .insertInto(table as 'products')
        .values(rows.slice(first, first + 500).map((row) => ({ merchant_id: merchantId, ...row })) as never)
        .execute()
  }
  await insert(
    'products',
    products.map(({ id, number, vendor, tags }) => ({ id, store_product_id: number, title: 'p', vendor, tags })),
  )
  await insert(
    'product_variants',
    products.flatMap(({ number, variants }) =>
      variants.map((variant) => ({ id: variant.id, store_variant_id: variant.number, store_product_id: number })),
    ),
  )
  await insert(
    'collections',
    collectionIds.map((id, index) => ({ id, store_collection_id: 400 + index, title: 'c' })),
  )
  await insert(
    'collection_products',
    products.flatMap(({ number, collectionIds: ids }) =>
      ids.map((id) => ({ store_collection_id: 400 + collectionIds.indexOf(id), store_product_id: number })),
    ),
  )
  await insert(
    'customers',
    people.map((person) => {
      const orders = standing(person)
      const own = orders.filter(({ otherCurrency }) => !otherCurrency)
      const mails = counted(person)
      return {
        id: person.id,
        store_customer_id: person.storeCustomerId,
        email: person.email,
        email_key: person.email?.toLowerCase() ?? null,
        first_name: person.firstName,
        last_name: person.lastName,
        display_name: person.displayName,
        phone: person.phone,
        last_address: person.address,
        address: JSON.stringify({ city: person.city, country: person.country, zip: person.zip }),
        province_code: person.provinceCode,
        tags: person.tags,
        birthday: person.birthday,
        marketing_state: person.marketingState,
        marketing_changed_at: person.marketingChangedAt,
        notification_state: person.notificationState,
        notification_changed_at: person.notificationChangedAt,
        line_connected_at: person.lineConnectedAt,
        orders_count: orders.length,
        orders_amount: own.reduce((sum, order) => sum + order.amount, 0),
        orders_other_currency: orders.length - own.length,
        first_order_at: earliest(orders.map(({ at }) => at)),
        last_order_at: latest(orders.map(({ at }) => at)),
        email_sent_count: mails.length,
        line_sent_count: person.lineMessages.filter(({ counts }) => counts).length,
        opened_count: mails.filter(({ openedAt }) => openedAt).length,
        clicked_count: mails.filter(({ clickedAt }) => clickedAt).length,
        last_sent_at: latest(mails.map(({ sentAt }) => sentAt)),
        last_opened_at: latest(mails.map(({ openedAt }) => openedAt)),
        last_clicked_at: latest(mails.map(({ clickedAt }) => clickedAt)),
        created_at: person.createdAt,
        updated_at: at,
      }
    }),
  )
  await insert(
    'line_friends',
    people.flatMap((person) =>
      person.lineConnectedAt || person.lineBlocked
        ? [
            {
              line_user_id: person.id,
              customer_id: person.id,
              is_friend: !person.lineBlocked,
              blocked_at: person.lineBlocked ? at : null,
              changed_at: at,
              created_at: at,
            },
          ]
        : [],
    ),
  )
  let number = 0
  const orders = people.flatMap((person) =>
    person.orders.map((order) => ({ ...order, id: newId(), number: ++number, customerId: person.id })),
  )
  await insert(
    'orders',
    orders.map((order) => ({
      id: order.id,
      store_order_id: order.number,
      customer_id: order.customerId,
      name: `#${order.number}`,
      processed_at: order.at,
      total_amount: order.amount,
      current_amount: order.amount,
      currency: order.otherCurrency ? 'EUR' : currency,
      cancelled_at: order.cancelled ? at : null,
      tags: order.tags,
      discount_codes: order.codes,
    })),
  )
  await insert(
    'order_lines',
    orders.flatMap((order) =>
      order.lines.map((line, position) => ({
        order_id: order.id,
        position,
        customer_id: order.customerId,
        title: 'p',
        quantity: line.quantity,
        amount: line.amount,
        processed_at: order.at,
        store_product_id: numberOf(line.productId),
        store_variant_id:
          products.flatMap(({ variants }) => variants).find(({ id }) => id === line.variantId)?.number ?? null,
      })),
    ),
  )
  await insert(
    'deliveries',
    people.flatMap((person) =>
      [
        ...person.mails.map((mail) => ({ channel: 'email', ...mail })),
        // A click counts as an open.
        ...person.lineMessages.map((message) => ({ channel: 'line', ...message, openedAt: message.clickedAt })),
      ].map((mail, index) => ({
        id: newId(),
        channel: mail.channel,
        // These do not count: a test, a merchant in test mode, not sent in the end.
        kind: !mail.counts && index % 3 === 0 ? 'test' : 'campaign',
        test_mode: !mail.counts && index % 3 === 1,
        status: !mail.counts && index % 3 === 2 ? 'failed' : 'sent',
        campaign_id: mail.campaignId,
        customer_id: person.id,
        message_id: newId(),
        created_at: at,
        sent_at: mail.sentAt,
        opened_at: mail.openedAt,
        clicked_at: mail.clickedAt,
      })),
    ),
  )
  const minutes = (instants: readonly (Date | null)[]): number[] =>
    instants
      .filter(isDate)
      .map((at) => Math.floor(at.getTime() / 60_000))
      .sort((one, other) => one - other)
  await insert(
    'customer_mail_times',
    people
      .filter((person) => counted(person).length > 0)
      .map((person) => ({
        customer_id: person.id,
        sent: minutes(counted(person).map(({ sentAt }) => sentAt)),
        opened: minutes(counted(person).map(({ openedAt }) => openedAt)),
        clicked: minutes(counted(person).map(({ clickedAt }) => clickedAt)),
      })),
  )
  const lines = (ids: readonly string[]): string =>
    JSON.stringify(ids.map((id) => ({ store_product_id: numberOf(id) })))
  await insert(
    'checkouts',
    people.flatMap((person) =>
      person.checkouts.map((checkout) => ({
        id: newId(),
        store_checkout_id: ++number,
        customer_id: person.id,
        total_amount: checkout.total,
        currency: 'JPY',
        lines: lines(checkout.productIds),
        created_at: checkout.createdAt,
        store_updated_at: at,
        completed_at: checkout.completedAt,
      })),
    ),
  )
  await insert(
    'carts',
    people.flatMap((person) =>
      person.carts.map((cart) => ({
        id: newId(),
        token: newId(),
        customer_id: person.id,
        lines: lines(cart.productIds),
        items_count: cart.items,
        created_at: at,
        store_updated_at: cart.changedAt,
        converted_at: cart.convertedAt,
      })),
    ),
  )
  await insert(
    'product_views',
    people.flatMap((person) =>
      person.views.map((view) => ({
        customer_id: person.id,
        store_product_id: numberOf(view.productId),
        first_viewed_at: view.at,
        viewed_at: view.at,
        views: 1,
      })),
    ),
  )
  await insert(
    'cart_products',
    people.flatMap((person) =>
      person.cartProducts.map((line) => ({
        customer_id: person.id,
        store_product_id: numberOf(line.productId),
        quantity: line.quantity,
        first_seen_at: line.at,
        seen_at: line.at,
        changed_at: line.at,
      })),
    ),
  )
  await insert(
    'favorites',
    people.flatMap((person) =>
      person.favorites.map((favorite) => ({
        id: newId(),
        customer_id: person.id,
        store_product_id: numberOf(favorite.productId),
        status: favorite.active ? 'active' : 'removed',
        created_at: favorite.at,
      })),
    ),
  )
  await insert(
    'restock_requests',
    people.flatMap((person) =>
      person.restocks.map((request) => ({
        id: newId(),
        customer_id: person.id,
        store_product_id: numberOf(request.productId),
        status: request.sentAt ? 'sent' : 'active',
        created_at: request.at,
        sent_at: request.sentAt,
      })),
    ),
  )
  const goingOn = ['running', 'paused', 'late', 'failed']
  await insert(
    'executions',
    people.flatMap((person) =>
      person.ways.map(({ scenarioId, test, at: enteredAt, ended }, index) => ({
        id: newId(),
        scenario_id: scenarioId,
        version: 1,
        customer_id: person.id,
        held_out: index % 2 === 0,
        test,
        status: ended ? (ended.reason === null ? 'resolved' : 'done') : goingOn[index % goingOn.length],
        end_reason: ended?.reason ?? null,
        created_at: enteredAt,
        ended_at: ended?.at ?? null,
      })),
    ),
  )
  // A guest's execution belongs to no customer.
  await insert('executions', [
    { id: newId(), scenario_id: scenarioIds[0], version: 1, status: 'running', created_at: at },
  ])
  await insert(
    'customer_metafields',
    people.flatMap((person) =>
      Object.entries(person.metafields).map(([settingId, value]) => ({
        metafield_setting_id: settingId,
        customer_id: person.id,
        value: JSON.stringify(value),
        value_number: 'number' in value ? value.number : 'boolean' in value ? Number(value.boolean) : null,
        value_at: 'at' in value ? value.at : 'day' in value ? new Date(`${value.day}T00:00:00Z`) : null,
        value_texts: ('texts' in value ? value.texts : 'text' in value ? [value.text] : []).map((text) =>
          foldText(text),
        ),
        updated_at: at,
      })),
    ),
  )
  await insert(
    'customer_scores',
    people.flatMap(({ id, scores }) =>
      scores
        ? [
            {
              customer_id: id,
              recency: scores.recency,
              frequency: scores.frequency,
              monetary: scores.monetary,
              rfm_class: scores.rfmClass,
              next_order_on: scores.nextOrderOn,
              computed_at: at,
            },
          ]
        : [],
    ),
  )
  await insert(
    'segment_members',
    people.flatMap(({ id, remoteSegments }) =>
      remoteSegments.map((segmentId) => ({ segment_id: segmentId, customer_id: id, entered_at: at })),
    ),
  )
  await insert('suppressions', [
    ...suppressed.map((address) => ({ id: newId(), address_key: address, reason: 'manual', created_at: at })),
    { id: newId(), address_key: 'person5@shop.test', reason: 'manual', created_at: at, lifted_at: at },
    // Another merchant's suppression does not count here.
    { merchant_id: newId(), id: newId(), address_key: 'person6@shop.test', reason: 'manual', created_at: at },
  ])
}

describe('the SQL of a condition chooses the same customers as the plain implementation', () => {
  test.each(comparisons)('$name: $operator', async (comparison) => {
    await expectAgreement(
      fc.sample(fc.record({ condition: leafOf(comparison), moment: momentArb }), {
        numRuns: thorough ? 40 : 8,
        seed: 7,
      }),
    )
  })

  test('in any nesting of and, or and not', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ condition: conditionArb(5), moment: momentArb }), { minLength: 1, maxLength: 15 }),
        (asked) => expectAgreement(asked),
      ),
      { numRuns: thorough ? 60 : 12 },
    )
  })

  test('also when only a few customers are asked about', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ condition: conditionArb(2), moment: momentArb }), { minLength: 1, maxLength: 10 }),
        fc.subarray(people, { minLength: 1, maxLength: 5 }),
        expectAgreement,
      ),
      { numRuns: thorough ? 40 : 8 },
    )
  })
})

describe('a condition in words', () => {
  const shown = (value: unknown): string[] => {
    if (typeof value === 'string') return /^\d{4}-\d\d-\d\d$/.test(value) ? [String(Number(value.slice(8)))] : [value]
    if (typeof value === 'number') return [String(Math.abs(value)).slice(0, 1)]
    if (Array.isArray(value)) return value.flatMap(shown)
    return typeof value === 'object' && value !== null ? Object.values(value).flatMap(shown) : []
  }
  const codes = new Map(
    categories
      .flatMap(({ fields }) => fields.flatMap(({ choices }) => choices ?? []))
      .map((each) => [each.value, each]),
  )

  test('has every value, in both languages, and is never empty', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...comparisons).chain(leafOf),
        fc.constantFrom('ja' as const, 'en' as const),
        (leaf, locale) => {
          const names = { categories, nameOf: (_kind: string, id: string) => `<${id}>` }
          for (const said of [describeComparison(leaf, locale, names), describeCondition(leaf, locale, names)]) {
            expect(said.trim()).not.toBe('')
            expect(said).not.toMatch(/undefined|null|NaN|…/)
            if (leaf.operator === 'month_is') continue
            for (const value of shown(leaf.value)) {
              if (value === 'count' || value === 'amount' || value === 'quantity') continue
              const choice = codes.get(value)
              expect(said).toContain(choice ? (locale === 'ja' ? choice.name_ja : choice.name_en) : value)
            }
          }
        },
      ),
      { numRuns: thorough ? 2000 : 500 },
    )
  })

  test.each<[Pick<Leaf, 'category' | 'name' | 'operator' | 'value'>, ja: string, en: string]>([
    [
      { category: 'customer', name: 'tags', operator: 'has_not', value: ['VIP', '常連'] },
      'タグに「VIP」「常連」のいずれもない',
      'The tags include none of “VIP” or “常連”',
    ],
    [
      { category: 'address', name: 'prefecture', operator: 'is_one_of', value: ['JP-13', 'JP-14', 'JP-27'] },
      '都道府県が「東京都」「神奈川県」「大阪府」のいずれか',
      'The prefecture is “Tokyo”, “Kanagawa” or “Osaka”',
    ],
    [{ category: 'customer', name: 'tags', operator: 'is_set', value: null }, 'タグの登録がある', 'The tags are set'],
    [
      { category: 'address', name: 'prefecture', operator: 'is_none_of', value: ['JP-13'] },
      '都道府県が「東京都」ではない',
      'The prefecture is not “Tokyo”',
    ],
    [
      { category: 'address', name: 'postal_code', operator: 'starts_with_none', value: ['06'] },
      '郵便番号が「06」で始まらない',
      'The postal code does not start with “06”',
    ],
    [
      { category: 'orders', name: 'orders_count', operator: 'less', value: 3 },
      '注文回数が3回未満',
      'The number of orders is less than 3',
    ],
    [
      {
        category: 'orders',
        name: 'ordered',
        operator: 'at_least',
        value: { measure: 'count', value: 1, filter: {}, window: { within_days: 90 } },
      },
      '直近90日以内に注文の回数が1回以上',
      'There is at least 1 order within the last 90 days',
    ],
    [
      {
        category: 'emails',
        name: 'emails_opened',
        operator: 'at_least',
        value: { value: 2, campaigns: null, window: { within_days: 30 } },
      },
      '直近30日以内にメールの開封が2通以上',
      'At least 2 emails were opened within the last 30 days',
    ],
    [
      {
        category: 'line',
        name: 'line_clicked',
        operator: 'at_least',
        value: { value: 1, campaigns: null, window: { within_days: 30 } },
      },
      '直近30日以内にLINEメッセージのクリックが1通以上',
      'At least 1 LINE message was clicked within the last 30 days',
    ],
    [
      {
        category: 'line',
        name: 'line_received',
        operator: 'at_most',
        value: { value: 0, campaigns: null, window: null },
      },
      'LINEメッセージを受信していない（0通）',
      'No LINE message (0) was received',
    ],
    [
      { category: 'scenarios', name: 'scenario_now', operator: 'has_not', value: { scenarios: null } },
      'どのシナリオにも参加中ではない',
      'The customer is in no scenario',
    ],
    [
      { category: 'scenarios', name: 'scenario_now', operator: 'has', value: { scenarios: ['a', 'b'] } },
      'シナリオ「a」または「b」に参加中',
      'The customer is in scenario “a” or “b”',
    ],
    [
      {
        category: 'scenarios',
        name: 'scenario_entered',
        operator: 'exactly',
        value: { value: 0, scenarios: ['a'], reasons: null, window: { within_days: 30 } },
      },
      '直近30日以内にシナリオ「a」への参加がない（0回）',
      'Scenario “a” was not entered (0) within the last 30 days',
    ],
    [
      {
        category: 'scenarios',
        name: 'scenario_ended',
        operator: 'at_least',
        value: { value: 1, scenarios: null, reasons: ['bought', 'coupon_used'], window: { within_days: 30 } },
      },
      '直近30日以内にシナリオの終了（理由：「購入した」または「クーポンを使った」）が1回以上',
      'A scenario ended (“Purchased” or “Coupon used”) at least 1 time within the last 30 days',
    ],
  ])('reads naturally (%#)', (leaf, inJapanese, inEnglish) => {
    const row: Leaf = { type: 'condition', id: 'a', ...leaf }
    expect([describeComparison(row, 'ja'), describeComparison(row, 'en')]).toEqual([inJapanese, inEnglish])
  })

  test('a value in another direction keeps to its quotes', () => {
    const row = (value: string[]): Leaf => ({
      type: 'condition',
      id: 'a',
      category: 'customer',
      name: 'tags',
      operator: 'has',
      value,
    })
    expect(describeComparison(row(['שלום', '‮VIP⁩', '常連']), 'ja')).toBe(
      'タグに「\u2068שלום\u2069」「\u2068VIP\u2069」「常連」のいずれかがある',
    )
  })

  test('works at any depth of nesting, also for unfinished conditions', () => {
    const anything: fc.Arbitrary<Leaf['value']> = fc.oneof(
      fc.constantFrom<Leaf['value']>(null, 5, false),
      fc.constant([]).map((none) => [...none]),
      fc.constant({} as never),
      fc.constant('').map((empty) => [empty, empty]),
      fc.string(),
    )
    fc.assert(
      fc.property(
        conditionArb(4),
        leafArb(),
        anything,
        fc.constantFrom('ja' as const, 'en' as const),
        (condition, leaf, value, locale) => {
          expect(describeCondition(condition, locale, { categories })).not.toBe('')
          expect(describeComparison({ ...leaf, value }, locale, { categories })).not.toBe('')
          expect(describeCondition({ ...leaf, category: METAFIELDS, name: newId() }, locale)).not.toBe('')
        },
      ),
    )
  })
})

describe('days', () => {
  test('a day begins with its first instant, whenever and however the clocks change', () => {
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.constantFrom(...hardDays), (zone, day) => {
        const start = startOfDay(day, zone)
        // Apia skipped 30 December 2011: that day begins when the next one does.
        const expected = zone === 'Pacific/Apia' && day === '2011-12-30' ? '2011-12-31' : day
        expect(dayIn(zone, start)).toBe(expected)
        expect(dayIn(zone, new Date(start.getTime() - 1)) < day).toBe(true)
        expect(localDay(start, zone)).toBe(expected)
      }),
    )
  })
})
