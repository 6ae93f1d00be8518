import { toLocale, wordsIn } from '@okaeri/contract/locale'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../kernel/context.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { maskAddress } from '../../kernel/masked-address.ts'
import { html, type Markup, sendPublicPage, TICK } from '../../kernel/public-page.ts'
import { countAttempt, type RateLimit } from '../../kernel/rate-limits.ts'
import { getMerchant } from '../merchants/index.ts'
import { endRegistrationsOf, findRegistration, listRegistrationsOf } from '../restocks/index.ts'
import { confirmRegistration, wordingOf } from './registering.ts'
import { selectCustomerAt, selectOffered, selectTitle } from './registering-queries.ts'
import {
  type AskedRegistration,
  CONFIRM_WITHIN_DAYS,
  openAnswer,
  openRegistration,
  PAGE,
  pageAddress,
  type PageQuery,
} from './registration-link.ts'
import { readRestockSettings } from './settings.ts'
import { pageWords } from './storefront-words.ts'

/** Shows how the registration stands, and asks. Changes nothing. */
export async function sendRegistrationPage(
  context: Context,
  { token, lang, done }: PageQuery,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  const answer = await openAnswer(context, token)
  const opened = answer ? null : openRegistration(context, token)
  const scope = answer?.scope ?? opened?.scope
  const merchant = scope ? await getMerchant(scope) : null
  const language = lang ?? merchant?.language ?? toLocale(request.headers['accept-language'])
  const languages = { ja: pageAddress({ token, lang: 'ja', done }), en: pageAddress({ token, lang: 'en', done }) }
  const words = wordsIn(pageWords, language)
  const page = (title: string, body: Markup, status = 200) =>
    sendPublicPage(
      reply,
      { language, title, merchantName: merchant ? merchant.sender_name || merchant.site_name : null, body, languages },
      status,
    )
  const form = (choice: string, label: string, second: boolean): Markup =>
    html`<form method="post" action="${PAGE}"><input type="hidden" name="token" value="${token}">${
      lang ? html`<input type="hidden" name="lang" value="${lang}">` : null
    }<button name="choice" value="${choice}"${second ? html` class="second"` : null}>${label}</button></form>`
  const ended = (product: string | null, rest: Markup | null = null): Promise<FastifyReply> | FastifyReply =>
    page(
      words.cancelled.title,
      html`<p>${product ? words.cancelled.body(product) : words.cancelled.nothing}</p>${rest}`,
    )
  if (answer?.isTest) return page(words.answered.title, html`<p class="note">${words.answered.test}</p>`)
  if (answer) {
    const { customerId, awaited, product } = answer
    if (!customerId || !awaited || (await listRegistrationsOf(answer.scope, customerId, awaited)).length === 0)
      return ended(product)
    const { title, body, cancel } = words.answered
    return page(title, html`<p>${body(product)}</p>${form('cancel', cancel, false)}`)
  }
  if (!opened) return page(words.broken.title, html`<p>${words.broken.body}</p>`, 404)
  const { asked } = opened
  const address = html`<p class="address">${maskAddress(asked.addressKey)}</p>`
  const product = await selectTitle(opened.scope, asked.awaited)
  if (await isRegistered(opened.scope, asked)) {
    const { title, body, cancel } = words.registered
    return page(title, html`${TICK}<p>${body(product ?? '')}</p>${address}${form('cancel', cancel, true)}`)
  }
  // What the store does not show is not offered; who is registered keeps the way out.
  if (product === null || !mayConfirm(opened.scope, asked) || !(await selectOffered(opened.scope, asked.awaited)))
    return ended(product, address)
  const { title, ask, button, notYours } = words.confirm
  if (done === 'cancel') return ended(product, html`${address}${form('confirm', button, true)}`)
  return page(
    title,
    html`<p>${ask(product)}</p>${address}${form('confirm', button, false)}<p class="soft">${notYours}</p>`,
  )
}

/** Taken back and confirmed again and again, each would be a row for good. */
const confirmed: RateLimit = { name: 'restock confirmed', max: 60, windowSeconds: 3600 }

/** A button of the page. Pressed twice it changes nothing more. */
export async function chooseOnPage(
  context: Context,
  { token, lang, choice }: PageQuery & { choice: 'confirm' | 'cancel' },
): Promise<void> {
  const answer = await openAnswer(context, token)
  if (answer) {
    const { scope, customerId, awaited, isTest } = answer
    if (choice === 'cancel' && customerId !== null && awaited !== null && !isTest)
      await endRegistrationsOf(scope, customerId, awaited)
    return
  }
  const opened = openRegistration(context, token)
  if (!opened) return
  const { scope, asked } = opened
  if (choice === 'cancel') {
    const customerId = await selectCustomerAt(scope, asked.addressKey)
    if (customerId) await endRegistrationsOf(scope, customerId, asked.awaited)
  } else if (mayConfirm(scope, asked) && !(await isRegistered(scope, asked))) {
    await countAttempt(context, null, [[confirmed, `${scope.merchantId} ${asked.addressKey}`]])
    const { language } = await getMerchant(scope)
    await confirmRegistration(scope, asked, { wording: wordingOf(lang ?? language), page: PAGE })
  }
}

const mayConfirm = ({ now }: MerchantScope, { at }: AskedRegistration): boolean =>
  now.getTime() - at.getTime() <= CONFIRM_WITHIN_DAYS * 86_400_000

/** Also one that was answered, where those are asked again. */
async function isRegistered(scope: MerchantScope, { addressKey, awaited }: AskedRegistration): Promise<boolean> {
  const customerId = await selectCustomerAt(scope, addressKey)
  if (customerId === null) return false
  if ((await findRegistration(scope, customerId, awaited)) !== null) return true
  const { asks_again: asksAgain } = await readRestockSettings(scope)
  return asksAgain && (await listRegistrationsOf(scope, customerId, awaited)).length > 0
}
