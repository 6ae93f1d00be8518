import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

/** Over a customer `c`: a message of the campaign is for them. */
export const isRecipientOf = ({ merchantId }: MerchantScope, campaignId: string): RawBuilder<boolean> => sql`exists (
  select from deliveries d where d.merchant_id = ${merchantId} and d.campaign_id = ${campaignId} and d.customer_id = c.id)`

/** The reason; where there is none, whether the same person is reached otherwise. */
export const orReachedOtherwise = (
  reason: RawBuilder<string | null>,
  reachedOtherwise: RawBuilder<boolean>,
): RawBuilder<string | null> => sql`coalesce(${reason}, case when ${reachedOtherwise} then 'duplicate_address' end)`
