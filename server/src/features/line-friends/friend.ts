import type { CustomerOnLine } from '@okaeri/contract/customers/customer'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import {
  addLineCustomer,
  markLineErased,
  nameLineCustomer,
  replaceLineConnections,
  setLineConnection,
} from '../customers/index.ts'
import { passOverWaiting } from './event-queries.ts'
import { deleteLinkChanges, moveLinkChanges } from './link-queries.ts'
import {
  deleteFriendsOf,
  detachFriend,
  findFriendOf,
  type FriendRow,
  insertFriend,
  lockFriends,
  moveFriendsToChannel,
  updateFriend,
} from './queries.ts'

/** A person on LINE did something, now or a while ago (`at`, by the platform), and is this customer here. */
interface OfFriend {
  customerId: string
  lineUserId: string
  at: Date
  /** The event in `line_events`: the same if the platform sends it again. */
  eventId: string
}
declare module '../../kernel/facts.ts' {
  interface Facts {
    /** Added the account, or unblocked it. */
    'line.followed': OfFriend
    'line.blocked': OfFriend
    /** Wrote to the account. Null: no text but a sticker, a picture … */
    'line.message': OfFriend & { text: string | null }
    /** Tapped a button that reports to us (postback). */
    'line.postback': OfFriend & { data: string }
    /** A person answered on LINE's page whether to link their account; `isOk`: they did, and it is the account the page was made for. */
    'line.link_answered': { lineUserId: string; nonce: string; isOk: boolean; receivedAt: Date }
  }
}

/** The row, made where there is none, locked. */
async function friendForUpdate(scope: TransactionScope, lineUserId: string): Promise<FriendRow> {
  await insertFriend(scope, lineUserId)
  const [friend] = await lockFriends(scope, [lineUserId])
  if (!friend) throw new Error('the friend was just made')
  return friend
}

/** They added the account, or unblocked it. Returns which customer did; null: older than what is known, or nothing new. */
export async function follow(
  scope: TransactionScope,
  lineUserId: string,
  { at, isNews = true }: { at: Date; isNews?: boolean },
): Promise<string | null> {
  const friend = await friendForUpdate(scope, lineUserId)
  if (friend.changed_at > at || (friend.is_friend && friend.customer_id !== null)) return null
  const customerId = friend.customer_id ?? (await addLineCustomer(scope, { name: friend.display_name, isNews }))
  await updateFriend(scope, lineUserId, {
    customer_id: customerId,
    is_friend: true,
    friend_since: at,
    blocked_at: null,
    changed_at: at,
  })
  await setLineConnection(scope, customerId, at)
  return customerId
}

/** They blocked the account: nothing reaches them until they unblock it. Returns as {@link follow}. */
export async function block(scope: TransactionScope, lineUserId: string, at: Date): Promise<string | null> {
  const friend = await friendForUpdate(scope, lineUserId)
  if (friend.changed_at > at) return null
  await updateFriend(scope, lineUserId, { is_friend: false, blocked_at: at, changed_at: at })
  if (friend.customer_id) await setLineConnection(scope, friend.customer_id, null)
  return friend.customer_id
}

/** They wrote or tapped, as only friends can: one we did not know becomes known. Returns which customer they are. */
export async function recordContact(scope: TransactionScope, lineUserId: string, at: Date): Promise<string | null> {
  const friend = await friendForUpdate(scope, lineUserId)
  if (friend.last_contact_at === null || friend.last_contact_at < at)
    await updateFriend(scope, lineUserId, { last_contact_at: at })
  return (await follow(scope, lineUserId, { at })) ?? friend.customer_id
}

/**
 * Reaction to `line.connected`: friends of the former account have not added this one, so they are not its friends. Events of the former
 * account that are not processed yet do not apply to this one.
 */
export async function moveFriends(
  scope: MerchantScope,
  { channelId, formerId }: { channelId: string; formerId: string | null },
): Promise<void> {
  if (formerId === null) return
  await passOverWaiting(scope)
  await replaceLineConnections(scope, await moveFriendsToChannel(scope, { channelId, formerId }))
}

interface Profile {
  displayName: string
  pictureUrl: string | null
  language: string | null
}

/** A person who logged in by LINE. That alone makes them no friend. */
export function recordLoginPerson(
  scope: MerchantScope,
  lineUserId: string,
  { displayName, pictureUrl }: Omit<Profile, 'language'>,
): Promise<void> {
  return scope.transaction(async (scope) => {
    const { language } = await friendForUpdate(scope, lineUserId)
    await keepProfile(scope, lineUserId, { displayName, pictureUrl, language })
  })
}

/** What the platform says of a person; a customer known by LINE only is called so. */
export function keepProfile(scope: MerchantScope, lineUserId: string, profile: Profile | null): Promise<void> {
  return scope.transaction(async (scope) => {
    const [friend] = await lockFriends(scope, [lineUserId])
    if (!friend) return
    await updateFriend(scope, lineUserId, {
      profile_read_at: scope.now,
      ...(profile && {
        display_name: profile.displayName,
        picture_url: profile.pictureUrl,
        language: profile.language,
      }),
    })
    if (profile && friend.customer_id) await nameLineCustomer(scope, friend.customer_id, profile.displayName)
  })
}

export async function presentFriendOf(scope: MerchantScope, customerId: string): Promise<CustomerOnLine | null> {
  const friend = await findFriendOf(scope, customerId)
  return (
    friend && {
      name: friend.display_name,
      picture_url: friend.picture_url,
      is_friend: friend.is_friend,
      friend_since: friend.friend_since?.toISOString() ?? null,
      blocked_at: friend.blocked_at?.toISOString() ?? null,
      last_contact_at: friend.last_contact_at?.toISOString() ?? null,
    }
  )
}

/** Two customers became one. Where both have a LINE account, the one who stays keeps theirs. */
export async function mergeFriends(
  scope: MerchantScope,
  { fromId, intoId }: { fromId: string; intoId: string },
): Promise<void> {
  const [from, into] = [await findFriendOf(scope, fromId), await findFriendOf(scope, intoId)]
  if (from && !into) await updateFriend(scope, from.line_user_id, { customer_id: intoId })
  else if (from) await detachFriend(scope, fromId)
  await moveLinkChanges(scope, fromId, intoId)
}

/** Erased at their request: earlier or repeated events do not bring them back. Returns how many there were. */
export async function eraseFriends(scope: MerchantScope, customerIds: readonly string[]): Promise<number> {
  const lineUserIds = await deleteFriendsOf(scope, customerIds)
  if (lineUserIds.length > 0) await markLineErased(scope, lineUserIds)
  return lineUserIds.length
}

/** A customer removed here: the friendship stays, and the person is matched again at their next event. */
export async function forgetFriend(scope: MerchantScope, { customerId }: { customerId: string }): Promise<void> {
  await detachFriend(scope, customerId)
  await deleteLinkChanges(scope, customerId)
}
