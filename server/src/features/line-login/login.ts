import { connectLine, type LineProfile, lineLoginCallback } from '@okaeri/contract/line-login/routes'
import type { Locale } from '@okaeri/contract/locale'
import { z } from 'zod'
import { LineError, newLoginSecrets } from '../../integrations/line/index.ts'
import type { Context } from '../../kernel/context.ts'
import { retriedTransaction } from '../../kernel/database/deadlocks.ts'
import { AppError, IntegrationError, unauthorized } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { hashToken, randomToken } from '../../kernel/keyring.ts'
import { type MerchantScope, merchantScope } from '../../kernel/merchant-scope.ts'
import { findStoreCustomers, getSignedInCustomer } from '../customers/index.ts'
import { findLineAccount, type LoginFriendship, getLoginChannel, recordLogin } from '../line-accounts/index.ts'
import {
  findFormerLinks,
  type FormerLinks,
  linkFriend,
  recordLoginPerson,
  presentFriendOf,
  unlinkFriend,
} from '../line-friends/index.ts'
import { findStore, proxiedAddress, type Shopper } from '../stores/index.ts'
import {
  findReturned,
  insertBegun,
  insertReturned,
  type LoginRow,
  markChosen,
  markSent,
  consumeLogin,
} from './queries.ts'

/** How long the whole way may take, from the store to the answer. The platform's codes live as long. */
export const LIFE_MS = 600_000
export const MAX_NAME = 200

/** A merchant's name in front: what comes back from outside tells whose row to look for. */
export const tokenOf = (scope: MerchantScope, secret: string): string => `${scope.merchantId}.${secret}`

const isId = (text: string): boolean => z.uuid().safeParse(text).success

/** Null for what cannot be one of ours. */
export function readToken(context: Context, token: string): { scope: MerchantScope; secret: string } | null {
  const [merchantId = '', secret = '', ...more] = token.split('.')
  if (!isId(merchantId) || secret === '' || more.length > 0) return null
  return { scope: merchantScope(context, merchantId), secret }
}

export const getCustomerId = ({ scope, storeCustomerId }: Shopper): Promise<string> =>
  getSignedInCustomer(scope, storeCustomerId)

/** At the store: answers a ticket that is good once. */
export async function beginLogin(shopper: Shopper): Promise<string> {
  const { scope } = shopper
  await getLoginChannel(scope)
  const customerId = await getCustomerId(shopper)
  const ticket = tokenOf(scope, randomToken())
  const at = scope.context.clock.realNow()
  const expiresAt = new Date(at.getTime() + LIFE_MS)
  await insertBegun(scope, { id: newId(), customerId, tokenHash: hashToken(ticket), at, expiresAt })
  return ticket
}

/** In the person's browser: answers LINE's page. Null: the ticket is not good any more. */
export async function sendToLine(
  context: Context,
  ticket: string,
  { browserKey, language }: { browserKey: string; language: Locale },
): Promise<string | null> {
  const read = readToken(context, ticket)
  if (!read) return null
  const { scope } = read
  const fresh = newLoginSecrets()
  const secrets = { ...fresh, state: tokenOf(scope, fresh.state) }
  const isSent = await markSent(scope, hashToken(ticket), {
    stateHash: hashToken(secrets.state),
    browserHash: hashToken(browserKey),
    secrets: context.keyring.encrypt(JSON.stringify([secrets.nonce, secrets.verifier])),
    at: context.clock.realNow(),
  })
  if (!isSent) return null
  // After it: where there is no such login, that says more than that none is offered.
  const { channelId } = await getLoginChannel(scope)
  return context.integrations.line.login.authorizeUrl(channelId, secrets, {
    redirectUri: redirectUri(context),
    botPrompt: 'aggressive',
    language,
  })
}

const redirectUri = ({ settings }: Context): string => `${settings.publicUrl}${lineLoginCallback.path}`

/** What to register at LINE, and what to link to in the store. */
export async function presentAddresses(
  scope: MerchantScope,
): Promise<{ callback_url: string; link_url: string | null }> {
  const { context } = scope
  const store = await findStore(scope)
  return {
    callback_url: redirectUri(context),
    link_url: store && proxiedAddress(context, store.shop_domain, connectLine.path),
  }
}

/** Why a person who came back is not asked. */
export type LoginFailure = 'expired' | 'denied' | 'unreachable' | 'refused' | 'wrong_channel' | 'not_a_friend' | 'off'
export type Returned = { login: string } | { failure: LoginFailure; scope: MerchantScope | null }

/** Back from LINE: reads who logged in, and returns what the page that asks is opened by. Nothing is linked yet. */
export async function comeBack(
  context: Context,
  { state, code, error, browserKey }: { state: string; code: string; error: string; browserKey: string | null },
): Promise<Returned> {
  const read = readToken(context, state)
  if (!read || !browserKey) return { failure: 'expired', scope: null }
  const { scope } = read
  const browserHash = hashToken(browserKey)
  const row = await consumeLogin(scope, { stateHash: hashToken(state), browserHash, at: context.clock.realNow() })
  if (!row?.secrets) return { failure: 'expired', scope: null }
  if (error !== '' || code === '') return { failure: error === 'ACCESS_DENIED' ? 'denied' : 'refused', scope }
  const [nonce = '', verifier = ''] = JSON.parse(context.keyring.decrypt(row.secrets)) as string[]
  try {
    const person = await readPerson(scope, { code, nonce, verifier })
    const shown = await recordLogin(scope, person.lineUserId, person.friendship)
    if (shown === 'elsewhere' || shown === 'unlinked') return { failure: 'wrong_channel', scope }
    const id = newId()
    const { friendship, ...who } = person
    const isFriend = friendship === 'friend'
    await insertReturned(scope, {
      id,
      customerId: row.customer_id,
      browserHash,
      expiresAt: row.expires_at,
      isFriend,
      ...who,
    })
    return { login: tokenOf(scope, id) }
  } catch (failure) {
    if (!(failure instanceof IntegrationError)) throw failure
    context.log.warn({ merchantId: scope.merchantId, detail: failure.detail }, 'a login by LINE failed')
    return { failure: failure.retryable ? 'unreachable' : 'refused', scope }
  }
}

interface Person {
  lineUserId: string
  name: string
  pictureUrl: string | null
  friendship: LoginFriendship
}

/** Trades the code, verifies who it is, and ends the token that was given: nothing more is asked with it. */
async function readPerson(
  scope: MerchantScope,
  { code, nonce, verifier }: { code: string; nonce: string; verifier: string },
): Promise<Person> {
  const { context } = scope
  const { login } = context.integrations.line
  const channel = await getLoginChannel(scope)
  const grant = await login.exchangeCode(channel, code, { redirectUri: redirectUri(context), verifier })
  const { userId, name, pictureUrl } = await login.readIdToken(channel, grant.idToken, nonce)
  const friendship = await readFriendship(scope, grant.accessToken)
  await login.revoke(channel, grant.accessToken).catch((error: unknown) => {
    // A session that is not ended expires in thirty days, and is stored nowhere.
    if (!(error instanceof LineError)) throw error
  })
  return { lineUserId: userId, name: (name ?? '').slice(0, MAX_NAME).toWellFormed(), pictureUrl, friendship }
}

async function readFriendship({ context }: MerchantScope, accessToken: string): Promise<LoginFriendship> {
  try {
    return (await context.integrations.line.login.isFriend(accessToken)) ? 'friend' : 'none'
  } catch (error) {
    if (!(error instanceof LineError)) throw error
    // Where no account is linked there is nothing to be a friend of. No other failure prevents linking.
    return error.outcome.kind === 'bad_request' ? 'unlinked' : 'none'
  }
}

/** A login that came back, with what linking would end. */
export interface OpenLogin {
  scope: MerchantScope
  row: LoginRow & { line_user_id: string }
  former: FormerLinks
}

/** Null where it is not this browser's, or its time is over. */
export async function findLogin(
  context: Context,
  { login, browserKey }: { login: string; browserKey: string | null },
): Promise<OpenLogin | null> {
  const wanted = readLogin(context, login, browserKey)
  const row = wanted && (await findReturned(wanted.scope, wanted))
  if (!wanted || !row?.line_user_id) return null
  const { line_user_id } = row
  const former = await findFormerLinks(wanted.scope, line_user_id, row.customer_id)
  return { scope: wanted.scope, row: { ...row, line_user_id }, former }
}

function readLogin(context: Context, login: string, browserKey: string | null) {
  const read = readToken(context, login)
  if (!read || !isId(read.secret) || !browserKey) return null
  return { scope: read.scope, id: read.secret, browserHash: hashToken(browserKey), at: context.clock.realNow() }
}

/**
 * The person's answer. Pressed twice, or in two tabs, the first counts. Where another link would end and the page did not say so, nothing
 * is done: the page is shown again and says it.
 */
export async function chooseLink(
  context: Context,
  given: { login: string; browserKey: string | null },
  { links, moves }: { links: boolean; moves: boolean },
): Promise<void> {
  const wanted = readLogin(context, given.login, given.browserKey)
  if (!wanted) return
  try {
    await retriedTransaction(wanted.scope, async (scope) => {
      const row = await findReturned(scope, wanted, { lock: true })
      if (row?.step !== 'returned' || !row.line_user_id) return
      // Only LINE knows whose chat it is.
      if (links && row.from_chat) return
      if (links) {
        await getLoginChannel(scope)
        const { display_name, picture_url } = row
        await recordLoginPerson(scope, row.line_user_id, { displayName: display_name ?? '', pictureUrl: picture_url })
        await linkFriend(scope, row.line_user_id, row.customer_id, { moves })
      }
      await markChosen(scope, row.id, links ? 'linked' : 'kept')
    })
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== 'line_account_taken') throw error
  }
}

export async function presentLineProfile(shopper: Shopper): Promise<LineProfile> {
  const { scope, storeCustomerId } = shopper
  if (storeCustomerId === null) throw unauthorized('customer_not_signed_in', 'no one is signed in at the store')
  const customerId = (await findStoreCustomers(scope, [storeCustomerId])).get(storeCustomerId)
  const friend = customerId ? await presentFriendOf(scope, customerId) : null
  return {
    enabled: (await findLineAccount(scope))?.login_enabled ?? false,
    connected: friend !== null,
    friend: friend?.is_friend ?? false,
    name: friend?.name ?? null,
    picture_url: friend?.picture_url ?? null,
  }
}

/** Also where linking is not offered any more: who linked can always take it back. */
export async function unlink(shopper: Shopper): Promise<LineProfile> {
  const { scope, storeCustomerId } = shopper
  if (storeCustomerId === null) throw unauthorized('customer_not_signed_in', 'no one is signed in at the store')
  const customerId = (await findStoreCustomers(scope, [storeCustomerId])).get(storeCustomerId)
  if (customerId) await retriedTransaction(scope, (scope) => unlinkFriend(scope, customerId))
  return presentLineProfile(shopper)
}
