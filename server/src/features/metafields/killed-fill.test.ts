import { once } from 'node:events'
import { createMetafieldSetting, getMetafieldSetting } from '@okaeri/contract/metafields/routes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { holdRows } from '../../../test/locks.ts'
import { otherWorkers } from '../../../test/other-worker.ts'
import { bringForward } from '../../../test/real-time.ts'
import { merchant, okaeri, play, sandbox, withSandboxStore } from '../../../test/with-okaeri.ts'

const SEED = { customers: 6000, products: 2, orders: 10 }

const workers = otherWorkers()

withSandboxStore({ seed: SEED, env: workers.env })
beforeAll(async () => {
  await okaeri.settle()
  const rows = await okaeri.query`select from sync_runs where merchant_id = ${merchant.id} and status = 'done'`
  expect(rows.length).toBeGreaterThan(0)
})
afterAll(() => workers.end())

test('a worker killed during a backfill loses nothing: the next one continues with the next batch', async () => {
  const { customer_metafield_setting: made } = await merchant.call(createMetafieldSetting, {
    body: { key: 'loyalty.rank', namespace_type: 'platform', value_type: 'single_line_text_field' },
  })
  const get = async () =>
    (await merchant.call(getMetafieldSetting, { params: { id: made.id } })).customer_metafield_setting
  // It gets as far as the last customers, and waits there.
  const held = await holdRows(
    okaeri,
    `insert into customer_metafields (merchant_id, metafield_setting_id, customer_id, value, updated_at)
    select merchant_id, $2, id, '""', now() from customers where merchant_id = $1 order by store_customer_id desc limit 100`,
    [merchant.id, made.id],
  )
  const first = await workers.start({ okaeri, sandbox })
  await held.wanted()
  const gone = once(first, 'exit')
  first.kill('SIGKILL')
  await gone
  await held.release()
  const killed = (await get()).progress?.loaded_count ?? 0
  expect(killed).toBeGreaterThan(0)
  expect(killed, 'killed in the middle').toBeLessThan(SEED.customers)
  await bringForward(okaeri)
  await okaeri.settle()
  expect((await get()).status).toBe('ready')
  expect((await play<{ customers: number }>('counts.json')).customers).toBe(SEED.customers)
  const rows = await okaeri.query<{ values: number; fills: number }>`
    select (select count(*)::int from customer_metafields where merchant_id = ${merchant.id}) as values,
      (select count(*)::int from metafield_fills where merchant_id = ${merchant.id}) as fills`
  await bringForward(okaeri)
  await okaeri.settle()
  expect((await get()).value_count).toBe(rows[0]?.values)
  // Four in five customers of the sandbox have a rank.
  expect(rows[0]?.values).toBeGreaterThan(SEED.customers * 0.77)
  expect(rows[0]?.values).toBeLessThan(SEED.customers * 0.83)
  expect(rows[0]?.fills, 'one fill, gone on with').toBe(1)
})
