import type { ConsentState } from '@okaeri/contract/customers/customer'
import { newIds } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import {
  insertCopied,
  type KnownCopy,
  selectKnownCopies,
  selectStoreCustomerIds,
  strangersAreKnown,
} from './copying-queries.ts'
import { displayNameOf, oneLineAddress } from './naming.ts'
import { searchTextOf } from './search-text.ts'
import type { StoreCustomer } from './store-customers.ts'

/** A customer of an export, which names the permission too. */
export interface CopiedCustomer extends StoreCustomer {
  updatedAt: Date
  /** Null: no address, or nothing was ever said. */
  marketing: { state: ConsentState; changedAt: Date | null } | null
}

/** What we have of customers of the store, by its numbers. */
export const listKnownCopies = (
  scope: MerchantScope,
  storeCustomerIds: readonly number[],
): Promise<Map<number, KnownCopy>> => selectKnownCopies(scope, storeCustomerIds)

/** Whether the export is to be taken in: newer than what we have, or of the same moment and saying something else. */
export function isOutdated(known: KnownCopy, copied: CopiedCustomer): boolean {
  if (known.updatedAt && known.updatedAt > copied.updatedAt) return false
  // Webhooks do not tell the language: that is filled in, and not missed.
  const speaksOtherwise = copied.language !== null && known.language !== copied.language
  return !known.updatedAt || known.updatedAt < copied.updatedAt || speaksOtherwise || differs(known, copied)
}

/**
 * Whether the export says something else than what we have. The store's moment alone is no difference: what came by webhooks about tags and
 * permissions is here, but those do not tell the moment of the customer.
 */
export const differs = (known: KnownCopy, copied: CopiedCustomer): boolean =>
  known.email !== copied.email ||
  known.firstName !== copied.firstName ||
  known.lastName !== copied.lastName ||
  known.phone !== copied.phone ||
  known.provinceCode !== (copied.provinceCode ?? null) ||
  known.lastAddress !== oneLineAddress(copied.address) ||
  (copied.tags !== null && known.tags.toSorted().join('\n') !== copied.tags.toSorted().join('\n'))

/**
 * Puts in customers not known yet, thousands in one statement, their marketing permission with them: whoever calls records it in the
 * ledger of consent, in the same transaction. Answers our ids by the store's numbers; missing are those who came meanwhile, and those
 * who may be somebody added here, whom the usual way finds.
 */
export async function insertCopiedCustomers(
  scope: MerchantScope,
  copied: readonly CopiedCustomer[],
): Promise<Map<number, string>> {
  if (copied.length === 0) return new Map()
  const known = await strangersAreKnown(
    scope,
    copied.flatMap(({ email }) => email?.trim().toLowerCase() ?? []),
  )
  const fresh = copied.filter(({ email }) => !email || !known.has(email.trim().toLowerCase()))
  const ids = newIds(fresh.length)
  return insertCopied(
    scope,
    fresh.map((customer, index) => ({
      ...customer,
      id: ids[index] ?? '',
      displayName: displayNameOf(customer),
      searchText: searchTextOf({ ...customer, tags: customer.tags ?? [] }),
      lastAddress: oneLineAddress(customer.address),
    })),
  )
}

/** A page of the store's numbers of its customers we have, in their order. */
export const listStoreCustomerIds = (scope: MerchantScope, after: number, limit: number): Promise<number[]> =>
  selectStoreCustomerIds(scope, after, limit)
