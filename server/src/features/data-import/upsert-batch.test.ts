import { changeImport } from '@okaeri/contract/imports/routes'
import { changeCustomer, deleteCustomer } from '@okaeri/contract/customers/routes'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { importAll, people, reasonsOf, run, upload, withImports } from '../../../test/imports.ts'
import { merchant, okaeri } from '../../../test/with-okaeri.ts'
import { changeConsent } from '../consent/index.ts'
import { upsertStoreCustomers } from '../customers/index.ts'

withImports()

/** Everything an import writes, without ids and times. */
const everything = async (): Promise<unknown> => {
  const rows = await okaeri.query<{ one: unknown }>`
    select to_jsonb(c) - array['merchant_id', 'id', 'created_at', 'updated_at', 'marketing_changed_at', 'notification_changed_at']
      || jsonb_build_object('ledger', array(select to_state || source from consent_changes l
        where l.merchant_id = c.merchant_id and l.customer_id = c.id order by 1)) as one
    from customers c where merchant_id = ${merchant.id} order by email_key`
  return rows.map(({ one }) => one)
}

describe('customers', () => {
  test('the same file twice changes nothing', async () => {
    const file = 'Email,名,姓,タグ,Accepts Email Marketing\nA@Example.jp,花子,山田,"VIP,常連",yes\nb@example.jp,,,,no\n'
    expect(await importAll('customers', file)).toMatchObject({ created_count: 2, changed_count: 0 })
    const before = await everything()
    expect(await importAll('customers', file)).toMatchObject({ created_count: 0, changed_count: 0, unchanged_count: 2 })
    expect(await everything()).toEqual(before)
    expect((await people()).map(({ email, tags, marketing_state }) => [email, tags, marketing_state])).toEqual([
      ['a@example.jp', ['VIP', '常連'], 'granted'],
      ['b@example.jp', [], 'unknown'],
    ])
  })

  test('are matched by the store’s number, then by address; an empty cell clears nothing; customers are created only if wanted', async () => {
    await importAll('customers', 'Email,名,姓,電話番号\na@example.jp,花子,山田,090-1234-5678\n')
    const one = await upload('customers', 'Email,名,電話番号,メモ\nA@EXAMPLE.jp,,,お得意様\nnew@example.jp,x,,\n')
    await merchant.call(changeImport, {
      params: { id: one.id },
      body: { options: { create_unknown: false, known_values: 'keep' } },
    })
    const done = await run(one)
    expect(done).toMatchObject({ created_count: 0, changed_count: 1 })
    expect(reasonsOf(done)).toEqual([[3, 'unknown_customer']])
    expect(await people()).toMatchObject([
      { first_name: '花子', last_name: '山田', phone: '09012345678', note: 'お得意様' },
    ])
  })

  test('keep what a member entered, unless the file is declared newer', async () => {
    await importAll('customers', 'Email,名\na@example.jp,花子\n')
    await okaeri.query`update customers set first_name = 'はなこ' where merchant_id = ${merchant.id}`
    expect(await importAll('customers', 'Email,名\na@example.jp,華子\n')).toMatchObject({ unchanged_count: 1 })
    const one = await upload('customers', 'Email,名\na@example.jp,華子\n')
    await merchant.call(changeImport, {
      params: { id: one.id },
      body: { options: { create_unknown: true, known_values: 'replace' } },
    })
    expect(await run(one)).toMatchObject({ changed_count: 1 })
    expect(await people()).toMatchObject([{ first_name: '華子' }])
  })

  test('of the store keep the store’s data, and consent is only added if nothing is known', async () => {
    const ids = await upsertStoreCustomers(
      merchant.scope(),
      [11, 12].map((storeCustomerId) => ({
        storeCustomerId,
        email: `store${storeCustomerId}@example.jp`,
        firstName: '店',
        lastName: null,
        phone: null,
        language: null,
        address: null,
        tags: [],
        createdAt: null,
        updatedAt: new Date('2026-01-01'),
      })),
    )
    await changeConsent(merchant.scope(), {
      customerId: ids.get(12) ?? '',
      kind: 'marketing',
      to: 'withdrawn',
      source: 'one_click',
    })
    const file =
      "Customer ID,Email,First Name,Last Name,Tags,Birthday,Accepts Email Marketing\n'11,,別名,名字,x,1990-04-01,yes\n12,store12@example.jp,,,,,yes\n"
    expect(await importAll('customers', file)).toMatchObject({ changed_count: 1, unchanged_count: 1, created_count: 0 })
    expect(await people()).toMatchObject([
      { first_name: '店', last_name: null, tags: [], birthday: '1990-04-01', marketing_state: 'granted' },
      { marketing_state: 'withdrawn' },
    ])
    const rows = await okaeri.query`select source, to_state, wording, page from consent_changes
      where merchant_id = ${merchant.id} and customer_id = ${ids.get(11)}`
    expect(rows).toEqual([
      { source: 'import', to_state: 'granted', wording: 'Accepts Email Marketing', page: 'CSV: people.csv' },
    ])
  })

  test('that opted out and were deleted do not get their consent back', async () => {
    const file = 'Email,Accepts Email Marketing\nback@example.jp,yes\nother@example.jp,yes\n'
    await importAll('customers', file)
    const [back] = await people()
    await changeConsent(merchant.scope(), {
      customerId: back?.id ?? '',
      kind: 'marketing',
      to: 'withdrawn',
      source: 'unsubscribe_link',
    })
    for (const { id } of await people()) await merchant.call(deleteCustomer, { params: { id } })
    expect(await people()).toEqual([])
    const states = async () => (await people()).map(({ email, marketing_state }) => [email, marketing_state])
    // In the second file they are known.
    for (let times = 0; times < 2; times += 1) {
      await importAll('customers', file)
      expect(await states()).toEqual([
        ['back@example.jp', 'unknown'],
        ['other@example.jp', 'granted'],
      ])
    }
    const [again] = await people()
    await merchant.call(changeCustomer, { params: { id: again?.id ?? '' }, body: { accepts_marketing: true } })
    expect((await states())[0]).toEqual(['back@example.jp', 'granted'])
  })

  test('get the store’s name of a country, given by code or by name in either language; invented ones are refused', async () => {
    const places = [
      ['JP', 'JP-13'],
      ['日本', '13'],
      ['japan', 'jp-13'],
      ['アメリカ合衆国', 'CA'],
      ['usa', 'US-CA'],
      ['', 'JP-01'],
      ['AA', ''],
      ['=HYPERLINK("x")', ''],
      ['', '13'],
      ['US', 'JP-13'],
      ['', 'AA-13'],
    ]
    const one = await importAll(
      'customers',
      `Email,Province code,Country\n${places.map(([country, province], n) => `c${10 + n}@example.jp,${province},"${country?.replaceAll('"', '""')}"`).join('\n')}\n`,
    )
    expect(one).toMatchObject({ created_count: 6, error_count: 5 })
    const rows = await okaeri.query`select address ->> 'country' as country, province_code from customers
      where merchant_id = ${merchant.id} order by email`
    expect(rows).toEqual([
      { country: 'Japan', province_code: 'JP-13' },
      { country: 'Japan', province_code: 'JP-13' },
      { country: 'Japan', province_code: 'JP-13' },
      { country: 'United States', province_code: 'US-CA' },
      { country: 'United States', province_code: 'US-CA' },
      { country: null, province_code: 'JP-01' },
    ])
  })

  test('from a store’s own export have consent, address and metafields', async () => {
    const one = await importAll(
      'customers',
      `Customer ID,First Name,Last Name,Email,Accepts Email Marketing,Default Address City,Default Address Province Code,Default Address Country Code,Default Address Zip,Phone,Total Spent,Note,Tags,誕生日 (customer.metafields.facts.birth_date)\n'7210448301122,花子,山田,hanako@example.com,yes,千代田区,JP-13,JP,'100-0005,'+819012345678,12800,,"VIP, 誕生日",1990-04-01\n`,
    )
    expect(one).toMatchObject({ created_count: 1, error_count: 0 })
    const rows = await okaeri.query`select address, province_code, store_customer_id, display_name from customers
      where merchant_id = ${merchant.id}`
    expect(rows).toEqual([
      {
        address: { city: '千代田区', zip: '100-0005', country: 'Japan' },
        province_code: 'JP-13',
        store_customer_id: null,
        display_name: '山田 花子',
      },
    ])
  })
})

describe('points', () => {
  const balances = async () =>
    await okaeri.query`select c.email, s.key, v.value from customer_metafields v
        join metafield_settings s on s.merchant_id = v.merchant_id and s.id = v.metafield_setting_id
        join customers c on c.merchant_id = v.merchant_id and c.id = v.customer_id
        where v.merchant_id = ${merchant.id} order by 1, 2`

  test('become a metafield once the file is read: rows of one customer are added up, unknown customers and expired rows are refused', async () => {
    await importAll('customers', 'Email\na@example.jp\nb@example.jp\n')
    const file =
      'email,points,expired_at\nA@example.jp,"1,200",2150-01-01\na@example.jp,-200,2149-12-31\nnobody@example.jp,5,\nb@example.jp,10,2020-01-01\nb@example.jp,3.5,\n'
    const done = await importAll('points', file)
    expect(done).toMatchObject({ status: 'done', changed_count: 1, error_count: 3 })
    expect(reasonsOf(done)).toEqual([
      [4, 'unknown_customer'],
      [5, 'points_expired'],
      [6, 'not_a_number'],
    ])
    const expected = [
      { email: 'a@example.jp', key: 'balance', value: '1000' },
      { email: 'a@example.jp', key: 'expires_on', value: '2149-12-31' },
    ]
    expect(await balances()).toEqual(expected)
    expect(await importAll('points', file)).toMatchObject({ changed_count: 0, unchanged_count: 1 })
    expect(await balances()).toEqual(expected)
    await importAll('points', 'email,points\na@example.jp,300\n')
    expect(await balances()).toMatchObject([{ value: '300' }, { value: '2149-12-31' }])
  })

  test('are named in the language of the member who imports the file', async () => {
    await okaeri.query`update members set language = 'en' where merchant_id = ${merchant.id}`
    await importAll('customers', 'Email\na@example.jp\n')
    await importAll('points', 'email,points,expired_at\na@example.jp,300,2150-01-01\n')
    const rows =
      await okaeri.query`select name from metafield_settings where merchant_id = ${merchant.id} order by name`
    expect(rows).toEqual([{ name: 'Points' }, { name: 'Points expire on' }])
  })
})

describe('restock requests', () => {
  test('are registered once, also for unknown people', async () => {
    await importAll('customers', 'Email\na@example.jp\n')
    const file =
      'Email,ProductId,VariantId,Product Title,Subscribed At,Last Message Sent At\na@example.jp,632910392,808950810,Tシャツ,2026-03-01 09:12:33 UTC,\nstranger@example.jp,632910392,808950811,Tシャツ,2026-02-20 22:00:01 UTC,2026-03-02 01:00:00 UTC\nc@example.jp,7.21E+12,1,x,,\nd@example.jp,,1,x,,\n'
    const done = await importAll('restock', file)
    expect(done).toMatchObject({ created_count: 2, error_count: 2 })
    expect(reasonsOf(done)).toEqual([
      [4, 'id_damaged'],
      [5, 'product_missing'],
    ])
    const requests = sql`select email, customer_id is not null as known, status, source, store_variant_id, created_at from restock_requests
      where merchant_id = ${merchant.id} order by email`
    const before = (await requests.execute(okaeri.context.db)).rows
    expect(before).toEqual([
      {
        email: 'a@example.jp',
        known: true,
        status: 'active',
        source: 'import',
        store_variant_id: 808950810,
        created_at: new Date('2026-03-01T09:12:33Z'),
      },
      {
        email: 'stranger@example.jp',
        known: false,
        status: 'sent',
        source: 'import',
        store_variant_id: 808950811,
        created_at: new Date('2026-02-20T22:00:01Z'),
      },
    ])
    expect(await importAll('restock', file)).toMatchObject({ created_count: 0, unchanged_count: 2 })
    expect((await requests.execute(okaeri.context.db)).rows).toEqual(before)
  })

  test('for text messages are refused', async () => {
    const done = await importAll(
      'restock',
      'email,product_id,variation_id,type\na@example.jp,1,0,SMS\nb@example.jp,1,0,EMAIL\n',
    )
    expect(reasonsOf(done)).toEqual([[2, 'unknown_channel']])
    expect(done.created_count).toBe(1)
  })
})
