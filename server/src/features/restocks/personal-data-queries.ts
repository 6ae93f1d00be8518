import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import type { Person, PersonalDataEntry } from '../../kernel/personal-data.ts'
import { countEnded } from './counting.ts'
import type { StoredRequest } from './queries.ts'

const about = ({ customerIds, guestIds, addresses }: Person) =>
  sql`(t.customer_id = any(${customerIds}::uuid[]) or t.guest_id = any(${guestIds}::uuid[])
    or (t.customer_id is null and t.email_key = any(${addresses}::text[])))`

/** The product's figures stay; nothing is sent. */
async function forget(scope: MerchantScope, person: Person): Promise<number> {
  const { rows: ended } = await sql<StoredRequest>`
    update restock_requests t set status = 'deleted', deleted_at = ${scope.now}
    where t.merchant_id = ${scope.merchantId} and ${about(person)} and t.status = 'active'
    returning t.customer_id as "customerId", t.store_product_id as "storeProductId", t.status, t.created_at as "createdAt"`.execute(
    scope.db,
  )
  await countEnded(scope, ended)
  const { numAffectedRows } = await sql`
    update restock_requests t set customer_id = null, guest_id = null, email = null, email_key = null, answering = null
    where t.merchant_id = ${scope.merchantId} and ${about(person)}`.execute(scope.db)
  return Number(numAffectedRows ?? 0n)
}

export const restockPersonalData: readonly PersonalDataEntry[] = [
  {
    table: 'restock_requests',
    title: { ja: '再入荷通知の申し込み', en: 'Restock requests' },
    about,
    omittedColumns: ['email_key', 'answering'],
    forget: { run: forget },
  },
]
