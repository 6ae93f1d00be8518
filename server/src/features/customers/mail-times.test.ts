import { expect, test } from 'vitest'
import { merchant, okaeri, withOneMerchant } from '../../../test/with-okaeri.ts'
import { newId } from '../../kernel/ids.ts'
import { sumUpMails } from '../deliveries/index.ts'
import { mergeStoreCustomers, recountMails, removeStoreCustomer, upsertStoreCustomers } from './index.ts'

withOneMerchant()

let people = 0
async function person(): Promise<{ id: string; number: number }> {
  const number = ++people
  const ids = await upsertStoreCustomers(merchant.scope(), [
    {
      storeCustomerId: number,
      email: `p${number}@example.jp`,
      firstName: null,
      lastName: null,
      phone: null,
      language: null,
      address: null,
      tags: [],
      createdAt: new Date('2026-01-01'),
      updatedAt: new Date('2026-01-01'),
    },
  ])
  return { id: ids.get(number) ?? '', number }
}
const mail = (
  customerId: string,
  sentAt: string,
  { openedAt, test = false }: { openedAt?: string; test?: boolean } = {},
) =>
  okaeri.query`insert into deliveries (merchant_id, id, kind, customer_id, message_id, status, created_at, sent_at, opened_at)
    values (${merchant.id}, ${newId()}, ${test ? 'test' : 'campaign'}, ${customerId}, ${newId()}, 'sent', ${sentAt}, ${sentAt}, ${openedAt ?? null})
  `
const recount = (...ids: string[]) => recountMails(merchant.scope(), ids, sumUpMails)

async function timesOf(customerId: string) {
  const rows = await okaeri.query<{ sent: number[]; opened: number[]; clicked: number[] }>`
    select sent, opened, clicked from customer_mail_times where merchant_id = ${merchant.id} and customer_id = ${customerId}
  `
  return rows[0]
}
const minute = (at: string): number => Math.floor(Date.parse(at) / 60_000)

test('the times of mails sent and opened are stored by the minute, the oldest first, and changed customers are marked dirty', async () => {
  const { id } = await person()
  const other = await person()
  await mail(id, '2026-03-02T00:00:59.999Z', { openedAt: '2026-03-05T10:00:30Z' })
  await mail(id, '2026-03-01T23:59:59Z')
  await mail(id, '2026-03-01T00:00:00Z', { test: true })
  expect(await recount(id, other.id)).toEqual([id])
  expect(await timesOf(id)).toEqual({
    sent: [minute('2026-03-01T23:59Z'), minute('2026-03-02T00:00Z')],
    opened: [minute('2026-03-05T10:00Z')],
    clicked: [],
  })
  expect(await timesOf(other.id)).toBeUndefined()
  expect(await recount(id, other.id)).toEqual([])
  // Neither a count nor the newest time changes, only another time.
  await okaeri.query`update deliveries set sent_at = ${new Date('2026-02-28T12:00Z')}
    where merchant_id = ${merchant.id} and customer_id = ${id} and kind <> 'test' and opened_at is null`
  expect(await recount(id)).toEqual([id])
  await okaeri.query`update deliveries set status = 'failed' where merchant_id = ${merchant.id} and customer_id = ${id}`
  expect(await recount(id)).toEqual([id])
  expect(await timesOf(id)).toBeUndefined()
})

test('merged customers have the mails of both; a deleted customer leaves none', async () => {
  const [kept, joined] = [await person(), await person()]
  await mail(kept.id, '2026-03-02T00:00:00Z')
  await mail(joined.id, '2026-03-01T00:00:00Z')
  await mail(joined.id, '2026-03-03T00:00:00Z', { openedAt: '2026-03-04T00:00:00Z' })
  await recount(kept.id, joined.id)
  await mergeStoreCustomers(merchant.scope(), { joined: joined.number, intoId: kept.id })
  const times = {
    sent: ['2026-03-01T00:00Z', '2026-03-02T00:00Z', '2026-03-03T00:00Z'].map(minute),
    opened: [minute('2026-03-04T00:00Z')],
    clicked: [],
  }
  expect(await timesOf(kept.id)).toEqual(times)
  expect(await timesOf(joined.id)).toBeUndefined()
  await recount(kept.id)
  expect(await timesOf(kept.id)).toEqual(times)
  await removeStoreCustomer(merchant.scope(), kept.number)
  expect(await timesOf(kept.id)).toBeUndefined()
})
