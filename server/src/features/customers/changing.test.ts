import {
  changeCustomer,
  checkCustomer,
  createCustomer,
  getCustomer,
  getTimeline,
} from '@okaeri/contract/customers/routes'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { onCluster } from '../../../test/one-node.ts'
import { merchant, okaeri, sandbox, withSandboxStore } from '../../../test/with-okaeri.ts'
import { aCustomer } from '../../../test/builders/customer.ts'

const SHOP = 'okaeri-sandbox.myshopify.com'
withSandboxStore({ seed: { customers: 1, products: 1, orders: 0 } })

let phones = 0
const add = (email: string, by = merchant) =>
  aCustomer(by, email, { last_name: '高橋', phone: `0901111000${phones++}` })

test('a default address is sent to the store field by field and comes back as the store has it', async () => {
  const { id } = await add('address@example.jp')
  const first = await merchant.call(changeCustomer, {
    params: { id },
    body: { address: { zip: '150-0001', country: 'JP', province: 'JP-13', city: '渋谷区', address1: '神宮前1-2-3' } },
  })
  expect(first.customer.address).toMatchObject({ zip: '150-0001', city: '渋谷区', address1: '神宮前1-2-3' })
  const second = await merchant.call(changeCustomer, { params: { id }, body: { address: { address2: 'ハイツ401' } } })
  expect(second.customer.address).toMatchObject({ zip: '150-0001', city: '渋谷区', address2: 'ハイツ401' })
})

test('an invalid country or province is refused, with its name, before the store is called', async () => {
  const { id } = await add('nowhere@example.jp')
  const wrong: [Record<string, string>, string][] = [
    [{ country: 'AA' }, 'address.country'],
    [{ country: 'ZZ' }, 'address.country'],
    [{ country: 'jp' }, 'address.country'],
    [{ province: 'AA-13' }, 'address.province'],
    [{ country: 'US', province: 'JP-13' }, 'address.province'],
  ]
  for (const [address, field] of wrong) {
    const refusal = { status: 400, fields: { [field]: 'not_allowed' } }
    const body = { email: 'aa@example.jp', address }
    await expect(merchant.call(createCustomer, { body })).rejects.toMatchObject(refusal)
    await expect(merchant.call(changeCustomer, { params: { id }, body: { address } })).rejects.toMatchObject(refusal)
  }
})

test.skipIf(onCluster)(
  'where the disk is full once the store has the customer, that is said; the customer comes when there is room',
  async () => {
    const { db } = okaeri.context
    await sql`create function full_disk() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file' using errcode = '53100'; end $$`.execute(db)
    await sql`create trigger full_disk before insert on customers for each row execute function full_disk()`.execute(db)
    const body = { email: 'full@example.jp', address: { zip: '150-0001', country: 'JP' } }
    const refused = merchant.call(createCustomer, { body })
    await expect(refused).rejects.toMatchObject({ status: 503, reason: 'customer_in_store_only' })
    await sql`drop function full_disk cascade`.execute(db)
    await okaeri.settle()
    expect((await merchant.call(checkCustomer, { query: { email: body.email } })).exists).toBe(true)
  },
)

test('a birthday in the future is refused for one customer as in a file', async () => {
  const { id } = await add('unborn@example.jp')
  const tomorrow = new Date(okaeri.clock.now().getTime() + 2 * 86_400_000).toISOString().slice(0, 10)
  const refusal = { status: 400, fields: { birthday: 'not_a_date' } }
  const body = { email: 'unborn2@example.jp', birthday: tomorrow }
  await expect(merchant.call(createCustomer, { body })).rejects.toMatchObject(refusal)
  const change = (birthday: string) => merchant.call(changeCustomer, { params: { id }, body: { birthday } })
  await expect(change(tomorrow)).rejects.toMatchObject(refusal)
  expect((await change('1004-02-29')).customer.birthday).toBe('1004-02-29')
})

test('a field the store changed since the form was opened keeps the store’s value; the typed value is shown beside it', async () => {
  const { id, store_customer_id: number, phone } = await add('conflict@example.jp')
  // While the form is open, the phone is changed in the store. No webhook has come yet.
  const answer = await fetch(`${sandbox.url}/stores/${SHOP}/sandbox/customers/${number}/update.json`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ phone: '+819033334444' }),
  })
  expect(answer.ok, await answer.text()).toBe(true)
  const { customer, conflicts } = await merchant.call(changeCustomer, {
    params: { id },
    body: { phone: '09055556666', first_name: '健', loaded: { phone, first_name: null } },
  })
  expect(customer).toMatchObject({ phone: '+819033334444', first_name: '健' })
  const lost = { field: 'phone', used_value: '+819033334444', unused_value: '09055556666', used_from: 'store' }
  expect(conflicts).toMatchObject([lost])
  expect((await merchant.call(getCustomer, { params: { id } })).conflicts).toMatchObject([lost])
  const { data } = await merchant.call(getTimeline, { params: { id }, query: {} })
  expect(data.find(({ kind }) => kind === 'change_not_used')).toMatchObject({ conflict: lost })
})

test('two members who change different fields both win; the same value twice is no conflict', async () => {
  const alone = await okaeri.merchant()
  const { id } = await add('both@example.jp', alone)
  const change = (body: Parameters<typeof alone.call<NonNullable<(typeof changeCustomer)['~types']>>>[1]['body']) =>
    alone.call(changeCustomer, { params: { id }, body })
  await change({ first_name: '健', loaded: { first_name: null } })
  const second = await change({ last_name: '田中', first_name: '健', loaded: { last_name: '高橋', first_name: null } })
  expect(second.conflicts).toEqual([])
  expect(second.customer).toMatchObject({ first_name: '健', last_name: '田中' })
  const third = await change({ last_name: '鈴木', tags: ['VIP'], loaded: { last_name: '高橋', tags: null } })
  expect(third.conflicts).toMatchObject([{ field: 'last_name', used_value: '田中', used_from: 'member' }])
  expect(third.customer).toMatchObject({ last_name: '田中', tags: ['VIP'] })
})

test('a birthday is stored, with or without a year; a day that does not exist is refused', async () => {
  const { id } = await add('birthday@example.jp')
  const set = async (birthday: string | null) =>
    (await merchant.call(changeCustomer, { params: { id }, body: { birthday } })).customer.birthday
  expect(await set('1004-02-29')).toBe('1004-02-29')
  expect(await set('1988-07-15')).toBe('1988-07-15')
  expect(await set(null)).toBeNull()
  for (const birthday of ['1988-02-30', '0000-00-00', '1500-01-01'])
    await expect(set(birthday), birthday).rejects.toMatchObject({ fields: { birthday: 'not_a_date' } })
})
