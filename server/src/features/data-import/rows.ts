import type { ImportApp, ImportColumn, RowReason } from '@okaeri/contract/imports/import'
import { type Country, readCountry, readProvinceCode } from './countries.ts'
import { MAX_METAFIELD_VALUE_LENGTH } from '@okaeri/contract/metafields/metafield'
import { readBirthday } from '@okaeri/contract/metafields/birthday'
import type { ImportedPerson } from '../customers/index.ts'
import {
  type Read,
  readChannel,
  readConsent,
  readDay,
  readEmail,
  readId,
  readInstant,
  readLanguage,
  readLine,
  readPhone,
  readPoints,
  readRequestStatus,
  readTags,
  readText,
  tidyCell,
} from './cells.ts'

/** The values of one good row. */
export interface ImportedRow {
  person: ImportedPerson
  marketing: 'granted' | 'withdrawn' | null
  notification: 'granted' | 'withdrawn' | null
  /** By position of the column. */
  metafields: [column: number, value: string][]
  points: number
  pointsExpireOn: string | null
  productId: number
  variantId: number
  status: 'active' | 'sent' | 'deleted' | null
  requestedAt: Date | null
  notifiedAt: Date | null
}
export type RowResult = { row: ImportedRow } | { reason: RowReason; header: string | null; row: ImportedRow }

export interface RowRules {
  app: ImportApp
  columns: readonly ImportColumn[]
  timezone: string
  /** `YYYY-MM-DD`, in the merchant's zone. */
  today: string
}

const NAME_LENGTH = 100
const TEXT_LENGTH = 255
const NOTE_LENGTH = 5000

const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
/** 山田 花子 is family name first; Hanako Yamada is not. */
function splitName(name: string): { first: string | null; last: string | null } {
  const [one = '', ...rest] = name.split(/\s+/)
  const two = rest.join(' ') || null
  return EAST_ASIAN.test(name) ? { last: one, first: two } : { first: one, last: two }
}

const emptyRow = (): ImportedRow => ({
  person: {
    storeId: null,
    email: null,
    emailKey: null,
    firstName: null,
    lastName: null,
    phone: null,
    language: null,
    birthday: null,
    tags: [],
    address: null,
    provinceCode: null,
    note: null,
  },
  marketing: null,
  notification: null,
  metafields: [],
  points: 0,
  pointsExpireOn: null,
  productId: 0,
  variantId: 0,
  status: null,
  requestedAt: null,
  notifiedAt: null,
})

const addressFields = {
  company: 'company',
  zip: 'zip',
  province: 'province',
  city: 'city',
  address1: 'address1',
  address2: 'address2',
} as const

/**
 * Reads a row's cells by their columns. The first mistake refuses the whole row, because half a row could be wrong. Identifiers are read
 * first, so that a refused row can still show its customer.
 */
export function readRow(cells: readonly string[], rules: RowRules): RowResult {
  const { app, columns, timezone, today } = rules
  const row = emptyRow()
  const { person } = row
  if (cells.length !== columns.length) return { reason: 'column_count', header: null, row }
  let refused: { reason: RowReason; header: string | null } | null = null
  let fullName: string | null = null
  let hasPoints = false
  let country: Country | null = null
  let province: { cell: string; header: string } | null = null
  const take = <T>(read: Read<T>, header: string, set: (value: T) => void): void => {
    if ('value' in read) set(read.value)
    else refused ??= { reason: read.wrong, header }
  }
  const fill = (position: number, { field, header }: ImportColumn): void => {
    const cell = cells[position] ?? ''
    if (field === null || tidyCell(cell) === '') return
    switch (field) {
      case 'store_id':
        return take(readId(cell), header, (id) => (person.storeId = id))
      case 'email':
        return take(readEmail(cell), header, ({ email, key }) => {
          person.email = email
          person.emailKey = key
        })
      case 'first_name':
        return take(readLine(cell, NAME_LENGTH), header, (text) => (person.firstName = text))
      case 'last_name':
        return take(readLine(cell, NAME_LENGTH), header, (text) => (person.lastName = text))
      case 'full_name':
        return take(readLine(cell, NAME_LENGTH), header, (text) => (fullName = text))
      case 'phone':
        return take(readPhone(cell), header, (phone) => (person.phone = phone))
      case 'language':
        return take(readLanguage(cell), header, (language) => (person.language = language))
      case 'birthday': {
        const birthday = readBirthday(tidyCell(cell), today)
        return take(
          birthday === null ? { wrong: 'not_a_date' } : { value: birthday },
          header,
          (day) => (person.birthday = day),
        )
      }
      case 'tags':
        return take(readTags(cell), header, (tags) => (person.tags = tags))
      case 'province_code':
        province = { cell, header }
        return
      case 'country':
        return take(readCountry(cell), header, (read) => {
          country = read
          person.address = { ...person.address, country: read.name }
        })
      case 'marketing_consent':
        return take(readConsent(cell), header, (consent) => (row.marketing = consent))
      case 'notification_consent':
        return take(readConsent(cell), header, (consent) => (row.notification = consent))
      case 'note':
        return take(readText(cell, NOTE_LENGTH), header, (note) => (person.note = note))
      case 'metafield':
        return take(readText(cell, MAX_METAFIELD_VALUE_LENGTH), header, (value) =>
          row.metafields.push([position, value]),
        )
      case 'points':
        hasPoints = true
        return take(readPoints(cell), header, (points) => (row.points = points))
      case 'points_expire_on':
        return take(readDay(cell, timezone), header, (day) => {
          row.pointsExpireOn = day
          if (day < today) refused ??= { reason: 'points_expired', header }
        })
      case 'product_id':
        return take(readId(cell), header, (id) => (row.productId = id))
      case 'variant_id':
        return take(readId(cell), header, (id) => (row.variantId = id))
      case 'channel':
        return take(readChannel(cell), header, () => {})
      case 'requested_at':
        return take(readInstant(cell, timezone), header, (at) => (row.requestedAt = at))
      case 'request_status':
        return take(readRequestStatus(cell), header, (status) => (row.status = status))
      case 'notified_at':
        return take(readInstant(cell, timezone), header, (at) => (row.notifiedAt = at))
      default:
        return take(readLine(cell, TEXT_LENGTH), header, (text) => {
          person.address = { ...person.address, [addressFields[field]]: text }
        })
    }
  }
  const isIdentifier = ({ field }: ImportColumn): boolean => field === 'store_id' || field === 'email'
  columns.forEach((column, position) => isIdentifier(column) && fill(position, column))
  columns.forEach((column, position) => !isIdentifier(column) && fill(position, column))
  // Its country may be in a later column.
  const { cell = '', header = '' } = (province as { cell: string; header: string } | null) ?? {}
  if (cell !== '') take(readProvinceCode(cell, country), header, (code) => (person.provinceCode = code))
  if (fullName !== null && person.firstName === null && person.lastName === null) {
    const { first, last } = splitName(fullName)
    person.firstName = first
    person.lastName = last
  }
  const missing = missingOf(app, row, hasPoints)
  if (refused === null && missing !== null) refused = { reason: missing, header: null }
  return refused === null ? { row } : { ...(refused as { reason: RowReason; header: string | null }), row }
}

function missingOf(app: ImportApp, row: ImportedRow, hasPoints: boolean): RowReason | null {
  const { person } = row
  if (person.emailKey === null && (person.storeId === null || app === 'restock')) return 'no_identifier'
  if (app === 'points' && !hasPoints) return 'points_missing'
  if (app === 'restock' && row.productId === 0) return 'product_missing'
  return null
}
