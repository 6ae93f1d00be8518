import { type Address } from '@okaeri/contract/customers/customer'
import type { AddressFields } from '@okaeri/contract/customers/routes'
import type { Locale } from '@okaeri/contract/locale'
import { displayNameOf, oneLineAddress } from './derived-fields.ts'
import { type CustomerRow } from './queries.ts'
import { searchTextOf } from './list/search-text.ts'
import { presentAddress } from './customer-view.ts'

export interface CustomerFields {
  first_name?: string | undefined
  last_name?: string | undefined
  email?: string | null | undefined
  phone?: string | null | undefined
  language?: Locale | undefined
  tags?: string[] | undefined
  /** `YYYY-MM-DD`; year 1004 if only month and day are known. */
  birthday?: string | null | undefined
  /** Parts that are not given stay unchanged. */
  address?: AddressFields | undefined
}

/** Fields the caller did not give stay as in `row`. */
export function localFields(fields: CustomerFields, row: CustomerRow | null) {
  const person = {
    email: fields.email === undefined ? (row?.email ?? null) : fields.email,
    firstName: fields.first_name === undefined ? (row?.first_name ?? null) : fields.first_name || null,
    lastName: fields.last_name === undefined ? (row?.last_name ?? null) : fields.last_name || null,
    phone: fields.phone === undefined ? (row?.phone ?? null) : fields.phone,
    language: fields.language ?? row?.language ?? null,
    tags: fields.tags ?? row?.tags ?? [],
  }
  const address = fields.address
    ? addressAfter(presentAddress(row?.address ?? null), fields.address)
    : (row?.address ?? null)
  return {
    ...person,
    address,
    lastAddress: oneLineAddress(address),
    provinceCode: fields.address?.province === undefined ? (row?.province_code ?? null) : fields.address.province,
    displayName: displayNameOf(person),
    searchText: searchTextOf(person),
  }
}

export function addressAfter(now: Address | null, change: AddressFields): Address {
  const given = Object.entries(change).filter(([, value]) => value !== undefined)
  return { ...presentAddress(now ?? {}), ...Object.fromEntries(given.map(([part, value]) => [part, value || null])) }
}
