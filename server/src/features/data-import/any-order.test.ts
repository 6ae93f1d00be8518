import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { TestMerchant } from '../../../test/harness.ts'
import { okaeri, withOkaeri } from '../../../test/with-okaeri.ts'
import { upsertStoreCustomers } from '../customers/index.ts'
import { runImport } from './import-run.ts'
import { thorough } from '../../../test/thorough.ts'
import { anImport } from '../../../test/builders/import.ts'

withOkaeri()

const HEADER = 'Customer ID,Email,First Name,Last Name,Tags,Birthday,Note,City,Accepts Email Marketing'
/** Rows that contradict each other, about a few people: two are the store's customers, the others unknown. */
const row = fc
  .tuple(
    fc.constantFrom('', '', '501', "'502", '999'),
    fc.constantFrom('a@example.jp', 'A@Example.jp', 'b@example.jp', 'store1@example.jp', 'bad', ''),
    fc.constantFrom('', '花子', '太郎', 'Hanako'),
    fc.constantFrom('', '山田', '山本'),
    fc.constantFrom('', 'VIP', 'vip', '"VIP,常連"'),
    fc.constantFrom('', '1990-04-01', '1991/1/1'),
    fc.constantFrom('', 'メモ', 'memo'),
    fc.constantFrom('', '渋谷区', '港区'),
    fc.constantFrom('', 'yes', 'no', '配信停止'),
  )
  .map((cells) => cells.join(','))

async function importFile(merchant: TestMerchant, rows: readonly string[]): Promise<void> {
  const scope = merchant.scope()
  const id = await anImport(scope, [HEADER, ...rows])
  const done = await runImport(scope, id, { sliceMs: 60_000 })
  if (done?.status !== 'done') throw new Error(`the import is ${done?.status}`)
}

async function imported(files: readonly (readonly string[])[]): Promise<unknown[]> {
  const merchant = await okaeri.merchant()
  await upsertStoreCustomers(
    merchant.scope(),
    [501, 502].map((storeCustomerId) => ({
      storeCustomerId,
      email: `store${storeCustomerId - 500}@example.jp`,
      firstName: '店',
      lastName: null,
      phone: null,
      language: null,
      address: null,
      tags: ['x'],
      createdAt: null,
      updatedAt: new Date('2026-01-01'),
    })),
  )
  for (const file of files) await importFile(merchant, file)
  const rows = await okaeri.query<{ one: unknown }>`
    select to_jsonb(c) - array['merchant_id', 'id', 'created_at', 'updated_at', 'marketing_changed_at'] as one
    from customers c where merchant_id = ${merchant.id} order by email_key`
  return rows.map(({ one }) => one)
}

test('the same rows give the same result in any order, in any number of files, and repeated', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1, maxLength: 12 }),
      fc.array(fc.nat(), { minLength: 12, maxLength: 12 }),
      fc.nat(11),
      async (rows, order, cut) => {
        const shuffled = rows
          .map((one, index) => ({ one, at: order[index] ?? 0 }))
          .toSorted((a, b) => a.at - b.at)
          .map(({ one }) => one)
        const atOnce = await imported([rows])
        expect(await imported([shuffled.slice(0, cut), shuffled.slice(cut), rows])).toEqual(atOnce)
      },
    ),
    { numRuns: thorough ? 15 : 6 },
  )
})
