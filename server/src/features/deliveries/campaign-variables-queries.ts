import { sql } from 'kysely'
import type { RecipientVariables } from '../email-rendering/index.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

// What messages of a campaign say to each recipient alone, kept with their rows before they leave.

/** Customers of the campaign for whom a message waits that has nothing of its own to say to them yet; in the order of ids, from `after` on. */
export async function listWithoutVariables(
  scope: MerchantScope,
  campaignId: string,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const { merchantId } = scope
  const { rows } = await sql<{ customer_id: string }>`
    select distinct d.customer_id from deliveries d join customers c on c.merchant_id = ${merchantId} and c.id = d.customer_id
    where d.merchant_id = ${merchantId} and d.campaign_id = ${campaignId} and d.customer_id > ${after} and d.status = 'pending'
      and d.variables is null
    order by d.customer_id limit ${limit}`.execute(scope.db)
  return rows.map(({ customer_id }) => customer_id)
}

/** Messages that wait for codes cannot be released, by whichever worker: the database refuses it. */
export async function markAwaitsCodes(scope: MerchantScope, campaignId: string, awaits: boolean): Promise<void> {
  await scope.db
    .updateTable('messages')
    .set({ awaits_codes: awaits })
    .where('merchant_id', '=', scope.merchantId)
    .where('campaign_id', '=', campaignId)
    .where('uses_coupon', '=', true)
    .execute()
}

/** By whichever channel the campaign reaches them. What a message says already stays. */
export async function setVariables(
  scope: MerchantScope,
  campaignId: string,
  recipients: readonly { customerId: string; variables: RecipientVariables }[],
): Promise<void> {
  await sql`
    update deliveries d set variables = r.variables::jsonb
    from unnest(${recipients.map(({ customerId }) => customerId)}::uuid[],
      ${recipients.map(({ variables }) => JSON.stringify(variables))}::text[]) as r (customer_id, variables)
    where d.merchant_id = ${scope.merchantId} and d.campaign_id = ${campaignId} and d.customer_id = r.customer_id
      and d.variables is null and d.status <> 'sent'`.execute(scope.db)
}
