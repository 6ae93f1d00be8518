import { sql } from 'kysely'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'

export interface OwnLanguageCustomer {
  firstName: string | null
  lastName: string | null
  email: string | null
  phone: string | null
  language: string | null
}

/** Locked until the transaction ends; null: there is no such customer. */
export async function lockNamed(scope: TransactionScope, id: string): Promise<OwnLanguageCustomer | null> {
  const { rows } = await sql<OwnLanguageCustomer>`
    select first_name as "firstName", last_name as "lastName", email, phone, language from customers
    where merchant_id = ${scope.merchantId} and id = ${id} for no key update`.execute(scope.db)
  return rows[0] ?? null
}

/** Only a customer of the store has something to send. */
export async function writeLanguage(
  scope: TransactionScope,
  id: string,
  { language, displayName }: { language: string; displayName: string },
): Promise<void> {
  await sql`
    update customers set language = ${language}, display_name = ${displayName}, language_unsent = store_customer_id is not null,
      updated_at = ${scope.now}
    where merchant_id = ${scope.merchantId} and id = ${id}`.execute(scope.db)
}

export async function selectUnsentLanguage(
  scope: MerchantScope,
  id: string,
): Promise<{ language: string; storeCustomerId: number } | null> {
  const { rows } = await sql<{ language: string; storeCustomerId: number }>`
    select language, store_customer_id as "storeCustomerId" from customers
    where merchant_id = ${scope.merchantId} and id = ${id} and language_unsent and language is not null
      and store_customer_id is not null`.execute(scope.db)
  return rows[0] ?? null
}

/** The store has this one. Another that was chosen meanwhile is still to be sent. */
export async function markLanguageSent(scope: MerchantScope, storeCustomerId: number, language: string): Promise<void> {
  await sql`
    update customers set language_unsent = false
    where merchant_id = ${scope.merchantId} and store_customer_id = ${storeCustomerId} and language_unsent
      and language = ${language}`.execute(scope.db)
}

/** A member changed it in the store, which is newer. */
export async function forgetUnsentLanguage(scope: MerchantScope, storeCustomerId: number): Promise<void> {
  await sql`
    update customers set language_unsent = false
    where merchant_id = ${scope.merchantId} and store_customer_id = ${storeCustomerId} and language_unsent`.execute(
    scope.db,
  )
}

export async function selectWithUnsentLanguage(scope: MerchantScope): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from customers where merchant_id = ${scope.merchantId} and language_unsent order by id`.execute(scope.db)
  return rows.map(({ id }) => id)
}
