import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

/** Sets birthdays from their metafield, `YYYY-MM-DD` or none. Within a transaction. Returns the customers whose birthday changed. */
export async function setBirthdays(
  scope: MerchantScope,
  birthdays: readonly { customerId: string; birthday: string | null }[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with r as (
      select * from unnest(${birthdays.map(({ customerId }) => customerId)}::uuid[], ${birthdays.map(({ birthday }) => birthday)}::date[])
        as g(id, birthday)
    ), differing as (
      select c.id from customers c join r on r.id = c.id
      where c.merchant_id = ${scope.merchantId} and c.birthday is distinct from r.birthday order by c.id for update of c
    )
    update customers c set birthday = r.birthday, updated_at = ${scope.now}
    from r join differing d on d.id = r.id where c.merchant_id = ${scope.merchantId} and c.id = r.id
    returning c.id
  `.execute(scope.db)
  return rows.map(({ id }) => id)
}
