import type { LineFinding } from '@okaeri/contract/line-accounts/account'
import { LineError } from '../../integrations/line/index.ts'
import { DateTime } from 'luxon'
import { AppError, conflict } from '../../kernel/errors.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { webhookUrl } from './account.ts'
import { findLineAccount, keepBot, type LineAccountRow, markLineTrouble, markWebhookArrives } from './queries.ts'
import { proveLoginSecret } from './login-channel.ts'
import { getLineToken } from './token.ts'

/** Asks the platform how it stands. Throws `line_not_connected` where there is no channel, `line_unreachable` where it does not answer. */
export async function checkLineAccount(scope: MerchantScope): Promise<LineFinding[]> {
  const account = await findLineAccount(scope)
  if (!account?.channel_id) throw conflict('line_not_connected', 'no LINE channel is connected')
  const login = await checkLogin(scope, account)
  const token = await workingToken(scope, account.channel_id)
  if (token === null) return [{ code: 'token_refused', level: 'problem', detail: null }, ...login]
  const webhook = await checkWebhook(scope, token)
  await markWebhookArrives(
    scope,
    webhook.some(({ code }) => code === 'webhook_answers'),
    account.channel_id,
  )
  return [
    { code: 'token_works', level: 'fine', detail: null },
    ...webhook,
    await checkQuota(scope, token),
    await checkFriends(scope, token),
    ...login,
  ]
}

async function checkLogin(scope: MerchantScope, account: LineAccountRow): Promise<LineFinding[]> {
  const proof = await proveLoginSecret(scope, account)
  const shown = findingOfLogin(account)
  if (proof === null) return [shown]
  if (proof === 'wrong') return [{ code: 'login_secret_wrong', level: 'problem', detail: null }]
  const level = proof === 'right' ? 'fine' : 'note'
  return [{ code: `login_secret_${proof}`, level, detail: null }, shown]
}

/** No call shows to which provider a Login channel's ids belong; logins do. */
function findingOfLogin({ login_channel_id, login_shown }: LineAccountRow): LineFinding {
  if (!login_channel_id) return { code: 'login_missing', level: 'note', detail: null }
  if (login_shown === null) return { code: 'login_unproved', level: 'note', detail: null }
  return { code: `login_${login_shown}`, level: login_shown === 'same' ? 'fine' : 'problem', detail: null }
}

/** Sets our address and has the platform try it. */
export async function setLineWebhook(scope: MerchantScope): Promise<LineFinding[]> {
  const { account } = scope.context.integrations.line
  const token = await getLineToken(scope)
  await reaching(() => account.setWebhook(token, webhookUrl(scope)))
  return checkLineAccount(scope)
}

/** Also reads the bot's name and picture again. Null: the platform takes no token of this channel. */
async function workingToken(scope: MerchantScope, channelId: string): Promise<string | null> {
  const { account } = scope.context.integrations.line
  let token: string | null = null
  try {
    token = await getLineToken(scope)
    const read = (one: string) => account.bot(one)
    const bot = await read(token).catch(async (error: unknown) => {
      if (!(error instanceof LineError) || error.outcome.kind !== 'unauthorized') throw error
      token = await getLineToken(scope, token ?? undefined)
      return read(token)
    })
    const { basicId: basic_id, displayName: display_name } = bot
    await keepBot(scope, channelId, { basic_id, display_name, picture_url: bot.pictureUrl ?? null })
    return token
  } catch (error) {
    if (error instanceof AppError && error.reason === 'line_not_connected') return null
    if (!(error instanceof LineError)) throw error
    const { kind } = error.outcome
    if (kind !== 'unauthorized' && kind !== 'refused') throw unreachable()
    await markLineTrouble(scope, kind, channelId)
    return null
  }
}

async function checkWebhook(scope: MerchantScope, token: string): Promise<LineFinding[]> {
  const { account } = scope.context.integrations.line
  const set = await reaching(() => account.findWebhook(token))
  if (!set) return [{ code: 'webhook_missing', level: 'problem', detail: null }]
  if (set.endpoint !== webhookUrl(scope)) return [{ code: 'webhook_elsewhere', level: 'problem', detail: set.endpoint }]
  if (!set.active) return [{ code: 'webhook_off', level: 'problem', detail: null }]
  const tried = await reaching(() => account.testWebhook(token))
  return [
    { code: 'webhook_ours', level: 'fine', detail: set.endpoint },
    tried.success
      ? { code: 'webhook_answers', level: 'fine', detail: null }
      : { code: 'webhook_fails', level: 'problem', detail: `${tried.reason} ${tried.detail}`.trim().slice(0, 300) },
  ]
}

async function checkQuota({ context }: MerchantScope, token: string): Promise<LineFinding> {
  const { messages } = context.integrations.line
  const [limit, used] = await reaching(() => Promise.all([messages.quota(token), messages.consumption(token)]))
  if (limit === null) return { code: 'quota_unlimited', level: 'fine', detail: String(used) }
  return { code: 'quota', level: used >= limit ? 'problem' : 'fine', detail: `${used}/${limit}` }
}

/** Of yesterday in Japan: the platform counts a day when it is over. That it gives no number is no fault of the merchant's. */
async function checkFriends({ context, now }: MerchantScope, token: string): Promise<LineFinding> {
  const day = DateTime.fromJSDate(now, { zone: 'Asia/Tokyo' }).minus({ days: 1 }).toFormat('yyyyMMdd')
  try {
    const count = await context.integrations.line.account.countFriends(token, day)
    if (typeof count === 'string') return { code: `friends_${count}`, level: 'note', detail: null }
    return { code: 'friends', level: 'fine', detail: String(count.followers - count.blocks) }
  } catch (error) {
    if (!(error instanceof LineError)) throw error
    if (error.outcome.kind === 'unreachable') throw unreachable()
    return { code: 'friends_unavailable', level: 'note', detail: null }
  }
}

const unreachable = (): AppError => new AppError('unavailable', 'line_unreachable', 'LINE could not be asked')

async function reaching<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw error instanceof LineError ? unreachable() : error
  }
}
