import { fieldsOfApp, type ImportApp, type ImportColumn, type ImportField } from '@okaeri/contract/imports/import'
import { splitMetafieldKey } from '@okaeri/contract/metafields/metafield'
import {
  plain,
  readChannel,
  readConsent,
  readEmail,
  readId,
  readInstant,
  readLanguage,
  readPhone,
  readPoints,
  readRequestStatus,
} from './cells.ts'
import { fieldsCalled, fieldsMeant } from './headings.ts'

/** The platform's export writes metafields as "誕生日 (customer.metafields.facts.birth_date)". */
const METAFIELD_HEADER = /\(?customer\.metafields?\.([A-Za-z0-9_-]+\.[A-Za-z0-9_-]+)\)?\s*$/i

/** Whether a value fits a field, for fields with a known format. */
const fits: Partial<Record<ImportField, (cell: string) => boolean>> = {
  store_id: (cell) => 'value' in readId(cell),
  email: (cell) => 'value' in readEmail(cell),
  first_name: isNoAddress,
  last_name: isNoAddress,
  full_name: isNoAddress,
  phone: (cell) => 'value' in readPhone(cell),
  birthday: isDate,
  zip: (cell) => /^'?〒?\s*[A-Z0-9][A-Z0-9 -]{2,9}$/i.test(plain(cell)),
  language: (cell) => 'value' in readLanguage(cell),
  marketing_consent: (cell) => 'value' in readConsent(cell),
  notification_consent: (cell) => 'value' in readConsent(cell),
  points: (cell) => 'value' in readPoints(cell),
  points_expire_on: isDate,
  product_id: (cell) => 'value' in readId(cell),
  variant_id: (cell) => 'value' in readId(cell),
  channel: (cell) => 'value' in readChannel(cell),
  requested_at: isDate,
  request_status: (cell) => 'value' in readRequestStatus(cell),
  notified_at: isDate,
}
function isNoAddress(cell: string): boolean {
  return !('value' in readEmail(cell)) && !/^[\d\s-]+$/.test(cell)
}
function isDate(cell: string): boolean {
  return 'value' in readInstant(cell, 'utc')
}

/** A possible meaning of a column: how certain it is, and how much of the heading it explains. */
interface Candidate {
  index: number
  field: ImportField
  sureness: number
  explained: number
}

/**
 * The meaning of each column: by a known name, else by the words of its heading if the values below fit. A column of mail addresses is the
 * address if no other column is. A name that the values contradict counts least. If two columns have the same meaning, the more certain one
 * wins, else the first.
 */
export function guessColumns(
  app: ImportApp,
  headers: readonly string[],
  rows: readonly (readonly string[])[],
): ImportColumn[] {
  const offered = fieldsOfApp[app]
  const columns: ImportColumn[] = headers.map((header) => ({ header, field: null, metafield: null }))
  const taken = new Set<string>()
  const candidates: Candidate[] = []
  columns.forEach((column, index) => {
    const metafield = METAFIELD_HEADER.exec(column.header)?.[1] ?? null
    if (metafield === null) {
      candidates.push(...candidatesOf(index, column.header, cellsBelow(rows, index)))
      return
    }
    if (!offered.includes('metafield') || !splitMetafieldKey(metafield) || taken.has(metafield)) return
    taken.add(metafield)
    columns[index] = { header: column.header, field: 'metafield', metafield }
  })
  candidates.sort((a, b) => b.sureness - a.sureness || b.explained - a.explained || a.index - b.index)
  for (const { index, field } of candidates) {
    const column = columns[index]
    if (!column || column.field !== null || taken.has(field) || !offered.includes(field)) continue
    taken.add(field)
    column.field = field
  }
  return columns
}

const cellsBelow = (rows: readonly (readonly string[])[], index: number): string[] =>
  rows.map((row) => row[index]?.trim() ?? '').filter((cell) => cell !== '')

function candidatesOf(index: number, header: string, cells: readonly string[]): Candidate[] {
  const isContradicted = (field: ImportField): boolean => cells.length > 0 && !cells.some(fits[field] ?? (() => true))
  const known = fieldsCalled(header).map((field) => ({
    index,
    field,
    sureness: isContradicted(field) ? -1 : 3,
    explained: header.length,
  }))
  const meant = [...fieldsMeant(header)].flatMap(([field, explained]) => {
    const fitting = fits[field]
    if (!fitting || cells.length === 0) return [{ index, field, sureness: 1, explained }]
    return cells.filter(fitting).length * 2 >= cells.length ? [{ index, field, sureness: 2, explained }] : []
  })
  const isEmail = cells.length > 0 && cells.every((cell) => 'value' in readEmail(cell))
  const byContent = isEmail ? [{ index, field: 'email' as const, sureness: 0, explained: 0 }] : []
  return [...known, ...meant, ...byContent]
}

/** Whether the first row names columns: none of its cells is a mail address or a long number, and at least one is a name we know or a word. */
export function looksLikeHeader(app: ImportApp, row: readonly string[]): boolean {
  if (row.some((cell) => fieldsCalled(cell).some((field) => fieldsOfApp[app].includes(field)))) return true
  if (row.some((cell) => METAFIELD_HEADER.test(cell))) return true
  return (
    !row.some((cell) => 'value' in readEmail(cell) || 'value' in readId(cell)) && row.some((cell) => cell.trim() !== '')
  )
}

/** Without a header, guesses from the values. */
export function guessFromCells(app: ImportApp, rows: readonly (readonly string[])[]): ImportColumn[] {
  const width = Math.max(0, ...rows.map((row) => row.length))
  const taken = new Set<ImportField>()
  const all = (index: number, test: (cell: string) => boolean): boolean => {
    const cells = rows.map((row) => row[index]?.trim() ?? '').filter((cell) => cell !== '')
    return cells.length > 0 && cells.every(test)
  }
  return Array.from({ length: width }, (_, index) => {
    const candidates: [ImportField, (cell: string) => boolean][] = [
      ['email', (cell) => 'value' in readEmail(cell)],
      [app === 'restock' ? 'product_id' : 'store_id', (cell) => /^'?\d{9,}$/.test(cell)],
      ...(app === 'restock'
        ? [['variant_id', (cell) => /^'?\d{9,}$/.test(cell)] as [ImportField, (cell: string) => boolean]]
        : []),
      ...(app === 'points'
        ? [['points', (cell) => /^-?[\d,]+$/.test(cell)] as [ImportField, (cell: string) => boolean]]
        : []),
    ]
    const field = candidates.find(([field, test]) => !taken.has(field) && all(index, test))?.[0] ?? null
    if (field) taken.add(field)
    return { header: '', field, metafield: null }
  })
}
