import {
  addSuppression,
  downloadConsentProof,
  downloadCustomerProof,
  liftSuppression,
  listSuppressions,
} from '@okaeri/contract/consent/routes'
import { addressOf } from '@okaeri/contract/client'
import { getCustomer } from '@okaeri/contract/customers/routes'
import { expect, test } from 'vitest'
import { merchant, okaeri, withOneMerchant } from '../../../test/with-okaeri.ts'
import { aCustomer } from '../../../test/builders/customer.ts'
import { changeConsent, changeConsents, suppress } from './index.ts'

withOneMerchant()

const add = async (email: string, last_name = '佐藤'): Promise<string> =>
  (await aCustomer(merchant, email, { last_name })).id
const list = async (query: Record<string, unknown> = {}) => (await merchant.call(listSuppressions, { query })).data
const text = async (address: string): Promise<string> => {
  const token = `test.${merchant.id}.${merchant.memberId}.owner`
  const response = await fetch(`${okaeri.url}${address}`, { headers: { authorization: `Bearer ${token}` } })
  expect(response.status).toBe(200)
  // `text()` would take the byte order mark away.
  return Buffer.from(await response.arrayBuffer()).toString('utf8')
}

test('a suppression shows the server’s own words, is lifted with a reason that stays, and can come again', async () => {
  const customerId = await add('bounced@example.jp')
  await suppress(merchant.scope(), {
    address: 'Bounced@example.jp',
    reason: 'hard_bounce',
    detail: '550 5.1.1 no such user',
  })
  const [row] = await list({ q: 'bounced' })
  expect(row).toMatchObject({
    address: 'bounced@example.jp',
    reason: 'hard_bounce',
    proof: '550 5.1.1 no such user',
    added_by: null,
    customer_id: customerId,
    customer_name: '佐藤',
  })
  const id = row?.id ?? ''
  const { suppression } = await merchant.call(liftSuppression, { params: { id }, body: { reason: '本人から連絡' } })
  expect(suppression).toMatchObject({ lift_reason: '本人から連絡', lifted_by: `${merchant.id}@shop.test` })
  await expect(merchant.call(liftSuppression, { params: { id }, body: { reason: 'x' } })).rejects.toMatchObject({
    reason: 'suppression_lifted',
  })
  expect((await merchant.call(getCustomer, { params: { id: customerId } })).customer.suppressed).toBeNull()
  await merchant.call(addSuppression, { body: { email: 'BOUNCED@example.jp', detail: '電話で依頼' } })
  await expect(merchant.call(addSuppression, { body: { email: 'bounced@example.jp' } })).rejects.toMatchObject({
    reason: 'already_suppressed',
  })
  expect((await list({ q: 'bounced', sort: 'created_at', direction: 'asc' })).map(({ reason }) => reason)).toEqual([
    'hard_bounce',
    'manual',
  ])
  expect(await list({ state: 'in_force' })).toMatchObject([
    { reason: 'manual', detail: '電話で依頼', added_by: `${merchant.id}@shop.test` },
  ])
  expect(await list({ state: 'lifted', reason: 'complaint' })).toEqual([])
  for (const q of ['%', '_', '\\', "'"]) expect(await list({ q }), q).toEqual([])
})

test('no one lifts another merchant’s suppression, and a viewer lifts none', async () => {
  const [row] = await list()
  const other = await okaeri.merchant()
  const lift = { params: { id: row?.id ?? '' }, body: { reason: 'x' } }
  await expect(other.call(liftSuppression, lift)).rejects.toMatchObject({ status: 404 })
  await expect(merchant.as('viewer')(liftSuppression, lift)).rejects.toMatchObject({ status: 403 })
  expect((await other.call(listSuppressions, { query: {} })).total).toBe(0)
})

test('the proof holds every change with wording and page, runs no formula, and shows no other customer', async () => {
  const id = await add('proof@example.jp', '=HYPERLINK("http://x")')
  const other = await add('else@example.jp', 'ほか')
  for (const customerId of [id, other])
    await changeConsent(merchant.scope(), {
      customerId,
      kind: 'marketing',
      to: 'granted',
      source: 'storefront',
      wording: '<b>お知らせ</b>を受け取る',
      page: '/cart',
    })
  const mine = await text(addressOf(downloadCustomerProof, { params: { id }, query: { lang: 'ja' } }))
  expect(mine.startsWith('\uFEFF')).toBe(true)
  expect(mine.split('\r\n')).toHaveLength(3)
  expect(mine).toContain('proof@example.jp,マーケティング,未確認,許可,ストアのページ,<b>お知らせ</b>を受け取る,/cart')
  expect(mine).toContain(`"'=HYPERLINK(`)
  const page = await text(addressOf(downloadCustomerProof, { params: { id }, query: { lang: 'en', format: 'html' } }))
  expect(page).toContain('&lt;b&gt;お知らせ&lt;/b&gt;')
  expect(page).not.toContain('else@example.jp')
  const all = await text(addressOf(downloadConsentProof, { query: { lang: 'en' } }))
  expect(all).toContain('else@example.jp')
  const stranger = await okaeri.merchant()
  await expect(
    stranger.call(downloadCustomerProof as never, { params: { id }, query: {} } as never),
  ).rejects.toMatchObject({ status: 404 })
})

test('many changes at once are three statements and are published once', async () => {
  const ids = await Promise.all(Array.from({ length: 120 }, (_, n) => add(`many${n}@example.jp`)))
  const published: string[][] = []
  const { publish } = okaeri.context
  okaeri.context.publish = async (scope, name, fact) => {
    if (name === 'customers.changed') published.push([...(fact as { customerIds: string[] }).customerIds])
    await publish(scope, name, fact)
  }
  const changed = await changeConsents(
    merchant.scope(),
    ids.map((customerId) => ({ customerId, to: 'granted' })),
    { kind: 'notification', source: 'import', wording: '通知を受け取る', page: 'people.csv' },
  )
  okaeri.context.publish = publish
  expect(changed).toHaveLength(120)
  expect(published.map(({ length }) => length)).toEqual([120])
})
