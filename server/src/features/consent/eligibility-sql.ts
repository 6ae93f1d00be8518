import { type RawBuilder, sql } from 'kysely'

/**
 * Why a customer (`c`, a row of `customers`) cannot be mailed now: SQL that is null for those who can. One predicate for the count while
 * editing, the review, the reservation and the moment of sending, so that they cannot disagree (pain 11). `sendToAll` ignores marketing
 * consent, never a suppression (domain.md §3). `ofMany`: for very many customers all suppressed addresses are read once, which several
 * processes of the database can share; otherwise each address is looked up.
 */
export const whyNotMailable = (
  merchantId: string,
  { sendToAll, ofMany = false }: { sendToAll: boolean; ofMany?: boolean },
): RawBuilder<string | null> => sql`
  case
    when c.email_key is null then 'no_address'
    when ${ofMany ? sql`c.email_key in (select s.address_key from` : sql`exists (select from`} suppressions s
      where s.merchant_id = ${merchantId} and s.channel = 'email' and s.lifted_at is null
        ${ofMany ? sql`` : sql`and s.address_key = c.email_key`}) then 'suppressed'
    when ${sendToAll ? sql`false` : sql`c.marketing_state <> 'granted'`} then 'no_consent'
  end`

/**
 * One person, one mail: among those who can be mailed, all but the oldest customer of an address are duplicates. Takes the column
 * that holds {@link whyNotMailable}; to be read over the whole audience at once.
 */
export const isDuplicateAddress = (reason: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`${reason} is null and row_number() over (partition by c.email_key, (${reason} is null) order by c.created_at, c.id) > 1`
