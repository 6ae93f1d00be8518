import { type RawBuilder, sql } from 'kysely'

/**
 * Values that many rows share go to the database once: `distinct` is a recordset of the distinct rows, each with its `number`, and `numbers`
 * has the number of each row's equal.
 */
export function distinctRows(rows: readonly object[]): { distinct: RawBuilder<unknown>; numbers: number[] } {
  const known = new Map<string, number>()
  const distinct: object[] = []
  const numbers = rows.map((row) => {
    const key = JSON.stringify(row)
    const number = known.get(key) ?? distinct.push({ number: distinct.length, ...row }) - 1
    known.set(key, number)
    return number
  })
  return { distinct: sql`jsonb_to_recordset(${JSON.stringify(distinct)}::jsonb)`, numbers }
}
