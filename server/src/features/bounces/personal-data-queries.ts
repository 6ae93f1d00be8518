import { sql } from 'kysely'
import type { PersonalDataEntry } from '../../kernel/personal-data.ts'

/** Found by the deliveries too, which are forgotten after them. */
export const bouncePersonalData: readonly PersonalDataEntry[] = [
  {
    table: 'bounces',
    title: { ja: '届かなかったメール', en: 'Emails that came back' },
    about: (
      { customerIds, addresses },
      { merchantId },
    ) => sql`(t.address_key = any(${addresses}::text[]) and not exists (
        select from customers c where c.merchant_id = ${merchantId} and c.email_key = t.address_key
          and c.id <> all(${customerIds}::uuid[])))
      or t.delivery_id in (select d.id from deliveries d where d.merchant_id = ${merchantId} and d.customer_id = any(${customerIds}::uuid[]))`,
    omittedColumns: ['matched_by'],
    // That a mail came back stays, not whose nor what was written.
    forget: { set: () => sql`address_key = null, server = null, diagnostic = null, evidence = null` },
  },
]
