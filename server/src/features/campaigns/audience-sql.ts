import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { whyNotContactable } from '../deliveries/index.ts'

/** All over a customer `c`. */
type Condition = RawBuilder<boolean>

/** The audience of a campaign to all customers. */
export const everyone: Condition = sql`true`

export const and = (one: Condition, other: Condition): Condition => sql`(${one}) and (${other})`
export const not = (condition: Condition): Condition => sql`not (${condition})`

/** Who can be written to on LINE. */
export const hasLine = (scope: MerchantScope): Condition =>
  sql`(${whyNotContactable(scope, { channel: 'line', sendToAll: false, ofMany: true })}) is null`

/** So many of `whole`, spread evenly and by chance over the customers; another campaign has others. Of one mail address all or none. */
export const isInShare = (share: number, whole: number, campaignId: string): Condition => sql`
  (hashtextextended(coalesce(c.email_key, c.id::text) || ${campaignId}::text, 0) & 9223372036854775807) % ${whole} < ${share}`

/** Customers whose mail address is in the audience: one person may be several customers with one address. */
export const sharesAddress = ({ merchantId }: MerchantScope, where: Condition): Condition => sql`c.email_key in (
  select c.email_key from customers c where c.merchant_id = ${merchantId} and ${where})`

/** Customers whose mail address is that of a recipient of the message. */
export const sharesAddressOfRecipient = (
  { merchantId }: MerchantScope,
  messageId: string,
): Condition => sql`c.email_key in (
  select k.email_key from deliveries d join customers k on k.merchant_id = ${merchantId} and k.id = d.customer_id
  where d.merchant_id = ${merchantId} and d.message_id = ${messageId} and d.status <> 'skipped')`
