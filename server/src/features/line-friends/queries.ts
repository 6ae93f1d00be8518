import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

export interface FriendRow {
  line_user_id: string
  customer_id: string | null
  is_friend: boolean
  friend_since: Date | null
  blocked_at: Date | null
  display_name: string | null
  picture_url: string | null
  language: string | null
  last_contact_at: Date | null
  changed_at: Date
}
const columns = sql`line_user_id, customer_id, is_friend, friend_since, blocked_at, display_name, picture_url, language, last_contact_at,
  changed_at`

export async function findFriend(scope: MerchantScope, lineUserId: string): Promise<FriendRow | null> {
  const { rows } = await sql<FriendRow>`select ${columns} from line_friends
    where merchant_id = ${scope.merchantId} and line_user_id = ${lineUserId}`.execute(scope.db)
  return rows[0] ?? null
}

/** Locks those who are known until the transaction ends. */
export async function lockFriends(scope: MerchantScope, lineUserIds: readonly string[]): Promise<FriendRow[]> {
  const { rows } = await sql<FriendRow>`select ${columns} from line_friends
    where merchant_id = ${scope.merchantId} and line_user_id = any(${[...lineUserIds]}::text[])
    order by line_user_id for update`.execute(scope.db)
  return rows
}

export async function findFriendOf(scope: MerchantScope, customerId: string): Promise<FriendRow | null> {
  const { rows } = await sql<FriendRow>`select ${columns} from line_friends
    where merchant_id = ${scope.merchantId} and customer_id = ${customerId}`.execute(scope.db)
  return rows[0] ?? null
}

/** Returns whether there was none. Of two that insert at once the second waits, and finds the first's. */
export async function insertFriend(scope: MerchantScope, lineUserId: string): Promise<boolean> {
  const { rows } = await sql`
    insert into line_friends (merchant_id, line_user_id, is_friend, changed_at, created_at)
    values (${scope.merchantId}, ${lineUserId}, false, '-infinity', ${scope.now})
    on conflict (merchant_id, line_user_id) do nothing returning 1`.execute(scope.db)
  return rows.length > 0
}

export async function updateFriend(
  scope: MerchantScope,
  lineUserId: string,
  change: Partial<Omit<FriendRow, 'line_user_id'>> & { profile_read_at?: Date },
): Promise<void> {
  await scope.db
    .updateTable('line_friends')
    .set(change)
    .where('merchant_id', '=', scope.merchantId)
    .where('line_user_id', '=', lineUserId)
    .execute()
}

/** Friends of the former channel are no friends of this one; earlier friends of this one are friends again. Returns who is a friend now. */
export async function moveFriendsToChannel(
  scope: MerchantScope,
  { channelId, formerId }: { channelId: string; formerId: string },
): Promise<{ customerId: string; since: Date | null }[]> {
  const { rows } = await sql<{ customerId: string | null; since: Date | null; isFriend: boolean }>`
    update line_friends f set is_friend = coalesce(f.former_channel_id = ${channelId}, false), blocked_at = null,
      former_channel_id = case when f.is_friend then ${formerId} end
    where f.merchant_id = ${scope.merchantId}
    returning f.customer_id as "customerId", f.friend_since as since, f.is_friend as "isFriend"`.execute(scope.db)
  return rows.flatMap(({ customerId, since, isFriend }) => (customerId && isFriend ? [{ customerId, since }] : []))
}

export async function detachFriend(scope: MerchantScope, customerId: string): Promise<void> {
  await sql`update line_friends set customer_id = null
    where merchant_id = ${scope.merchantId} and customer_id = ${customerId}`.execute(scope.db)
}

/** Returns their ids on LINE. */
export async function deleteFriendsOf(scope: MerchantScope, customerIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    delete from line_friends where merchant_id = ${scope.merchantId} and customer_id = any(${[...customerIds]}::uuid[])
    returning line_user_id as id`.execute(scope.db)
  return rows.map(({ id }) => id)
}

export async function listWithoutProfile(scope: MerchantScope, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select line_user_id as id from line_friends
    where merchant_id = ${scope.merchantId} and profile_read_at is null and is_friend limit ${limit}`.execute(scope.db)
  return rows.map(({ id }) => id)
}
