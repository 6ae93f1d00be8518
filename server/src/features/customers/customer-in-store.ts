import type { AddressFields } from '@okaeri/contract/customers/routes'
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
import { AppError, conflict, invalid, notFound, unauthorized } from '../../kernel/errors.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { findStore, getStoreClient, type StoreClient } from '../stores/index.ts'
import { type CustomerRow, type StoreCustomer } from './queries.ts'
import { forgetUnsentLanguage } from './own-language-queries.ts'
import { findStoreCustomers, readSyncCustomer, upsertStoreCustomers } from './incoming/store-customers.ts'
import type { CustomerFields } from './customer-fields.ts'

/** Null if no store is connected. */
export async function findStoreClient(scope: MerchantScope): Promise<StoreClient | null> {
  const store = await findStore(scope)
  return store?.status === 'connected' ? getStoreClient(scope) : null
}

export async function addInStore(store: StoreClient, fields: CustomerFields): Promise<StoreCustomer> {
  const { customerCreate } = await store.graphql<CustomerAddResult>(CUSTOMER_ADD, { input: storeInput(fields) })
  if (!customerCreate.customer) throw refused(customerCreate.userErrors)
  return readSyncCustomer(customerCreate.customer)
}

export async function takeAdded(scope: MerchantScope, customer: StoreCustomer): Promise<string> {
  const ids = await upsertStoreCustomers(scope, [customer])
  const id = ids.get(customer.storeCustomerId)
  if (!id) throw notFound('the store deleted the customer at once')
  await scope.transaction((scope) => scope.context.publish(scope, 'customer.created', { customerId: id }))
  return id
}

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

/** Fetches what the store has now, because its webhook may not have come yet. */
export async function refreshFromStore(scope: MerchantScope, store: StoreClient, row: CustomerRow): Promise<void> {
  if (row.store_customer_id === null) return
  const { customer } = await store.graphql<CustomerNowResult>(CUSTOMER_NOW, {
    id: globalId('Customer', row.store_customer_id),
  })
  if (customer) await upsertStoreCustomers(scope, [readSyncCustomer(customer)])
}

export async function changeInStore(
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
