import { sql } from 'kysely'
import { newIds } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import type { Person, PersonalDataEntry } from '../../kernel/personal-data.ts'

/** Each of the person's ids becomes an unknown guest of its own: two of them may have had the same favorite. */
async function detach(scope: MerchantScope, { customerIds, guestIds }: Person): Promise<number> {
  const ids = [...customerIds, ...guestIds]
  const { numAffectedRows } = await sql`
    update favorites t set customer_id = null, guest_id = k.unknown_id
    from unnest(${ids}::uuid[], ${newIds(ids.length)}::uuid[]) as k (id, unknown_id)
    where t.merchant_id = ${scope.merchantId} and (t.customer_id = k.id or t.guest_id = k.id)`.execute(scope.db)
  return Number(numAffectedRows ?? 0n)
}

export const favoritePersonalData: readonly PersonalDataEntry[] = [
  {
    table: 'favorites',
    title: { ja: 'お気に入り', en: 'Favorites' },
    about: ({ customerIds, guestIds }) =>
      sql`t.customer_id = any(${customerIds}::uuid[]) or t.guest_id = any(${guestIds}::uuid[])`,
    omittedColumns: ['is_again'],
    // The product's figures stay.
    forget: { run: detach },
  },
]
