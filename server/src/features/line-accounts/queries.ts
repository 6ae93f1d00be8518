import { sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'

export type LineTrouble = 'unauthorized' | 'refused'
/** Whether both channels know people by the same ids; `unlinked`: no official account is linked to the Login channel. */
export type LoginShown = 'same' | 'elsewhere' | 'unlinked'

/** Secrets and token are encrypted. */
export interface LineAccountRow {
  channel_id: string | null
  /** Of before, where none is connected now. */
  last_channel_id: string | null
  channel_secret: string | null
  access_token: string | null
  token_is_issued: boolean
  access_token_expires_at: Date | null
  bot_user_id: string | null
  basic_id: string | null
  display_name: string | null
  picture_url: string | null
  login_channel_id: string | null
  login_channel_secret: string | null
  login_enabled: boolean
  /** As far as logins have shown. */
  login_shown: LoginShown | null
  multipass_secret: string | null
  trouble: LineTrouble | null
  trouble_since: Date | null
  checked_at: Date | null
  /** A signed webhook came, or the platform's last try of our address was answered. */
  webhook_arrives: boolean
}

export async function findLineAccount(
  scope: MerchantScope,
  { lock = false }: { lock?: boolean } = {},
): Promise<LineAccountRow | null> {
  const { rows } = await sql<LineAccountRow>`
    select channel_id, last_channel_id, channel_secret, access_token, token_is_issued, access_token_expires_at, bot_user_id, basic_id, display_name,
      picture_url, login_channel_id, login_channel_secret, login_enabled, login_shown, multipass_secret, trouble, trouble_since, checked_at, webhook_arrives
    from line_accounts where merchant_id = ${scope.merchantId} ${lock ? sql`for update` : sql``}`.execute(scope.db)
  return rows[0] ?? null
}

/** Whether anything can be sent: there is a channel, and it was not disconnected. */
export async function isLineConnected(scope: MerchantScope): Promise<boolean> {
  const account = await findLineAccount(scope)
  return Boolean(account?.channel_id && account.access_token)
}

/** Makes the row where there is none, and locks it: two members who connect at once wait for each other. */
export async function lockLineAccount(scope: MerchantScope): Promise<LineAccountRow> {
  await sql`insert into line_accounts (merchant_id, updated_at) values (${scope.merchantId}, ${scope.now})
    on conflict (merchant_id) do nothing`.execute(scope.db)
  const row = await findLineAccount(scope, { lock: true })
  if (!row) throw new Error('the row of the account was just made')
  return row
}

export async function updateLineAccount(scope: MerchantScope, change: Partial<LineAccountRow>): Promise<void> {
  await scope.db
    .updateTable('line_accounts')
    .set({ ...change, updated_at: scope.now })
    .where('merchant_id', '=', scope.merchantId)
    .execute()
}

/** What the platform said of the bot, which is well. Of a channel that was replaced while it was asked nothing is kept. */
export async function keepBot(
  scope: MerchantScope,
  channelId: string,
  bot: Pick<LineAccountRow, 'basic_id' | 'display_name' | 'picture_url'>,
): Promise<void> {
  await scope.db
    .updateTable('line_accounts')
    .set({ ...bot, checked_at: scope.now, trouble: null, trouble_since: null, updated_at: scope.now })
    .where('merchant_id', '=', scope.merchantId)
    .where('channel_id', '=', channelId)
    .execute()
}

/** If the channel was replaced meanwhile, nothing is stored. */
export async function markWebhookArrives(scope: MerchantScope, arrives: boolean, channelId: string): Promise<void> {
  await sql`update line_accounts set webhook_arrives = ${arrives}
    where merchant_id = ${scope.merchantId} and channel_id = ${channelId} and webhook_arrives <> ${arrives}`.execute(
    scope.db,
  )
}

/** Since when stays what it was while the trouble does. `channelId`: only while that one is connected. */
export async function markLineTrouble(
  scope: MerchantScope,
  trouble: LineTrouble | null,
  channelId: string | null = null,
): Promise<void> {
  await sql`update line_accounts set trouble = ${trouble}, trouble_since = ${trouble && scope.now}
    where merchant_id = ${scope.merchantId} and trouble is distinct from ${trouble}
      and channel_id = coalesce(${channelId}::text, channel_id)`.execute(scope.db)
}

/** As long as the account has the token it had: answers whether it did. */
export async function replaceToken(
  scope: MerchantScope,
  before: string | null,
  token: Pick<LineAccountRow, 'access_token' | 'access_token_expires_at'>,
): Promise<boolean> {
  const { rows } = await sql`
    update line_accounts set access_token = ${token.access_token}, access_token_expires_at = ${token.access_token_expires_at},
      trouble = null, trouble_since = null, updated_at = ${scope.now}
    where merchant_id = ${scope.merchantId} and access_token = ${before} returning 1`.execute(scope.db)
  return rows.length > 0
}

/** The platform takes neither the account's token nor its secret: answers whether the account still has that token. */
export async function markTokenRefused(scope: MerchantScope, token: string | null): Promise<boolean> {
  const { rows } = await sql`
    update line_accounts set trouble = 'unauthorized',
      trouble_since = case when trouble = 'unauthorized' then trouble_since else ${scope.now} end
    where merchant_id = ${scope.merchantId} and access_token = ${token} returning 1`.execute(scope.db)
  return rows.length > 0
}

export async function markLoginShown(scope: MerchantScope, shown: LoginShown): Promise<void> {
  await sql`update line_accounts set login_shown = ${shown}
    where merchant_id = ${scope.merchantId} and login_shown is distinct from ${shown}`.execute(scope.db)
}

/** How many messages campaigns have reserved, ever: see {@link addReserved}. */
export async function readReservedTotal(scope: MerchantScope): Promise<string> {
  const { rows } = await sql<{ total: string }>`
    select reserved_total::text as total from line_accounts where merchant_id = ${scope.merchantId}`.execute(scope.db)
  return rows[0]?.total ?? '0'
}

/** A campaign reserves so many. Holds the row until the transaction ends; returns how many others have reserved since the total was `since`. */
export async function addReserved(scope: TransactionScope, count: number, since: string): Promise<number> {
  const { rows } = await sql<{ others: number }>`
    update line_accounts set reserved_total = reserved_total + ${count} where merchant_id = ${scope.merchantId}
    returning (reserved_total - ${count} - ${since}::bigint)::float8 as others`.execute(scope.db)
  return rows[0]?.others ?? 0
}

/** Returns whose the channel is now: the given merchant's, unless it was another's already. */
export async function claimChannel(scope: MerchantScope, channelId: string): Promise<string> {
  await sql`insert into line_channel_directory (channel_id, merchant_id) values (${channelId}, ${scope.merchantId})
    on conflict do nothing`.execute(scope.db)
  const { rows } = await sql<{ merchant_id: string }>`
    select merchant_id from line_channel_directory where channel_id = ${channelId}`.execute(scope.db)
  return rows[0]?.merchant_id ?? ''
}

export async function releaseChannel(scope: MerchantScope, channelId: string): Promise<void> {
  await sql`delete from line_channel_directory where channel_id = ${channelId} and merchant_id = ${scope.merchantId}`.execute(
    scope.db,
  )
}

export async function listMerchantsWithLine(context: Context): Promise<string[]> {
  const { rows } = await sql<{ merchant_id: string }>`select merchant_id from line_accounts`.execute(context.db)
  return rows.map(({ merchant_id }) => merchant_id)
}
