import { stringify } from 'csv-stringify/sync'
import { IANAZone } from 'luxon'

export type CsvCell = string | number | boolean | null

/** The first character of a file: without it Excel reads Japanese in the wrong encoding. */
export const BYTE_ORDER_MARK = '\uFEFF'

/** Lines of a CSV file for spreadsheets. */
export const csvLines = (rows: readonly (readonly CsvCell[])[]): string =>
  stringify(rows as CsvCell[][], {
    record_delimiter: 'windows',
    cast: { boolean: (value) => (value ? 'true' : 'false') },
    // Spreadsheets run a cell that begins like a formula, and a name must not run on the merchant's machine.
    escape_formulas: true,
  })

/** The media type of every CSV file. */
export const CSV_TYPE = 'text/csv; charset=utf-8'

const QUARTER_MS = 15 * 60_000

/** Formats instants for spreadsheets, in a zone. The zone's offset is calculated once per quarter of an hour. */
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
