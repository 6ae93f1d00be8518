import type { ConsentKind, ConsentState } from '@okaeri/contract/customers/customer'
import { sql } from 'kysely'
import { deliveryTitle } from '../deliveries/index.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

/** Changes of existing customers, in the order they were recorded. */
export interface ProofRow {
  id: string
  customerId: string
  storeCustomerId: number | null
  name: string
  email: string | null
  kind: ConsentKind
  from: ConsentState
  to: ConsentState
  source: string
  wording: string | null
  page: string | null
  /** The campaign whose message led to the change. */
  campaign: string | null
  occurredAt: Date
  recordedAt: Date
}
/** All changes, or one customer's, after the one with this id. */
export async function selectProof(
  scope: MerchantScope,
  page: { customerId: string | null; after: string; limit: number },
): Promise<ProofRow[]> {
  const { rows } = await sql<ProofRow>`
    select x.id, x.customer_id as "customerId", c.store_customer_id as "storeCustomerId", c.display_name as name, c.email, x.kind,
      x.from_state as from, x.to_state as to, x.source, x.wording, x.page, ${deliveryTitle(scope)} as campaign,
      x.occurred_at as "occurredAt", x.recorded_at as "recordedAt"
    from consent_changes x
    join customers c on c.merchant_id = ${scope.merchantId} and c.id = x.customer_id
    left join deliveries d on d.merchant_id = ${scope.merchantId} and d.id = x.delivery_id
    where x.merchant_id = ${scope.merchantId} and x.id > ${page.after}::uuid
      ${page.customerId === null ? sql`` : sql`and x.customer_id = ${page.customerId}`}
    order by x.id limit ${page.limit}
  `.execute(scope.db)
  return rows
}
