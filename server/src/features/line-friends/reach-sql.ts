import { type RawBuilder, sql } from 'kysely'

/** Over a customer `c`: where they are written to on LINE; null for who may not be. */
export const lineAddress = (merchantId: string): RawBuilder<string | null> => sql`
  (select f.line_user_id from line_friends f
    where f.merchant_id = ${merchantId} and f.customer_id = c.id and f.is_friend)`

/**
 * Over a customer `c`: why they cannot be written to on LINE; null for those who can. The friendship is the consent, so there is nothing
 * that would ignore it. `ofMany`: for very many customers all friends are read once; otherwise each one is looked up.
 */
export const whyNotReachableByLine = (
  merchantId: string,
  { ofMany = false }: { ofMany?: boolean } = {},
): RawBuilder<string | null> => {
  const isOneOf = (which: RawBuilder<unknown>): RawBuilder<boolean> => sql`
    ${ofMany ? sql`c.id in (select f.customer_id from` : sql`exists (select from`} line_friends f
      where f.merchant_id = ${merchantId} and ${which} ${ofMany ? sql`and f.customer_id is not null` : sql`and f.customer_id = c.id`})`
  return sql`
    case
      when ${isOneOf(sql`f.is_friend`)} then null
      when ${isOneOf(sql`f.blocked_at is not null`)} then 'blocked'
      when ${isOneOf(sql`true`)} then 'not_a_friend'
      else 'not_linked'
    end`
}
