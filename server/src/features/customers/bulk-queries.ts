import type { ConsentState } from '@okaeri/contract/customers/customer'
import { copyRows } from '../../kernel/database/copy-in.ts'
import type { Copy } from '../../kernel/database/copying-client.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { markOf, wordsOf } from './list/search-queries.ts'

/** The first values of a new customer. */
export interface NewCustomer {
  id: string
  storeCustomerId: number | null
  email: string | null
  emailKey: string | null
  firstName: string | null
  lastName: string | null
  displayName: string
  phone: string | null
  language: string | null
  /** `YYYY-MM-DD` */
  birthday: string | null
  address: Readonly<Record<string, string | null>> | null
  lastAddress: string
  provinceCode: string | null
  tags: readonly string[]
  tagsKnownAt: Date | null
  note: string | null
  searchText: string
  imported: Readonly<Record<string, number>> | null
  storeUpdatedAt: Date | null
  createdAt: Date
  marketing: ConsentState
  marketingChangedAt: Date | null
  notification: ConsentState
  notificationChangedAt: Date | null
}

/** New customers with their search texts, encoded for COPY. */
export interface NewCustomerRows {
  /** Returns the row's number. */
  add(customer: NewCustomer): number
  /** The COPY statements for the rows with these numbers. */
  copies(chosen: readonly number[]): Copy[]
  /** The rows are committed. */
  release(): void
}

/** Encoding needs no database, so it runs while the database writes earlier rows. */
export function newCustomerRows(scope: MerchantScope): NewCustomerRows {
  const customers = copyRows(
    scope,
    `copy customers (merchant_id, id, store_customer_id, email, email_key, first_name, last_name,
    display_name, phone, language, birthday, address, last_address, province_code, tags, tags_known_at, note, search_text, imported,
    store_updated_at, created_at, updated_at, marketing_state, marketing_changed_at, notification_state, notification_changed_at
    ) from stdin (format binary)`,
  )
  const found = copyRows(
    scope,
    'copy customer_search (merchant_id, customer_id, created_at, display_name, words) from stdin (format binary)',
  )
  const mark = markOf(scope)
  return {
    add(customer) {
      const number = customers.row()
      customers.uuid(customer.id)
      customers.int8(customer.storeCustomerId)
      customers.text(customer.email)
      customers.text(customer.emailKey)
      customers.text(customer.firstName)
      customers.text(customer.lastName)
      customers.text(customer.displayName)
      customers.text(customer.phone)
      customers.text(customer.language)
      customers.date(customer.birthday)
      customers.jsonb(customer.address)
      customers.text(customer.lastAddress)
      customers.text(customer.provinceCode)
      customers.textArray(customer.tags)
      customers.timestamptz(customer.tagsKnownAt)
      customers.text(customer.note)
      customers.text(customer.searchText)
      customers.jsonb(customer.imported)
      customers.timestamptz(customer.storeUpdatedAt)
      customers.timestamptz(customer.createdAt)
      customers.timestamptz(scope.now)
      customers.text(customer.marketing)
      customers.timestamptz(customer.marketingChangedAt)
      customers.text(customer.notification)
      customers.timestamptz(customer.notificationChangedAt)
      found.row()
      found.uuid(customer.id)
      found.timestamptz(customer.createdAt)
      found.text(customer.displayName)
      found.tsvector(mark, wordsOf(customer.searchText))
      return number
    },
    copies: (chosen) => [
      { rows: customers, chosen },
      { rows: found, chosen },
    ],
    release() {
      customers.release()
      found.release()
    },
  }
}
