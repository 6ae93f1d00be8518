import type { ConsentState } from '@okaeri/contract/customers/customer'
import { idsOneByOne } from '../../../kernel/ids.ts'
import type { MerchantScope } from '../../../kernel/merchant-scope.ts'
import { type NewCustomerRows, newCustomerRows } from '../bulk-queries.ts'
import { type KnownCopy, strangersAreKnown } from './store-copy-queries.ts'
import { displayNameOf, emailKeyOf, oneLineAddress } from '../derived-fields.ts'
import { searchTextOf } from '../list/search-text.ts'
import type { StoreCustomer } from '../queries.ts'

/** A customer of an export, which includes consent. */
export interface CopiedCustomer extends StoreCustomer {
  updatedAt: Date
  /** Null: no address, or consent was never given or withdrawn. */
  marketing: { state: ConsentState; changedAt: Date | null } | null
}

/** Whether to store the exported customer: newer than ours, or of the same time and different. */
export function isOutdated(known: KnownCopy, copied: CopiedCustomer): boolean {
  if (known.updatedAt && known.updatedAt > copied.updatedAt) return false
  // Webhooks do not have the language, so filling it in counts as no difference.
  const speaksOtherwise = copied.language !== null && !known.languageUnsent && known.language !== copied.language
  return !known.updatedAt || known.updatedAt < copied.updatedAt || speaksOtherwise || differs(known, copied)
}

/**
 * Whether the export differs from our copy. The store's `updated_at` alone is no difference: tags and consent came by webhooks that do not have
 * it.
 */
export const differs = (known: KnownCopy, copied: CopiedCustomer): boolean =>
  known.email !== copied.email ||
  known.firstName !== copied.firstName ||
  known.lastName !== copied.lastName ||
  known.phone !== copied.phone ||
  known.provinceCode !== (copied.provinceCode ?? null) ||
  known.lastAddress !== oneLineAddress(copied.address) ||
  (copied.tags !== null && known.tags.toSorted().join('\n') !== copied.tags.toSorted().join('\n'))

/** The new ones, without those who may have been added here: the usual path finds those. */
export async function withoutAddedHere(
  scope: MerchantScope,
  strangers: readonly CopiedCustomer[],
): Promise<CopiedCustomer[]> {
  if (strangers.length === 0) return []
  const known = await strangersAreKnown(scope, () => strangers.flatMap(({ email }) => emailKeyOf(email) ?? []))
  if (known.size === 0) return [...strangers]
  return strangers.filter(({ email }) => !known.has(emailKeyOf(email) ?? ''))
}

/** New customers of an export to be written. */
export interface CopiedRows extends Pick<NewCustomerRows, 'copies' | 'release'> {
  /** Returns our id, and the row's number. */
  add(customer: CopiedCustomer): { id: string; row: number }
}

const IDS_AT_ONCE = 500

/**
 * Encodes new customers with their marketing consent. The caller that writes the rows records the consent too, in the same transaction.
 */
export function copiedRows(scope: MerchantScope): CopiedRows {
  const rows = newCustomerRows(scope)
  const nextId = idsOneByOne(IDS_AT_ONCE)
  return {
    copies: rows.copies,
    release: rows.release,
    add(customer) {
      const id = nextId()
      const { marketing, updatedAt } = customer
      const row = rows.add({
        id,
        storeCustomerId: customer.storeCustomerId,
        email: customer.email,
        emailKey: emailKeyOf(customer.email),
        firstName: customer.firstName,
        lastName: customer.lastName,
        displayName: displayNameOf(customer),
        phone: customer.phone,
        language: customer.language,
        birthday: null,
        address: customer.address,
        lastAddress: oneLineAddress(customer.address),
        provinceCode: customer.provinceCode ?? null,
        tags: customer.tags ?? [],
        tagsKnownAt: updatedAt,
        note: null,
        searchText: searchTextOf(customer),
        imported: null,
        storeUpdatedAt: updatedAt,
        createdAt: customer.createdAt ?? scope.now,
        marketing: marketing?.state ?? 'unknown',
        marketingChangedAt: marketing && marketing.state !== 'unknown' ? (marketing.changedAt ?? scope.now) : null,
        notification: 'unknown',
        notificationChangedAt: null,
      })
      return { id, row }
    },
  }
}
