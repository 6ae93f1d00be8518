import {
  type ConflictField,
  conflictFields,
  type Customer,
  type CustomerConflict,
  fieldText,
} from '@okaeri/contract/customers/customer'
import { normalizeEmail } from '@okaeri/contract/fields'
import { isOutage } from '../../kernel/database/database-trouble.ts'
import { retriedTransaction } from '../../kernel/database/deadlocks.ts'
import { AppError, conflict, notFound } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { type StoreClient } from '../stores/index.ts'
import { refuseFutureBirthday } from './birthday-check.ts'
import { insertConflicts } from './conflict-queries.ts'
import {
  type CustomerRow,
  deleteRow,
  insertLocal,
  lockAddress,
  lockBirthday,
  selectCustomers,
  selectIdsByAddress,
  updateLocal,
  writeBirthday,
} from './queries.ts'
import { findStoreCustomers } from './incoming/store-customers.ts'
import { getCustomerView, present } from './customer-view.ts'
import { findStoreClient, addInStore, takeAdded, refreshFromStore, changeInStore } from './customer-in-store.ts'
import { type CustomerFields, localFields, addressAfter } from './customer-fields.ts'

declare module '../../kernel/facts.ts' {
  interface Facts {
    /** Created just now, in the store or here; never by a full copy or a file. May be published twice. */
    'customer.created': { customerId: string }
    /** A member set consent manually; the consent feature records it. */
    'customer.permissions_set': { customerId: string; acceptsMarketing?: boolean; acceptsTransactions?: boolean }
    /** Set here by a member, or by the customer on the storefront; sent to the store if birthdays are kept there. */
    'customer.birthday_set': { customerId: string; birthday: string | null }
    /** Deleted here. Features with the customer's data erase it. */
    'customer.deleted': { customerId: string; emailKey: string | null }
    /**
     * Data that segments may ask about was written for these customers: fields, consent, orders, mails, favorites, metafields. The feature
     * that writes such data publishes this in the same transaction, which updates saved segments. `learned`: nothing happened to them, we
     * only learned older facts (a copy of the store, a file, a new field); a customer who enters a segment because of it starts no scenario.
     */
    'customers.changed': { customerIds: readonly string[]; learned?: boolean }
    /** So much was written at once (a full copy, an import) that listing all customers would cost more than calculating again. */
    'customers.changed_widely': { learned?: boolean }
  }
}

export async function checkCustomer(
  scope: MerchantScope,
  email: string,
): Promise<{ exists: boolean; customer_id: string | null }> {
  const [id] = await selectIdsByAddress(scope, normalizeEmail(email))
  return { exists: id !== undefined, customer_id: id ?? null }
}

/** The fields when the form was opened, as {@link fieldText} writes them. */
type Loaded = Partial<Record<ConflictField, string | null>>

/** Created in the store first, if one is connected: it may refuse, and its webhooks then find the customer known. */
export async function createCustomer(
  scope: MerchantScope,
  fields: CustomerFields & { email: string },
): Promise<Customer> {
  await refuseFutureBirthday(scope, fields.birthday)
  await refuseKnownAddress(scope, fields.email)
  const store = await findStoreClient(scope)
  if (store) {
    const { birthday, address, ...others } = fields
    const added = await addInStore(store, others)
    try {
      const id = await takeAdded(scope, added)
      if (address) await changeInStore(scope, store, added.storeCustomerId, { address })
      if (birthday) await save(scope, await getRow(scope, id), { birthday }, { store, conflicts: [] })
      return await getCustomerView(scope, id)
    } catch (error) {
      // "Nothing was changed" would be wrong, and pressing again would be answered that the customer exists.
      if (isOutage(error)) throw new AppError('unavailable', 'customer_in_store_only')
      throw error
    }
  }
  return createCustomerHere(scope, fields)
}

/** Only here. If the store has or gets a customer with the address, the two are merged. Throws `customer_exists`. */
export function createCustomerHere(
  scope: MerchantScope,
  fields: CustomerFields & { email: string },
): Promise<Customer> {
  return scope.transaction(async (scope) => {
    // If a form is sent twice at once, without a store nothing else refuses the second.
    await lockAddress(scope, normalizeEmail(fields.email))
    await refuseKnownAddress(scope, fields.email)
    const id = newId()
    await insertLocal(scope, id, localFields(fields, null))
    if (fields.birthday) await writeBirthday(scope, id, fields.birthday)
    await scope.context.publish(scope, 'customers.changed', { customerIds: [id] })
    await scope.context.publish(scope, 'customer.created', { customerId: id })
    return getCustomerView(scope, id)
  })
}

async function refuseKnownAddress(scope: MerchantScope, email: string): Promise<void> {
  const existing = await selectIdsByAddress(scope, normalizeEmail(email))
  if (existing.length > 0) throw conflict('customer_exists', 'a customer with this address exists')
}

/**
 * Consent set with the fields is recorded by the reaction to `customer.permissions_set`. A field that changed since the form was opened
 * (`loaded`) keeps its newer value; the typed value is stored as a conflict.
 */
export async function changeCustomer(
  scope: MerchantScope,
  id: string,
  change: CustomerFields & {
    accepts_marketing?: boolean | undefined
    accepts_transactions?: boolean | undefined
    loaded?: Loaded | undefined
  },
): Promise<{ customer: Customer; conflicts: CustomerConflict[] }> {
  const { accepts_marketing: acceptsMarketing, accepts_transactions: acceptsTransactions, loaded, ...wanted } = change
  let row = await getRow(scope, id)
  await refuseFutureBirthday(scope, wanted.birthday)
  if (acceptsMarketing !== undefined && !(wanted.email === undefined ? row.email : wanted.email))
    throw conflict('customer_has_no_email', 'marketing permission needs a mail address')
  let conflicts: CustomerConflict[] = []
  if (Object.values(wanted).some((value) => value !== undefined)) {
    const store = row.store_customer_id === null ? null : await findStoreClient(scope)
    if (store && loaded) {
      await refreshFromStore(scope, store, row)
      row = await getRow(scope, id)
    }
    const settled = settle(scope, row, wanted, loaded)
    conflicts = settled.conflicts
    await save(scope, row, settled.fields, { store, conflicts })
  }
  if (acceptsMarketing !== undefined || acceptsTransactions !== undefined)
    await retriedTransaction(scope, (scope) =>
      scope.context.publish(scope, 'customer.permissions_set', {
        customerId: id,
        ...(acceptsMarketing === undefined ? {} : { acceptsMarketing }),
        ...(acceptsTransactions === undefined ? {} : { acceptsTransactions }),
      }),
    )
  return { customer: await getCustomerView(scope, id), conflicts }
}

/** Saves in the store first if the customer is the store's; then our own fields, and the conflicts. */
async function save(
  scope: MerchantScope,
  row: CustomerRow,
  fields: CustomerFields,
  { store, conflicts }: { store: StoreClient | null; conflicts: readonly CustomerConflict[] },
): Promise<void> {
  const { birthday, ...others } = fields
  const changes = Object.values(others).some((value) => value !== undefined)
  const inStore = changes && store && row.store_customer_id !== null
  if (inStore && row.store_customer_id !== null) await changeInStore(scope, store, row.store_customer_id, others)
  await retriedTransaction(scope, async (scope) => {
    if (changes && !inStore) await updateLocal(scope, row.id, localFields(others, row))
    if (birthday !== undefined) {
      await writeBirthday(scope, row.id, birthday)
      await scope.context.publish(scope, 'customer.birthday_set', { customerId: row.id, birthday })
    }
    await insertConflicts(scope, row.id, conflicts)
    if (changes || birthday !== undefined)
      await scope.context.publish(scope, 'customers.changed', { customerIds: [row.id] })
  })
}

/** Which fields are written, and which lost to a newer value. */
function settle(
  scope: MerchantScope,
  row: CustomerRow,
  wanted: CustomerFields,
  loaded: Loaded = {},
): { fields: CustomerFields; conflicts: CustomerConflict[] } {
  const now = present(row, null)
  const after = { ...now, ...presentWanted(now, wanted) }
  const conflicts = conflictFields.flatMap((field): CustomerConflict[] => {
    const before = loaded[field]
    const [stands, asked] = [fieldText(now, field), fieldText(after, field)]
    if (wanted[field] === undefined || before === undefined || before === stands || asked === stands) return []
    const fromStore = row.store_updated_at !== null && row.store_customer_id !== null
    return [
      {
        id: newId(),
        field,
        used_value: stands,
        unused_value: asked,
        used_from: fromStore ? 'store' : 'member',
        used_at: (fromStore && row.store_updated_at ? row.store_updated_at : row.updated_at).toISOString(),
        occurred_at: scope.now.toISOString(),
      },
    ]
  })
  const lost = new Set(conflicts.map(({ field }) => field))
  const kept = Object.entries(wanted).filter(([field]) => !lost.has(field))
  return { fields: Object.fromEntries(kept) as CustomerFields, conflicts }
}

/** The wanted values in the form of a shown customer. */
const presentWanted = (now: Customer, wanted: CustomerFields): Partial<Customer> => ({
  ...(wanted.first_name === undefined ? {} : { first_name: wanted.first_name }),
  ...(wanted.last_name === undefined ? {} : { last_name: wanted.last_name }),
  ...(wanted.email === undefined ? {} : { email: wanted.email }),
  ...(wanted.phone === undefined ? {} : { phone: wanted.phone }),
  ...(wanted.language === undefined ? {} : { language: wanted.language }),
  ...(wanted.tags === undefined ? {} : { tags: wanted.tags }),
  ...(wanted.birthday === undefined ? {} : { birthday: wanted.birthday }),
  ...(wanted.address === undefined ? {} : { address: addressAfter(now.address, wanted.address) }),
})

/**
 * The customer entered their own birthday. `mayChange` is asked, with the row locked, about one that is known. Returns whether it changed.
 * Within a transaction.
 */
export async function setOwnBirthday(
  scope: MerchantScope,
  id: string,
  { birthday, mayChange }: { birthday: string; mayChange: () => Promise<void> },
): Promise<boolean> {
  const known = await lockBirthday(scope, id)
  if (known === undefined) throw notFound('there is no such customer')
  if (known === birthday) return false
  if (known !== null) await mayChange()
  await writeBirthday(scope, id, birthday)
  await scope.context.publish(scope, 'customer.birthday_set', { customerId: id, birthday })
  await scope.context.publish(scope, 'customers.changed', { customerIds: [id] })
  return true
}

/** Deletes the customer only here. The store keeps them and may send them again. */
export function deleteCustomer(scope: MerchantScope, id: string): Promise<void> {
  return retriedTransaction(scope, async (scope) => {
    const row = await getRow(scope, id)
    await deleteRow(scope, id)
    await scope.context.publish(scope, 'customer.deleted', { customerId: id, emailKey: row.email_key })
    await scope.context.publish(scope, 'customers.changed', { customerIds: [id] })
  })
}

/** Deleted in the store, so deleted here. */
export function removeStoreCustomer(scope: MerchantScope, storeCustomerId: number): Promise<void> {
  return scope.transaction(async (scope) => {
    const id = (await findStoreCustomers(scope, [storeCustomerId])).get(storeCustomerId)
    if (id) await deleteCustomer(scope, id)
  })
}

async function getRow(scope: MerchantScope, id: string): Promise<CustomerRow> {
  const [row] = await selectCustomers(scope, [id])
  if (!row) throw notFound('there is no such customer')
  return row
}
