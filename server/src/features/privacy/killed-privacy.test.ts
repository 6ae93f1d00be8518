import type { ChildProcess } from 'node:child_process'
import { eraseCustomer, listPrivacyRequests } from '@okaeri/contract/privacy/routes'
import { afterAll, expect, test } from 'vitest'
import { rowsOf } from '../../../test/every-endpoint.ts'
import { sentMail } from '../../../test/sent-mail.ts'
import type { TestMerchant } from '../../../test/harness.ts'
import { holdRows } from '../../../test/locks.ts'
import { otherWorkers } from '../../../test/other-worker.ts'
import { okaeri, withOkaeri } from '../../../test/with-okaeri.ts'
import { askedByStore } from './request.ts'

const workers = otherWorkers()
withOkaeri({ env: workers.env })
afterAll(() => workers.end())

async function kill(worker: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => worker.once('exit', resolve))
  worker.kill('SIGKILL')
  await gone
}

const holdCustomers = ({ id }: TestMerchant) =>
  holdRows(okaeri, 'select from customers where merchant_id = $1 for update', [id])

test('a worker killed while it erases a person changes nothing; the next one erases them', async () => {
  const merchant = await okaeri.merchant()
  const { customerId } = await sentMail(okaeri, merchant, { address: 'killed@example.jp' })
  const before = await rowsOf(okaeri, merchant.id)
  const held = await holdCustomers(merchant)
  await merchant.call(eraseCustomer, { params: { id: customerId }, body: { confirm: true } })
  const first = await workers.start({ okaeri })
  await held.wanted()
  await kill(first)
  await held.release()
  // After the statement of the dead worker, which still waits there.
  await (await holdCustomers(merchant)).release()
  for (const table of ['deliveries', 'customers', 'messages'])
    expect((await rowsOf(okaeri, merchant.id)).get(table)).toEqual(before.get(table))

  await okaeri.settle()
  const { data } = await merchant.call(listPrivacyRequests, { query: {} })
  expect(data).toMatchObject([{ status: 'done' }])
  const named = [...(await rowsOf(okaeri, merchant.id))].filter(([, rows]) =>
    new RegExp(`killed@example.jp|${customerId}`).test(rows.join()),
  )
  expect(named).toEqual([])
})

test('when a worker is killed while it erases a store, the next one continues', async () => {
  const merchant = await okaeri.merchant()
  const neighbour = await okaeri.merchant()
  await sentMail(okaeri, merchant, { address: 'killed@example.jp' })
  await sentMail(okaeri, neighbour, { address: 'killed@example.jp' })
  const theirs = await rowsOf(okaeri, neighbour.id)
  const held = await holdCustomers(merchant)
  await askedByStore(merchant.scope(), { kind: 'shop_redact', eventKey: 'once', asked: null })
  const first = await workers.start({ okaeri })
  await held.wanted()
  await kill(first)
  await held.release()
  const half = await rowsOf(okaeri, merchant.id)
  expect(half.get('members')).toEqual([])
  expect(half.get('privacy_requests')?.[0]).toContain('waiting')

  await okaeri.settle()
  const rows = await rowsOf(okaeri, merchant.id)
  expect([...rows].flatMap(([table, of]) => (of.length > 0 ? [table] : [])).sort()).toEqual([
    'merchants',
    'privacy_requests',
  ])
  expect(rows.get('privacy_requests')?.[0]).toContain('"status": "done"')
  expect(await rowsOf(okaeri, neighbour.id)).toEqual(theirs)
})
