import type { Tokens } from '@okaeri/contract/sessions/routes'
import type { Context } from '../../kernel/context.ts'
import { unauthorized } from '../../kernel/errors.ts'
import type { Identity } from '../../kernel/http/http.ts'
import { newId } from '../../kernel/ids.ts'
import { type MerchantScope, merchantScope } from '../../kernel/merchant-scope.ts'
import { findMember, getMember, holdMember } from '../merchants/index.ts'
import { ACCESS_TOKEN_SECONDS, readAccessToken, signAccessToken } from './access-token.ts'
import { makeSecretToken, nextSecretToken, readSecretToken } from './secret-token.ts'
import {
  deleteOldRefreshTokens,
  deleteOldSessions,
  findLiveRole,
  findRefreshToken,
  findSessionForUpdate,
  insertRefreshToken,
  insertSession,
  markRefreshTokenUsed,
  markSessionEnded,
  markSessionsOfMemberEnded,
  type SessionRow,
  touchSession,
} from './queries.ts'

const DAY_MS = 86_400_000
/** How long a session lives without use, and with "remember me". */
const IDLE_MS = 7 * DAY_MS
const REMEMBERED_IDLE_MS = 90 * DAY_MS
/** Two tabs that refresh at once, or an answer that got lost, come back within this; they get the same next token. */
const GRACE_MS = 20_000
const KEEP_USED_TOKENS_MS = 7 * DAY_MS
/** Kept for investigations; then they are deleted with their tokens. */
const KEEP_ENDED_SESSIONS_MS = 30 * DAY_MS
const MAX_USER_AGENT = 300

export interface SessionStart {
  memberId: string
  remember: boolean
  userAgent: string | undefined
  /** By which the member was let in; null where it was not by a password. */
  passwordHash: string | null
}

export const wrongCredentials = () => unauthorized('wrong_credentials', 'the address or the password is wrong')

const expiryOf = (remember: boolean, at: Date): Date =>
  new Date(at.getTime() + (remember ? REMEMBERED_IDLE_MS : IDLE_MS))

/** A new session of a member, with its first tokens. Throws `wrong_credentials` where the password was replaced since it was looked at. */
export function startSession(scope: MerchantScope, start: SessionStart): Promise<Tokens> {
  return scope.transaction(async (scope) => {
    const id = newId()
    const at = scope.context.clock.realNow()
    const { memberId, remember, passwordHash } = start
    const { password_hash } = await holdMember(scope, memberId)
    if (passwordHash !== null && password_hash !== passwordHash) throw wrongCredentials()
    const userAgent = (start.userAgent ?? '').slice(0, MAX_USER_AGENT)
    await deleteOldSessions(scope, memberId, new Date(at.getTime() - KEEP_ENDED_SESSIONS_MS))
    await insertSession(scope, { id, memberId, remember, userAgent, at, expiresAt: expiryOf(remember, at) })
    return issueTokens(scope, { id, member_id: memberId }, makeSecretToken(scope.merchantId, id), null)
  })
}

async function issueTokens(
  scope: MerchantScope,
  session: Pick<SessionRow, 'id' | 'member_id'>,
  { text, hash }: { text: string; hash: Buffer },
  parentHash: Buffer | null,
): Promise<Tokens> {
  const { role } = await getMember(scope, session.member_id)
  await insertRefreshToken(scope, { sessionId: session.id, hash, parentHash, at: scope.context.clock.realNow() })
  return {
    access_token: await signAccessToken(scope.context, {
      merchantId: scope.merchantId,
      memberId: session.member_id,
      sessionId: session.id,
      role,
    }),
    refresh_token: text,
    token_type: 'Bearer',
    expires_in: ACCESS_TOKEN_SECONDS,
  }
}

/** Exchanges a refresh token for the next. Throws `token_invalid`, or `token_reused` after ending the session. */
export async function rotateTokens(context: Context, refreshToken: string): Promise<Tokens> {
  const given = readSecretToken(refreshToken)
  if (!given) throw unauthorized('token_invalid')
  const { hash, rowId: sessionId } = given
  const outcome = await merchantScope(context, given.merchantId).transaction(async (scope) => {
    const session = await findSessionForUpdate(scope, sessionId)
    const at = context.clock.realNow()
    if (!session || session.ended_at || session.expires_at <= at) return 'token_invalid'
    const token = await findRefreshToken(scope, sessionId, hash)
    // Unknown or deleted: an invented token must not be able to end a stranger's session.
    if (!token) return 'token_invalid'
    // Who was removed is signed out.
    if (!(await findMember(scope, session.member_id))) return 'token_invalid'
    if (token.used_at) {
      // Used in the future: the clock was set back since, and it is unknown how long ago it was.
      const comesLate = Math.abs(at.getTime() - token.used_at.getTime()) > GRACE_MS
      if (comesLate || token.successor_used) {
        await markSessionEnded(scope, sessionId, { at, reason: 'token_reused' })
        return 'token_reused'
      }
    } else await markRefreshTokenUsed(scope, { sessionId, hash, parentHash: token.parent_hash, at })
    await touchSession(scope, sessionId, { at, expiresAt: expiryOf(session.remember, at) })
    await deleteOldRefreshTokens(scope, sessionId, new Date(at.getTime() - KEEP_USED_TOKENS_MS))
    return issueTokens(scope, session, nextSecretToken(context.keyring, refreshToken), hash)
  })
  if (typeof outcome !== 'string') return outcome
  forgetLiveness(context, [sessionId])
  throw unauthorized(outcome)
}

/** Signs out the session a refresh token belongs to; an unknown token is no error (RFC 7009). */
export async function revokeToken(context: Context, refreshToken: string): Promise<void> {
  const given = readSecretToken(refreshToken)
  if (!given) return
  await merchantScope(context, given.merchantId).transaction(async (scope) => {
    if (!(await findRefreshToken(scope, given.rowId, given.hash))) return
    await markSessionEnded(scope, given.rowId, { at: context.clock.realNow(), reason: 'signed_out' })
  })
  forgetLiveness(context, [given.rowId])
}

/** Ends every session of the member, but for the one to keep. Returns nothing; access tokens stop within seconds. */
export async function endSessionsOf(
  scope: MerchantScope,
  memberId: string,
  reason: string,
  keptId: string | null = null,
): Promise<void> {
  const at = scope.context.clock.realNow()
  const ended = await markSessionsOfMemberEnded(scope, memberId, { at, reason, keptId })
  forgetLiveness(scope.context, ended)
}

/** Whether a session was ended: by its member, a new password, another address. */
export async function hasEnded(scope: MerchantScope, sessionId: string): Promise<boolean> {
  const session = await findSessionForUpdate(scope, sessionId)
  return session !== null && session.ended_at !== null
}

export async function findRemember(scope: MerchantScope, sessionId: string): Promise<boolean> {
  return (await findSessionForUpdate(scope, sessionId))?.remember ?? false
}

/** How long an ended session may still be taken for alive by another process. */
const LIVENESS_MS = 5000
const MAX_KNOWN = 20_000
type Liveness = Map<string, { untilMs: number; identity: Promise<Identity | null> }>
const known = new WeakMap<Context, Liveness>()

/** Who an access token belongs to, while its session lives. The role is the member's current one, not the token's. */
export async function authenticate(context: Context, token: string): Promise<Identity | null> {
  const claimed = await readAccessToken(context, token)
  if (!claimed) return null
  const { merchantId, memberId, sessionId } = claimed
  const liveness: Liveness = known.get(context) ?? new Map()
  known.set(context, liveness)
  const at = context.clock.realNow()
  const remembered = liveness.get(sessionId)
  if (remembered && remembered.untilMs > at.getTime()) return remembered.identity
  if (liveness.size >= MAX_KNOWN) liveness.clear()
  const identity = findLiveRole(merchantScope(context, merchantId), { sessionId, memberId, at }).then(
    (role) => role && { merchantId, memberId, sessionId, role },
  )
  liveness.set(sessionId, { untilMs: at.getTime() + LIVENESS_MS, identity })
  try {
    return await identity
  } catch (error) {
    liveness.delete(sessionId)
    throw error
  }
}

function forgetLiveness(context: Context, sessionIds: readonly string[]): void {
  for (const id of sessionIds) known.get(context)?.delete(id)
}
