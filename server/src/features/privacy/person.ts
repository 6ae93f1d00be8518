import { newId } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import type { Person } from '../../kernel/personal-data.ts'
import { emailKeyOf, findCustomersOfPerson } from '../customers/index.ts'
import { findGuestIds } from './queries.ts'
import type { RequestedPerson } from './request.ts'

const unique = <T>(values: readonly (T | null | undefined)[]): T[] => [
  ...new Set(values.filter((value): value is T => value !== null && value !== undefined && value !== '')),
]

/** The international form the platform uses, and the Japanese domestic form. */
const phoneForms = (phone: string | null): string[] =>
  phone === null ? [] : phone.startsWith('+81') ? [phone, `0${phone.slice(3)}`] : [phone]

/** All identifiers we have of the person. An unknown person has only those in the request. */
export async function findPerson(scope: MerchantScope, asked: RequestedPerson): Promise<Person> {
  const address = emailKeyOf(asked.email)
  const rows = await findCustomersOfPerson(scope, {
    ids: unique([asked.customerId]),
    storeIds: unique([asked.storeCustomerId]),
    addresses: unique([address]),
  })
  const customerIds = unique([asked.customerId, ...rows.map(({ id }) => id)])
  return {
    customerIds,
    storeCustomerIds: unique([asked.storeCustomerId, ...rows.map(({ storeCustomerId }) => storeCustomerId)]),
    addresses: unique([address, ...rows.map(({ emailKey }) => emailKey)]),
    phones: unique([asked.phone, ...rows.map(({ phone }) => phone)].flatMap((phone) => phoneForms(phone))),
    names: unique(rows.flatMap(({ names }) => names)),
    guestIds: await findGuestIds(scope, customerIds),
    storeOrderIds: asked.storeOrderIds,
    anonymousId: newId(),
  }
}
