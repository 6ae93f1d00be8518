import type { Condition, Leaf } from '@okaeri/contract/segments/condition'
import * as conditionEndpoints from '@okaeri/contract/segments/condition-routes'
import * as endpoints from '@okaeri/contract/segments/routes'
import { describe, expect, test } from 'vitest'
import type { TestMerchant } from '../../../../test/harness.ts'
import { okaeri, withOkaeri } from '../../../../test/with-okaeri.ts'
import { refusal } from '../../../../test/refusal.ts'
import { aSegment } from '../../../../test/builders/segment.ts'
import { newId } from '../../../kernel/ids.ts'
import { explainCustomers } from './explanation.ts'

withOkaeri()

const is = (category: string, name: string, operator: string, value: Leaf['value'] = null): Leaf => ({
  type: 'condition',
  id: 'x',
  category,
  name,
  operator,
  value,
})
const group = (operator: 'and' | 'or' | 'not', ...children: Condition[]): Condition => ({
  type: 'group',
  id: 'g',
  operator,
  children,
})

async function addCustomer(merchant: TestMerchant, fields: Record<string, unknown> = {}): Promise<string> {
  const id = newId()
  const at = new Date('2026-01-01T00:00:00Z')
  await okaeri.context.db
    .insertInto('customers')
    .values({ merchant_id: merchant.id, id, display_name: '花子', created_at: at, updated_at: at, ...fields })
    .execute()
  return id
}
const addSegment = async (merchant: TestMerchant, conditions: Condition): Promise<string> =>
  (await aSegment(merchant, conditions, '区分')).id

describe('why a customer is in a segment', () => {
  test('is explained comparison by comparison, with the customer’s values', async () => {
    const merchant = await okaeri.merchant()
    const { db } = okaeri.context
    const customerId = await addCustomer(merchant, {
      tags: ['VIP', '常連'],
      orders_count: 2,
      orders_amount: 4500,
      birthday: '1990-07-07',
      last_opened_at: new Date('2026-10-01T00:00:00Z'),
    })
    await db
      .insertInto('orders')
      .values({
        merchant_id: merchant.id,
        id: newId(),
        store_order_id: 1,
        customer_id: customerId,
        name: '#1',
        processed_at: new Date('2026-09-01T12:00:00Z'),
        total_amount: 3000,
        current_amount: 3000,
        currency: 'JPY',
        tags: ['ギフト'],
      })
      .execute()
    const conditions = group(
      'and',
      is('customer', 'tags', 'has', ['vip']),
      group(
        'not',
        is('orders', 'orders_count', 'greater', 2),
        is('orders', 'ordered', 'at_least', {
          measure: 'amount',
          value: 5000,
          filter: { order_tags: ['ぎふと'] },
          window: { from: '2026-09-01', to: '2026-09-30' },
        }),
      ),
      is('emails', 'last_opened_at', 'is_set'),
      is('customer', 'birthday', 'month_is', 8),
      is('scores', 'rfm_class', 'is_set'),
    )
    const { explanation, customer } = await merchant.call(conditionEndpoints.explainConditions, {
      body: { conditions, customer_id: customerId },
    })
    expect(customer.id).toBe(customerId)
    expect(explanation).toEqual({
      included: false,
      parts: [
        { path: 'conditions', holds: false, value: null },
        { path: 'conditions.children.0', holds: true, value: { kind: 'texts', texts: ['VIP', '常連'], count: 2 } },
        { path: 'conditions.children.1', holds: true, value: null },
        { path: 'conditions.children.1.children.0', holds: false, value: { kind: 'number', number: 2 } },
        {
          path: 'conditions.children.1.children.1',
          holds: false,
          value: { kind: 'found', number: 3000, last_at: '2026-09-01T12:00:00.000Z' },
        },
        { path: 'conditions.children.2', holds: true, value: { kind: 'instant', at: '2026-10-01T00:00:00.000Z' } },
        { path: 'conditions.children.3', holds: false, value: { kind: 'day', day: '1990-07-07' } },
        { path: 'conditions.children.4', holds: false, value: { kind: 'none' } },
      ],
    })
  })

  test('is explained for several customers at once, each with their own values', async () => {
    const merchant = await okaeri.merchant()
    const ids = [await addCustomer(merchant), await addCustomer(merchant), await addCustomer(merchant)]
    await okaeri.context.db
      .insertInto('orders')
      .values(
        [0, 1, 1].map((who, index) => ({
          merchant_id: merchant.id,
          id: newId(),
          store_order_id: index,
          customer_id: ids[who] ?? null,
          name: `#${index}`,
          processed_at: new Date('2026-09-01T12:00:00Z'),
          total_amount: 1000,
          current_amount: 1000,
          currency: 'JPY',
        })),
      )
      .execute()
    const window = { from: '2026-09-01', to: '2026-09-30' }
    const explained = await explainCustomers(
      merchant.scope(),
      is('orders', 'ordered', 'at_least', { measure: 'count', value: 2, filter: {}, window }),
      ids,
    )
    expect(ids.map((id) => explained.get(id)?.parts[0])).toMatchObject([
      { holds: false, value: { number: 1 } },
      { holds: true, value: { number: 2 } },
      { holds: false, value: { number: 0, last_at: null } },
    ])
  })

  test('agrees with the segment itself, for every field', async () => {
    const merchant = await okaeri.merchant()
    await merchant
      .scope()
      .context.db.insertInto('metafield_settings')
      .values(
        (['number_integer', 'boolean', 'date', 'date_time', 'list.color', 'json'] as const).map((valueType) => ({
          merchant_id: merchant.id,
          id: newId(),
          name: valueType,
          namespace: 'custom',
          key: valueType.replace('.', '_'),
          namespace_type: 'custom',
          value_type: valueType,
          status: 'ready',
          created_at: new Date('2026-01-01T00:00:00Z'),
          updated_at: new Date('2026-01-01T00:00:00Z'),
        })),
      )
      .execute()
    const { categories } = await merchant.call(conditionEndpoints.getConditionParams, {})
    expect(
      categories
        .at(-1)
        ?.fields.map(({ type }) => type)
        .toSorted(),
    ).toEqual(['boolean', 'date', 'date', 'number', 'tags', 'text'].toSorted())
    const customerId = await addCustomer(merchant)
    const other = await addSegment(merchant, is('customer', 'display_name', 'equals', '花子'))
    const nothing = { products: null, min_amount: null, window: null }
    const questions: Record<string, [operator: string, value: Leaf['value']]> = {
      text: ['is_not_set', null],
      number: ['not_equals', 1],
      boolean: ['is', false],
      date: ['is_not_set', null],
      tags: ['has_not', ['x']],
      choice: ['is_none_of', ['lost']],
      birthday: ['is_not_set', null],
      postal_code: ['starts_with_none', ['150']],
      ordered: ['exactly', { measure: 'count', value: 0, filter: { vendors: ['v'] }, window: null }],
      mails: ['at_most', { value: 0, campaigns: null, window: { within_days: 30 } }],
      things: ['has_not', nothing],
      in_scenario: ['has_not', { scenarios: null }],
      scenarios: ['at_most', { value: 0, scenarios: null, reasons: null, window: { within_days: 30 } }],
      segment: ['is_member', [other]],
    }
    const asked = categories.flatMap(({ slug, fields }) =>
      fields.flatMap((field) => {
        const question = questions[field.type]
        const choice = field.choices?.at(-1)?.value
        return question
          ? [is(slug, field.name, question[0], field.type === 'choice' ? [choice ?? ''] : question[1])]
          : []
      }),
    )
    const { explanation } = await merchant.call(conditionEndpoints.explainConditions, {
      body: { conditions: group('and', ...asked), customer_id: customerId },
    })
    for (const [index, part] of explanation.parts.slice(1).entries()) {
      const conditions = asked[index] as Leaf
      const { target_counts } = await merchant.call(endpoints.previewConditions, { body: { conditions } })
      expect({ conditions, holds: part.holds }).toEqual({ conditions, holds: target_counts.total === 1 })
      expect(part.value).not.toBeNull()
    }
    await okaeri.settle()
  })

  test('is explained for saved segments too, and never for another merchant’s customers', async () => {
    const merchant = await okaeri.merchant()
    const neighbour = await okaeri.merchant()
    const id = await addSegment(merchant, is('orders', 'orders_count', 'equals', 0))
    const mine = await addCustomer(merchant)
    const theirs = await addCustomer(neighbour)
    const explain = (customer_id: string) =>
      merchant.call(conditionEndpoints.explainSegment, { params: { id }, query: { customer_id } })
    expect((await explain(mine)).explanation.included).toBe(true)
    expect(await refusal(explain(theirs))).toMatchObject({ status: 404 })
    await okaeri.settle()
  })
})

describe('a segment that asks about another', () => {
  const member = (...ids: string[]): Condition => is('segments', 'member', 'is_member', ids)
  const expected = (fields: Record<string, string>) => ({ status: 400, reason: 'condition_invalid', fields })

  test('counts the customers of the other, and names it', async () => {
    const merchant = await okaeri.merchant()
    const buyer = await addCustomer(merchant, { orders_count: 1 })
    await addCustomer(merchant)
    const buyers = await addSegment(merchant, is('orders', 'orders_count', 'greater', 0))
    const others = await addSegment(merchant, group('not', member(buyers)))
    const count = async (conditions: Condition) =>
      (await merchant.call(endpoints.previewConditions, { body: { conditions } })).target_counts.total
    expect(await count(member(buyers))).toBe(1)
    expect(await count(member(others))).toBe(1)
    expect(await count(member(buyers, others))).toBe(2)
    const { explanation } = await merchant.call(conditionEndpoints.explainConditions, {
      body: { conditions: member(buyers, others), customer_id: buyer },
    })
    expect(explanation.parts[0]?.value).toEqual({ kind: 'texts', texts: ['区分'], count: 1 })
    await okaeri.settle()
  })

  test('cannot refer back to itself, to an unknown segment, or six levels deep', async () => {
    const merchant = await okaeri.merchant()
    const first = await addSegment(merchant, is('orders', 'orders_count', 'greater', 0))
    const second = await addSegment(merchant, member(first))
    const change = (id: string, conditions: Condition) =>
      merchant.call(endpoints.changeSegment, { params: { id }, body: { conditions } })
    expect(await refusal(change(first, group('and', member(second))))).toMatchObject(
      expected({ 'conditions.children.0.value.0': 'circular' }),
    )
    expect(await refusal(change(first, member(first)))).toMatchObject(expected({ 'conditions.value.0': 'circular' }))
    expect(await refusal(addSegment(merchant, member(newId())))).toMatchObject(
      expected({ 'conditions.value.0': 'not_found' }),
    )
    let last = second
    for (let depth = 0; depth < 3; depth++) last = await addSegment(merchant, member(last))
    const fifth = await addSegment(merchant, member(last))
    expect(await refusal(addSegment(merchant, member(fifth)))).toMatchObject(
      expected({ 'conditions.value.0': 'too_deep' }),
    )
    await okaeri.settle()
  })

  test('chooses no customer and says so once the other segment, or a metafield, is deleted', async () => {
    const merchant = await okaeri.merchant()
    await addCustomer(merchant)
    const other = await addSegment(merchant, is('orders', 'orders_count', 'equals', 0))
    const id = await addSegment(merchant, group('not', member(other)))
    await okaeri.context.db
      .updateTable('segments')
      .set({ deleted_at: new Date('2026-01-01T00:00:00Z') })
      .where('merchant_id', '=', merchant.id)
      .where('id', '=', other)
      .execute()
    await merchant.call(endpoints.recountSegment, { params: { id }, body: { force: true } })
    await okaeri.settle()
    const { customer_segment } = await merchant.call(endpoints.getSegment, { params: { id } })
    expect(customer_segment).toMatchObject({ status: 'failed', failure: 'conditions_unusable' })
    const unknown = is('metafields', newId(), 'is_set')
    expect(await refusal(addSegment(merchant, unknown))).toMatchObject(expected({ 'conditions.name': 'unknown_field' }))
  })
})

describe('values of conditions', () => {
  const wrong = async (merchant: TestMerchant, leaf: Leaf) =>
    (await refusal(merchant.call(endpoints.previewConditions, { body: { conditions: leaf } }))).fields
  const ordered = (value: Record<string, unknown>): Leaf =>
    is('orders', 'ordered', 'at_least', { measure: 'count', value: 1, filter: {}, window: null, ...value } as never)

  test('are refused if they are wrong', async () => {
    const merchant = await okaeri.merchant()
    expect(await wrong(merchant, ordered({ value: '3' }))).toEqual({ 'conditions.value.value': 'not_a_number' })
    expect(await wrong(merchant, ordered({ value: 1.5 }))).toEqual({ 'conditions.value.value': 'not_whole' })
    expect(await wrong(merchant, ordered({ window: { within_days: 'x' } }))).toEqual({
      'conditions.value.window.within_days': 'not_a_number',
    })
    expect(await wrong(merchant, ordered({ window: { from: '2026-02-01', to: '2026-01-01' } }))).toEqual({
      'conditions.value.window.to': 'too_small',
    })
    expect(await wrong(merchant, ordered({ filter: { products: ['x'] } }))).toEqual({
      'conditions.value.filter.products.0': 'not_an_id',
    })
    expect(await wrong(merchant, ordered({ filter: { products: [newId()] } }))).toEqual({
      'conditions.value.filter.products.0': 'not_found',
    })
    expect(await wrong(merchant, ordered({ filter: { shops: [] } }))).toEqual({
      'conditions.value.filter.shops': 'unknown_field',
    })
    expect(await wrong(merchant, ordered({ filter: [[[[]]]] }))).toEqual({ 'conditions.value.filter': 'not_an_object' })
    expect(
      await wrong(
        merchant,
        is('emails', 'emails_opened', 'at_least', { value: 1, campaigns: [newId()], window: null }),
      ),
    ).toEqual({ 'conditions.value.campaigns.0': 'not_found' })
    expect(await wrong(merchant, is('scores', 'rfm_recency', 'equals', 6))).toEqual({ 'conditions.value': 'too_big' })
    expect(await wrong(merchant, is('address', 'prefecture', 'is_one_of', ['JP-48']))).toEqual({
      'conditions.value.0': 'not_allowed',
    })
    expect(await wrong(merchant, is('customer', 'display_name', 'contains', '\u200b'))).toEqual({
      'conditions.value': 'required',
    })
  })

  test('may be at most two thousand, and special characters have no meaning', async () => {
    const merchant = await okaeri.merchant()
    const strange = `%_\\'";--$1👩‍👩‍👧שלוםа`
    await addCustomer(merchant, { display_name: strange, tags: [strange] })
    const count = async (conditions: Condition) =>
      (await merchant.call(endpoints.previewConditions, { body: { conditions } })).target_counts.total
    const many = Array.from({ length: 1999 }, (_, index) => `tag ${index}`)
    for (const [name, operator] of [
      ['tags', 'has'],
      ['display_name', 'is_one_of'],
      ['email', 'is_one_of'],
      ['tags', 'has_all'],
    ] as const)
      expect(await count(is('customer', name, operator, [...many, strange]))).toBe(
        name === 'email' || operator === 'has_all' ? 0 : 1,
      )
    expect(await count(is('customer', 'display_name', 'equals', strange))).toBe(1)
    expect(await count(is('customer', 'display_name', 'contains', '%_'))).toBe(1)
    expect(await count(is('customer', 'display_name', 'contains', '_%'))).toBe(0)
    expect(await wrong(merchant, is('customer', 'tags', 'has', [...many, 'a', 'b']))).toEqual({
      'conditions.value': 'too_long',
    })
    const everything = group('and', ...Array.from({ length: 20 }, () => is('customer', 'tags', 'has_not', many)))
    expect(await count(everything)).toBe(1)
  })
})
