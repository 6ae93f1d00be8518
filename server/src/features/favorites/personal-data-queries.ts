import { sql } from 'kysely'
import type { PersonalDataEntry } from '../../kernel/personal-data.ts'

export const favoritePersonalData: readonly PersonalDataEntry[] = [
  {
    table: 'favorites',
    title: { ja: 'お気に入り', en: 'Favorites' },
    about: ({ customerIds, guestIds }) =>
      sql`t.customer_id = any(${customerIds}::uuid[]) or t.guest_id = any(${guestIds}::uuid[])`,
    omittedColumns: ['is_again'],
    // The product's figures stay.
    forget: { set: ({ anonymousId }) => sql`customer_id = null, guest_id = ${anonymousId}` },
  },
]
