import { sql } from 'kysely'
import type { PersonalDataEntry } from '../../kernel/personal-data.ts'

/** Files made for a person are erased with them, before the requests that lead to the files. */
export const privacyPersonalData: readonly PersonalDataEntry[] = [
  {
    table: 'privacy_files',
    title: { ja: '開示のためのファイル', en: 'Files created for data requests' },
    about: ({ customerIds }, { merchantId }) => sql`t.id in (
      select r.id from privacy_requests r where r.merchant_id = ${merchantId} and r.customer_id = any(${customerIds}::uuid[]))`,
    omittedColumns: ['sealed'],
    forget: 'delete',
  },
  {
    table: 'privacy_requests',
    title: { ja: '個人情報に関する請求', en: 'Privacy requests' },
    about: ({ customerIds }) => sql`t.customer_id = any(${customerIds}::uuid[])`,
    omittedColumns: [
      'sealed',
      'event_key',
      'person_hash',
      'member_id',
      'next_attempt_at',
      'attempts',
      'error',
      'sweep_at',
    ],
    forget: { set: () => sql`customer_id = null, sealed = null, next_attempt_at = null` },
  },
]
