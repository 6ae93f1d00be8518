import { withVariant } from '@okaeri/contract/catalog/variant-name'
import { toLocale, wordsIn } from '@okaeri/contract/locale'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../kernel/context.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { maskAddress } from '../../kernel/masked-address.ts'
import { html, type Markup, sendPublicPage, TICK } from '../../kernel/http/public-page.ts'
import { countAttempt, type RateLimit } from '../../kernel/rate-limits.ts'
import { getMerchant } from '../merchants/index.ts'
import {
  type AwaitedItem,
  endRegistrationsOf,
  findRegistration,
  listRegistrationsOf,
  listVariantsAwaited,
} from '../restocks/index.ts'
import { confirmRegistration, wordingOf } from './registration.ts'
import { selectCustomerAt, selectOffered, selectTitle, selectVariantTitle } from './registration-queries.ts'
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
  /** This registration ended; those for other variants of the product remain. */
  const ended = (
    product: string | null,
    others: Others,
    rest: Markup | null = null,
  ): Promise<FastifyReply> | FastifyReply =>
    page(
      done ? words.cancelled.doneTitle : others.variants.length > 0 ? words.cancelled.oneTitle : words.cancelled.title,
      html`<p>${product ? words.cancelled.body(product) : words.cancelled.nothing}</p>${
        others.variants.length > 0
          ? html`<p>${words.others.still(others.variants)}</p>${form('cancel_all', words.others.end, true)}`
          : null
      }${rest}`,
    )
  /** The button that ends this one, what stays then, and the button that ends everything of the product. */
  const ways = (others: Others, cancel: Markup): Markup =>
    html`${others.isWholeToo ? html`<p>${words.others.whole}</p>` : null}${
      others.variants.length > 0 ? html`<p>${words.others.stay(others.variants)}</p>` : null
    }${cancel}${others.variants.length > 0 ? form('cancel_all', words.others.end, true) : null}`
  const deleted = words.others.deleted
  if (answer?.isTest) return page(words.answered.title, html`<p class="note">${words.answered.test}</p>`)
  if (answer) {
    const { customerId, awaited, product } = answer
    if (!customerId || !awaited) return ended(product, NO_OTHERS)
    const others = await othersOf(answer.scope, customerId, { awaited, deleted })
    const name = await nameOf(answer.scope, awaited, { product, done })
    if ((await listRegistrationsOf(answer.scope, customerId, awaited)).length === 0) return ended(name, others)
    const { title, body, cancel } = words.answered
    return page(title, html`<p>${body(name)}</p>${ways(others, form('cancel', cancel, false))}`)
  }
  if (!opened) return page(words.broken.title, html`<p>${words.broken.body}</p>`, 404)
  const { asked } = opened
  const address = html`<p class="address">${maskAddress(asked.addressKey)}</p>`
  const product = await selectTitle(opened.scope, asked.awaited)
  const name = product === null ? null : await nameOf(opened.scope, asked.awaited, { product, done })
  const customerId = await selectCustomerAt(opened.scope, asked.addressKey)
  const others =
    customerId === null ? NO_OTHERS : await othersOf(opened.scope, customerId, { awaited: asked.awaited, deleted })
  if (await isRegistered(opened.scope, asked)) {
    const { title, body, cancel } = words.registered
    return page(title, html`${TICK}<p>${body(name ?? '')}</p>${address}${ways(others, form('cancel', cancel, true))}`)
  }
  // What the store does not show is not offered; who is registered keeps the way out.
  if (name === null || !mayConfirm(opened.scope, asked) || !(await selectOffered(opened.scope, asked.awaited)))
    return ended(name, others, address)
  const { title, ask, button, notYours } = words.confirm
  if (done) return ended(name, others, html`${address}${form('confirm', button, true)}`)
  return page(
    title,
    html`<p>${ask(name)}</p>${address}${form('confirm', button, false)}<p class="soft">${notYours}</p>`,
  )
}

/** What the same person awaits of the product besides. */
interface Others {
  variants: readonly string[]
  /** They also asked for the product as a whole, which ends with a variant. */
  isWholeToo: boolean
}
const NO_OTHERS: Others = { variants: [], isWholeToo: false }

async function othersOf(
  scope: MerchantScope,
  customerId: string,
  { awaited: { storeProductId, storeVariantId }, deleted }: { awaited: AwaitedItem; deleted: string },
): Promise<Others> {
  // With the whole all its variants end.
  if (storeVariantId === 0) return NO_OTHERS
  const { asks_again: withAnswered } = await readRestockSettings(scope)
  const all = await listVariantsAwaited(scope, customerId, { storeProductId, withAnswered })
  return {
    variants: all.flatMap(({ storeVariantId: id, title }) =>
      id === 0 || id === storeVariantId ? [] : (title ?? deleted),
    ),
    isWholeToo: all.some(({ storeVariantId: id }) => id === 0),
  }
}

/** With the variant, unless everything of the product was taken back just now. */
async function nameOf(
  scope: MerchantScope,
  awaited: AwaitedItem,
  { product, done }: { product: string; done: PageQuery['done'] },
): Promise<string> {
  // After an erasure the product is not known either.
  const variant = done === 'all' || product === '' ? null : await selectVariantTitle(scope, awaited)
  return withVariant(product, variant)
}

/** Taken back and confirmed again and again, each would be a row for good. */
const confirmed: RateLimit = { name: 'restock confirmed', max: 60, windowSeconds: 3600 }

/** A button of the page. Pressed twice it changes nothing more. */
export async function chooseOnPage(
  context: Context,
  { token, lang, choice }: PageQuery & { choice: 'confirm' | 'cancel' | 'cancel_all' },
): Promise<void> {
  const answer = await openAnswer(context, token)
  if (answer) {
    const { scope, customerId, awaited, isTest } = answer
    if (choice !== 'confirm' && customerId !== null && awaited !== null && !isTest)
      await endRegistrationsOf(scope, customerId, endedBy(choice, awaited))
    return
  }
  const opened = openRegistration(context, token)
  if (!opened) return
  const { scope, asked } = opened
  if (choice !== 'confirm') {
    const customerId = await selectCustomerAt(scope, asked.addressKey)
    if (customerId) await endRegistrationsOf(scope, customerId, endedBy(choice, asked.awaited))
  } else if (mayConfirm(scope, asked) && !(await isRegistered(scope, asked))) {
    await countAttempt(context, null, [[confirmed, `${scope.merchantId} ${asked.addressKey}`]])
    const { language } = await getMerchant(scope)
    await confirmRegistration(scope, asked, { wording: wordingOf(lang ?? language), page: PAGE })
  }
}

const endedBy = (choice: 'cancel' | 'cancel_all', awaited: AwaitedItem): AwaitedItem =>
  choice === 'cancel_all' ? { ...awaited, storeVariantId: 0 } : awaited

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
