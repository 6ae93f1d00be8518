import type { Customer } from '@okaeri/contract/customers/customer'
import { normalizeEmail } from '@okaeri/contract/fields'
import type { Locale } from '@okaeri/contract/locale'
import type { Page } from '@okaeri/contract/paging'
import {
  CUSTOMER_ADD,
  CUSTOMER_CHANGE,
  type CustomerAddResult,
  type CustomerChangeResult,
  globalId,
} from '../../integrations/shopify/sync-operations.ts'
import { AppError, conflict, invalid, notFound } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { findStore, getStoreClient, type StoreClient } from '../stores/index.ts'
import { searchTextOf, searchWords } from './search-text.ts'
import { displayNameOf } from './naming.ts'
import {
  type CustomerFilter,
  type CustomerRow,
  type CustomerSort,
  deleteRow,
  insertLocal,
  lockAddress,
  selectCustomers,
  selectIdsByAddress,
  selectPage,
  updateLocal,
} from './queries.ts'
import { findStoreCustomers, readSyncCustomer, upsertStoreCustomers } from './store-customers.ts'

declare module '../../kernel/events.ts' {
  interface Facts {
    /** A member set permissions by hand; consent records it. */
    'customer.permissions_set': { customerId: string; acceptsMarketing?: boolean; acceptsTransactions?: boolean }
    /** Removed here. Who holds the person's data forgets it. */
    'customer.deleted': { customerId: string; emailKey: string | null }
    /**
     * Something a segment may ask about these customers was written: fields, consent, orders, mails, favourites, metafields. Who writes
     * such a thing publishes it, in the same transaction; saved segments follow by it.
     */
    'customers.changed': { customerIds: readonly string[] }
    /** So much was written at once (a full copy, an import) that naming everyone would cost more than asking anew. */
    'customers.changed_widely': Record<never, never>
  }
}
declare module '../../kernel/context.ts' {
  interface Ports {
    /** Which of these addresses (lower case) no mail goes to, and why. */
    suppressionsOf(
      scope: MerchantScope,
      addressKeys: readonly string[],
    ): Promise<Map<string, NonNullable<Customer['suppressed']>>>
  }
}

export async function listCustomers(
  scope: MerchantScope,
  query: {
    q?: string | undefined
    marketing?: CustomerFilter['marketing']
    sort: CustomerSort
    direction: 'asc' | 'desc'
    limit: number
    offset: number
  },
): Promise<Page<Customer>> {
  const filter: CustomerFilter = { words: searchWords(query.q ?? ''), marketing: query.marketing }
  const { limit, offset } = query
  const { ids, total } = await selectPage(scope, filter, query)
  return { data: await listCustomerViews(scope, ids), limit, offset, total }
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
}

/** In the store first where one is connected: it may refuse, and its webhooks then find the customer known. */
export async function createCustomer(
  scope: MerchantScope,
  fields: CustomerFields & { email: string },
): Promise<Customer> {
  await refuseKnownAddress(scope, fields.email)
  const store = await findStoreClient(scope)
  if (store) return getCustomerView(scope, await addInStore(scope, store, fields))
  return scope.transaction(async (scope) => {
    // A form sent twice at once: without a store nobody else refuses the second.
    await lockAddress(scope, normalizeEmail(fields.email))
    await refuseKnownAddress(scope, fields.email)
    const id = newId()
    await insertLocal(scope, id, localFields(fields, null))
    return getCustomerView(scope, id)
  })
}

async function refuseKnownAddress(scope: MerchantScope, email: string): Promise<void> {
  const existing = await selectIdsByAddress(scope, normalizeEmail(email))
  if (existing.length > 0) throw conflict('customer_exists', 'a customer with this address exists')
}

/** Null while the merchant works without a store. */
async function findStoreClient(scope: MerchantScope): Promise<StoreClient | null> {
  const store = await findStore(scope)
  return store?.status === 'connected' ? getStoreClient(scope) : null
}

async function addInStore(scope: MerchantScope, store: StoreClient, fields: CustomerFields): Promise<string> {
  const { customerCreate } = await store.graphql<CustomerAddResult>(CUSTOMER_ADD, { input: storeInput(fields) })
  if (!customerCreate.customer) throw refused(customerCreate.userErrors)
  const customer = readSyncCustomer(customerCreate.customer)
  const ids = await upsertStoreCustomers(scope, [customer])
  const id = ids.get(customer.storeCustomerId)
  if (!id) throw notFound('the store deleted the customer at once')
  return id
}

/** Permissions set along with the fields are recorded as consent changes by whom the fact reaches. */
export async function changeCustomer(
  scope: MerchantScope,
  id: string,
  change: CustomerFields & { accepts_marketing?: boolean | undefined; accepts_transactions?: boolean | undefined },
): Promise<Customer> {
  const { accepts_marketing: acceptsMarketing, accepts_transactions: acceptsTransactions, ...fields } = change
  const row = await getRow(scope, id)
  if (acceptsMarketing !== undefined && !(fields.email === undefined ? row.email : fields.email))
    throw conflict('customer_has_no_email', 'marketing permission needs a mail address')
  if (Object.values(fields).some((value) => value !== undefined)) {
    const store = row.store_customer_id === null ? null : await findStoreClient(scope)
    if (store && row.store_customer_id !== null) await changeInStore(scope, store, row.store_customer_id, fields)
    else await updateLocal(scope, id, localFields(fields, row))
  }
  if (acceptsMarketing !== undefined || acceptsTransactions !== undefined)
    await scope.transaction((scope) =>
      scope.context.publish(scope, 'customer.permissions_set', {
        customerId: id,
        ...(acceptsMarketing === undefined ? {} : { acceptsMarketing }),
        ...(acceptsTransactions === undefined ? {} : { acceptsTransactions }),
      }),
    )
  return getCustomerView(scope, id)
}

async function changeInStore(
  scope: MerchantScope,
  store: StoreClient,
  storeCustomerId: number,
  fields: CustomerFields,
): Promise<void> {
  const input = { id: globalId('Customer', storeCustomerId), ...storeInput(fields) }
  const { customerUpdate } = await store.graphql<CustomerChangeResult>(CUSTOMER_CHANGE, { input })
  if (!customerUpdate.customer) throw refused(customerUpdate.userErrors)
  await upsertStoreCustomers(scope, [readSyncCustomer(customerUpdate.customer)])
}

/** Removed here only. The store keeps its own and may tell of it again. */
export function deleteCustomer(scope: MerchantScope, id: string): Promise<void> {
  return scope.transaction(async (scope) => {
    const row = await getRow(scope, id)
    await deleteRow(scope, id)
    await scope.context.publish(scope, 'customer.deleted', { customerId: id, emailKey: row.email_key })
  })
}

/** Gone from the store, so gone here. */
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

/** What the caller did not give stays as `row` has it. */
function localFields(fields: CustomerFields, row: CustomerRow | null) {
  const person = {
    email: fields.email === undefined ? (row?.email ?? null) : fields.email,
    firstName: fields.first_name === undefined ? (row?.first_name ?? null) : fields.first_name || null,
    lastName: fields.last_name === undefined ? (row?.last_name ?? null) : fields.last_name || null,
    phone: fields.phone === undefined ? (row?.phone ?? null) : fields.phone,
    language: fields.language ?? row?.language ?? null,
  }
  return {
    ...person,
    tags: fields.tags ?? row?.tags ?? [],
    displayName: displayNameOf(person),
    searchText: searchTextOf(person),
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

/** The platform takes E.164 only; a number beginning with 0 is a Japanese domestic one. */
const internationalPhone = (phone: string): string => (phone.startsWith('0') ? `+81${phone.slice(1)}` : phone)

function refused(errors: readonly { field: string[] | null; message: string }[]): AppError {
  const about = new Set(errors.map(({ field }) => field?.at(-1)))
  const taken = errors.some(({ message }) => /taken/i.test(message))
  if (taken) return conflict('customer_exists', 'the store has another customer with this address or phone number')
  if (about.has('email')) return invalid({ email: 'not_an_email' }, 'store_refused')
  if (about.has('phone')) return invalid({ phone: 'not_a_phone' }, 'store_refused')
  return new AppError('conflict', 'store_refused', 'the store did not accept the change')
}

/** In the order of the ids; ids of nobody are left out. */
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
  const address = row.address
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
    address: address && {
      zip: address['zip'] ?? null,
      country: address['country'] ?? null,
      province: address['province'] ?? null,
      city: address['city'] ?? null,
      address1: address['address1'] ?? null,
      address2: address['address2'] ?? null,
      company: address['company'] ?? null,
      phone: address['phone'] ?? null,
    },
    tags: row.tags,
    accepts_marketing: row.marketing_state === 'granted',
    marketing_state: row.marketing_state,
    accepts_transactions: row.notification_state === 'granted',
    suppressed,
    line_connected: false,
    email_sent_count: row.email_sent_count,
    line_sent_count: row.line_sent_count,
    orders_count: row.orders_count,
    total_revenue: { amount: row.orders_amount, currency: row.currency },
    last_order_at: row.last_order_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
