import { sql } from 'kysely'
import { redact, type PersonalDataEntry, type Person } from '../../kernel/personal-data.ts'
import { removeMembers } from './membership/incremental-membership-queries.ts'

const byCustomer = ({ customerIds }: Person) => sql`t.customer_id = any(${customerIds}::uuid[])`

export const segmentPersonalData: readonly PersonalDataEntry[] = [
  {
    table: 'segment_members',
    title: { ja: '所属するセグメント', en: 'Segments' },
    about: byCustomer,
    // The counts too, because later changes are added to them.
    forget: { run: (scope, { customerIds }) => scope.transaction((scope) => removeMembers(scope, customerIds)) },
  },
  {
    table: 'remote_segment_members',
    title: { ja: 'Shopifyセグメント', en: 'Shopify segments' },
    about: ({ storeCustomerIds }) => sql`t.store_customer_id = any(${storeCustomerIds}::bigint[])`,
    forget: 'delete',
  },
  {
    table: 'customer_scores',
    title: { ja: '購買の傾向', en: 'Purchase patterns' },
    about: byCustomer,
    forget: 'delete',
  },
  {
    table: 'changed_customers',
    title: { ja: 'セグメントの再計算待ち', en: 'Pending segment updates' },
    isBookkeeping: true,
    about: byCustomer,
    forget: 'delete',
  },
  {
    table: 'segments',
    title: { ja: 'セグメントの条件での指定', en: 'Named in segment conditions' },
    // A rule about this address is the merchant's own text; only the address is personal data.
    about: () => sql`false`,
    forget: {
      async run(scope, { addresses, phones }) {
        const marks = [...addresses, ...phones]
        const conditions = await redact(scope, { table: 'segments', column: 'conditions', type: 'jsonb' }, marks)
        return conditions + (await redact(scope, { table: 'segments', column: 'store_query', type: 'text' }, marks))
      },
    },
  },
]
