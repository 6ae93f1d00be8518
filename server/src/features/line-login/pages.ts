import { connectLine } from '@okaeri/contract/line-login/routes'
import { type Locale, toLocale, wordsIn } from '@okaeri/contract/locale'
import type { Reason } from '@okaeri/contract/errors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { maskAddress } from '../../kernel/masked-address.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { html, type Markup, type PublicPage, sendPublicPage, TICK } from '../../kernel/http/public-page.ts'
import { findLineAccount } from '../line-accounts/index.ts'
import { getMerchant } from '../merchants/index.ts'
import { findStore, proxiedAddress, type Shopper, signInAddress, storefrontAddress } from '../stores/index.ts'
import { dialogUrl } from './account-link.ts'
import type { OpenLogin } from './login.ts'
import { findKnownBy } from './queries.ts'
import { pageWords } from './words.ts'

export interface PageRequest {
  request: FastifyRequest
  reply: FastifyReply
}
export type Failure = keyof (typeof pageWords)['failures']

/** The page that explains a refusal; null where there is none here. */
export const failureOf = (reason: Reason): Failure | null => failures[reason] ?? null
const failures: Partial<Record<Reason, Failure>> = {
  line_login_off: 'off',
  store_signature_invalid: 'unsigned',
  store_not_connected: 'off',
  not_found: 'expired',
  rate_limited: 'too_often',
}

const languageOf = (request: FastifyRequest): Locale => toLocale(request.headers['accept-language'])

async function send(
  scope: MerchantScope | null,
  { request, reply }: PageRequest,
  page: Omit<PublicPage, 'language' | 'merchantName' | 'languages'>,
  status = 200,
): Promise<FastifyReply> {
  const merchantName = scope && nameOf(await getMerchant(scope))
  return sendPublicPage(reply, { language: languageOf(request), merchantName, languages: null, ...page }, status)
}

const nameOf = ({ sender_name, site_name }: { sender_name: string; site_name: string }): string =>
  sender_name || site_name

const link = (address: string, label: string, second = false): Markup =>
  html`<a class="button${second ? ' second' : ''}" href="${address}">${label}</a>`
const links = (...of: (Markup | null)[]): Markup =>
  html`<div class="ways">${of.flatMap((one) => (one === null ? [] : [one]))}</div>`

/** At the store, whose cookies do not come along: the browser goes on to the address here by which it is known. */
export function sendGoOn(
  shopper: Shopper,
  ticket: string,
  to: 'line' | 'question',
  asked: PageRequest,
): Promise<FastifyReply> {
  const { title, body, button } = wordsIn(pageWords.goOn[to], languageOf(asked.request))
  const { publicUrl } = shopper.scope.context.settings
  const goesOnTo = `${publicUrl}${connectLine.path}?${new URLSearchParams({ ticket }).toString()}`
  return send(shopper.scope, asked, { title, body: html`<p>${body}</p>${links(link(goesOnTo, button))}`, goesOnTo })
}

export function sendSignIn({ scope, shopDomain }: Shopper, chat: string, asked: PageRequest): Promise<FastifyReply> {
  const { title, body, button } = wordsIn(pageWords.signIn, languageOf(asked.request))
  const query = chat === '' ? '' : `?${new URLSearchParams({ chat }).toString()}`
  const address = signInAddress(scope.context, shopDomain, `${connectLine.path}${query}`)
  return send(scope, asked, { title, body: html`<p>${body}</p>${links(link(address, button))}` })
}

/** With a way back to the store, where it is known. */
export async function sendFailure(
  failure: Failure,
  scope: MerchantScope | null,
  asked: PageRequest,
  status: number,
): Promise<FastifyReply> {
  const words = wordsIn(pageWords, languageOf(asked.request))
  const { title, body } = words.failures[failure]
  const store = scope && (await storeLinks(scope, languageOf(asked.request)))
  const mayRepeat = !['off', 'wrong_channel', 'not_a_friend'].includes(failure)
  const ways = store && links(mayRepeat ? store.again : null, store.back)
  return send(scope, asked, { title, body: html`<p>${body}</p>${ways}` }, status)
}

async function storeLinks(scope: MerchantScope, language: Locale): Promise<{ again: Markup; back: Markup } | null> {
  const store = await findStore(scope)
  if (!store) return null
  const { context } = scope
  return {
    again: link(proxiedAddress(context, store.shop_domain, connectLine.path), pageWords.again[language]),
    back: link(storefrontAddress(context, store.shop_domain, '/account'), pageWords.back[language], true),
  }
}

/** Asks, or says what was chosen. */
export async function sendLogin(open: OpenLogin, login: string, asked: PageRequest): Promise<FastifyReply> {
  const { scope, row } = open
  const language = languageOf(asked.request)
  const words = wordsIn(pageWords, language)
  if (row.step === 'returned') return sendQuestion(open, login, asked)
  if (row.step === 'asked') return sendToDialog(open, asked)
  const store = await storeLinks(scope, language)
  const back = store?.back ?? null
  if (row.step === 'kept')
    return send(scope, asked, { title: words.kept.title, body: html`<p>${words.kept.body}</p>${links(back)}` })
  const name = nameOf(await getMerchant(scope))
  const account = await findLineAccount(scope)
  const { title, body, addFriend, addFriendButton } = words.linked
  if (row.is_friend || !account?.basic_id)
    return send(scope, asked, { title, body: html`${TICK}<p>${body(name)}</p>${links(back)}` })
  const befriend = link(friendAddress(account.basic_id), addFriendButton)
  const text = addFriend(account.display_name ?? name)
  return send(scope, asked, { title, body: html`${TICK}<p>${text}</p>${links(befriend, back)}` })
}

/** The browser goes on to LINE, which asks the person too. */
function sendToDialog({ scope, row }: OpenLogin, asked: PageRequest): Promise<FastifyReply> {
  const { title, body, button } = wordsIn(pageWords.goOn.line, languageOf(asked.request))
  const goesOnTo = dialogUrl(scope, row.secrets ?? '')
  return send(scope, asked, { title, body: html`<p>${body}</p>${links(link(goesOnTo, button))}`, goesOnTo })
}

/** LINE's own page about the account. */
const friendAddress = (basicId: string): string => `https://line.me/R/ti/p/${encodeURIComponent(basicId)}`

async function sendQuestion(
  { scope, row, former }: OpenLogin,
  login: string,
  asked: PageRequest,
): Promise<FastifyReply> {
  const words = wordsIn(pageWords.ask, languageOf(asked.request))
  const customer = await findKnownBy(scope, row.customer_id)
  if (!customer) return sendFailure('expired', scope, asked, 404)
  const shown = ({ email, phone }: { email: string | null; phone: string | null }): string =>
    email ? maskAddress(email) : phone ? `•••${phone.slice(-4)}` : words.noAddress
  const holder = former.holderId && (await findKnownBy(scope, former.holderId))
  const ends = [
    // Who opened a link of the chat has not shown yet that the account is theirs: whose it is else is not for them.
    ...(holder ? [row.from_chat ? words.takenByChat : words.taken(shown(holder))] : []),
    ...(former.other ? [words.replaces(former.other.display_name || words.noName)] : []),
  ]
  const picturesFrom = originOf(row.picture_url)
  const picture = picturesFrom && html`<img src="${row.picture_url ?? ''}" alt="" width="40" height="40">`
  const body = html`<p>${words.body(nameOf(await getMerchant(scope)))}</p>
<p class="soft">${words.line}</p><p class="address who">${picture}<span>${row.display_name || words.noName}</span></p>
<p class="soft">${words.customer}</p><p class="address">${shown(customer)}</p>
${ends.map((text) => html`<p class="note">${text}</p>`)}
<form method="post" action="/line/connect/confirm"><input type="hidden" name="login" value="${login}">${
    ends.length > 0 ? html`<input type="hidden" name="moves" value="yes">` : null
  }<button name="choice" value="link">${words.link}</button><button name="choice" value="keep" class="second">${words.keep}</button></form>
${row.from_chat ? html`<p class="soft">${words.asksToo}</p>` : null}<p class="soft">${words.notYours}</p>`
  return send(scope, asked, { title: words.title, body, picturesFrom })
}

function originOf(address: string | null): string | null {
  const url = address === null ? null : URL.parse(address)
  return url && /^https?:$/.test(url.protocol) ? url.origin : null
}
