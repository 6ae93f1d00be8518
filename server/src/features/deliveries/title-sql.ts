import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

/** What lists show of delivery `d`, by its channel: of a mail the subject. Null where there is nothing to show. */
export function titleGot({ context, merchantId }: MerchantScope): RawBuilder<string | null> {
  const channels = Object.values(context.ports.channels())
  const titles = channels.map(({ name, title }) => sql`when ${sql.lit(name)} then ${title(merchantId)}`)
  return sql`case d.channel ${sql.join(titles, sql` `)} end`
}
