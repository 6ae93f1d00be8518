import { sql } from 'kysely'
import type { PersonalDataEntry } from '../../kernel/personal-data.ts'

/** A rehearsal shows what a few customers would have got. It is deleted with them; a new one takes a minute. */
export const rehearsalPersonalData: readonly PersonalDataEntry[] = [
  {
    table: 'scenario_rehearsals',
    title: { ja: 'シナリオのリハーサルの例', en: 'Rehearsal examples' },
    about: ({ customerIds }) => sql`exists (
      select from jsonb_array_elements(coalesce(t.result -> 'samples', '[]')) as sample
      where (sample ->> 'customer_id')::uuid = any(${customerIds}::uuid[]))`,
    isBookkeeping: true,
    forget: 'delete',
  },
]
