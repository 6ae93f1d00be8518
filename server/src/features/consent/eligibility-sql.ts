import type { ConsentKind } from '@okaeri/contract/customers/customer'
import { type RawBuilder, sql } from 'kysely'

/**
 * Why a customer (`c`, a row of `customers`) cannot be mailed now: SQL that is null for those who can. One predicate for the count while
 * editing, the review, the reservation and the moment of sending, so that they cannot disagree (pain 11). `sendToAll` ignores marketing
 * consent and pauses, never a suppression (domain.md §3). `now` decides which pauses are over. `ofMany`: for very many customers all suppressed addresses are read once, which several
 * processes of the database can share; otherwise each address is looked up. `kind`: which permission it takes; a pause is of marketing alone.
 */
export const whyNotMailable = (
  merchantId: string,
  {
    sendToAll,
    now,
    kind = 'marketing',
    ofMany = false,
  }: { sendToAll: boolean; now: Date; kind?: ConsentKind; ofMany?: boolean },
): RawBuilder<string | null> => sql`
  case
    when c.email_key is null then 'no_address'
    when ${ofMany ? sql`c.email_key in (select s.address_key from` : sql`exists (select from`} suppressions s
      where s.merchant_id = ${merchantId} and s.channel = 'email' and s.lifted_at is null
        ${ofMany ? sql`` : sql`and s.address_key = c.email_key`}) then 'suppressed'
    when ${sendToAll ? sql`false` : lacksConsent[kind]} then 'no_consent'
    when ${sendToAll || kind === 'notification' ? sql`false` : isPaused(merchantId, { now, ofMany })} then 'paused'
  end`

/** Who said nothing of favorites and restock gets those mails with the marketing permission; a no to them is a no. */
const lacksConsent: Record<ConsentKind, RawBuilder<boolean>> = {
  marketing: sql`c.marketing_state <> 'granted'`,
  notification: sql`
    (c.notification_state = 'withdrawn' or (c.notification_state <> 'granted' and c.marketing_state <> 'granted'))`,
}

/** Whether the owner of the mailbox asked for no marketing for a while. */
const isPaused = (merchantId: string, { now, ofMany }: { now: Date; ofMany: boolean }): RawBuilder<boolean> => sql`
  ${ofMany ? sql`c.email_key in (select p.address_key from` : sql`exists (select from`} marketing_pauses p
    where p.merchant_id = ${merchantId} and p.until > ${now}
      ${ofMany ? sql`` : sql`and p.address_key = c.email_key`})`
