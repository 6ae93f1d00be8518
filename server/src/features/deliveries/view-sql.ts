import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import type { Channel } from './channel.ts'

const byChannel = (
  { context, merchantId }: MerchantScope,
  shown: (channel: Channel) => (merchantId: string) => RawBuilder<string | null>,
): RawBuilder<string | null> => {
  const channels = Object.values(context.ports.channels())
  const cases = channels.map((channel) => sql`when ${sql.lit(channel.name)} then ${shown(channel)(merchantId)}`)
  return sql`case d.channel ${sql.join(cases, sql` `)} end`
}

/** What lists show of delivery `d`, by its channel: of a mail the subject. Null where there is nothing to show. */
export const deliveryTitle = (scope: MerchantScope): RawBuilder<string | null> => byChannel(scope, ({ title }) => title)

/** The recipient as the channel names them: for a mail the address. */
export const deliveryRecipient = (scope: MerchantScope): RawBuilder<string | null> =>
  byChannel(scope, ({ recipient }) => recipient)

/** What pages show of delivery `d`, but for the names of campaign and scenario. LINE does not say who opened a message. */
export const deliveryColumns = (scope: MerchantScope): RawBuilder<unknown> => sql`
  d.id, d.kind, d.channel, d.status, d.reason, d.detail, d.customer_id, c.display_name as customer_name, d.address,
  ${deliveryRecipient(scope)} as recipient, ${deliveryTitle(scope)} as subject, d.language, d.campaign_id, d.scenario_id, d.node_id,
  case d.channel when 'email' then m.email_id end as email_id, case d.channel when 'line' then m.email_id end as line_message_id,
  d.test_mode, d.attempts, d.created_at, d.sent_at,
  case d.channel when 'email' then d.opened_at end as opened_at, d.clicked_at, d.bounced_at`

/** The tables they stand in beside `d`. */
export const deliveryJoins = ({ merchantId }: MerchantScope): RawBuilder<unknown> => sql`
  left join messages m on m.merchant_id = ${merchantId} and m.id = d.message_id
  left join customers c on c.merchant_id = ${merchantId} and c.id = d.customer_id`
