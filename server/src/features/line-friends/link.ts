import { retriedTransaction } from '../../kernel/database/deadlocks.ts'
import { conflict, notFound } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import {
  addLineCustomer,
  holdCustomer,
  isKnownByLineOnly,
  mergeCustomers,
  setLineConnection,
} from '../customers/index.ts'
import { insertLinkChange } from './link-queries.ts'
import { findFriend, findFriendOf, type FriendRow, lockFriends, updateFriend } from './queries.ts'

declare module '../../kernel/facts.ts' {
  interface Facts {
    /** A LINE account turned out to be this customer's. */
    'line.linked': { customerId: string; lineUserId: string }
  }
}

/** What linking a LINE account with a customer would end. */
export interface FormerLinks {
  /** The customer whose the account is now; none who is known by LINE only, for they become one. */
  holderId: string | null
  /** Another account that is the customer's now. */
  other: FriendRow | null
}

export async function findFormerLinks(
  scope: MerchantScope,
  lineUserId: string,
  customerId: string,
): Promise<FormerLinks> {
  const [friend, own] = [await findFriend(scope, lineUserId), await findFriendOf(scope, customerId)]
  const holderId = friend?.customer_id === customerId ? null : (friend?.customer_id ?? null)
  return {
    holderId: holderId && !(await isKnownByLineOnly(scope, holderId)) ? holderId : null,
    other: own?.line_user_id === lineUserId ? null : own,
  }
}

/**
 * This LINE account is this customer's. A customer known by LINE only becomes one with them. Where the account is another customer's, or the
 * customer has another account, `moves` ends that first; without it `line_account_taken` is thrown. False: they were linked already.
 */
export function linkFriend(
  scope: MerchantScope,
  lineUserId: string,
  customerId: string,
  { moves = false }: { moves?: boolean } = {},
): Promise<boolean> {
  // The search index writes rows of the same customers in the order of their ids.
  return retriedTransaction(scope, async (scope) => {
    const friend = await lockFor(scope, lineUserId, customerId)
    if (friend.customer_id === customerId) return false
    const { holderId, other } = await findFormerLinks(scope, lineUserId, customerId)
    if ((holderId || other) && !moves)
      throw conflict('line_account_taken', 'the account is another customer’s, or the customer has another one')
    if (other) await release(scope, other, customerId)
    if (holderId) await endLink(scope, lineUserId, holderId)
    await updateFriend(scope, lineUserId, { customer_id: customerId })
    if (friend.is_friend) await setLineConnection(scope, customerId, friend.friend_since ?? scope.now)
    const former = holderId ? null : friend.customer_id
    if (former) await mergeCustomers(scope, { fromId: former, intoId: customerId })
    await note(scope, { customerId, lineUserId, isLinked: true })
    await scope.context.publish(scope, 'line.linked', { customerId, lineUserId })
    return true
  })
}

/** The customer has no LINE account any more. Who is a friend stays one, as a customer known by LINE only. False: they had none. */
export function unlinkFriend(scope: MerchantScope, customerId: string): Promise<boolean> {
  return scope.transaction(async (scope) => {
    const found = await findFriendOf(scope, customerId)
    if (!found || (await isKnownByLineOnly(scope, customerId))) return false
    const [friend] = await lockFriends(scope, [found.line_user_id])
    if (friend?.customer_id !== customerId) return false
    await release(scope, friend, customerId)
    return true
  })
}

/** Locks the account, the one the customer has, and the customer: everywhere in this order, so that there are no deadlocks. */
async function lockFor(scope: TransactionScope, lineUserId: string, customerId: string): Promise<FriendRow> {
  const own = await findFriendOf(scope, customerId)
  const locked = await lockFriends(scope, [lineUserId, ...(own ? [own.line_user_id] : [])])
  const friend = locked.find((one) => one.line_user_id === lineUserId)
  if (!friend) throw notFound('no one with this id is known')
  if (!(await holdCustomer(scope, customerId))) throw notFound('there is no such customer')
  const now = await findFriendOf(scope, customerId)
  if (now && !locked.some((one) => one.line_user_id === now.line_user_id))
    throw conflict('line_account_taken', 'the customer was given another LINE account just now')
  return friend
}

async function release(scope: TransactionScope, friend: FriendRow, customerId: string): Promise<void> {
  const next = friend.is_friend ? await addLineCustomer(scope, { name: friend.display_name, isNews: false }) : null
  await updateFriend(scope, friend.line_user_id, { customer_id: next })
  if (next) await setLineConnection(scope, next, friend.friend_since ?? scope.now)
  await endLink(scope, friend.line_user_id, customerId)
}

async function endLink(scope: TransactionScope, lineUserId: string, customerId: string): Promise<void> {
  await setLineConnection(scope, customerId, null)
  await note(scope, { customerId, lineUserId, isLinked: false })
}

const note = (
  scope: TransactionScope,
  change: { customerId: string; lineUserId: string; isLinked: boolean },
): Promise<void> => insertLinkChange(scope, { id: newId(), ...change })
