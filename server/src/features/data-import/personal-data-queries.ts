import { sql } from 'kysely'
import type { NoPersonalData, PersonalDataEntry } from '../../kernel/personal-data.ts'

export const importPersonalData: readonly PersonalDataEntry[] = [
  {
    table: 'import_errors',
    title: { ja: '取り込めなかった行', en: 'Import errors' },
    about: ({ addresses, storeCustomerIds }) => sql`
      t.email_key = any(${addresses}::text[]) or t.store_customer_id = any(${storeCustomerIds}::bigint[])`,
    omittedColumns: ['import_id', 'email_key', 'store_customer_id'],
    forget: 'delete',
  },
  {
    table: 'import_points',
    title: { ja: '取り込み中のポイント', en: 'Points being imported' },
    about: ({ customerIds }) => sql`t.customer_id = any(${customerIds}::uuid[])`,
    omittedColumns: ['import_id'],
    forget: 'delete',
  },
]
export const importWithoutPersonalData: readonly NoPersonalData[] = [
  { table: 'imports', reason: 'a file’s name, its columns and sums of its rows' },
]
