import type { ChildProcess } from 'node:child_process'
import { eraseCustomer, listPrivacyRequests } from '@okaeri/contract/privacy/routes'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { rowsOf } from '../../../test/every-endpoint.ts'
import { sentMail } from '../../../test/sent-mail.ts'
import { startTestOkaeri, type TestMerchant, type TestOkaeri } from '../../../test/harness.ts'
import { countWaiting, holdRows } from '../../../test/locks.ts'
import { otherWorkers } from '../../../test/other-worker.ts'
import { WAIT } from '../../../test/waits.ts'
import { askedByStore } from './request.ts'

const workers = otherWorkers()
let okaeri: TestOkaeri

beforeAll(async () => {
  okaeri = await startTestOkaeri({ env: workers.env })
})
afterAll(async () => {
  workers.end()
  await okaeri.close()
})

async function kill(worker: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => worker.once('exit', resolve))
  worker.kill('SIGKILL')
  await gone
}

const holdCustomers = ({ id }: TestMerchant) =>
  holdRows(okaeri, 'select from customers where merchant_id = $1 for update', [id])

test('a worker killed in the middle of forgetting somebody leaves everything as it was; the next one forgets them', async () => {
  const merchant = await okaeri.merchant()
  const { customerId } = await sentMail(okaeri, merchant, { address: 'killed@example.jp' })
  const before = await rowsOf(okaeri, merchant.id)
  const held = await holdCustomers(merchant)
  await merchant.call(eraseCustomer, { params: { id: customerId }, body: { confirm: true } })
  const first = await workers.start({ okaeri })
  await vi.waitFor(async () => expect(await countWaiting(okaeri)).toBeGreaterThan(0), WAIT)
  await kill(first)
  await held.release()
  await vi.waitFor(async () => {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
      where datname = current_database() and state = 'active' and query ilike '%customers%for update%' and pid <> pg_backend_pid()`.execute(
      okaeri.context.db,
    )
    expect(rows[0]?.n).toBe(0)
  }, WAIT)
  for (const table of ['deliveries', 'customers', 'messages'])
    expect((await rowsOf(okaeri, merchant.id)).get(table)).toEqual(before.get(table))

  await workers.start({ okaeri })
  await vi.waitFor(async () => {
    const { data } = await merchant.call(listPrivacyRequests, { query: {} })
    expect(data).toMatchObject([{ status: 'done' }])
  }, WAIT)
  // Segments follow a moment later.
  await vi.waitFor(async () => {
    const named = [...(await rowsOf(okaeri, merchant.id))].filter(([, rows]) =>
      new RegExp(`killed@example.jp|${customerId}`).test(rows.join()),
    )
    expect(named).toEqual([])
  }, WAIT)
})

test('a worker killed in the middle of erasing a store is followed by one that goes on', async () => {
  const merchant = await okaeri.merchant()
  const neighbour = await okaeri.merchant()
  await sentMail(okaeri, merchant, { address: 'killed@example.jp' })
  await sentMail(okaeri, neighbour, { address: 'killed@example.jp' })
  const theirs = await rowsOf(okaeri, neighbour.id)
  const held = await holdCustomers(merchant)
  await askedByStore(merchant.scope(), { kind: 'shop_redact', eventKey: 'once', asked: null })
  const first = await workers.start({ okaeri })
  await vi.waitFor(async () => expect(await countWaiting(okaeri)).toBeGreaterThan(0), WAIT)
  await kill(first)
  await held.release()
  const half = await rowsOf(okaeri, merchant.id)
  expect(half.get('members')).toEqual([])
  expect(half.get('privacy_requests')?.[0]).toContain('waiting')

  await workers.start({ okaeri })
  await vi.waitFor(async () => {
    const rows = await rowsOf(okaeri, merchant.id)
    expect([...rows].flatMap(([table, of]) => (of.length > 0 ? [table] : [])).sort()).toEqual([
      'merchants',
      'privacy_requests',
    ])
    expect(rows.get('privacy_requests')?.[0]).toContain('"status": "done"')
  }, WAIT)
  expect(await rowsOf(okaeri, neighbour.id)).toEqual(theirs)
})
