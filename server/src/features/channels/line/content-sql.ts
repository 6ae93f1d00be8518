import { type RawBuilder, sql } from 'kysely'

/** How the friend is called whom delivery `d` went to. */
export const nameOnLine = (merchantId: string): RawBuilder<string | null> => sql`(
  select f.display_name from line_friends f where f.merchant_id = ${merchantId} and f.line_user_id = d.address)`

/**
 * What lists show of delivery `d`: the first words of its first message that has any. Null where they are not known: words with tags or
 * links that were never filled in. These are never shown.
 */
export const wordsGot = (merchantId: string): RawBuilder<string | null> => sql`coalesce(d.filled_subject, (
  select left(said.words, 100) from line_contents f
    cross join lateral jsonb_array_elements(f.messages) with ordinality as m (message, place)
    cross join lateral (select coalesce(m.message ->> 'text', m.message ->> 'altText') as words) said
  where f.merchant_id = ${merchantId} and f.message_id = d.message_id and said.words is not null
    and strpos(said.words, '{{') = 0 and strpos(said.words, '{%') = 0 and strpos(said.words, chr(1)) = 0
  order by m.place limit 1))`
