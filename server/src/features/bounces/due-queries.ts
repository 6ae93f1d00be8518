import { sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import type { DueWork } from '../../kernel/work/due-merchants.ts'
import type { LinkToken } from '../deliveries/index.ts'

/** Mails come back within days; longer ago it is another one's. */
const LOOKED_BACK_DAYS = 5

/**
 * The one mail that was sent to an address (in lower case) lately, by whichever merchant; null where there are several or none: then it is
 * not known which one came back.
 */
export async function findOnlyDelivery(context: Context, addressKey: string): Promise<LinkToken | null> {
  const since = new Date(context.clock.now().getTime() - LOOKED_BACK_DAYS * 86_400_000)
  const { rows } = await sql<LinkToken>`
    select m.id as "merchantId", d.id as "deliveryId"
    from merchants m join customers c on c.merchant_id = m.id and c.email_key = ${addressKey}
    join deliveries d on d.merchant_id = m.id and d.customer_id = c.id
    where d.channel = 'email' and d.status = 'sent' and d.sent_at > ${since}
    limit 2
  `.execute(context.db)
  return rows.length === 1 ? (rows[0] ?? null) : null
}

export const evidenceBefore = ({ clock, settings }: Pick<Context, 'clock' | 'settings'>): Date =>
  new Date(clock.now().getTime() - settings.bounces.evidenceDays * 86_400_000)

export const oldEvidence: DueWork = {
  name: 'old_evidence_of_bounces',
  merchants: (context) => sql`
    select distinct merchant_id from bounces where evidence is not null and at < ${evidenceBefore(context)}`,
}
