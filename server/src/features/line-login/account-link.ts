import { LineError } from '../../integrations/line/index.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Facts } from '../../kernel/facts.ts'
import { newId } from '../../kernel/ids.ts'
import { hashToken, randomToken } from '../../kernel/keyring.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { askWithToken } from '../line-accounts/index.ts'
import { linkFriend } from '../line-friends/index.ts'
import type { Shopper } from '../stores/index.ts'
import { readChat } from './chat-link.ts'
import { getCustomerId, LIFE_MS, type LoginFailure, MAX_NAME, type OpenLogin, readToken, tokenOf } from './login.ts'
import { insertBegun, markAsked, markChosen, openBegun, consumeQuestion } from './queries.ts'

type Tried<T> = { answer: T } | { failure: LoginFailure }

/** At the store, by a link of the chat: answers a ticket that is good in one browser. */
export async function beginFromChat(shopper: Shopper, chat: string): Promise<Tried<string>> {
  const { scope } = shopper
  const { context, merchantId } = scope
  const lineUserId = readChat(context, merchantId, chat)
  if (lineUserId === null) return { failure: 'expired' }
  const customerId = await getCustomerId(shopper)
  const asked = await tryLine(scope, (token) => context.integrations.line.account.findProfile(token, lineUserId))
  if ('failure' in asked) return asked
  const profile = asked.answer
  if (!profile) return { failure: 'not_a_friend' }
  const name = profile.displayName.slice(0, MAX_NAME).toWellFormed()
  const ticket = tokenOf(scope, randomToken())
  const at = context.clock.realNow()
  const expiresAt = new Date(at.getTime() + LIFE_MS)
  const chatOf = { lineUserId, name, pictureUrl: profile.pictureUrl ?? null }
  await insertBegun(scope, { id: newId(), customerId, tokenHash: hashToken(ticket), at, expiresAt, chatOf })
  return { answer: ticket }
}

/** In the person's browser: answers what the page that asks is opened by. Null: the ticket is none of the chat's, or not good any more. */
export async function openFromChat(context: Context, ticket: string, browserKey: string): Promise<string | null> {
  const read = readToken(context, ticket)
  if (!read) return null
  const browserHash = hashToken(browserKey)
  const id = await openBegun(read.scope, hashToken(ticket), { browserHash, at: context.clock.realNow() })
  return id && tokenOf(read.scope, id)
}

/**
 * The person said yes on our page. Now LINE asks them on its own, which alone can tell whether the chat is theirs. Pressed twice the first
 * counts; where another link would end and the page did not say so, it is shown again. Returns why LINE cannot ask, or null.
 */
export async function askByLine({ scope, row, former }: OpenLogin, moves: boolean): Promise<LoginFailure | null> {
  if (row.step !== 'returned' || ((former.holderId || former.other) && !moves)) return null
  const { context } = scope
  const { id, line_user_id } = row
  const asked = await tryLine(scope, (token) => context.integrations.line.account.linkToken(token, line_user_id))
  if ('failure' in asked) return asked.failure
  const nonce = randomToken()
  await markAsked(scope, id, {
    nonceHash: hashToken(nonce),
    secrets: context.keyring.encrypt(JSON.stringify([asked.answer, nonce])),
    moves,
    expiresAt: new Date(context.clock.realNow().getTime() + LIFE_MS),
  })
  return null
}

/** LINE's page, for a login that waits for its answer. */
export function dialogUrl({ context }: MerchantScope, secrets: string): string {
  const [linkToken = '', nonce = ''] = JSON.parse(context.keyring.decrypt(secrets)) as string[]
  return context.integrations.line.account.linkUrl(linkToken, nonce)
}

async function tryLine<T>(scope: MerchantScope, ask: (token: string) => Promise<T>): Promise<Tried<T>> {
  try {
    return { answer: await askWithToken(scope, ask) }
  } catch (error) {
    if (error instanceof LineError) {
      scope.context.log.warn({ merchantId: scope.merchantId, detail: error.detail }, 'linking from the chat failed')
      return { failure: error.retryable ? 'unreachable' : 'not_a_friend' }
    }
    if (error instanceof AppError && error.reason === 'line_not_connected') return { failure: 'off' }
    throw error
  }
}

/**
 * LINE's answer. The customer is the one who was signed in when our page asked, the LINE account the one whose chat the link was sent to: an
 * answer of any other links nothing, nor does one that was received after the ten minutes. In the transaction of the event.
 */
export async function endAccountLink(scope: MerchantScope, answered: Facts['line.link_answered']): Promise<void> {
  const { clock } = scope.context
  // Both by the machine's own time: an event may wait to be processed.
  const waitedMs = Math.max(0, scope.now.getTime() - answered.receivedAt.getTime())
  const row = await consumeQuestion(scope, hashToken(answered.nonce), new Date(clock.realNow().getTime() - waitedMs))
  if (!row) return
  const isTheirs = answered.isOk && row.line_user_id === answered.lineUserId
  await markChosen(scope, row.id, isTheirs && (await isLinked(scope, row)) ? 'linked' : 'kept')
}

async function isLinked(
  scope: MerchantScope,
  { line_user_id, customer_id, moves }: { line_user_id: string; customer_id: string; moves: boolean },
): Promise<boolean> {
  try {
    await linkFriend(scope, line_user_id, customer_id, { moves })
    return true
  } catch (error) {
    // The customer is gone, or a link would end and the page did not say so. Nothing was written.
    if (error instanceof AppError) return false
    throw error
  }
}
