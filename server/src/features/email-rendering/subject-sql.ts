import { type RawBuilder, sql } from 'kysely'

/**
 * What the subject of delivery `d` said to its recipient, where `message` is its row of `messages`. Null if unknown: a subject with tags of
 * a mail that was never made, or was made before it was kept. The tags themselves are never shown.
 */
export const subjectGot = (message: 'm' | 'g'): RawBuilder<string | null> => {
  const written = sql.ref(`${message}.subject`)
  return sql`coalesce(d.filled_subject, case when strpos(${written}, '{{') = 0 and strpos(${written}, '{%') = 0 then ${written} end)`
}
