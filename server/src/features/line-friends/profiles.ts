import { LineError } from '../../integrations/line/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { job } from '../../kernel/work/jobs.ts'
import { type MerchantScope, merchantScope } from '../../kernel/merchant-scope.ts'
import { findErasedLine } from '../customers/index.ts'
import { findLineAccount, getLineToken } from '../line-accounts/index.ts'
import { follow, keepProfile } from './friend.ts'
import { listWithoutProfile } from './queries.ts'

/** Asked of the platform side by side. */
const AT_ONCE = 10
const A_TURN = 100

/** Names and pictures of some friends; returns whether any was read. While the platform is away nothing is, and it is tried again later. */
export async function readProfiles(scope: MerchantScope): Promise<boolean> {
  const waiting = await listWithoutProfile(scope, A_TURN)
  const token = await findToken(scope)
  if (waiting.length === 0 || token === null) return false
  const { account } = scope.context.integrations.line
  const ids = waiting.values()
  let read = 0
  const reader = async (): Promise<void> => {
    for (const id of ids) {
      const profile = await account.findProfile(token, id)
      const kept = profile && {
        displayName: profile.displayName.slice(0, 200).toWellFormed(),
        pictureUrl: profile.pictureUrl ?? null,
        language: profile.language ?? null,
      }
      await keepProfile(merchantScope(scope.context, scope.merchantId), id, kept)
      read += 1
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, reader))
  const failures = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []))
  for (const failure of failures) if (!(failure instanceof LineError)) throw failure
  // Renewed, or the merchant is notified that it cannot be.
  if (failures.some((failure) => failure instanceof LineError && failure.outcome.kind === 'unauthorized'))
    await findToken(scope, token)
  return read > 0
}

/** Null where LINE is not connected, or cannot be reached now. `refused`: one that the platform did not take. */
async function findToken(scope: MerchantScope, refused?: string): Promise<string | null> {
  try {
    return await getLineToken(scope, refused)
  } catch (error) {
    if (error instanceof LineError || (error instanceof AppError && error.reason === 'line_not_connected')) return null
    throw error
  }
}

/**
 * Those who were friends before the account was connected. Only accounts that the platform has verified may ask; of the others each friend
 * becomes known when they are heard from.
 */
export const readFollowers = job<{ start: string | null }>(
  'read-line-followers',
  ({ start }) => start ?? '',
  async (scope, { start }) => {
    const channelId = (await findLineAccount(scope))?.channel_id
    const token = await findToken(scope)
    if (token === null) return
    const { account } = scope.context.integrations.line
    const asked = scope.context.clock.realNow()
    const page = await account.followers(token, start).catch((error: unknown) => {
      if (error instanceof LineError && !error.retryable) return null
      throw error
    })
    if (!page) return
    // That they are friends still is nothing they did.
    const erased = await findErasedLine(scope, page.userIds)
    const followers = page.userIds.filter((id) => !erased.has(id))
    for (let at = 0; at < followers.length; at += A_TURN) {
      const isOurs = await merchantScope(scope.context, scope.merchantId).transaction(async (scope) => {
        // Under lock: friends of an account that was replaced meanwhile are none of the one connected now, whose own are read by its own job.
        if ((await findLineAccount(scope, { lock: true }))?.channel_id !== channelId) return false
        for (const id of followers.slice(at, at + A_TURN)) await follow(scope, id, { at: asked, isNews: false })
        return true
      })
      if (!isOurs) return
    }
    if (page.next) await scope.context.jobs.later(scope, readFollowers, { start: page.next })
  },
)

export const readFollowersLater = (scope: MerchantScope): Promise<void> =>
  scope.context.jobs.later(scope, readFollowers, { start: null })
