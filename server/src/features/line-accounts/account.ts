import type { LineAccount, LineAccountChange } from '@okaeri/contract/line-accounts/account'
import type { FieldReason } from '@okaeri/contract/errors'
import { LineError } from '../../integrations/line/index.ts'
import { AppError, conflict, invalid } from '../../kernel/errors.ts'
import type { Context } from '../../kernel/context.ts'
import { type MerchantScope, merchantScope } from '../../kernel/merchant-scope.ts'
import {
  claimChannel,
  findLineAccount,
  type LineAccountRow,
  listMerchantsWithLine,
  lockLineAccount,
  releaseChannel,
  updateLineAccount,
} from './queries.ts'
import { proveLoginSecret } from './login-channel.ts'
import { hasLine, isRefusal } from './token.ts'

declare module '../../kernel/facts.ts' {
  interface Facts {
    /** A Messaging API channel, by its id. `formerId`: the one that was connected before, if this is another. */
    'line.connected': { channelId: string; formerId: string | null }
    'line.disconnected': { channelId: string }
  }
}

export async function presentLineAccount(scope: MerchantScope): Promise<LineAccount> {
  const row = await findLineAccount(scope)
  return {
    connected: hasLine(row),
    channel_id: row?.channel_id ?? null,
    channel_secret_set: Boolean(row?.channel_secret),
    access_token: row?.access_token ? (row.token_is_issued ? 'issued' : 'given') : 'none',
    bot:
      row?.basic_id && row.display_name !== null
        ? { basic_id: row.basic_id, name: row.display_name, picture_url: row.picture_url }
        : null,
    webhook_url: webhookUrl(scope),
    login_channel_id: row?.login_channel_id ?? null,
    login_channel_secret_set: Boolean(row?.login_channel_secret),
    login_enabled: row?.login_enabled ?? false,
    multipass_secret_set: Boolean(row?.multipass_secret),
    trouble: row?.trouble ?? null,
    trouble_since: row?.trouble_since?.toISOString() ?? null,
    checked_at: row?.checked_at?.toISOString() ?? null,
  }
}

export const webhookUrl = ({ context, merchantId }: MerchantScope): string =>
  `${context.settings.publicUrl}/line/webhook/${merchantId}`

/**
 * Changes what is named, all or nothing. The platform is asked before anything is stored, so that what is stored worked once: whether id
 * and secret belong together, and whether a token is that channel's. Of the Login channel it may not say; what it does not refuse is stored.
 */
export async function changeLineAccount(scope: MerchantScope, change: LineAccountChange): Promise<LineAccount> {
  const messaging = await askAboutMessaging(scope, change)
  await refuseWrongLogin(scope, change)
  await scope.transaction(async (scope) => {
    const before = await lockLineAccount(scope)
    if (messaging && before.channel_id !== messaging.asked.channel_id)
      throw conflict('line_account_changed_meanwhile', 'someone else changed the channel just now')
    const { channel_id, login_enabled } = change
    await updateLineAccount(scope, {
      ...sealed(scope, change),
      ...(channel_id === null ? NO_MESSAGING : {}),
      ...(change.login_channel_id === undefined ? {} : { login_channel_id: change.login_channel_id }),
      ...(isOtherPair(before, change) ? { login_shown: null } : {}),
      ...(login_enabled === undefined ? {} : { login_enabled }),
      ...messaging?.columns,
    })
    const after = (await findLineAccount(scope)) as LineAccountRow
    refuseHalf(after)
    if (before.channel_id !== after.channel_id) await moveChannel(scope, before, after.channel_id)
  })
  return presentLineAccount(scope)
}

/** What logins have shown of the two channels was about others. */
const isOtherPair = (before: LineAccountRow, { channel_id, login_channel_id }: LineAccountChange): boolean =>
  (channel_id !== undefined && channel_id !== before.channel_id) ||
  (login_channel_id !== undefined && login_channel_id !== before.login_channel_id)

const NO_MESSAGING = {
  channel_id: null,
  channel_secret: null,
  access_token: null,
  token_is_issued: false,
  access_token_expires_at: null,
  bot_user_id: null,
  basic_id: null,
  display_name: null,
  picture_url: null,
  trouble: null,
  trouble_since: null,
  checked_at: null,
  webhook_arrives: false,
}

function sealed({ context }: MerchantScope, change: LineAccountChange): Partial<LineAccountRow> {
  const seal = (secret: string | null): string | null => secret && context.keyring.encrypt(secret)
  return {
    ...(change.login_channel_secret === undefined ? {} : { login_channel_secret: seal(change.login_channel_secret) }),
    ...(change.multipass_secret === undefined ? {} : { multipass_secret: seal(change.multipass_secret) }),
  }
}

/** Logging in by LINE needs both halves of its channel. */
function refuseHalf(account: LineAccountRow): void {
  const missing: Record<string, FieldReason> = {}
  if (account.login_enabled && !account.login_channel_id) missing['line_account.login_channel_id'] = 'required'
  if (account.login_enabled && !account.login_channel_secret) missing['line_account.login_channel_secret'] = 'required'
  if (Object.keys(missing).length > 0) throw invalid(missing)
}

async function moveChannel(scope: MerchantScope, before: LineAccountRow, to: string | null): Promise<void> {
  const { channel_id: from, last_channel_id: last } = before
  if (from) {
    await releaseChannel(scope, from)
    await scope.context.publish(scope, 'line.disconnected', { channelId: from })
  }
  if (!to) return
  if ((await claimChannel(scope, to)) !== scope.merchantId)
    throw new AppError('conflict', 'line_channel_taken', 'this channel is connected to another account')
  await updateLineAccount(scope, { last_channel_id: to, webhook_arrives: false })
  await scope.context.publish(scope, 'line.connected', { channelId: to, formerId: last === to ? null : last })
}

async function refuseWrongLogin(scope: MerchantScope, change: LineAccountChange): Promise<void> {
  if (change.login_channel_id === undefined && change.login_channel_secret === undefined) return
  const before = await findLineAccount(scope)
  const proof = await proveLoginSecret(scope, {
    login_channel_id:
      change.login_channel_id === undefined ? (before?.login_channel_id ?? null) : change.login_channel_id,
    login_channel_secret: before?.login_channel_secret ?? null,
    ...sealed(scope, change),
  })
  if (proof === 'wrong') throw invalid({ 'line_account.login_channel_secret': 'invalid' })
}

/** Null where nothing of the Messaging API channel is named. */
async function askAboutMessaging(scope: MerchantScope, change: LineAccountChange) {
  const named = [change.channel_id, change.channel_secret, change.access_token].some((value) => value !== undefined)
  if (!named || change.channel_id === null) return null
  const { context } = scope
  const before = await findLineAccount(scope)
  const kept = (sealedText: string | null | undefined): string | null =>
    sealedText ? context.keyring.decrypt(sealedText) : null
  const channelId = change.channel_id ?? before?.channel_id
  // Another channel's secret and token are of no use to this one.
  const same = channelId === before?.channel_id
  const channelSecret = change.channel_secret ?? (same ? kept(before?.channel_secret) : null)
  if (!channelId) throw invalid({ 'line_account.channel_id': 'required' })
  if (!channelSecret) throw invalid({ 'line_account.channel_secret': 'required' })
  const given =
    change.access_token === undefined && same && !before?.token_is_issued
      ? kept(before?.access_token)
      : change.access_token
  const token = await findToken(scope, { channelId, channelSecret }, given ?? null)
  const bot = await asked(() => context.integrations.line.account.bot(token.token), 'line_account.access_token')
  return {
    asked: { channel_id: before?.channel_id ?? null },
    columns: {
      channel_id: channelId,
      channel_secret: context.keyring.encrypt(channelSecret),
      access_token: context.keyring.encrypt(token.token),
      token_is_issued: given === null || given === undefined,
      access_token_expires_at: token.expiresAt,
      bot_user_id: bot.userId,
      basic_id: bot.basicId,
      display_name: bot.displayName,
      picture_url: bot.pictureUrl ?? null,
      trouble: null,
      trouble_since: null,
      checked_at: scope.now,
    } satisfies Partial<LineAccountRow>,
  }
}

/** The secret is proved by making a token with it, also where the merchant gives one: webhooks are verified by it. */
async function findToken(
  { context }: MerchantScope,
  channel: { channelId: string; channelSecret: string },
  given: string | null,
): Promise<{ token: string; expiresAt: Date | null }> {
  const { tokens } = context.integrations.line
  // Stateless ones are not counted: proving a secret ends no token that is in use.
  if (given === null) return asked(() => tokens.issueShortLived(channel), 'line_account.channel_secret')
  await asked(() => tokens.issueStateless(channel), 'line_account.channel_secret')
  const found = await asked(() => tokens.findChannel(given), 'line_account.access_token')
  if (found?.channelId !== channel.channelId) throw invalid({ 'line_account.access_token': 'invalid' })
  return { token: given, expiresAt: null }
}

async function asked<T>(call: () => Promise<T>, field: string): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof LineError)) throw error
    if (isRefusal(error)) throw invalid({ [field]: 'invalid' })
    throw new AppError('unavailable', 'line_unreachable', 'LINE could not be asked')
  }
}

export async function disconnectLine(scope: MerchantScope): Promise<LineAccount> {
  await scope.transaction(async (scope) => {
    const before = await lockLineAccount(scope)
    await updateLineAccount(scope, {
      ...NO_MESSAGING,
      login_channel_id: null,
      login_channel_secret: null,
      login_enabled: false,
      login_shown: null,
      multipass_secret: null,
    })
    if (before.channel_id) await moveChannel(scope, before, null)
  })
  return presentLineAccount(scope)
}

const SEALED = ['channel_secret', 'access_token', 'login_channel_secret', 'multipass_secret'] as const

/** Encrypts again what an older key encrypted; returns how many merchants had such secrets. */
export async function reencryptLineSecrets(context: Context): Promise<number> {
  let changed = 0
  for (const merchantId of await listMerchantsWithLine(context))
    await merchantScope(context, merchantId).transaction(async (scope) => {
      const account = await findLineAccount(scope, { lock: true })
      const { keyring } = context
      const stale = SEALED.flatMap((name) => {
        const text = account?.[name]
        return text && keyring.isStale(text) ? [[name, keyring.encrypt(keyring.decrypt(text))] as const] : []
      })
      if (stale.length === 0) return
      await updateLineAccount(scope, Object.fromEntries(stale))
      changed += 1
    })
  return changed
}
