import { checkDataset, getDataset, listDatasets, refetchDataset } from '@okaeri/contract/datasets/routes'
import { DatasetId } from '@okaeri/contract/datasets/dataset'
import { getImport, startImport, uploadImport } from '@okaeri/contract/imports/routes'
import { expect, test } from 'vitest'
import { SHOP } from '../../../test/sandbox-store.ts'
import { holdRows } from '../../../test/locks.ts'
import { connectSandbox, merchant, okaeri, play, sandbox, withSandboxStore } from '../../../test/with-okaeri.ts'
import { disconnectStore } from '../stores/index.ts'

const dataset = async (id: DatasetId) => (await merchant.call(getDataset, { params: { id } })).dataset
async function expectFetched(...ids: readonly DatasetId[]): Promise<void> {
  await okaeri.settle()
  for (const id of ids) expect((await dataset(id)).status).toBe('done')
}
const download = async (id: DatasetId, lang = 'ja') => {
  const response = await fetch(`${okaeri.url}/userdata/${id}/download?lang=${lang}`, {
    headers: { authorization: `Bearer test.${merchant.id}.${merchant.memberId}.owner` },
  })
  expect(response.status).toBe(200)
  // `text()` would remove the byte order mark.
  const text = Buffer.from(await response.arrayBuffer()).toString('utf8')
  return { headers: response.headers, lines: text.split('\r\n') }
}

withSandboxStore({ connected: false })

test('without a store the datasets are empty and say why', async () => {
  const { data, store } = await merchant.call(listDatasets, {})
  expect(data.map(({ id }) => id)).toEqual(DatasetId.options)
  expect(data.every(({ status, count }) => status === 'never_fetched' && count === 0)).toBe(true)
  expect(store).toMatchObject({ connected: false, reason: 'never', shop_domain: null })
  for (const id of DatasetId.options)
    await expect(merchant.call(refetchDataset, { params: { id }, body: {} })).rejects.toMatchObject({
      reason: 'store_not_connected',
    })
})

test('a connected store fills them, each counted and dated', async () => {
  await connectSandbox()
  expect((await dataset('orders')).status).toBe('fetching')
  await expectFetched('products', 'collections', 'customers', 'orders', 'checkouts', 'segments')
  const counts = await play<Record<string, number>>('counts.json')
  for (const id of ['products', 'collections', 'customers', 'orders', 'checkouts'] as const) {
    const { count, last_fetched_at, progress, last_difference } = await dataset(id)
    expect([id, count]).toEqual([id, counts[id]])
    expect([last_fetched_at === null, progress, last_difference]).toEqual([false, null, null])
  }
  const { store } = await merchant.call(listDatasets, {})
  expect(store).toMatchObject({ connected: true, reason: null, shop_domain: SHOP })
})

test('one dataset can be fetched again, and not twice at once', async () => {
  const before = (await dataset('orders')).last_fetched_at
  okaeri.advance(1000)
  const { dataset: begun } = await merchant.call(refetchDataset, { params: { id: 'orders' }, body: {} })
  expect(begun).toMatchObject({ status: 'fetching', progress: { phase: 'waiting', loaded_count: 0 } })
  await expect(merchant.call(refetchDataset, { params: { id: 'products' }, body: {} })).rejects.toMatchObject({
    reason: 'sync_running',
    status: 409,
  })
  expect((await dataset('products')).status).toBe('done')
  await expectFetched('orders')
  expect((await dataset('orders')).last_fetched_at).not.toBe(before)
})

test('what webhooks missed is found, repaired and shown', async () => {
  await play('switches.json', { lose_webhooks: true })
  sandbox.clock.advance(5000)
  okaeri.advance(5000)
  const { customer } = await play<{ customer: { id: number } }>('customers.json', {
    email: 'missed@example.com',
    last_name: '=1+1',
  })
  await play('orders.json', { customer_id: customer.id, items: [{ quantity: 1 }], amount: 5000, tags: ['急ぎ'] })
  await play('switches.json', { lose_webhooks: false })
  sandbox.clock.advance(120_000)
  okaeri.advance(120_000)
  await merchant.call(checkDataset, { params: { id: 'customers' } })
  await merchant.call(checkDataset, { params: { id: 'orders' } })
  await okaeri.settle()
  expect((await dataset('customers')).last_difference).toMatchObject({
    count: 1,
    kinds: [{ kind: 'missing', count: 1 }],
  })
  expect((await dataset('orders')).last_difference).toMatchObject({ count: 1 })
  const rows = await okaeri.query<{ orders_count: number; orders_amount: number }>`
    select orders_count, orders_amount from customers where merchant_id = ${merchant.id} and email = 'missed@example.com'`
  expect(rows).toEqual([{ orders_count: 1, orders_amount: 5000 }])
  const { checks } = await merchant.call(getDataset, { params: { id: 'orders' } })
  expect(checks[0]).toMatchObject({ kind: 'window', status: 'done', repaired_count: 1 })
  await expect(merchant.call(checkDataset, { params: { id: 'metafields' } })).rejects.toMatchObject({
    reason: 'not_compared',
  })
})

test('every dataset downloads as a file spreadsheets read and do not run', async () => {
  for (const id of DatasetId.options) {
    const { headers, lines } = await download(id)
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(lines[0]?.startsWith('\uFEFF')).toBe(true)
    const { count } = await dataset(id)
    if (id !== 'metafields') expect([id, lines.length - 2]).toEqual([id, count])
    const columns = (lines[0] ?? '').split(',').length
    expect(((await download(id, 'en')).lines[0] ?? '').split(',').length).toBe(columns)
  }
  const paid = async (language: 'ja' | 'en') => (await download('orders', language)).lines.join('\n')
  expect(await paid('ja')).toMatch(/,支払い済み,(未発送|発送済み),/)
  expect(await paid('en')).toMatch(/,Paid,(Unfulfilled|Fulfilled),/)
  const { lines } = await download('customers')
  expect(lines.join('\n')).toMatch(/,許可,(許可|配信停止|確認待ち|未確認),/)
  expect(lines.find((line) => line.includes('missed@example.com'))).toContain("'=1+1")
})

test.for(['ja', 'en'])('the downloaded customers (%s) can be imported again and change nothing', async (lang) => {
  const states = async () =>
    await okaeri.query`select id, email, marketing_state, notification_state, tags, address, language, birthday from customers
        where merchant_id = ${merchant.id} order by id`

  const before = await states()
  // An escaped formula (=1+1) would be imported as text.
  const lines = (await download('customers', lang)).lines.filter((line) => !line.includes('missed@example.com'))
  const form = new FormData()
  form.append('app', 'customers')
  form.append('file', new File([lines.join('\r\n')], 'customers.csv'))
  const { import: read } = await merchant.call(uploadImport, { form })
  const fields = read.columns.map(({ field }) => field)
  expect(fields).toEqual(expect.arrayContaining(['store_id', 'email', 'marketing_consent', 'notification_consent']))
  await merchant.call(startImport, { params: { id: read.id } })
  await okaeri.settle()
  const { import: done } = await merchant.call(getImport, { params: { id: read.id } })
  expect(done).toMatchObject({ status: 'done', created_count: 0, changed_count: 0, error_count: 0 })
  expect(await states()).toEqual(before)
})

test('a disconnected store is shown with its reason, and its data stays', async () => {
  await disconnectStore(merchant.scope(), 'uninstalled')
  const { data, store } = await merchant.call(listDatasets, {})
  expect(store).toMatchObject({ connected: false, reason: 'uninstalled', shop_domain: SHOP })
  expect(data.find(({ id }) => id === 'customers')?.count).toBeGreaterThan(0)
})

test('for a large dataset the last count is answered with its time, and renewed in the background', async () => {
  const many = await okaeri.merchant()
  const add = (from: number, to: number) =>
    okaeri.query`insert into products (merchant_id, id, store_product_id, title, search_text)
      select ${many.id}, okaeri_uuidv7(${okaeri.clock.now()}), n, 'p', 'p' from generate_series(${from}::int, ${to}::int) n`
  const look = async () => {
    const { count, counted_at } = (await many.call(getDataset, { params: { id: 'products' } })).dataset
    return { count, ageMs: okaeri.clock.now().getTime() - Date.parse(counted_at) }
  }
  await add(1, 20_000)
  expect((await look()).count).toBe(20_000)
  await add(20_001, 20_001)
  // Few enough to be counted at each request.
  expect(await look()).toMatchObject({ count: 20_001, ageMs: expect.toSatisfy((ms: number) => ms < 10_000) })
  await add(20_002, 20_002)
  okaeri.advance(30_000)
  expect(await look()).toMatchObject({ count: 20_001, ageMs: expect.toSatisfy((ms: number) => ms >= 30_000) })
  okaeri.advance(40_000)
  const holdProducts = () => holdRows(okaeri, 'lock table products in access exclusive mode', [])
  const held = await holdProducts()
  expect(await look()).toMatchObject({ count: 20_001, ageMs: expect.toSatisfy((ms: number) => ms >= 70_000) })
  await held.wanted()
  await held.release()
  // After those who count.
  await (await holdProducts()).release()
  expect((await look()).count).toBe(20_002)
  await add(20_003, 20_003)
  okaeri.advance(700_000)
  expect((await look()).count).toBe(20_003)
  await okaeri.query`delete from products where merchant_id = ${many.id} and store_product_id > 5`
  okaeri.advance(700_000)
  expect((await look()).count).toBe(5)
})
