import { sql } from 'kysely'
import type { RecipientVariables } from '../email-rendering/index.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

// What messages of a campaign say to each recipient alone, kept with their rows before they leave.

/**
 * Rows of a message that wait and have nothing of their own to say yet, in the order of ids, from `after` on; without a customer where they are gone.
 * What waits is read from its index: by the campaign the planner would read the merchant's whole ledger. The customer is looked up row by row.
 */
export async function listWithoutVariables(
  scope: MerchantScope,
  messageId: string,
  { after, limit }: { after: string; limit: number },
): Promise<{ id: string; customer_id: string | null }[]> {
  const { merchantId } = scope
  const { rows } = await sql<{ id: string; customer_id: string | null }>`
    with waiting as materialized (
      select d.id, d.customer_id from deliveries d
      where d.merchant_id = ${merchantId} and d.message_id = ${messageId} and d.status = 'pending' and d.id > ${after} and d.variables is null
      order by d.id limit ${limit}
    )
    select w.id, (select c.id from customers c where c.merchant_id = ${merchantId} and c.id = w.customer_id) as customer_id
    from waiting w order by w.id`.execute(scope.db)
  return rows
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

/**
 * Codes that messages show may not hold any longer: what workers have not let leave goes back. A campaign's is held as it was before its codes were
 * made; a scenario's is claimed again at once, and each row asked about.
 */
export async function withholdCodes(
  scope: MerchantScope,
  { campaignId }: { campaignId: string | null },
): Promise<void> {
  const { merchantId } = scope
  if (campaignId === null)
    await sql`update messages set code_doubts = code_doubts + 1
      where merchant_id = ${merchantId} and scenario_id is not null and uses_coupon and state = 'released'`.execute(
      scope.db,
    )
  else
    await sql`update messages set awaits_codes = true, state = case when state = 'released' then 'held' else state end
      where merchant_id = ${merchantId} and campaign_id = ${campaignId} and uses_coupon`.execute(scope.db)
}

/** What waits says another code. */
export async function replaceCodes(
  scope: MerchantScope,
  codes: readonly { deliveryId: string; code: string }[],
): Promise<void> {
  await sql`
    update deliveries d set variables = jsonb_set(d.variables, '{coupon,code}', r.code::jsonb), next_attempt_at = null
    from unnest(${codes.map(({ deliveryId }) => deliveryId)}::uuid[], ${codes.map(({ code }) => JSON.stringify(code))}::text[]) as r (id, code)
    where d.merchant_id = ${scope.merchantId} and d.id = r.id and d.status = 'pending'`.execute(scope.db)
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
