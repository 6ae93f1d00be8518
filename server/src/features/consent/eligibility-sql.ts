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
