import type { Condition, Leaf } from '@okaeri/contract/segments/condition'
import * as endpoints from '@okaeri/contract/segments/routes'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { type TestMerchant } from '../../../test/harness.ts'
import { refusal } from '../../../test/refusal.ts'
import { aSegment, segmentOf } from '../../../test/builders/segment.ts'
import { okaeri, withOkaeri } from '../../../test/with-okaeri.ts'
import { newId } from '../../kernel/ids.ts'
import { createCustomer } from '../customers/index.ts'
import { countTargets, previewConditions } from './conditions/condition-preview.ts'

withOkaeri()

const is = (name: string, operator: string, value: Leaf['value'] = null, category = 'customer'): Leaf => ({
  type: 'condition',
  id: 'row',
  category,
  name,
  operator,
  value,
})
const group = (operator: 'and' | 'or', ...children: Condition[]): Condition => ({
  type: 'group',
  id: 'group',
  operator,
  children,
})
const everyone = group('and', is('created_at', 'is_set'))

interface Given {
  email?: string | null
  name?: string
  granted?: boolean
  orders?: number
}
async function addCustomers(merchant: TestMerchant, people: readonly Given[]): Promise<string[]> {
  const { db, clock } = okaeri.context
  const rows = people.map(
    ({ email = `${newId()}@people.test`, name = 'だれか', granted = true, orders = 0 }, index) => ({
      merchant_id: merchant.id,
      id: newId(),
      email,
      email_key: email?.toLowerCase() ?? null,
      display_name: name,
      search_text: name.toLowerCase(),
      marketing_state: granted ? 'granted' : 'unknown',
      orders_count: orders,
      created_at: new Date(clock.now().getTime() - 1000 + index),
      updated_at: clock.now(),
    }),
  )
  await db.insertInto('customers').values(rows).execute()
  return rows.map(({ id }) => id)
}
async function suppress(merchant: TestMerchant, email: string): Promise<void> {
  await okaeri.context.db
    .insertInto('suppressions')
    .values({
      merchant_id: merchant.id,
      id: newId(),
      address_key: email,
      reason: 'hard_bounce',
      created_at: okaeri.clock.now(),
    })
    .execute()
}
async function addCampaign(merchant: TestMerchant, segmentId: string, status: string): Promise<string> {
  const id = newId()
  const now = okaeri.clock.now()
  await okaeri.context.db
    .insertInto('campaigns')
    .values({
      merchant_id: merchant.id,
      id,
      name: '春のお知らせ',
      status,
      customer_segment_id: segmentId,
      created_at: now,
      updated_at: now,
    })
    .execute()
  return id
}
const create = (merchant: TestMerchant, name: string, conditions: Condition = everyone) =>
  aSegment(merchant, conditions, name)

describe('a segment', () => {
  test('is calculating when it is created, and ready with its share of all customers once counted', async () => {
    const merchant = await okaeri.merchant()
    await addCustomers(merchant, [{ orders: 3 }, { orders: 1 }, {}])
    const made = await create(merchant, '  リピーター ', is('orders_count', 'greater', 1, 'orders'))
    expect(made).toMatchObject({ name: 'リピーター', origin: 'own', status: 'calculating', customer_count: null })
    await okaeri.settle()
    expect(await segmentOf(merchant, made.id)).toMatchObject({
      status: 'ready',
      customer_count: 1,
      customer_percentage: 33.3,
    })
  })

  test('is counted again when its conditions change, and not when its name does', async () => {
    const merchant = await okaeri.merchant()
    await addCustomers(merchant, [{ name: 'Aoi' }, { name: 'Ren' }])
    const { id } = await create(merchant, 'one')
    await okaeri.settle()
    const renamed = await merchant.call(endpoints.changeSegment, { params: { id }, body: { name: 'two' } })
    expect(renamed.customer_segment).toMatchObject({ name: 'two', status: 'ready', customer_count: 2 })
    const conditions = is('display_name', 'equals', 'ＡＯＩ')
    const changed = await merchant.call(endpoints.changeSegment, { params: { id }, body: { conditions } })
    expect(changed.customer_segment).toMatchObject({ name: 'two', status: 'calculating', conditions })
    await okaeri.settle()
    expect(await segmentOf(merchant, id)).toMatchObject({ status: 'ready', customer_count: 1, customer_percentage: 50 })
  })

  test('never shows the count of conditions it no longer has', async () => {
    const merchant = await okaeri.merchant()
    const { id } = await create(merchant, 'raced')
    const { markCalculated } = await import('./membership/members-queries.ts')
    await merchant.call(endpoints.changeSegment, { params: { id }, body: { conditions: is('email', 'is_set') } })
    const stale = { total: 999, customersTotal: 999 }
    const day = { day: '2026-01-01', timezone: 'UTC' }
    expect(await markCalculated(merchant.scope(), { id, count_number: 1 }, stale, day)).toBe(false)
    expect(await segmentOf(merchant, id)).toMatchObject({ status: 'calculating', customer_count: null })
  })

  test('whose count fails says so, and can be counted again', async () => {
    const merchant = await okaeri.merchant()
    const { id } = await create(merchant, 'broken')
    await okaeri.query`update segments set conditions = '{"type":"condition","id":"x","category":"customer","name":"gone","operator":"equals","value":"x"}'
      where merchant_id = ${merchant.id} and id = ${id}`
    await okaeri.settle()
    expect(await segmentOf(merchant, id)).toMatchObject({ status: 'failed', failure: 'conditions_unusable' })
    await merchant.call(endpoints.changeSegment, { params: { id }, body: { conditions: everyone } })
    await okaeri.settle()
    expect((await segmentOf(merchant, id)).status).toBe('ready')
  })

  test('waits for a count under way, unless that takes too long or the caller insists', async () => {
    const merchant = await okaeri.merchant()
    const { id } = await create(merchant, 'slow')
    const requests = async () => {
      const rows = await okaeri.query<{ count_number: number }>`
        select count_number from segments where merchant_id = ${merchant.id} and id = ${id}`
      return rows[0]?.count_number
    }
    await merchant.call(endpoints.recountSegment, { params: { id }, body: {} })
    expect(await requests()).toBe(1)
    await merchant.call(endpoints.recountSegment, { params: { id }, body: { force: true } })
    expect(await requests()).toBe(2)
    okaeri.advance(5 * 60_000)
    await merchant.call(endpoints.recountSegment, { params: { id }, body: {} })
    expect(await requests()).toBe(3)
    await okaeri.settle()
    const again = await merchant.call(endpoints.recountSegment, { params: { id }, body: {} })
    expect(again.customer_segment.status).toBe('calculating')
    await okaeri.settle()
    expect((await segmentOf(merchant, id)).status).toBe('ready')
  })

  test('cannot be deleted while an unfinished campaign uses it, and says which', async () => {
    const merchant = await okaeri.merchant()
    const { id } = await create(merchant, 'used')
    const campaignId = await addCampaign(merchant, id, 'reserved')
    await addCampaign(merchant, id, 'sent')
    const { used_by } = await merchant.call(endpoints.getSegment, { params: { id } })
    expect(used_by).toEqual([{ type: 'campaign', id: campaignId, name: '春のお知らせ', status: 'reserved' }])
    expect(await refusal(merchant.call(endpoints.deleteSegment, { params: { id } }))).toMatchObject({
      status: 409,
      reason: 'segment_in_use',
    })
    await okaeri.query`update campaigns set status = 'cancelled' where merchant_id = ${merchant.id} and id = ${campaignId}`
    await merchant.call(endpoints.deleteSegment, { params: { id } })
    expect(await refusal(segmentOf(merchant, id))).toMatchObject({ status: 404 })
    expect((await merchant.call(endpoints.listSegments, { query: {} })).total).toBe(0)
    await okaeri.settle()
  })

  test('is not deleted while another one that refers to it is being saved', async () => {
    const merchant = await okaeri.merchant()
    for (let times = 0; times < 10; times += 1) {
      const { id } = await create(merchant, `asked ${times}`)
      const conditions: Condition = {
        type: 'condition',
        id: 'row',
        category: 'segments',
        name: 'member',
        operator: 'is_member',
        value: [id],
      }
      const [deleted, made] = await Promise.allSettled([
        merchant.call(endpoints.deleteSegment, { params: { id } }),
        merchant.call(endpoints.createSegment, { body: { conditions } }),
      ])
      expect([deleted.status, made.status].toSorted()).toEqual(['fulfilled', 'rejected'])
    }
    await okaeri.settle()
  })

  test('of the store platform cannot be changed or deleted here', async () => {
    const merchant = await okaeri.merchant()
    const { id } = await create(merchant, 'remote')
    await okaeri.query`update segments set origin = 'remote', conditions = null where merchant_id = ${merchant.id} and id = ${id}`
    const expected = { status: 409, reason: 'segment_remote_readonly' }
    expect(
      await refusal(merchant.call(endpoints.changeSegment, { params: { id }, body: { name: 'x' } })),
    ).toMatchObject(expected)
    expect(await refusal(merchant.call(endpoints.deleteSegment, { params: { id } }))).toMatchObject(expected)
    expect((await segmentOf(merchant, id)).conditions).toBeNull()
    await okaeri.settle()
  })

  test('belongs to its merchant alone, and a viewer only looks', async () => {
    const merchant = await okaeri.merchant()
    const neighbour = await okaeri.merchant()
    await addCustomers(neighbour, [{}])
    const { id } = await create(merchant, 'mine')
    const calls = [
      () => neighbour.call(endpoints.getSegment, { params: { id } }),
      () => neighbour.call(endpoints.changeSegment, { params: { id }, body: { name: 'theirs' } }),
      () => neighbour.call(endpoints.deleteSegment, { params: { id } }),
      () => neighbour.call(endpoints.recountSegment, { params: { id }, body: {} }),
      () => neighbour.call(endpoints.getTargetCounts, { params: { id }, query: {} }),
      () => neighbour.call(endpoints.listSegmentCustomers, { params: { id }, query: {} }),
    ]
    for (const call of calls) expect(await refusal(call())).toMatchObject({ status: 404 })
    const viewer = merchant.as('viewer')
    expect(await refusal(viewer(endpoints.deleteSegment, { params: { id } }))).toMatchObject({
      status: 403,
      reason: 'role_forbids',
    })
    const { target_counts } = await viewer(endpoints.previewConditions, { body: { conditions: everyone } })
    expect(target_counts.total).toBe(0)
  })
})

describe('the list of segments', () => {
  test('is searched by part of the name in any case or width, sorted and paged', async () => {
    const merchant = await okaeri.merchant()
    for (const name of ['VIP 顧客', 'ｖｉｐ２', '休眠']) await create(merchant, name)
    const page = await merchant.call(endpoints.listSegments, {
      query: { q: 'ｖIp', sort: 'name', direction: 'asc', limit: 1 },
    })
    expect(page).toMatchObject({ total: 2, limit: 1, offset: 0, data: [{ name: 'VIP 顧客' }] })
    const all = await merchant.call(endpoints.listSegments, { query: {} })
    expect(all.data.map(({ name }) => name)).toEqual(['休眠', 'ｖｉｐ２', 'VIP 顧客'])
    expect((await merchant.call(endpoints.listSegments, { query: { q: '100%' } })).total).toBe(0)
    await okaeri.settle()
  })
})

describe('who could be mailed', () => {
  test('adds up: reachable and each reason why not make the total', async () => {
    const merchant = await okaeri.merchant()
    await addCustomers(merchant, [
      { email: 'shared@people.test' },
      { email: 'Shared@people.test' },
      { email: 'no@people.test', granted: false },
      { email: 'bounced@people.test' },
      { email: 'bounced-no@people.test', granted: false },
      { email: null },
    ])
    await suppress(merchant, 'bounced@people.test')
    await suppress(merchant, 'bounced-no@people.test')
    const { id } = await create(merchant, 'all')
    const counts = async (send_to_all: boolean) =>
      (
        await merchant.call(endpoints.getTargetCounts, {
          params: { id },
          query: { send_to_all: String(send_to_all) as 'true' },
        })
      ).target_counts
    expect(await counts(false)).toEqual({
      total: 6,
      with_address: 5,
      with_consent: 4,
      reachable: 1,
      reachable_by_line: 0,
      no_consent: 1,
      paused: 0,
      no_address: 1,
      suppressed: 2,
      duplicate_address: 1,
      customer_percentage: 100,
    })
    // Consent is ignored, a suppression never.
    expect(await counts(true)).toMatchObject({ reachable: 2, no_consent: 0, suppressed: 2, duplicate_address: 1 })
    await okaeri.settle()
  })

  test('is counted live for conditions not yet saved, with the newest of the customers', async () => {
    const merchant = await okaeri.merchant()
    const ids = await addCustomers(
      merchant,
      Array.from({ length: 12 }, (_, index) => ({ name: `客${index}`, granted: index !== 11 })),
    )
    const { target_counts, customers } = await merchant.call(endpoints.previewConditions, {
      body: { conditions: group('or', is('display_name', 'starts_with', '客'), is('tags', 'has', ['x'])) },
    })
    expect(target_counts).toMatchObject({ total: 12, reachable: 11, no_consent: 1 })
    expect(customers.map(({ id }) => id)).toEqual(ids.toReversed().slice(0, 10))
    expect((await merchant.call(endpoints.listSegments, { query: {} })).total).toBe(0)
  })

  test('is limited in time: a longer count is cancelled and says so', async () => {
    const merchant = await okaeri.merchant()
    await addCustomers(merchant, [{}])
    const scope = merchant.scope()
    const counting = (limitMs = 60_000) => previewConditions(scope, everyone, { limitMs })
    const targets = (limitMs = 60_000) =>
      scope.transaction((scope) => countTargets(scope, sql<boolean>`true`, { sendToAll: false, limitMs }))
    await okaeri.context.db.transaction().execute(async (held) => {
      await sql`lock table customers in access exclusive mode`.execute(held)
      for (const ask of [counting, targets])
        await expect(ask(200)).rejects.toMatchObject({ code: 'unavailable', reason: 'condition_too_slow' })
    })
    expect((await targets()).total).toBe(1)
    expect((await counting()).counts.total).toBe(1)
  })

  test('can be paged and searched', async () => {
    const merchant = await okaeri.merchant()
    for (const last_name of ['hana', 'haruto', 'yui'])
      await createCustomer(merchant.scope(), { last_name, email: `${last_name}@people.test` })
    const { id } = await create(merchant, 'h', is('display_name', 'starts_with', 'h'))
    await okaeri.settle()
    const page = await merchant.call(endpoints.listSegmentCustomers, { params: { id }, query: { limit: 1, offset: 1 } })
    expect(page).toMatchObject({ total: 2, data: [{ name: 'hana' }] })
    const found = await merchant.call(endpoints.listSegmentCustomers, { params: { id }, query: { q: 'HARU' } })
    expect(found).toMatchObject({ total: 1, data: [{ name: 'haruto' }] })
    await okaeri.settle()
  })
})

describe('conditions that cannot be used are refused with the place and the reason', () => {
  let merchant: TestMerchant
  beforeAll(async () => {
    merchant = await okaeri.merchant()
  })
  const orders = (operator: string, value: Leaf['value']) => is('orders_count', operator, value, 'orders')
  test.each<[string, Condition, Record<string, string>]>([
    ['a number written as text', orders('greater', '3'), { 'conditions.value': 'not_a_number' }],
    ['a negative number', orders('greater', -1), { 'conditions.value': 'too_small' }],
    ['a range upside down', orders('between', [5, 2]), { 'conditions.value.1': 'too_small' }],
    ['a range of one', orders('between', [5]), { 'conditions.value': 'invalid' }],
    ['a field there is not', is('shoe_size', 'equals', 'x'), { 'conditions.name': 'unknown_field' }],
    ['a field of another category', is('orders_count', 'equals', 1), { 'conditions.name': 'unknown_field' }],
    ['an operator of another type', is('email', 'greater', 'x'), { 'conditions.operator': 'not_allowed' }],
    ['a day that is none', is('created_at', 'on', '2025-02-29'), { 'conditions.value': 'not_a_date' }],
    ['an instant for a day', is('created_at', 'on', '2025-02-01T00:00:00Z'), { 'conditions.value': 'not_a_date' }],
    ['a day before there were shops', is('created_at', 'on', '1600-01-01'), { 'conditions.value': 'too_small' }],
    ['half a day', is('created_at', 'within_last_days', 1.5), { 'conditions.value': 'not_whole' }],
    ['a thirteenth month', is('birthday', 'month_is', 13), { 'conditions.value': 'too_big' }],
    ['nothing to compare with', is('email', 'contains', ' '), { 'conditions.value': 'required' }],
    ['a value where none belongs', is('email', 'is_set', 'x'), { 'conditions.value': 'not_allowed' }],
    ['a line break in a text', is('email', 'contains', 'a\nb'), { 'conditions.value': 'control_characters' }],
    ['half a character', is('email', 'contains', '\ud800'), { 'conditions.value': 'invalid' }],
    [
      'a choice there is not',
      is('marketing_state', 'is_one_of', ['maybe'], 'consent'),
      { 'conditions.value.0': 'not_allowed' },
    ],
    ['no tag at all', is('tags', 'has', []), { 'conditions.value': 'required' }],
    [
      'a product that is no id',
      is('product_bought', 'bought', { ids: ['1'], within_days: null }, 'orders'),
      { 'conditions.value.ids.0': 'not_an_id' },
    ],
    [
      'an empty group, however deep',
      group('and', everyone, group('or')),
      { 'conditions.children.1.children': 'required' },
    ],
    [
      'too many comparisons',
      group(
        'and',
        ...Array.from({ length: 2 }, () => group('or', ...Array.from({ length: 101 }, () => is('email', 'is_set')))),
      ),
      { conditions: 'too_long' },
    ],
  ])('%s', async (_, conditions, fields) => {
    const expected = { status: 400, code: 'invalid', reason: 'condition_invalid', fields }
    expect(await refusal(create(merchant, 'x', conditions))).toMatchObject(expected)
    expect(await refusal(merchant.call(endpoints.previewConditions, { body: { conditions } }))).toMatchObject(expected)
    expect((await merchant.call(endpoints.listSegments, { query: {} })).total).toBe(0)
  })

  test('names without visible characters', async () => {
    for (const name of ['\u200b', ' \u2060 ', '\u3164', '\u2800\u2800', '\u202e', '\ufe0f', '\u0301'])
      expect(await refusal(create(merchant, name))).toMatchObject({ status: 400, fields: { name: 'required' } })
    for (const name of ['👩‍👩‍👧‍👦', '\u202eelpmaxe', 'שלום', '％', 'ㅤ春', 'Z̸̡̢̀'])
      expect((await create(merchant, name)).name).toBe(name)
    await okaeri.settle()
  })

  test('an average beyond any possible amount chooses no customer, however many orders a customer has', async () => {
    const other = await okaeri.merchant({ currency: 'KWD' })
    await addCustomers(other, [{ orders: 2_000_000_000 }])
    const average = (operator: string, value: Leaf['value']) => is('average_amount', operator, value, 'orders')
    const chosen = async (conditions: Condition) =>
      (await other.call(endpoints.previewConditions, { body: { conditions } })).target_counts.total
    expect(await chosen(average('greater', 1_000_000_000_000))).toBe(0)
    expect(await chosen(average('not_equals', 999_999_999_999.999))).toBe(1)
    expect(await chosen(average('between', [0, 1_000_000_000_000]))).toBe(1)
  })

  test('groups nested deeper than any page could show, eleven or ten thousand deep', async () => {
    for (const depth of [11, 30, 10_000]) {
      let text = JSON.stringify(is('email', 'is_set'))
      text = '{"type":"group","id":"g","operator":"and","children":['.repeat(depth) + text + ']}'.repeat(depth)
      const response = await fetch(`${okaeri.url}/customer_segments/preview`, {
        method: 'POST',
        headers: {
          authorization: `Bearer test.${merchant.id}.${merchant.memberId}.owner`,
          'content-type': 'application/json',
        },
        body: `{"conditions":${text}}`,
      })
      expect(response.status).toBe(400)
      const { error } = (await response.json()) as { error: { fields: Record<string, string> } }
      expect(error.fields).toEqual({ [`conditions${'.children.0'.repeat(10)}.type`]: 'nested_too_deep' })
    }
    let ten: Condition = is('email', 'is_set')
    for (let depth = 0; depth < 10; depth++) ten = group('and', ten)
    const { target_counts } = await merchant.call(endpoints.previewConditions, { body: { conditions: ten } })
    expect(target_counts.total).toBe(0)
  })
})
