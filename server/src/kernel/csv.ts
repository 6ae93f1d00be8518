import { stringify } from 'csv-stringify/sync'
import { IANAZone } from 'luxon'

export type CsvCell = string | number | boolean | null

/** Stands at the beginning of a file: without it Excel reads Japanese as something else. */
export const BYTE_ORDER_MARK = '\uFEFF'

/** Lines of a CSV file as spreadsheets read them. */
export const csvLines = (rows: readonly (readonly CsvCell[])[]): string =>
  stringify(rows as CsvCell[][], {
    record_delimiter: 'windows',
    cast: { boolean: (value) => (value ? 'true' : 'false') },
    // A cell that begins like a formula is one to a spreadsheet: a name must not run on the merchant's machine.
    escape_formulas: true,
  })

/** As every CSV file is sent. */
export const CSV_TYPE = 'text/csv; charset=utf-8'

const QUARTER_MS = 15 * 60_000

/** Instants as spreadsheets read them, in a zone. A zone's offset is asked once for each quarter of an hour. */
export function localTimes(timezone: string): (at: Date | null) => string | null {
  const zone = IANAZone.create(timezone)
  const offsets = new Map<number, number>()
  return (at) => {
    if (!at) return null
    const quarter = Math.floor(at.getTime() / QUARTER_MS)
    let offsetMs = offsets.get(quarter)
    if (offsetMs === undefined) offsets.set(quarter, (offsetMs = zone.offset(at.getTime()) * 60_000))
    return new Date(at.getTime() + offsetMs).toISOString().slice(0, 19).replace('T', ' ')
  }
}
