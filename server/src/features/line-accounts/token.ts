import { LineError } from '../../integrations/line/index.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, conflict } from '../../kernel/errors.ts'
import { type MerchantScope, merchantScope } from '../../kernel/merchant-scope.ts'
import { findLineAccount, type LineAccountRow, markTokenRefused, replaceToken } from './queries.ts'

/** Issued tokens live 30 days. One with less life than this is renewed before it is used. */
const RENEWED_AHEAD_MS = 3 * 86_400_000

/**
 * A token for the merchant's Messaging API channel. `refused`: one that the platform did not take, however young it seems. Throws
 * `line_not_connected` where there is no channel, or its token cannot be renewed; {@link LineError} where the platform cannot be reached.
 */
export async function getLineToken(scope: MerchantScope, refused?: string): Promise<string> {
  // Kept apart from the caller's transaction: a new token was made whether or not the caller's work is kept.
  const own = merchantScope(scope.context, scope.merchantId)
  const account = await findLineAccount(own)
  const token = account && readableToken(own, account)
  if (token && !needsRenewal(own, account, token, refused)) return token
  const renewed = await renewTogether(own, refused)
  if (!renewed) throw notConnected()
  return renewed
}

/** Asks the platform with the token; once more with a new one where that is refused. Throws as {@link getLineToken} and the question do. */
export async function askWithToken<T>(scope: MerchantScope, ask: (token: string) => Promise<T>): Promise<T> {
  const token = await getLineToken(scope)
  try {
    return await ask(token)
  } catch (error) {
    if (!(error instanceof LineError) || error.outcome.kind !== 'unauthorized') throw error
    return ask(await getLineToken(scope, token))
  }
}

/** A statement or a page asks, and nothing is to be done about it: null where there is none. */
export const hasLine = (account: LineAccountRow | null): boolean =>
  account !== null && account.channel_id !== null && account.access_token !== null && account.trouble === null

const notConnected = (): AppError => conflict('line_not_connected', 'no LINE channel is connected')

const readableToken = ({ context }: MerchantScope, { access_token }: LineAccountRow): string | null =>
  access_token && context.keyring.decrypt(access_token)

function needsRenewal({ context }: MerchantScope, account: LineAccountRow, token: string, refused?: string): boolean {
  if (token === refused) return true
  const ends = account.access_token_expires_at
  return ends !== null && ends.getTime() - context.clock.realNow().getTime() < RENEWED_AHEAD_MS
}

/** The renewals under way in each process. */
const underway = new WeakMap<Context, Map<string, Promise<string | null>>>()

/** A caller that comes while a renewal is under way waits for that one, and holds no row and no database connection meanwhile. */
function renewTogether(scope: MerchantScope, refused?: string): Promise<string | null> {
  const all = underway.get(scope.context) ?? new Map<string, Promise<string | null>>()
  underway.set(scope.context, all)
  const key = `${scope.merchantId} ${refused ?? ''}`
  const known = all.get(key)
  if (known) return known
  const renewed = renew(scope, refused).finally(() => all.delete(key))
  all.set(key, renewed)
  return renewed
}

/**
 * If two processes renew at once, the first counts, and so does a change of the account while the platform was asked; the unused token is
 * one of thirty. A token the merchant gave cannot be renewed.
 */
async function renew(scope: MerchantScope, refused?: string): Promise<string | null> {
  const account = await findLineAccount(scope)
  const token = account && readableToken(scope, account)
  if (!account?.channel_id || !account.channel_secret || !token) return null
  if (!needsRenewal(scope, account, token, refused)) return token
  const before = account.access_token
  const { context } = scope
  if (!account.token_is_issued) {
    if (token !== refused) return token
    return (await markTokenRefused(scope, before)) ? null : findTokenOfNow(scope)
  }
  try {
    const channelSecret = context.keyring.decrypt(account.channel_secret)
    const issued = await context.integrations.line.tokens.issueShortLived({
      channelId: account.channel_id,
      channelSecret,
    })
    const access_token = context.keyring.encrypt(issued.token)
    const isKept = await replaceToken(scope, before, { access_token, access_token_expires_at: issued.expiresAt })
    return isKept ? issued.token : await findTokenOfNow(scope)
  } catch (error) {
    if (!(error instanceof LineError)) throw error
    if (isRefusal(error)) return (await markTokenRefused(scope, before)) ? null : findTokenOfNow(scope)
    // The platform is away: the old one is good until its end.
    const ends = account.access_token_expires_at?.getTime() ?? Number.POSITIVE_INFINITY
    if (token !== refused && ends > context.clock.realNow().getTime()) return token
    throw error
  }
}

async function findTokenOfNow(scope: MerchantScope): Promise<string | null> {
  const account = await findLineAccount(scope)
  return account && readableToken(scope, account)
}

/** For a call that brings id and secret: they do not belong together. */
export const isRefusal = ({ outcome }: LineError): boolean =>
  outcome.kind === 'unauthorized' || outcome.kind === 'bad_request' || outcome.kind === 'refused'
