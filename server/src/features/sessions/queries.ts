import type { MemberRole } from '@okaeri/contract/merchants/merchant'
import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

export interface SessionRow {
  id: string
  member_id: string
  remember: boolean
  expires_at: Date
  ended_at: Date | null
}
export interface RefreshTokenRow {
  used_at: Date | null
  /** Whether a token it was exchanged for was itself used. */
  successor_used: boolean
  parent_hash: Buffer | null
}

export async function insertSession(
  scope: MerchantScope,
  session: { id: string; memberId: string; remember: boolean; userAgent: string; at: Date; expiresAt: Date },
): Promise<void> {
  await sql`
    insert into sessions (merchant_id, id, member_id, remember, user_agent, created_at, last_used_at, expires_at)
    values (${scope.merchantId}, ${session.id}, ${session.memberId}, ${session.remember}, ${session.userAgent},
      ${session.at}, ${session.at}, ${session.expiresAt})`.execute(scope.db)
}

export async function findSessionForUpdate(scope: MerchantScope, id: string): Promise<SessionRow | null> {
  const { rows } = await sql<SessionRow>`
    select id, member_id, remember, expires_at, ended_at from sessions
    where merchant_id = ${scope.merchantId} and id = ${id} for update`.execute(scope.db)
  return rows[0] ?? null
}

/** The member's role while the session lives; null when it does not. */
export async function findLiveRole(
  scope: MerchantScope,
  { sessionId, memberId, at }: { sessionId: string; memberId: string; at: Date },
): Promise<MemberRole | null> {
  const { rows } = await sql<{ role: MemberRole }>`
    select m.role from sessions s
    join members m on m.merchant_id = ${scope.merchantId} and m.id = s.member_id
    where s.merchant_id = ${scope.merchantId} and s.id = ${sessionId} and s.member_id = ${memberId}
      and s.ended_at is null and s.expires_at > ${at}`.execute(scope.db)
  return rows[0]?.role ?? null
}

export async function touchSession(
  scope: MerchantScope,
  id: string,
  { at, expiresAt }: { at: Date; expiresAt: Date },
): Promise<void> {
  await sql`update sessions set last_used_at = ${at}, expires_at = ${expiresAt}
    where merchant_id = ${scope.merchantId} and id = ${id}`.execute(scope.db)
}

export async function markSessionEnded(
  scope: MerchantScope,
  id: string,
  { at, reason }: { at: Date; reason: string },
): Promise<void> {
  await sql`update sessions set ended_at = ${at}, ended_reason = ${reason}
    where merchant_id = ${scope.merchantId} and id = ${id} and ended_at is null`.execute(scope.db)
}

export async function markSessionsOfMemberEnded(
  scope: MerchantScope,
  memberId: string,
  { at, reason, keptId }: { at: Date; reason: string; keptId: string | null },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update sessions set ended_at = ${at}, ended_reason = ${reason}
    where merchant_id = ${scope.merchantId} and member_id = ${memberId} and ended_at is null
      and id is distinct from ${keptId} returning id`.execute(scope.db)
  return rows.map(({ id }) => id)
}

/** One that is there already stays: the same token is exchanged for the same next one. */
export async function insertRefreshToken(
  scope: MerchantScope,
  token: { sessionId: string; hash: Buffer; parentHash: Buffer | null; at: Date },
): Promise<void> {
  await sql`
    insert into refresh_tokens (merchant_id, session_id, token_hash, parent_hash, created_at)
    values (${scope.merchantId}, ${token.sessionId}, ${token.hash}, ${token.parentHash}, ${token.at})
    on conflict (merchant_id, session_id, token_hash) do nothing`.execute(scope.db)
}

export async function findRefreshToken(
  scope: MerchantScope,
  sessionId: string,
  hash: Buffer,
): Promise<RefreshTokenRow | null> {
  const { rows } = await sql<RefreshTokenRow>`
    select t.used_at, t.parent_hash, exists (
      select from refresh_tokens n where n.merchant_id = ${scope.merchantId} and n.session_id = ${sessionId}
        and n.parent_hash = t.token_hash and n.used_at is not null) as successor_used
    from refresh_tokens t
    where t.merchant_id = ${scope.merchantId} and t.session_id = ${sessionId} and t.token_hash = ${hash}`.execute(
    scope.db,
  )
  return rows[0] ?? null
}

/** The token, and what else its parent was exchanged for before there was one answer only: from now on this branch alone goes on. */
export async function markRefreshTokenUsed(
  scope: MerchantScope,
  token: { sessionId: string; hash: Buffer; parentHash: Buffer | null; at: Date },
): Promise<void> {
  await sql`update refresh_tokens set used_at = ${token.at}
    where merchant_id = ${scope.merchantId} and session_id = ${token.sessionId} and used_at is null
      and (token_hash = ${token.hash} or parent_hash = ${token.parentHash})`.execute(scope.db)
}

/** Tokens used long ago open nothing and need not be distinguished from invented ones. */
export async function deleteOldRefreshTokens(scope: MerchantScope, sessionId: string, usedBefore: Date): Promise<void> {
  await sql`delete from refresh_tokens
    where merchant_id = ${scope.merchantId} and session_id = ${sessionId} and used_at < ${usedBefore}`.execute(scope.db)
}

/** Sessions that ended or ran out before then, and their tokens. */
export async function deleteOldSessions(scope: MerchantScope, memberId: string, before: Date): Promise<void> {
  await sql`
    with gone as (
      delete from sessions where merchant_id = ${scope.merchantId} and member_id = ${memberId}
        and least(ended_at, expires_at) < ${before} returning id)
    delete from refresh_tokens t using gone
    where t.merchant_id = ${scope.merchantId} and t.session_id = gone.id`.execute(scope.db)
}

export type OneTimePurpose = 'password_reset' | 'store_sign_in'

export async function insertOneTimeToken(
  scope: MerchantScope,
  token: { id: string; purpose: OneTimePurpose; memberId: string; hash: Buffer; at: Date; expiresAt: Date },
): Promise<void> {
  await sql`delete from one_time_tokens where merchant_id = ${scope.merchantId} and expires_at < ${token.at}`.execute(
    scope.db,
  )
  await sql`
    insert into one_time_tokens (merchant_id, id, purpose, member_id, token_hash, expires_at)
    values (${scope.merchantId}, ${token.id}, ${token.purpose}, ${token.memberId}, ${token.hash}, ${token.expiresAt})`.execute(
    scope.db,
  )
}

/** Uses it up; the member it was made for, or null when it is unknown, run out or used already. */
export async function useOneTimeToken(
  scope: MerchantScope,
  token: { id: string; purpose: OneTimePurpose; hash: Buffer; at: Date },
): Promise<string | null> {
  const { rows } = await sql<{ member_id: string }>`
    update one_time_tokens set used_at = ${token.at}
    where merchant_id = ${scope.merchantId} and id = ${token.id} and purpose = ${token.purpose}
      and token_hash = ${token.hash} and used_at is null and expires_at > ${token.at}
    returning member_id`.execute(scope.db)
  return rows[0]?.member_id ?? null
}

/** The member it was made for, while it is good; it stays so. */
export async function findGoodOneTimeToken(
  scope: MerchantScope,
  token: { id: string; purpose: OneTimePurpose; hash: Buffer; at: Date },
): Promise<string | null> {
  const { rows } = await sql<{ member_id: string }>`
    select member_id from one_time_tokens
    where merchant_id = ${scope.merchantId} and id = ${token.id} and purpose = ${token.purpose}
      and token_hash = ${token.hash} and used_at is null and expires_at > ${token.at}`.execute(scope.db)
  return rows[0]?.member_id ?? null
}

/** The other links mailed to the member no longer open anything. */
export async function deleteOneTimeTokens(
  scope: MerchantScope,
  memberId: string,
  purpose: OneTimePurpose,
): Promise<void> {
  await sql`delete from one_time_tokens
    where merchant_id = ${scope.merchantId} and member_id = ${memberId} and purpose = ${purpose}`.execute(scope.db)
}
