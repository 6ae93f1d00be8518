import { normalizeEmail } from '@okaeri/contract/fields'
import { type SyncCustomer, numberIn } from '../../../integrations/shopify/sync-operations.ts'
import { retriedTransaction } from '../../../kernel/database/deadlocks.ts'
import { newId } from '../../../kernel/ids.ts'
import type { MerchantScope } from '../../../kernel/merchant-scope.ts'
import { findForgotten } from '../erasure-marks.ts'
import { searchTextOf } from '../list/search-text.ts'
import { displayNameOf, oneLineAddress, provinceCodeOf } from '../derived-fields.ts'
import { updateSearchIndex } from '../list/search-index.ts'
import { indexTexts } from '../list/search-queries.ts'
import { adoptLocal, mergeTags, selectKnown, upsertFromStore, type StoreCustomer } from '../queries.ts'

/**
 * Stores customers of the store, hundreds in three statements; data older than ours changes nothing. Returns our ids by the store's.
 */
export function upsertStoreCustomers(
  scope: MerchantScope,
  given: readonly StoreCustomer[],
): Promise<Map<number, string>> {
  // One statement cannot write a row twice; the last one reported is the newest.
  const latest = [...new Map(given.map((customer) => [customer.storeCustomerId, customer])).values()]
  if (latest.length === 0) return Promise.resolve(new Map())
  // Pages, webhooks and exports write the same customers meanwhile.
  return retriedTransaction(scope, async (scope) => {
    // Data from before an erasure.
    const forgotten = await findForgotten(scope, latest, ({ updatedAt }) => updatedAt)
    const customers = latest.filter((customer) => !forgotten.has(customer))
    if (customers.length === 0) return new Map()
    const numbers = customers.map(({ storeCustomerId }) => storeCustomerId)
    // What this source does not have is written back as it was read: nothing may change it in between.
    const locked = customers.some(({ language, tags }) => language === null || tags === null)
    let known = new Map((await selectKnown(scope, numbers, { locked })).map((row) => [row.storeCustomerId, row]))
    const strangers = customers.filter(({ storeCustomerId, email }) => email && !known.has(storeCustomerId))
    if (strangers.length > 0) {
      await adoptLocal(
        scope,
        strangers.map(({ storeCustomerId, email }) => ({ storeCustomerId, emailKey: normalizeEmail(email ?? '') })),
      )
    }
    await upsertFromStore(
      scope,
      customers.map((customer) => {
        const row = known.get(customer.storeCustomerId)
        const language = row?.languageUnsent ? row.language : (customer.language ?? row?.language ?? null)
        const person = { ...customer, language }
        return {
          ...person,
          id: row?.id ?? newId(),
          displayName: displayNameOf(person),
          searchText: searchTextOf({ ...person, tags: customer.tags ?? row?.tags ?? [] }),
          lastAddress: oneLineAddress(customer.address),
        }
      }),
    )
    known = new Map((await selectKnown(scope, numbers)).map((row) => [row.storeCustomerId, row]))
    const customerIds = [...known.values()].map(({ id }) => id)
    await indexTexts(scope, customerIds)
    await scope.context.publish(scope, 'customers.changed', { customerIds })
    return new Map([...known].map(([number, { id }]) => [number, id]))
  })
}

/** Our ids by the store's numbers; unknown customers are missing. */
export async function findStoreCustomers(
  scope: MerchantScope,
  storeCustomerIds: readonly number[],
): Promise<Map<number, string>> {
  const rows = await selectKnown(scope, storeCustomerIds)
  return new Map(rows.map(({ storeCustomerId, id }) => [storeCustomerId, id]))
}

/** Tags that were added or removed in the store at that time. */
export async function changeStoreTags(
  scope: MerchantScope,
  change: { id: string; added: readonly string[]; removed: readonly string[]; occurredAt: Date },
): Promise<void> {
  const row = await mergeTags(scope, change)
  if (!row) return
  await updateSearchIndex(scope, [row])
  await scope.context.publish(scope, 'customers.changed', { customerIds: [row.id] })
}

/** A customer of the Admin API as a {@link StoreCustomer}. */
export function readSyncCustomer(node: SyncCustomer): StoreCustomer {
  const at = node.defaultAddress
  return {
    storeCustomerId: numberIn(node.id),
    email: node.defaultEmailAddress?.emailAddress ?? null,
    firstName: node.firstName,
    lastName: node.lastName,
    phone: node.defaultPhoneNumber?.phoneNumber ?? null,
    language: node.locale,
    // Field by field: a rest pattern costs more than all the rest of reading a customer.
    address: at && {
      zip: at.zip,
      country: at.country,
      province: at.province,
      city: at.city,
      address1: at.address1,
      address2: at.address2,
      company: at.company,
      phone: at.phone,
    },
    provinceCode: provinceCodeOf(at?.countryCodeV2, at?.provinceCode),
    tags: node.tags,
    createdAt: new Date(node.createdAt),
    updatedAt: new Date(node.updatedAt),
  }
}
