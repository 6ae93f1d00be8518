import {
  type Address,
  type ConflictField,
  conflictFields,
  type Customer,
  type CustomerConflict,
  fieldText,
} from '@okaeri/contract/customers/customer'
import type { AddressFields } from '@okaeri/contract/customers/routes'
import { normalizeEmail } from '@okaeri/contract/fields'
import type { Locale } from '@okaeri/contract/locale'
import {
  ADDRESS_ADD,
  ADDRESS_CHANGE,
  type AddressAddResult,
  type AddressChangeResult,
  CUSTOMER_ADDRESS,
  type CustomerAddressResult,
} from '../../integrations/shopify/customer-operations.ts'
import {
  CUSTOMER_ADD,
  CUSTOMER_CHANGE,
  CUSTOMER_NOW,
  type CustomerAddResult,
  type CustomerChangeResult,
  type CustomerNowResult,
  globalId,
} from '../../integrations/shopify/sync-operations.ts'
import { isOutage } from '../../kernel/database/database-trouble.ts'
import { retriedTransaction } from '../../kernel/database/deadlocks.ts'
import { AppError, conflict, invalid, notFound, unauthorized } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { findStore, getStoreClient, type StoreClient } from '../stores/index.ts'
import { refuseFutureBirthday } from './birthday-check.ts'
import { insertConflicts } from './conflict-queries.ts'
import { displayNameOf, oneLineAddress } from './derived-fields.ts'
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
  type StoreCustomer,
} from './queries.ts'
import { forgetUnsentLanguage } from './own-language-queries.ts'
import { searchTextOf } from './list/search-text.ts'
import { findStoreCustomers, readSyncCustomer, upsertStoreCustomers } from './incoming/store-customers.ts'

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
declare module '../../kernel/context.ts' {
  interface Ports {
    /** The suppressed ones of these addresses (lower case), and why. */
    suppressionsOf(
      scope: MerchantScope,
      addressKeys: readonly string[],
    ): Promise<Map<string, NonNullable<Customer['suppressed']>>>
  }
}

export async function getCustomerView(scope: MerchantScope, id: string): Promise<Customer> {
  const [customer] = await listCustomerViews(scope, [id])
  if (!customer) throw notFound('there is no such customer')
  return customer
}

export async function checkCustomer(
  scope: MerchantScope,
  email: string,
): Promise<{ exists: boolean; customer_id: string | null }> {
  const [id] = await selectIdsByAddress(scope, normalizeEmail(email))
  return { exists: id !== undefined, customer_id: id ?? null }
}

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

/** Null if no store is connected. */
async function findStoreClient(scope: MerchantScope): Promise<StoreClient | null> {
  const store = await findStore(scope)
  return store?.status === 'connected' ? getStoreClient(scope) : null
}

async function addInStore(store: StoreClient, fields: CustomerFields): Promise<StoreCustomer> {
  const { customerCreate } = await store.graphql<CustomerAddResult>(CUSTOMER_ADD, { input: storeInput(fields) })
  if (!customerCreate.customer) throw refused(customerCreate.userErrors)
  return readSyncCustomer(customerCreate.customer)
}

async function takeAdded(scope: MerchantScope, customer: StoreCustomer): Promise<string> {
  const ids = await upsertStoreCustomers(scope, [customer])
  const id = ids.get(customer.storeCustomerId)
  if (!id) throw notFound('the store deleted the customer at once')
  await scope.transaction((scope) => scope.context.publish(scope, 'customer.created', { customerId: id }))
  return id
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
 * Our id of the store's customer with this number. An unknown one is fetched from the store; null if the store has none either, or they were
 * erased here.
 */
export async function bringStoreCustomer(scope: MerchantScope, storeCustomerId: number): Promise<string | null> {
  const known = (await findStoreCustomers(scope, [storeCustomerId])).get(storeCustomerId)
  if (known) return known
  const store = await findStoreClient(scope)
  if (!store) return null
  const { customer } = await store.graphql<CustomerNowResult>(CUSTOMER_NOW, {
    id: globalId('Customer', storeCustomerId),
  })
  return customer && ((await upsertStoreCustomers(scope, [readSyncCustomer(customer)])).get(storeCustomerId) ?? null)
}

/** The customer who is signed in at the store. Throws `customer_not_signed_in`; 404 for one of whom the store does not tell us. */
export async function getSignedInCustomer(scope: MerchantScope, storeCustomerId: number | null): Promise<string> {
  if (storeCustomerId === null) throw unauthorized('customer_not_signed_in', 'no one is signed in at the store')
  const id = await bringStoreCustomer(scope, storeCustomerId)
  if (!id) throw notFound('the store does not tell of this customer')
  return id
}

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

/** Fetches what the store has now, because its webhook may not have come yet. */
async function refreshFromStore(scope: MerchantScope, store: StoreClient, row: CustomerRow): Promise<void> {
  if (row.store_customer_id === null) return
  const { customer } = await store.graphql<CustomerNowResult>(CUSTOMER_NOW, {
    id: globalId('Customer', row.store_customer_id),
  })
  if (customer) await upsertStoreCustomers(scope, [readSyncCustomer(customer)])
}

async function changeInStore(
  scope: MerchantScope,
  store: StoreClient,
  storeCustomerId: number,
  { address, ...fields }: CustomerFields,
): Promise<void> {
  const id = globalId('Customer', storeCustomerId)
  if (address) await changeAddressInStore(store, id, address)
  const { customerUpdate } = await store.graphql<CustomerChangeResult>(CUSTOMER_CHANGE, {
    input: { id, ...storeInput(fields) },
  })
  if (!customerUpdate.customer) throw refused(customerUpdate.userErrors)
  if (fields.language !== undefined) await forgetUnsentLanguage(scope, storeCustomerId)
  await upsertStoreCustomers(scope, [readSyncCustomer(customerUpdate.customer)])
}

/** Only the default address; the customer's other addresses stay unchanged. */
async function changeAddressInStore(store: StoreClient, customerId: string, address: AddressFields): Promise<void> {
  const { customer } = await store.graphql<CustomerAddressResult>(CUSTOMER_ADDRESS, { id: customerId })
  const addressId = customer?.defaultAddress?.id ?? null
  const given = storeAddress(address)
  const result =
    addressId === null
      ? (await store.graphql<AddressAddResult>(ADDRESS_ADD, { customerId, address: given })).customerAddressCreate
      : (await store.graphql<AddressChangeResult>(ADDRESS_CHANGE, { customerId, addressId, address: given }))
          .customerAddressUpdate
  if (!result.address) throw invalid({ address: 'invalid' }, 'store_refused')
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

/** Fields the caller did not give stay as in `row`. */
function localFields(fields: CustomerFields, row: CustomerRow | null) {
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

function addressAfter(now: Address | null, change: AddressFields): Address {
  const given = Object.entries(change).filter(([, value]) => value !== undefined)
  return { ...presentAddress(now ?? {}), ...Object.fromEntries(given.map(([part, value]) => [part, value || null])) }
}

/** The platform's code of a province: `JP-13` in Japan, without the country elsewhere (`CA` in the USA). */
const storeProvince = (code: string): string => (code.startsWith('JP-') ? code : code.slice(3))

function storeAddress(address: AddressFields): Record<string, unknown> {
  const { country, province, phone, ...lines } = address
  return {
    ...Object.fromEntries(Object.entries(lines).filter(([, value]) => value !== undefined)),
    ...(country === undefined ? {} : { countryCode: country }),
    ...(province === undefined ? {} : { provinceCode: province === null ? null : storeProvince(province) }),
    ...(phone === undefined ? {} : { phone: phone === null ? null : internationalPhone(phone) }),
  }
}

function storeInput(fields: CustomerFields): Record<string, unknown> {
  return {
    ...(fields.first_name === undefined ? {} : { firstName: fields.first_name }),
    ...(fields.last_name === undefined ? {} : { lastName: fields.last_name }),
    ...(fields.email === undefined ? {} : { email: fields.email }),
    ...(fields.phone === undefined ? {} : { phone: fields.phone === null ? null : internationalPhone(fields.phone) }),
    ...(fields.language === undefined ? {} : { locale: fields.language }),
    ...(fields.tags === undefined ? {} : { tags: fields.tags }),
  }
}

/** The platform accepts only E.164; a number that begins with 0 is a Japanese domestic one. */
const internationalPhone = (phone: string): string => (phone.startsWith('0') ? `+81${phone.slice(1)}` : phone)

function refused(errors: readonly { field: string[] | null; message: string }[]): AppError {
  const about = new Set(errors.map(({ field }) => field?.at(-1)))
  const taken = errors.some(({ message }) => /taken/i.test(message))
  if (taken) return conflict('customer_exists', 'the store has another customer with this address or phone number')
  if (about.has('email')) return invalid({ email: 'not_an_email' }, 'store_refused')
  if (about.has('phone')) return invalid({ phone: 'not_a_phone' }, 'store_refused')
  return new AppError('conflict', 'store_refused', 'the store did not accept the change')
}

/** In the order of the ids; unknown ids are missing. */
export async function listCustomerViews(scope: MerchantScope, ids: readonly string[]): Promise<Customer[]> {
  if (ids.length === 0) return []
  const rows = new Map((await selectCustomers(scope, ids)).map((row) => [row.id, row]))
  const keys = [...rows.values()].flatMap(({ email_key }) => (email_key === null ? [] : [email_key]))
  const suppressed = await scope.context.ports.suppressionsOf(scope, keys)
  return ids.flatMap((id) => {
    const row = rows.get(id)
    return row ? [present(row, suppressed.get(row.email_key ?? '') ?? null)] : []
  })
}

function present(row: CustomerRow, suppressed: Customer['suppressed']): Customer {
  return {
    id: row.id,
    store_customer_id: row.store_customer_id === null ? null : String(row.store_customer_id),
    name: row.display_name,
    first_name: row.first_name,
    last_name: row.last_name,
    email: row.email,
    phone: row.phone,
    language: row.language,
    birthday: row.birthday,
    address: row.address && presentAddress(row.address),
    tags: row.tags,
    accepts_marketing: row.marketing_state === 'granted',
    marketing_state: row.marketing_state,
    accepts_transactions: row.notification_state === 'granted',
    suppressed,
    line_connected: row.line_connected_at !== null,
    email_sent_count: row.email_sent_count,
    line_sent_count: row.line_sent_count,
    orders_count: row.orders_count,
    total_revenue: { amount: row.orders_amount, currency: row.currency },
    orders_in_other_currencies: row.orders_other_currency,
    last_order_at: row.last_order_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

const presentAddress = (address: Partial<Record<string, string | null>> | null): Address => ({
  zip: address?.['zip'] ?? null,
  country: address?.['country'] ?? null,
  province: address?.['province'] ?? null,
  city: address?.['city'] ?? null,
  address1: address?.['address1'] ?? null,
  address2: address?.['address2'] ?? null,
  company: address?.['company'] ?? null,
  phone: address?.['phone'] ?? null,
})
