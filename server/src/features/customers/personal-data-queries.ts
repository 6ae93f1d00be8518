import { sql } from 'kysely'
import { redact, type PersonalDataEntry, type Person } from '../../kernel/personal-data.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { deleteCustomer } from './customer.ts'
import { markErased } from './erasure-marks.ts'
import { leaveOut } from './tags/tag-change-queries.ts'

const byCustomer = ({ customerIds }: Person) => sql`t.customer_id = any(${customerIds}::uuid[])`

/** The customers themselves come last, because they lead to the other rows. */
export const customerPersonalData: readonly PersonalDataEntry[] = [
  {
    table: 'customer_conflicts',
    title: { ja: '変更の衝突', en: 'Conflicting changes' },
    about: byCustomer,
    omittedColumns: ['member_id'],
    forget: 'delete',
  },
  {
    table: 'customer_search',
    title: { ja: '検索語', en: 'Search terms' },
    isBookkeeping: true,
    about: byCustomer,
    forget: 'delete',
  },
  {
    table: 'customer_mail_times',
    title: { ja: 'メールの配信・開封・クリックの日時', en: 'Times emails were sent, opened and clicked' },
    // Contained in each mail.
    isBookkeeping: true,
    about: byCustomer,
    forget: 'delete',
  },
  {
    table: 'saved_views',
    title: { ja: '保存したビューの条件', en: 'Conditions of saved views' },
    // A member's search is the member's data; only a name or address in it is the customer's.
    about: () => sql`false`,
    forget: {
      async run(scope, { addresses, phones, names }) {
        const marks = [...addresses, ...phones, ...names]
        const searches = await redact(scope, { table: 'saved_views', column: 'search', type: 'jsonb' }, marks)
        return searches + (await redact(scope, { table: 'saved_views', column: 'name', type: 'text' }, marks))
      },
    },
  },
  {
    table: 'customer_tag_changes',
    title: { ja: 'タグの一括変更の途中', en: 'Waiting for tags to change' },
    isBookkeeping: true,
    about: ({ customerIds }) => sql`t.remaining && ${customerIds}::uuid[]`,
    forget: { run: (scope, { customerIds }) => leaveOut(scope, customerIds) },
  },
  {
    table: 'erased_marks',
    title: { ja: '消去の記録', en: 'Erasure records' },
    isBookkeeping: true,
    // HMACs contain nothing a person could read, so they are not exported.
    about: () => sql`false`,
    forget: {
      async run(scope, person) {
        await markErased(scope, person)
        return 0
      },
    },
  },
  {
    table: 'customers',
    title: { ja: '顧客', en: 'Customer' },
    about: ({ customerIds }) => sql`t.id = any(${customerIds}::uuid[])`,
    omittedColumns: ['email_key', 'tags_known_at', 'imported'],
    forget: {
      async run(scope, { customerIds }) {
        const there = await lockCustomers(scope, customerIds)
        for (const id of there) await deleteCustomer(scope, id)
        return there.length
      },
    },
  },
]

async function lockCustomers(scope: MerchantScope, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from customers where merchant_id = ${scope.merchantId} and id = any(${ids}::uuid[]) order by id for update
  `.execute(scope.db)
  return rows.map(({ id }) => id)
}

/** The customer rows of a person: by our ids, the store's numbers, or an address without a number of the store. */
export async function findCustomersOfPerson(
  scope: MerchantScope,
  wanted: { ids: readonly string[]; storeIds: readonly number[]; addresses: readonly string[] },
): Promise<
  { id: string; storeCustomerId: number | null; emailKey: string | null; phone: string | null; names: string[] }[]
> {
  const { rows } = await sql<{
    id: string
    storeCustomerId: number | null
    emailKey: string | null
    phone: string | null
    names: string[]
  }>`
    select c.id, c.store_customer_id as "storeCustomerId", c.email_key as "emailKey", c.phone,
      array_remove(array[
        nullif(c.display_name, ''), nullif(concat_ws(' ', c.first_name, c.last_name), ''), nullif(concat_ws(' ', c.last_name, c.first_name), ''),
        case when c.first_name <> '' and c.last_name <> '' then c.last_name || c.first_name end
      ], null) as names
    from customers c
    where c.merchant_id = ${scope.merchantId} and (c.id = any(${wanted.ids}::uuid[])
      or c.store_customer_id = any(${wanted.storeIds}::bigint[])
      or (c.store_customer_id is null and c.email_key = any(${wanted.addresses}::text[])))
  `.execute(scope.db)
  return rows
}
