import { changeCustomer, getCustomer, listCustomers } from '@okaeri/contract/customers/routes'
import * as emails from '@okaeri/contract/emails/routes'
import * as endpoints from '@okaeri/contract/metafields/routes'
import { createSegment, deleteSegment, previewConditions } from '@okaeri/contract/segments/routes'
import { captcha } from '@okaeri/contract/system/routes'
import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { beforeAll, describe, expect, test } from 'vitest'
import { confirmAddresses, GOOD_HTML } from '../../../test/fixtures.ts'
import { bringForward } from '../../../test/real-time.ts'
import { type TestMerchant } from '../../../test/harness.ts'
import { connectSandbox, merchant, okaeri, play, sandbox, withSandboxStore } from '../../../test/with-okaeri.ts'
import { refusal } from '../../../test/refusal.ts'
import { anEmail } from '../../../test/builders/email.ts'
import { newId } from '../../kernel/ids.ts'
import { disconnectStore } from '../stores/index.ts'
import { setCustomerMetafields } from './index.ts'

const HOUR_MS = 3_600_000

interface StoreMetafield {
  namespace: string
  key: string
  value: string
  owner_id: number
}
const inStore = async (customerId: string, full: string): Promise<string | null> => {
  const { metafields } = await play<{ metafields: StoreMetafield[] }>(`metafields.json?customer_id=${customerId}`)
  return metafields.find(({ namespace, key }) => `${namespace}.${key}` === full)?.value ?? null
}
/** Moves both clocks: webhooks have the store's time. */
function advance(ms: number): void {
  okaeri.advance(ms)
  sandbox.clock.advance(ms)
}
async function settled(): Promise<void> {
  await okaeri.settle()
  const rows = await okaeri.query`
    select from store_webhooks where merchant_id = ${merchant.id} and processed_at is null and parked_at is null`
  expect(rows).toEqual([])
}

const list = (query: Record<string, unknown> = {}) => merchant.call(endpoints.listMetafieldSettings, { query })
const get = async (id: string) =>
  (await merchant.call(endpoints.getMetafieldSetting, { params: { id } })).customer_metafield_setting
const create = async (
  given: { key: string; namespace_type?: 'platform' | 'custom'; value_type?: string; name?: string },
  who = merchant,
) =>
  (
    await who.call(endpoints.createMetafieldSetting, {
      body: { namespace_type: 'platform', value_type: 'single_line_text_field', ...given } as never,
    })
  ).customer_metafield_setting
async function expectReady(id: string): Promise<void> {
  await okaeri.settle()
  expect((await get(id)).status).toBe('ready')
}
async function expectCounted(id: string, expected: Record<string, number>): Promise<void> {
  await bringForward(okaeri)
  await okaeri.settle()
  expect(await get(id)).toMatchObject(expected)
}
const valuesOf = async (customerId: string, who = merchant) =>
  Object.fromEntries(
    (await who.call(endpoints.listCustomerMetafields, { params: { id: customerId } })).metafields.map((one) => [
      one.key,
      one.value,
    ]),
  )

async function addCustomer(who: TestMerchant, email = `${newId()}@people.test`): Promise<string> {
  const id = newId()
  await okaeri.query`insert into customers (merchant_id, id, email, email_key, display_name, last_name, marketing_state, created_at, updated_at)
    values (${who.id}, ${id}, ${email}, ${email}, '山田', '山田', 'granted', ${okaeri.clock.now()}, ${okaeri.clock.now()})`
  return id
}
const addInStore = async (email: string, more: Record<string, unknown> = {}) => {
  const { customer } = await play<{ customer: { id: number } }>('customers.json', { email, last_name: '高橋', ...more })
  await settled()
  const [found] = (await merchant.call(listCustomers, { query: { q: email } })).data
  if (!found) throw new Error(`${email} did not come`)
  return { id: found.id, storeId: String(customer.id) }
}

withSandboxStore({ seed: { customers: 60, products: 2, orders: 10 }, connected: false })

describe('without a store', () => {
  test('one of the store’s waits, one of ours is ready, and without a name it is named after the day', async () => {
    const other = await okaeri.merchant()
    const waiting = await create({ key: 'loyalty.points', value_type: 'number_integer' }, other)
    expect(waiting).toMatchObject({ status: 'waiting', key: 'loyalty.points', value_count: 0, progress: null })
    expect(waiting.name).toMatch(/^new metafield_\d{4}-\d\d-\d\d$/)
    expect(waiting.content_tag).toBe('{{ customer.metafields.loyalty.points }}')
    const ours = await create({ key: 'shop.rank', namespace_type: 'custom', name: '会員ランク' }, other)
    expect(ours).toMatchObject({ status: 'ready', name: '会員ランク' })
    const refused = await refusal(other.call(endpoints.refetchMetafieldSetting, { params: { id: waiting.id } }))
    expect(refused.reason).toBe('store_not_connected')
    expect((await refusal(other.call(endpoints.listMetafieldDefinitions, {}))).reason).toBe('store_not_connected')
  })

  test.each(['', 'points', 'a.b.c', 'a b.c', 'ポイント.残高', 'a.b"; drop table customers; --', `a.${'b'.repeat(65)}`])(
    'the key "%s" is refused as no namespace and key',
    async (key) => {
      const { status, fields } = await refusal(create({ key }))
      expect([status, fields?.['key']]).toEqual([400, 'metafield_key_form'])
      const setting = merchant.call(endpoints.changeCustomerSetting, {
        body: { customerSetting: { birthday_metafield: key } },
      })
      expect((await refusal(setting)).fields).toEqual({
        'customerSetting.birthday_metafield': 'birthday_metafield_form',
      })
    },
  )

  test('a type the platform does not have, and an existing key, are refused', async () => {
    const other = await okaeri.merchant()
    expect((await refusal(create({ key: 'a.b', value_type: 'list.boolean' }, other))).fields).toEqual({
      value_type: 'not_allowed',
    })
    await create({ key: 'a.b' }, other)
    expect((await refusal(create({ key: 'a.b', namespace_type: 'custom' }, other))).reason).toBe('metafield_exists')
    const many = await Promise.allSettled(Array.from({ length: 6 }, () => create({ key: 'same.key' }, other)))
    expect(many.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('at most a hundred can be added', async () => {
    const other = await okaeri.merchant()
    for (let n = 0; n < 100; n += 1) await create({ key: `many.k${n}`, namespace_type: 'custom' }, other)
    expect((await refusal(create({ key: 'many.last', namespace_type: 'custom' }, other))).reason).toBe(
      'metafield_limit',
    )
    const page = await other.call(endpoints.listMetafieldSettings, {
      query: { q: 'K9', sort: 'key', direction: 'asc', limit: 5 },
    })
    expect([page.total, page.data[0]?.key, page.data.length]).toEqual([11, 'many.k9', 5])
  })
})

describe('values of our own', () => {
  test('are set and cleared for one customer, and must match their type', async () => {
    const customer = await addCustomer(merchant)
    const { id } = await create({ key: 'own.points', namespace_type: 'custom', value_type: 'number_integer' })
    const set = (value: string | null, setting_id = id) =>
      merchant.call(endpoints.changeCustomerMetafields, {
        params: { id: customer },
        body: { metafields: [{ setting_id, value }] },
      })
    await set('30')
    expect(await valuesOf(customer)).toMatchObject({ 'own.points': '30' })
    await expectCounted(id, { value_count: 1, unreadable_count: 0 })
    expect((await refusal(set('thirty'))).fields).toEqual({ 'metafields.0.value': 'invalid' })
    expect((await refusal(set('x'.repeat(1_000_000)))).fields).toEqual({ 'metafields.0.value': 'too_long' })
    expect((await refusal(set('a\u0000b'))).fields).toEqual({ 'metafields.0.value': 'control_characters' })
    expect((await refusal(set('1', newId()))).fields).toEqual({ 'metafields.0.setting_id': 'not_found' })
    expect(await valuesOf(customer)).toMatchObject({ 'own.points': '30' })
    await set('')
    expect((await valuesOf(customer))['own.points']).toBeNull()
    await expectCounted(id, { value_count: 0 })
  })

  test('come by the hundred from an import; unreadable ones are stored, counted, and read again with another type', async () => {
    const customers = await Promise.all(Array.from({ length: 5 }, () => addCustomer(merchant)))
    const { id } = await create({ key: 'import.amount', namespace_type: 'custom', value_type: 'number_integer' })
    const values = ['1', '2', 'drei', '4.5', null]
    const rows = customers.map((customerId, index) => ({ customerId, value: values[index] ?? null }))
    const stranger = { customerId: newId(), value: '9' }
    expect(await setCustomerMetafields(merchant.scope(), id, [...rows, stranger])).toBe(4)
    expect(await setCustomerMetafields(merchant.scope(), id, rows), 'the same again').toBe(0)
    await expectCounted(id, { value_count: 4, unreadable_count: 2 })
    await merchant.call(endpoints.changeMetafieldSetting, { params: { id }, body: { value_type: 'number_decimal' } })
    await expectCounted(id, { value_count: 4, unreadable_count: 1 })
    expect((await get(id)).status).toBe('ready')
    const moved = merchant.call(endpoints.changeMetafieldSetting, { params: { id }, body: { key: 'other.key' } })
    expect((await refusal(moved)).fields).toEqual({ key: 'not_allowed' })
  })

  test('another merchant’s metafields or customers cannot be seen, changed or set', async () => {
    const other = await okaeri.merchant()
    const mine = await create({ key: 'mine.only', namespace_type: 'custom' })
    const customer = await addCustomer(merchant)
    const theirs = await addCustomer(other)
    for (const call of [
      () => other.call(endpoints.getMetafieldSetting, { params: { id: mine.id } }),
      () => other.call(endpoints.deleteMetafieldSetting, { params: { id: mine.id } }),
      () => other.call(endpoints.changeMetafieldSetting, { params: { id: mine.id }, body: { name: 'x' } }),
      () => other.call(endpoints.listCustomerMetafields, { params: { id: customer } }),
    ])
      expect((await refusal(call())).status).toBe(404)
    const set = other.call(endpoints.changeCustomerMetafields, {
      params: { id: theirs },
      body: { metafields: [{ setting_id: mine.id, value: 'x' }] },
    })
    expect((await refusal(set)).fields).toEqual({ 'metafields.0.setting_id': 'not_found' })
    expect(await setCustomerMetafields(merchant.scope(), mine.id, [{ customerId: theirs, value: 'x' }])).toBe(0)
  })
})

describe('of a store', () => {
  let points: string
  let rank: string
  beforeAll(async () => {
    points = (await create({ key: 'loyalty.points', value_type: 'number_integer', name: 'ポイント' })).id
    await connectSandbox()
    await expectReady(points)
    rank = (await create({ key: 'loyalty.rank' })).id
    await expectReady(rank)
  })

  test('all values come when the store is connected, and with each metafield that is added', async () => {
    const { definitions } = await merchant.call(endpoints.listMetafieldDefinitions, {})
    const inStore = (key: string) => definitions.find((one) => one.key === key)
    expect(inStore('loyalty.points')).toMatchObject({ setting_id: points, value_type: 'number_integer' })
    expect(inStore('facts.birth_date')).toMatchObject({ setting_id: null, value_type: 'date', name: '誕生日' })
    await expectCounted(points, { value_count: inStore('loyalty.points')?.count ?? -1 })
    await expectCounted(rank, { value_count: inStore('loyalty.rank')?.count ?? -1 })
    expect((await get(points)).filled_at).not.toBeNull()
    const rows = await okaeri.query<{ read: number; unread: number }>`
      select count(value_number)::int as read, (count(*) filter (where not readable))::int as unread from customer_metafields
      where merchant_id = ${merchant.id} and metafield_setting_id = ${points}`
    expect(rows[0]?.read).toBeGreaterThan(0)
    expect(await get(points)).toMatchObject({ unreadable_count: rows[0]?.unread })
  })

  test('webhooks update them: set, changed, invalid and removed', async () => {
    const { id, storeId } = await addInStore('told@example.jp')
    const tell = async (value: string | null) => {
      advance(120_000)
      await play('metafields.json', { customer_id: storeId, namespace: 'loyalty', key: 'points', value })
      await settled()
      return (await valuesOf(id))['loyalty.points']
    }
    expect(await tell('120')).toBe('120')
    expect(await tell('80')).toBe('80')
    expect(await tell('たくさん')).toBe('たくさん')
    expect(await tell(null)).toBeNull()
    const rows = await okaeri.query`
      select from customer_metafields where merchant_id = ${merchant.id} and customer_id = ${id}`
    expect(rows).toEqual([])
  })

  test('the daily comparison repairs what a missing webhook left', async () => {
    const { id, storeId } = await addInStore('missed@example.jp')
    await play('metafields.json', { customer_id: storeId, namespace: 'loyalty', key: 'rank', value: 'ゴールド' })
    await settled()
    expect((await valuesOf(id))['loyalty.rank']).toBe('ゴールド')
    await okaeri.query`delete from customer_metafields where merchant_id = ${merchant.id} and customer_id = ${id}`
    await okaeri.query`insert into customer_metafields (merchant_id, metafield_setting_id, customer_id, value, updated_at)
      values (${merchant.id}, ${points}, ${id}, '7', ${new Date(okaeri.clock.now().getTime() - HOUR_MS)})`
    await okaeri.settle()
    expect((await valuesOf(id))['loyalty.rank']).toBeNull()
    advance(25 * HOUR_MS)
    await okaeri.settle()
    expect(await valuesOf(id)).toMatchObject({ 'loyalty.rank': 'ゴールド', 'loyalty.points': null })
  })

  test('a value set here is set in the store first, which may refuse it', async () => {
    const { id, storeId } = await addInStore('written@example.jp')
    const set = (setting_id: string, value: string | null) =>
      merchant.call(endpoints.changeCustomerMetafields, {
        params: { id },
        body: { metafields: [{ setting_id, value }] },
      })
    await set(points, '500')
    expect(await inStore(storeId, 'loyalty.points')).toBe('500')
    expect((await refusal(set(points, '1e3'))).fields).toEqual({ 'metafields.0.value': 'invalid' })
    // The type here differs from the store's, so the store refuses.
    const odd = await create({ key: 'profile.wants_catalog', value_type: 'single_line_text_field' })
    await expectReady(odd.id)
    expect((await refusal(set(odd.id, 'maybe'))).reason).toBe('store_refused')
    await set(points, null)
    expect(await inStore(storeId, 'loyalty.points')).toBeNull()
    await settled()
    expect((await valuesOf(id))['loyalty.points']).toBeNull()
    const local = await addCustomer(merchant)
    const notInStore = merchant.call(endpoints.changeCustomerMetafields, {
      params: { id: local },
      body: { metafields: [{ setting_id: points, value: '1' }] },
    })
    expect((await refusal(notInStore)).fields).toEqual({ 'metafields.0.setting_id': 'not_allowed' })
    await merchant.call(endpoints.deleteMetafieldSetting, { params: { id: odd.id } })
  })

  test('a failed export is tried again; one that keeps failing is shown, and can be fetched again', async () => {
    await play('switches.json', { fail_next_bulk: true })
    const { id } = await create({ key: 'shop.last_visit', value_type: 'date_time' })
    await okaeri.settle()
    await bringForward(okaeri)
    await expectReady(id)
    await okaeri.query`update metafield_settings set status = 'failed', error = 'TIMEOUT' where merchant_id = ${merchant.id} and id = ${id}`
    const again = await merchant.call(endpoints.refetchMetafieldSetting, { params: { id } })
    expect(again.customer_metafield_setting.status).toBe('waiting')
    await expectReady(id)
    expect((await get(id)).error).toBeNull()
  })

  describe('birthdays', () => {
    const setting = async () => (await merchant.call(endpoints.getCustomerSetting, {})).customerSetting
    const name = (birthday_metafield: string | null) =>
      merchant.call(endpoints.changeCustomerSetting, { body: { customerSetting: { birthday_metafield } } })
    const birthdayOf = async (id: string) => (await merchant.call(getCustomer, { params: { id } })).customer.birthday

    test('come from the chosen metafield, for all customers and from then on', async () => {
      expect(await setting()).toEqual({ birthday_metafield: null, birthdays: null })
      const named = (await name('facts.birth_date')).customerSetting
      expect(named).toMatchObject({ birthday_metafield: 'facts.birth_date', birthdays: { status: 'waiting' } })
      await expectReady(named.birthdays?.metafield_setting_id ?? '')
      const { birthdays } = await setting()
      expect(birthdays?.read_count).toBeGreaterThan(20)
      expect(birthdays?.unreadable_count).toBe(0)
      const { id, storeId } = await addInStore('born@example.jp', { birth_date: '1988-02-29' })
      expect(await birthdayOf(id)).toBe('1988-02-29')
      advance(120_000)
      await play('metafields.json', { customer_id: storeId, namespace: 'facts', key: 'birth_date', value: 'soon' })
      await settled()
      expect(await birthdayOf(id)).toBeNull()
      expect((await setting()).birthdays).toMatchObject({
        unreadable_count: 1,
        unreadable: [{ customer_id: id, value: 'soon' }],
      })
    })

    test('are read in several formats, also without a year; the unreadable ones are listed', async () => {
      const { customerSetting } = await name('legacy.birthday')
      const id = customerSetting.birthdays?.metafield_setting_id ?? ''
      await expectReady(id)
      expect(await get(id)).toMatchObject({ value_type: 'single_line_text_field', name: '誕生日（旧システム）' })
      const born = await addInStore('april@example.jp')
      await play('metafields.json', {
        customer_id: born.storeId,
        namespace: 'legacy',
        key: 'birthday',
        value: '4月1日',
      })
      await settled()
      expect(await birthdayOf(born.id)).toBe('1004-04-01')
      await name('facts.birth_date')
      await okaeri.settle()
    })

    test('set on a customer’s page are set in the store', async () => {
      const { id, storeId } = await addInStore('written-birthday@example.jp')
      await merchant.call(changeCustomer, { params: { id }, body: { birthday: '1991-12-24' } })
      await settled()
      expect(await inStore(storeId, 'facts.birth_date')).toBe('1991-12-24')
      expect(await birthdayOf(id)).toBe('1991-12-24')
      await merchant.call(changeCustomer, { params: { id }, body: { birthday: null } })
      await okaeri.settle()
      expect(await inStore(storeId, 'facts.birth_date')).toBeNull()
    })
  })

  test('its uses are listed, and keep it from being deleted', async () => {
    const { id } = await create({ key: 'profile.interests', value_type: 'list.single_line_text_field', name: '興味' })
    await expectReady(id)
    const conditions = {
      type: 'group' as const,
      id: 'g',
      operator: 'and' as const,
      children: [
        { type: 'condition' as const, id: 'r', category: 'metafields', name: id, operator: 'has', value: ['お茶'] },
      ],
    }
    const { customer_segment: segment } = await merchant.call(createSegment, { body: { name: 'お茶好き', conditions } })
    const email = await anEmail(merchant, {
      name: '便り',
      subject: '{{ customer.metafields.profile.interests }}のお知らせ',
    })
    const uses = async () => (await merchant.call(endpoints.getMetafieldSetting, { params: { id } })).used_by
    expect(await uses()).toEqual([
      { type: 'segment', id: segment.id, name: 'お茶好き' },
      { type: 'email', id: email.id, name: '便り' },
    ])
    const remove = () => merchant.call(endpoints.deleteMetafieldSetting, { params: { id } })
    expect((await refusal(remove())).reason).toBe('metafield_in_use')
    const birthday = (await list({ q: 'facts.birth_date' })).data[0]?.id ?? ''
    expect((await refusal(merchant.call(endpoints.deleteMetafieldSetting, { params: { id: birthday } }))).reason).toBe(
      'metafield_in_use',
    )
    await merchant.call(deleteSegment, { params: { id: segment.id } })
    await merchant.call(emails.deleteEmail, { params: { id: email.id } })
    await remove()
    await okaeri.settle()
    const rows = await okaeri.query`
      select from customer_metafields where merchant_id = ${merchant.id} and metafield_setting_id = ${id}`
    expect(rows).toEqual([])
    const asked = await refusal(merchant.call(previewConditions, { body: { conditions } }))
    expect(asked.status, 'a condition on what is gone').toBe(400)
    expect((await create({ key: 'profile.interests' })).id, 'the key is free again').not.toBe(id)
  })

  test('after a disconnection the values stay; connected again, everything is fetched again', async () => {
    await disconnectStore(merchant.scope())
    await okaeri.settle()
    expect((await get(points)).status).toBe('ready')
    const { id } = await create({ key: 'loyalty.spent_in_shop', value_type: 'money' })
    await okaeri.settle()
    expect((await get(id)).status).toBe('waiting')
    await connectSandbox()
    await expectReady(id)
    await expectReady(points)
    expect((await get(id)).value_count).toBeGreaterThanOrEqual(0)
  })
})

describe('in mails', () => {
  const solved = async (): Promise<string> => {
    const challenge = (await okaeri.call(captcha, {})) as unknown as Challenge
    const solution = await solveChallenge({ challenge, deriveKey })
    return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
  }

  test('each recipient’s own value is in their mail, in subject, HTML and text', async () => {
    const sender = await okaeri.merchant()
    const { id } = await create(
      { key: 'club.points', namespace_type: 'custom', value_type: 'number_integer', name: '点' },
      sender,
    )
    const { id: secret } = await create({ key: 'club.note', namespace_type: 'custom' }, sender)
    const [rich, poor] = [await addCustomer(sender), await addCustomer(sender)]
    await setCustomerMetafields(sender.scope(), id, [{ customerId: rich, value: '1200' }])
    await setCustomerMetafields(sender.scope(), secret, [{ customerId: rich, value: '<b>&"\r\nBcc: x@y.test' }])
    const { content_tags: tags } = await sender.call(emails.listContentTags, {})
    expect(tags).toContainEqual(
      expect.objectContaining({ tag: '{{ customer.metafields.club.points }}', category: 'metafields', name_ja: '点' }),
    )
    const subject = '残高 {{ customer.metafields.club.points | default: "0" }} 点 {{ customer.metafields.club.note }}'
    const content = GOOD_HTML.replace(
      '</body>',
      '<p>{% if customer.metafields.club.points > 1000 %}たくさん{% else %}これから{% endif %}: {{ customer.metafields.club.points }}/{{ customer.metafields.club.note }}/{{ customer.metafields.club.gone }}</p></body>',
    )
    const { email } = await sender.call(emails.createEmail, { body: { name: '点', subject, content } })
    const preview = async (customer_id: string | null) =>
      (await sender.call(emails.previewEmail, { body: { subject, content, customer_id } })).rendered
    expect((await preview(rich)).html).toContain('たくさん: 1200/&lt;b&gt;&amp;&#34;')
    expect((await preview(poor)).html).toContain('これから: //')
    expect((await preview(null)).subject).toContain('残高 1200 点')
    const unknown = (await preview(rich)).findings.filter(({ code }) => code === 'unknown_tag')
    expect(unknown).toEqual([expect.objectContaining({ detail: '{{ customer.metafields.club.gone }}' })])
    await confirmAddresses(sender.scope(), 'rich@shop.test', 'poor@shop.test')
    for (const [customer_id, address] of [
      [rich, 'rich@shop.test'],
      [poor, 'poor@shop.test'],
    ] as const)
      await sender.call(emails.testSendEmail, {
        params: { id: email.id },
        body: { emails: [address], customer_id, captcha: await solved() },
      })
    await okaeri.settle()
    const toRich = await sandbox.mailbox.read((await sandbox.mailbox.waitFor({ to: 'rich@shop.test' })).id)
    const toPoor = await sandbox.mailbox.read((await sandbox.mailbox.waitFor({ to: 'poor@shop.test' })).id)
    expect(toRich.subject).toBe('残高 1200 点 <b>&" Bcc: x@y.test')
    expect(toRich.html).toContain('たくさん: 1200/')
    expect(toRich.text).toContain('たくさん: 1200/')
    expect(toPoor.subject).toBe('残高 0 点')
    expect(toPoor.html).toContain('これから: //')
  })
})
