import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

export type LoginStep = 'begun' | 'sent' | 'returned' | 'asked' | 'linked' | 'kept'

export interface LoginRow {
  id: string
  customer_id: string
  step: LoginStep
  /** Encrypted. */
  secrets: string | null
  line_user_id: string | null
  display_name: string | null
  picture_url: string | null
  is_friend: boolean | null
  /** It began with a link in the chat, whose LINE account it is. */
  from_chat: boolean
}
const columns = sql`id, customer_id, step, secrets, line_user_id, display_name, picture_url, is_friend, from_chat`

/** Those whose time is over are swept on the way. */
export async function insertBegun(
  scope: MerchantScope,
  login: {
    id: string
    customerId: string
    tokenHash: Buffer
    at: Date
    expiresAt: Date
    /** A friend, whose chat the link was sent to. */
    chatOf?: { lineUserId: string; name: string; pictureUrl: string | null }
  },
): Promise<void> {
  const { chatOf } = login
  await sql`delete from line_logins where merchant_id = ${scope.merchantId} and expires_at < ${login.at}`.execute(
    scope.db,
  )
  await sql`insert into line_logins (merchant_id, id, customer_id, step, token_hash, expires_at, from_chat, line_user_id, display_name,
      picture_url, is_friend)
    values (${scope.merchantId}, ${login.id}, ${login.customerId}, 'begun', ${login.tokenHash}, ${login.expiresAt}, ${chatOf !== undefined},
      ${chatOf?.lineUserId ?? null}, ${chatOf?.name ?? null}, ${chatOf?.pictureUrl ?? null}, ${chatOf ? true : null})`.execute(
    scope.db,
  )
}

/**
 * One of the chat: it is this browser's, which comes to the same page again when it is sent twice. What is linked already is said so. Returns its
 * id; null: none such.
 */
export async function openBegun(
  scope: MerchantScope,
  ticketHash: Buffer,
  { browserHash, at }: { browserHash: Buffer; at: Date },
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    update line_logins l set browser_hash = ${browserHash}, step = case when l.step <> 'begun' then l.step when exists (
      select from line_friends f where f.merchant_id = ${scope.merchantId} and f.line_user_id = l.line_user_id
        and f.customer_id = l.customer_id) then 'linked' else 'returned' end
    where l.merchant_id = ${scope.merchantId} and l.token_hash = ${ticketHash} and l.from_chat and l.expires_at > ${at}
      and (l.step = 'begun' or l.browser_hash = ${browserHash})
    returning l.id`.execute(scope.db)
  return rows[0]?.id ?? null
}

/** LINE is to ask: its answer names the nonce, in the ticket's place. Only while nothing was chosen. */
export async function markAsked(
  scope: MerchantScope,
  id: string,
  asked: { nonceHash: Buffer; secrets: string; moves: boolean; expiresAt: Date },
): Promise<void> {
  await sql`
    update line_logins set step = 'asked', token_hash = ${asked.nonceHash}, secrets = ${asked.secrets}, moves = ${asked.moves},
      expires_at = ${asked.expiresAt}
    where merchant_id = ${scope.merchantId} and id = ${id} and step = 'returned' and from_chat`.execute(scope.db)
}

/** The person LINE was to ask. Its nonce is used up, and what was encrypted is deleted. */
export async function consumeQuestion(
  scope: MerchantScope,
  nonceHash: Buffer,
  at: Date,
): Promise<{ id: string; line_user_id: string; customer_id: string; moves: boolean } | null> {
  const { rows } = await sql<{ id: string; line_user_id: string; customer_id: string; moves: boolean }>`
    update line_logins set token_hash = null, secrets = null
    where merchant_id = ${scope.merchantId} and token_hash = ${nonceHash} and step = 'asked' and expires_at > ${at}
    returning id, line_user_id, customer_id, moves`.execute(scope.db)
  return rows[0] ?? null
}

/** The ticket is used up by it. False: there is none such, or its time is over. */
export async function markSent(
  scope: MerchantScope,
  ticketHash: Buffer,
  sent: { stateHash: Buffer; browserHash: Buffer; secrets: string; at: Date },
): Promise<boolean> {
  const { rows } = await sql`
    update line_logins set step = 'sent', token_hash = ${sent.stateHash}, browser_hash = ${sent.browserHash}, secrets = ${sent.secrets}
    where merchant_id = ${scope.merchantId} and token_hash = ${ticketHash} and step = 'begun' and not from_chat and expires_at > ${sent.at}
    returning 1`.execute(scope.db)
  return rows.length > 0
}

/** Takes it away, so that its state is good once; only for the browser that was sent. */
export async function consumeLogin(
  scope: MerchantScope,
  { stateHash, browserHash, at }: { stateHash: Buffer; browserHash: Buffer; at: Date },
): Promise<(LoginRow & { expires_at: Date }) | null> {
  const { rows } = await sql<LoginRow & { expires_at: Date }>`
    delete from line_logins
    where merchant_id = ${scope.merchantId} and token_hash = ${stateHash} and browser_hash = ${browserHash} and step = 'sent'
      and expires_at > ${at}
    returning ${columns}, expires_at`.execute(scope.db)
  return rows[0] ?? null
}

export async function insertReturned(
  scope: MerchantScope,
  login: {
    id: string
    customerId: string
    browserHash: Buffer
    lineUserId: string
    name: string
    pictureUrl: string | null
    isFriend: boolean
    expiresAt: Date
  },
): Promise<void> {
  await sql`insert into line_logins (merchant_id, id, customer_id, step, browser_hash, line_user_id, display_name, picture_url, is_friend,
      expires_at)
    values (${scope.merchantId}, ${login.id}, ${login.customerId}, 'returned', ${login.browserHash}, ${login.lineUserId}, ${login.name},
      ${login.pictureUrl}, ${login.isFriend}, ${login.expiresAt})`.execute(scope.db)
}

/** One that came back, as long as its time lasts, for its browser. `lock`: until the transaction ends. */
export async function findReturned(
  scope: MerchantScope,
  { id, browserHash, at }: { id: string; browserHash: Buffer; at: Date },
  { lock = false }: { lock?: boolean } = {},
): Promise<LoginRow | null> {
  const { rows } = await sql<LoginRow>`
    select ${columns} from line_logins
    where merchant_id = ${scope.merchantId} and id = ${id} and browser_hash = ${browserHash} and line_user_id is not null
      and expires_at > ${at} ${lock ? sql`for update` : sql``}`.execute(scope.db)
  return rows[0] ?? null
}

export async function markChosen(scope: MerchantScope, id: string, step: 'linked' | 'kept'): Promise<void> {
  await sql`update line_logins set step = ${step} where merchant_id = ${scope.merchantId} and id = ${id}`.execute(
    scope.db,
  )
}

/** By what a customer recognizes themselves. */
export async function findKnownBy(
  scope: MerchantScope,
  customerId: string,
): Promise<{ email: string | null; phone: string | null } | null> {
  const { rows } = await sql<{ email: string | null; phone: string | null }>`
    select email, phone from customers where merchant_id = ${scope.merchantId} and id = ${customerId}`.execute(scope.db)
  return rows[0] ?? null
}
