import { getCustomer } from '@okaeri/contract/customers/routes'
import { judgeBirthday } from '@okaeri/contract/metafields/birthday'
import { changeCustomerSetting } from '@okaeri/contract/metafields/routes'
import { listExecutions } from '@okaeri/contract/scenarios/execution'
import { eraseCustomer } from '@okaeri/contract/privacy/routes'
import { changeStorefrontSettings, getStorefrontSettings } from '@okaeri/contract/storefront-settings/routes'
import { DateTime } from 'luxon'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { holdRows } from '../../../test/locks.ts'
import { addScenario, asleep, flowOf } from '../../../test/scenarios.ts'
import { aSignedInCustomer, signedByProxy } from '../../../test/signed-proxy.ts'
import { EMPTY, merchant, okaeri, play, withSandboxStore } from '../../../test/with-okaeri.ts'
import { findStoreCustomers, mergeCustomers } from '../customers/index.ts'

withSandboxStore({ seed: EMPTY })

beforeAll(async () => {
  await okaeri.settle()
  await merchant.call(changeCustomerSetting, { body: { customerSetting: { birthday_metafield: 'facts.birth_date' } } })
  await okaeri.settle()
})
const set = (storefront_settings: Record<string, unknown>) =>
  merchant.call(changeStorefrontSettings, { body: { storefront_settings } })
beforeEach(() => set({ birthday_changes: 1 }))

const PATH = '/shopify/proxy/birthday'
const idOf = async (storeCustomerId: number): Promise<string> => {
  const id = (await findStoreCustomers(merchant.scope(), [storeCustomerId])).get(storeCustomerId)
  if (!id) throw new Error('not known here')
  return id
}
const birthdayOf = async (storeCustomerId: number) =>
  (await merchant.call(getCustomer, { params: { id: await idOf(storeCustomerId) } })).customer.birthday
const inStore = async (storeCustomerId: number): Promise<string | undefined> => {
  const { metafields } = await play<{ metafields: { namespace: string; key: string; value: string }[] }>(
    `metafields.json?customer_id=${storeCustomerId}`,
  )
  return metafields.find(({ namespace, key }) => `${namespace}.${key}` === 'facts.birth_date')?.value
}
const put = (url: string, birthday: unknown, more: Record<string, unknown> = {}) =>
  fetch(url, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ birthday, ...more }),
  })
const signedAt = new Set<number>()
/** A second nothing was signed in yet: a person's entries are seconds apart. */
function ownSecond(): string {
  let second = Math.floor(Date.now() / 1000)
  while (signedAt.has(second)) second -= 1
  signedAt.add(second)
  return String(second)
}
const enter = async (storeCustomerId: number, birthday: string) => {
  const timestamp = ownSecond()
  const answer = await put(signedByProxy(PATH, { logged_in_customer_id: String(storeCustomerId), timestamp }), birthday)
  return { status: answer.status, body: (await answer.json()) as Record<string, Record<string, unknown>> }
}
const reasonOf = async (answer: Response) => ((await answer.json()) as { error: { reason: string } }).error.reason

describe('what a person types', () => {
  const TODAY = '2026-05-10'
  test.each([
    ['1990-04-01', { day: '1990-04-01' }],
    ['1990/4/1', { day: '1990-04-01' }],
    ['１９９０年４月１日', { day: '1990-04-01' }],
    ['4/1', { day: '1004-04-01' }],
    ['2000-02-29', { day: '2000-02-29' }],
    ['2/29', { day: '1004-02-29' }],
    ['2026-05-10', { day: '2026-05-10' }],
    ['1906-05-11', { day: '1906-05-11' }],
    ['1906-05-10', { wrong: 'too_long_ago' }],
    ['1899-01-01', { wrong: 'too_long_ago' }],
    ['2026-05-11', { wrong: 'in_future' }],
    ['9999-01-01', { wrong: 'in_future' }],
    ['1990-02-29', { wrong: 'not_a_date' }],
    ['1990-13-01', { wrong: 'not_a_date' }],
    ['yesterday', { wrong: 'not_a_date' }],
    ['', { wrong: 'not_a_date' }],
  ])('%s', (text, judged) => {
    expect(judgeBirthday(text, TODAY)).toEqual(judged)
  })
})

describe('a birthday entered on the storefront', () => {
  test('is the signed-in customer’s, here at once and then in the metafield of the store', async () => {
    const one = await aSignedInCustomer()
    const first = await one.ask('GET', PATH)
    expect(first).toEqual({ status: 200, body: { birthday: { birthday: null, changes_left: 1 } } })
    const entered = await one.ask('PUT', PATH, { birthday: '1992年2月29日' })
    expect(entered).toEqual({ status: 200, body: { birthday: { birthday: '1992-02-29', changes_left: 1 } } })
    expect(await birthdayOf(one.storeCustomerId)).toBe('1992-02-29')
    await okaeri.settle()
    expect(await inStore(one.storeCustomerId)).toBe('1992-02-29')
  })

  test('entered again while the previous one is being sent to the store, it is not overwritten', async () => {
    await set({ birthday_changes: 5 })
    const one = await aSignedInCustomer()
    await enter(one.storeCustomerId, '1990-01-01')
    await okaeri.settle()
    await enter(one.storeCustomerId, '1990-01-02')
    const held = await holdRows(
      okaeri,
      'select from customer_metafields where merchant_id = $1 and customer_id = $2 for update',
      [merchant.id, await idOf(one.storeCustomerId)],
    )
    const settled = okaeri.settle()
    await held.wanted()
    expect((await enter(one.storeCustomerId, '1990-01-03')).status).toBe(200)
    await held.release()
    await settled
    await okaeri.settle()
    expect([await birthdayOf(one.storeCustomerId), await inStore(one.storeCustomerId)]).toEqual([
      '1990-01-03',
      '1990-01-03',
    ])
  })

  test('is changed as often as the store allows, and the same again is no change', async () => {
    const one = await aSignedInCustomer()
    await enter(one.storeCustomerId, '1990-01-01')
    expect(await enter(one.storeCustomerId, '1990-01-01')).toMatchObject({
      status: 200,
      body: { birthday: { changes_left: 1 } },
    })
    expect(await enter(one.storeCustomerId, '1990-01-02')).toMatchObject({
      status: 200,
      body: { birthday: { birthday: '1990-01-02', changes_left: 0 } },
    })
    expect(await enter(one.storeCustomerId, '1990-01-03')).toMatchObject({
      status: 409,
      body: { error: { reason: 'birthday_changes_used_up' } },
    })
    expect(await birthdayOf(one.storeCustomerId)).toBe('1990-01-02')
    await set({ birthday_changes: 2 })
    expect((await enter(one.storeCustomerId, '1990-01-03')).status).toBe(200)
    await set({ birthday_changes: 0 })
    expect((await enter(one.storeCustomerId, '1990-01-04')).status).toBe(409)
  })

  test('in two tabs at once counts each change', async () => {
    const one = await aSignedInCustomer()
    await enter(one.storeCustomerId, '1990-01-01')
    const urls = [1, 2, 3].map(() =>
      signedByProxy(PATH, { logged_in_customer_id: String(one.storeCustomerId), timestamp: ownSecond() }),
    )
    const answers = await Promise.all(urls.map((url, at) => put(url, `1990-02-0${at + 1}`)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409])
  })

  test.each([
    ['1990-02-30', 'not_a_date'],
    ['2999-01-01', 'in_future'],
    ['1850-01-01', 'too_long_ago'],
    [19900101, 'required'],
  ])('%s is refused with a reason', async (birthday, reason) => {
    const one = await aSignedInCustomer()
    expect(await one.ask('PUT', PATH, { birthday })).toMatchObject({
      status: 400,
      body: { error: { fields: { birthday: reason } } },
    })
  })

  test('lets the birthday scenario begin on the day', async () => {
    const scenarioId = await addScenario(
      merchant.scope(),
      flowOf([asleep], { trigger: { kind: 'birthday', days_before: 0, time: '10:00' } }),
    )
    const one = await aSignedInCustomer()
    const day = DateTime.fromJSDate(okaeri.clock.now(), { zone: 'Asia/Tokyo' }).plus({ days: 3 })
    await one.ask('PUT', PATH, { birthday: `1992-${day.toFormat('MM-dd')}` })
    const begun = async () =>
      (await merchant.call(listExecutions, { query: { action_id: scenarioId } })).data.map(
        ({ customer }) => customer?.id,
      )
    await okaeri.settle()
    const customerId = await idOf(one.storeCustomerId)
    expect(await begun()).not.toContain(customerId)
    okaeri.advance(day.set({ hour: 10, minute: 1 }).toMillis() - okaeri.clock.now().getTime())
    await okaeri.settle()
    // And perhaps of the customers of other tests whose day it is.
    expect(await begun()).toContain(customerId)
  })

  test('goes with the customer', async () => {
    const one = await aSignedInCustomer()
    const other = await aSignedInCustomer()
    for (const who of [one, other])
      for (const birthday of ['1990-01-01', '1990-01-02'])
        expect((await enter(who.storeCustomerId, birthday)).status).toBe(200)
    const [fromId, intoId] = [await idOf(one.storeCustomerId), await idOf(other.storeCustomerId)]
    const entries = async () =>
      await okaeri.query<{ customer_id: string; changes: number }>`
          select customer_id, changes from birthday_entries where merchant_id = ${merchant.id}
            and customer_id in (${fromId}, ${intoId})`

    expect(await entries()).toHaveLength(2)
    await mergeCustomers(merchant.scope(), { fromId, intoId })
    expect(await entries()).toEqual([{ customer_id: intoId, changes: 2 }])
    await merchant.call(eraseCustomer, { params: { id: intoId }, body: { confirm: true } })
    await okaeri.settle()
    expect(await entries()).toEqual([])
  })
})

describe('who may not', () => {
  test('only the signed-in customer may enter one, whatever customer the body names', async () => {
    expect((await put(signedByProxy(PATH), '1990-01-01')).status).toBe(401)
    const [mine, theirs] = [await aSignedInCustomer(), await aSignedInCustomer()]
    const named = await put(
      signedByProxy(PATH, { logged_in_customer_id: String(mine.storeCustomerId) }),
      '1990-01-01',
      { customer_id: theirs.storeCustomerId, logged_in_customer_id: theirs.storeCustomerId },
    )
    expect(named.status).toBe(400)
    expect((await findStoreCustomers(merchant.scope(), [theirs.storeCustomerId])).size).toBeLessThanOrEqual(1)
  })

  test('a query that is unsigned, altered, doubled, of another app or old is refused', async () => {
    const { storeCustomerId } = await aSignedInCustomer()
    const who = { logged_in_customer_id: String(storeCustomerId) }
    const good = signedByProxy(PATH, who)
    for (const url of [
      `${okaeri.url}${PATH}`,
      good.replace(String(storeCustomerId), String(storeCustomerId + 1)),
      `${good}&logged_in_customer_id=1`,
      `${good}&extra=1`,
      signedByProxy(PATH, who, 'another secret'),
      signedByProxy(PATH, { ...who, timestamp: String(Math.floor(Date.now() / 1000) - 300) }),
      signedByProxy(PATH, { ...who, timestamp: String(Math.floor(Date.now() / 1000) + 300) }),
    ]) {
      const answer = await put(url, '1990-01-01')
      expect([url, answer.status, await reasonOf(answer)]).toEqual([url, 401, 'store_signature_invalid'])
    }
    const elsewhere = await put(signedByProxy(PATH, { ...who, shop: 'another-shop.myshopify.com' }), '1990-01-01')
    expect(elsewhere.status).toBe(403)
  })

  test('a signature is good for one entry: its body is not signed', async () => {
    const { storeCustomerId } = await aSignedInCustomer()
    const url = signedByProxy(PATH, { logged_in_customer_id: String(storeCustomerId) })
    expect((await put(url, '1990-01-01')).status).toBe(200)
    const again = await put(url, '1991-11-11')
    expect([again.status, await reasonOf(again)]).toEqual([429, 'rate_limited'])
    expect(await birthdayOf(storeCustomerId)).toBe('1990-01-01')
  })

  test('the script says nothing of the customer, and nothing at all to who is not signed in', async () => {
    const one = await aSignedInCustomer()
    await one.ask('PUT', PATH, { birthday: '1990-01-01' })
    const script = await one.ask('GET', '/shopify/proxy/birthdayscript')
    expect(script.status).toBe(200)
    expect(script.body).toContain('data-okaeri="birthday"')
    expect(script.body).not.toContain('1990')
    const nobody = await fetch(signedByProxy('/shopify/proxy/birthdayscript'))
    expect([nobody.status, await nobody.text()]).toEqual([200, ''])
  })
})

test('a save of the settings changes what it names', async () => {
  await set({ consent_wording_ja: 'お知らせを受け取る', birthday_changes: 3 })
  await set({ double_opt_in: false })
  expect((await merchant.call(getStorefrontSettings, {})).storefront_settings).toEqual({
    birthday_changes: 3,
    consent_wording_ja: 'お知らせを受け取る',
    consent_wording_en: '',
    double_opt_in: false,
    records_behavior: false,
    records_carts: false,
  })
  await expect(set({ birthday_changes: -1 })).rejects.toMatchObject({
    fields: { 'storefront_settings.birthday_changes': 'too_small' },
  })
})
