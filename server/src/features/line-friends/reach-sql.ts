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
): RawBuilder<string | null> => (ofMany ? whyNotOfMany(merchantId) : whyNotOfOne(merchantId))

const whyNotOfMany = (merchantId: string): RawBuilder<string | null> => {
  const isOneOf = (which: RawBuilder<unknown>): RawBuilder<boolean> => sql`
    c.id in (select f.customer_id from line_friends f
      where f.merchant_id = ${merchantId} and ${which} and f.customer_id is not null)`
  return sql`
    case
      when ${isOneOf(sql`f.is_friend`)} then null
      when ${isOneOf(sql`f.blocked_at is not null`)} then 'blocked'
      when ${isOneOf(sql`true`)} then 'not_a_friend'
      else 'not_linked'
    end`
}

/** One value, which is looked up. Of `exists` the planner may read all friends, for each claim again. */
const whyNotOfOne = (merchantId: string): RawBuilder<string | null> => sql`
  nullif(coalesce((
    select case when f.is_friend then 'friend' when f.blocked_at is not null then 'blocked' else 'not_a_friend' end
    from line_friends f where f.merchant_id = ${merchantId} and f.customer_id = c.id), 'not_linked'), 'friend')`
