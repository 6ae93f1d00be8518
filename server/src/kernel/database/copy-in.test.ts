import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { merchant, okaeri, withOneMerchant } from '../../../test/with-okaeri.ts'
import { copyIn, copyRows } from './copy-in.ts'
import type { CopyRows } from './copying-client.ts'
import { retriedTransaction } from './deadlocks.ts'
import { newId } from '../ids.ts'

withOneMerchant()
beforeAll(async () => {
  for (const table of ['copied_one', 'copied_other'])
    await okaeri.query`create table ${sql.table(table)} (merchant_id uuid not null, id uuid not null, number bigint unique, word text, born date,
      at timestamptz, data jsonb, tags text[], words tsvector)`
})

interface Row {
  id: string
  number: number | null
  word: string | null
  born: string | null
  at: Date | null
  data: Record<string, string | null> | null
  tags: string[]
  words: string[]
}
const rowsFor = (table: string): CopyRows =>
  copyRows(
    merchant.scope(),
    `copy ${table} (merchant_id, id, number, word, born, at, data, tags, words) from stdin (format binary)`,
  )
function add(rows: CopyRows, row: Row): number {
  const number = rows.row()
  rows.uuid(row.id)
  rows.int8(row.number)
  rows.text(row.word)
  rows.date(row.born)
  rows.timestamptz(row.at)
  rows.jsonb(row.data)
  rows.textArray(row.tags)
  rows.tsvector('m', row.words)
  return number
}
const read = async (table: string): Promise<Row[]> =>
  await okaeri.query<Row>`select id, number, word, born, at, data, tags,
      array(select substr(word, 2) from unnest(tsvector_to_array(words)) word order by 1) as words
    from ${sql.table(table)} where merchant_id = ${merchant.id} order by id`

const empty = () => okaeri.query`truncate copied_one, copied_other`
const emptyRow: Row = { id: '', number: null, word: null, born: null, at: null, data: null, tags: [], words: [] }
const byId = (rows: readonly Row[]): Row[] => rows.toSorted((one, other) => (one.id < other.id ? -1 : 1))

const text = fc.string({ unit: 'grapheme', maxLength: 60 }).map((word) => word.replaceAll('\0', '').toWellFormed())
const rowArb: fc.Arbitrary<Omit<Row, 'id' | 'number'>> = fc.record({
  word: fc.option(fc.oneof(text, fc.constant('長い'.repeat(30_000)))),
  born: fc.option(
    fc
      .date({ min: new Date('1900-01-01'), max: new Date('2199-12-31'), noInvalidDate: true })
      .map((day) => day.toISOString().slice(0, 10)),
  ),
  at: fc.option(fc.date({ min: new Date('1900-01-01'), max: new Date('2199-12-31'), noInvalidDate: true })),
  data: fc.option(fc.dictionary(text, fc.option(text), { maxKeys: 4, noNullPrototype: true })),
  tags: fc.array(text, { maxLength: 4 }),
  words: fc
    .uniqueArray(text, { maxLength: 6 })
    .map((words) => words.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))),
})
const numberArb = fc.option(fc.integer({ min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }))

test('rows of any content are written unchanged, and only the chosen ones', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(rowArb, numberArb, fc.boolean()), { maxLength: 12 }), async (given) => {
      await empty()
      const [one, other] = [rowsFor('copied_one'), rowsFor('copied_other')]
      const seen = new Set<number>()
      const rows = given.map(([row, number, isChosen]) => {
        const free = number === null || seen.has(number) ? null : number
        if (free !== null) seen.add(free)
        const full: Row = { ...row, id: newId(), number: free }
        add(other, full)
        return { full, number: add(one, full), isChosen }
      })
      const chosen = rows.filter(({ isChosen }) => isChosen)
      await merchant
        .scope()
        .transaction((scope) =>
          copyIn(scope, [{ rows: one, chosen: chosen.map(({ number }) => number) }, { rows: other }]),
        )
      expect(await read('copied_one')).toEqual(byId(chosen.map(({ full }) => full)))
      expect(await read('copied_other')).toEqual(byId(rows.map(({ full }) => full)))
      one.release()
      other.release()
    }),
    { numRuns: 60 },
  )
})

test('an existing key fails, nothing is written, and the connection stays usable', async () => {
  await empty()
  const rows = rowsFor('copied_one')
  const others = rowsFor('copied_other')
  // More than the connection takes at once: the rest after the error is skipped.
  for (let index = 0; index < 5000; index += 1) {
    const row = { ...emptyRow, id: newId(), word: 'x'.repeat(500) }
    add(rows, { ...row, number: index === 10 ? 9 : index })
    add(others, row)
  }
  const failed = merchant.scope().transaction((scope) => copyIn(scope, [{ rows }, { rows: others }]))
  await expect(failed).rejects.toMatchObject({ code: '23505' })
  expect([...(await read('copied_one')), ...(await read('copied_other'))]).toEqual([])
  await Promise.all(
    Array.from({ length: 12 }, async () => expect(await okaeri.query`select 1 as one`).toEqual([{ one: 1 }])),
  )
})

test('a row with the same number inserted meanwhile is found at the next try', async () => {
  await empty()
  let tries = 0
  let looks = 0
  const bothLooked = Promise.withResolvers<void>()
  const insert = () =>
    retriedTransaction(merchant.scope(), async (scope) => {
      tries += 1
      const { rows: known } = await sql`select from copied_one where number = 7`.execute(scope.db)
      looks += 1
      if (looks === 2) bothLooked.resolve()
      await bothLooked.promise
      if (known.length > 0) return 'known'
      const rows = rowsFor('copied_one')
      add(rows, { ...emptyRow, id: newId(), number: 7 })
      await copyIn(scope, [{ rows }])
      return 'new'
    })
  expect((await Promise.all([insert(), insert()])).toSorted()).toEqual(['known', 'new'])
  expect(tries).toBe(3)
  expect(await read('copied_one')).toHaveLength(1)
})
