import { suppressCustomers, listSuppressions } from '@okaeri/contract/consent/routes'
import { changeTags, countCustomers, listCustomers, listTagChanges } from '@okaeri/contract/customers/routes'
import { beforeAll, expect, test } from 'vitest'
import { merchant, okaeri, withOneMerchant } from '../../../test/with-okaeri.ts'
import { newId } from '../../kernel/ids.ts'
import { refreshSearchLater, upsertStoreCustomers } from './index.ts'

withOneMerchant()
beforeAll(async () => {
  await upsertStoreCustomers(
    merchant.scope(),
    Array.from({ length: 40 }, (_, n) => ({
      storeCustomerId: n + 1,
      email: n === 39 ? null : `p${n}@example.jp`,
      firstName: n === 0 ? '=1+1' : '花子',
      lastName: '佐藤',
      phone: null,
      language: 'ja',
      address:
        n === 0
          ? {
              zip: '150-0001',
              country: 'Japan',
              province: 'Tokyo',
              city: '渋谷区',
              address1: '神宮前1-2-3',
              address2: 'おかえりビル4F',
              company: '株式会社おかえり',
              phone: '0312345678',
            }
          : null,
      ...(n === 0 ? { provinceCode: 'JP-13' } : {}),
      tags: [],
      createdAt: new Date(Date.UTC(2026, 0, 1, n)),
      updatedAt: new Date('2026-02-01T00:00:00Z'),
    })),
  )
  await okaeri.query`update customers set orders_count = store_customer_id % 5, orders_amount = (store_customer_id % 5) * 1000,
    email_sent_count = store_customer_id % 3 where merchant_id = ${merchant.id}`
  await refreshSearchLater(merchant.scope())
  await okaeri.settle()
})

const total = async (query: Record<string, unknown>) => (await merchant.call(countCustomers, { query })).total
const ids = async (query: Record<string, unknown> = {}) =>
  (await merchant.call(listCustomers, { query: { limit: 100, ...query } })).data.map(({ id }) => id)

test('customers are filtered by number and amount of orders and by number of mails', async () => {
  expect(await total({ orders_min: 3 })).toBe(16)
  expect(await total({ orders_min: 2, orders_max: 3 })).toBe(16)
  expect(await total({ sales_max: 0 })).toBe(8)
  expect(await total({ sales_min: 3000.5 })).toBe(8)
  expect(await total({ sent_min: 2, orders_min: 4 })).toBe(2)
  for (const sort of ['created_at', 'name', 'total_revenue', 'orders_count', 'last_order_at', 'email_sent_count'])
    expect(await ids({ orders_min: 2, sent_max: 1, sort }), sort).toHaveLength(
      await total({ orders_min: 2, sent_max: 1 }),
    )
  await expect(total({ orders_min: 3, orders_max: 2 })).rejects.toMatchObject({ fields: { orders_max: 'too_small' } })
  await expect(total({ sent_min: -1 })).rejects.toMatchObject({ fields: { sent_min: 'too_small' } })
  await expect(total({ sales_min: 'viele' })).rejects.toMatchObject({ status: 400 })
  expect(await total({})).toBe(40)
})

test('an invalid number is refused in every filter, instead of meaning 0', async () => {
  for (const max of ['', ' ', 'NaN', '1e999', '0x10', 'Infinity', '１'])
    await expect(total({ orders_max: max, sales_max: max }), max).rejects.toMatchObject({
      fields: { orders_max: 'not_a_number', sales_max: 'not_a_number' },
    })
  for (const max of [null, true, [], ['5'], {}, '']) {
    const body = { selection: { filter: { orders_max: max } }, expected_count: 8 } as never
    await expect(merchant.call(suppressCustomers, { body }), JSON.stringify(max)).rejects.toMatchObject({ status: 400 })
  }
})

test('tags are added to all customers of a filter, once however often it is sent, and only while their number is the one seen', async () => {
  const body = { id: newId(), selection: { filter: { orders_min: 3 } }, expected_count: 16, add: ['VIP'], remove: [] }
  await expect(merchant.call(changeTags, { body: { ...body, expected_count: 15 } })).rejects.toMatchObject({
    reason: 'selection_changed',
  })
  await expect(merchant.call(changeTags, { body: { ...body, add: [] } })).rejects.toMatchObject({ status: 400 })
  const { tag_change } = await merchant.call(changeTags, { body })
  expect(tag_change).toMatchObject({ status: 'running', total: 16, done_count: 0 })
  expect((await merchant.call(changeTags, { body })).tag_change.id).toBe(body.id)
  await okaeri.settle()
  expect(await total({ tag: 'VIP' })).toBe(16)
  expect((await merchant.call(listTagChanges, {})).tag_changes).toMatchObject([
    { id: body.id, status: 'done', total: 16, done_count: 16, refused_count: 0 },
  ])
  const [one = ''] = await ids({ tag: 'VIP' })
  const again = { id: newId(), selection: { ids: [one] }, expected_count: 1, add: [], remove: ['vip'] }
  await merchant.call(changeTags, { body: again })
  await okaeri.settle()
  expect(await total({ tag: 'VIP' })).toBe(15)
  const stranger = { ...again, id: newId(), selection: { ids: [newId()] } }
  await expect(merchant.call(changeTags, { body: stranger })).rejects.toMatchObject({ status: 404 })
})

test('the addresses of many are suppressed at once, and a second time changes nothing', async () => {
  const body = { selection: { filter: { orders_max: 0 } }, expected_count: 8, detail: '一括' }
  expect(await merchant.call(suppressCustomers, { body })).toEqual({
    suppressed: 7,
    already_suppressed: 0,
    without_email: 1,
  })
  expect(await merchant.call(suppressCustomers, { body })).toMatchObject({ suppressed: 0, already_suppressed: 7 })
  expect((await merchant.call(listSuppressions, { query: {} })).data).toHaveLength(7)
})

test('the file has the whole address, in Japanese order, and nothing that a spreadsheet would run', async () => {
  const send = (role: string, selection: unknown) =>
    fetch(`${okaeri.url}/customers/export`, {
      method: 'POST',
      headers: {
        authorization: `Bearer test.${merchant.id}.${merchant.memberId}.${role}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ selection, lang: 'ja' }),
    })
  const lines = (await (await send('marketer', { filter: {} })).text()).trim().split('\r\n')
  expect(lines).toHaveLength(41)
  const first = lines.find((line) => line.includes('1+1')) ?? ''
  expect(first).toContain('Japan,150-0001,東京都,渋谷区,神宮前1-2-3,おかえりビル4F,株式会社おかえり')
  expect(first).toContain(",'=1+1,")
  const [one, two] = await ids()
  expect((await (await send('marketer', { ids: [one, two] })).text()).trim().split('\r\n')).toHaveLength(3)
  // A viewer reads all of it on the pages, and as the file of the dataset.
  expect((await send('viewer', { filter: {} })).status).toBe(200)
})
