import { type Locale, wordsIn } from '@okaeri/contract/locale'
import * as contract from '@okaeri/contract/subscriptions/routes'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { makeCaptcha } from '../../integrations/captcha/captcha.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, unauthorized } from '../../kernel/errors.ts'
import type { Routes } from '../../kernel/http/http.ts'
import { countAttempt, originOf, type RateLimit } from '../../kernel/rate-limits.ts'
import { findStoreCustomers } from '../customers/index.ts'
import { readShopper } from '../stores/index.ts'
import { type Addressee, findAddressee } from './addressee.ts'
import { countChoice } from './flood.ts'
import { isOneClick } from './one-click.ts'
import { type PageName, pageAddress, pagePath, sendSubscriptionPage } from './pages.ts'
import { getOwnPermission, setOwnPermission } from './permission.ts'
import { changePreferences, sendPreferences } from './preferences.ts'
import { scopeOfShop, signUpLater, unsubscribeLater } from './storefront.ts'
import { subscribe, unsubscribe } from './subscription.ts'
import { pageWords, WORDING_VERSION } from './words.ts'

interface PageCall {
  query: { token: string; lang?: Locale | undefined }
  context: Context
  request: FastifyRequest
  reply: FastifyReply
}

export function subscriptionRoutes(on: Routes): void {
  pages(on)
  preferences(on)
  changesByToken(on)
  ownPermission(on)
  forms(on)
}

/** Behind the links that mails carry. */
function pages(on: Routes): void {
  const page =
    (name: PageName) =>
    async ({ query, context, request, reply }: PageCall): Promise<FastifyReply> => {
      const { token, lang } = query
      return sendSubscriptionPage(await findAddressee(context, token), { page: name, token, lang, request, reply })
    }
  on.open(contract.unsubscribeConfirmPage)(page('confirm'))
  on.open(contract.unsubscribeOkPage)(page('ok'))
  on.open(contract.unsubscribeCancelPage)(page('cancel'))
  on.open(contract.subscribePage)(page('subscribe'))
  on.open(contract.unsubscribePage)(async ({ query, reply }) =>
    reply.redirect(pageAddress('confirm', query.token, query.lang), 302),
  )
  // The mail may have named a merchant's own host, where the page is not.
  on.open(contract.oneClickPage)(async ({ params, query, context, reply }) =>
    reply.redirect(`${context.settings.publicUrl}${pageAddress('confirm', params.token, query.lang)}`, 302),
  )

  on.open(contract.chooseSubscription)(async ({ body, context, request, reply }) => {
    const { token, choice, lang } = body
    const addressee = await findAddressee(context, token)
    if (!addressee) return sendSubscriptionPage(null, { page: 'confirm', token, lang, request, reply })
    const words = wordsIn(pageWords, lang ?? addressee.language)
    if (choice === 'stop')
      await unsubscribe(addressee, { source: 'unsubscribe_link', wording: words.confirm.stop, page: pagePath.confirm })
    if (choice === 'subscribe') await subscribeByButton(addressee, lang ?? addressee.language)
    const next: PageName = choice === 'stop' ? 'ok' : choice === 'keep' ? 'cancel' : 'subscribe'
    return reply.redirect(pageAddress(next, token, lang), 303)
  })

  on.open(contract.oneClickUnsubscribe)(async ({ params, context, request, reply }) => {
    const { token } = params
    const addressee = await findAddressee(context, token)
    if (addressee && isOneClick(request.body, request.headers['content-type']))
      await unsubscribe(addressee, { source: 'one_click', wording: 'List-Unsubscribe=One-Click', page: '/u/' })
    const now = addressee && (await findAddressee(context, token))
    return sendSubscriptionPage(now, { page: 'confirm', token, lang: undefined, request, reply })
  })
}

function preferences(on: Routes): void {
  on.open(contract.preferencesLink)(async ({ params, query, context, reply }) =>
    reply.redirect(`${context.settings.publicUrl}${pageAddress('preferences', params.token, query.lang)}`, 302),
  )
  on.open(contract.preferencesPage)(async ({ query, context, request, reply }) => {
    const { token, lang, saved } = query
    return sendPreferences(await findAddressee(context, token), {
      token,
      lang,
      saved: saved !== undefined,
      request,
      reply,
    })
  })
  on.open(contract.savePreferences)(async ({ body, context, request, reply }) => {
    const { token, lang, news, notices, pause, language } = body
    const addressee = await findAddressee(context, token)
    if (!addressee) return sendPreferences(null, { token, lang, saved: false, request, reply })
    await changePreferences(addressee, {
      shown: {
        news: body.news_shown,
        notices: body.notices_shown,
        pause: body.pause_shown,
        language: body.language_shown,
      },
      wanted: { news, notices, pause, language },
      // In which the page spoke when it was shown.
      language: lang ?? body.language_shown ?? addressee.language,
    })
    // Who chose another language reads on in that one.
    const next = language && body.language_shown && language !== body.language_shown ? undefined : lang
    return reply.redirect(`${pageAddress('preferences', token, next)}&saved=1`, 303)
  })
}

/** By the token of a mail, for callers that show no page of ours. */
function changesByToken(on: Routes): void {
  const stop = (context: Context, token: string, where: string) =>
    changeByToken(context, token, (addressee) =>
      unsubscribe(addressee, {
        source: 'unsubscribe_link',
        wording: pageWords.confirm.stop[addressee.language],
        page: where,
      }),
    )
  const takeUp = (context: Context, token: string, where: string) =>
    changeByToken(context, token, (addressee) => subscribeByButton(addressee, addressee.language, where))
  on.open(contract.unsubscribeByToken)(async ({ body, context }) =>
    stop(context, body.token, '/mailmagazine/unsubscribe'),
  )
  on.open(contract.subscribeByToken)(async ({ body, context }) =>
    takeUp(context, body.token, '/mailmagazine/subscribe'),
  )
  on.open(contract.unsubscribeFrontend)(async ({ query, context }) =>
    stop(context, query.token, '/frontend/email/unsubscribe'),
  )
  on.open(contract.subscribeFrontend)(async ({ query, context }) =>
    takeUp(context, query.token, '/frontend/email/subscribe'),
  )
}

/** What the customer who is signed in at the store sees and chooses. */
function ownPermission(on: Routes): void {
  on.open(contract.getMarketing)(async ({ context, request, reply }) => {
    const { scope, shopDomain, storeCustomerId } = await readShopper(context, request)
    if (storeCustomerId === null) throw unauthorized('customer_not_signed_in', 'no one is signed in at the store')
    await countAttempt(context, reply, [[readsOfCustomer, `${shopDomain} ${storeCustomerId}`]])
    const customerId = (await findStoreCustomers(scope, [storeCustomerId])).get(storeCustomerId) ?? null
    return { marketing: await getOwnPermission(scope, { customerId, isSignedIn: true }) }
  })
  for (const endpoint of [contract.getAcceptsMarketing, contract.getPermissionByExtension])
    on.visitor(endpoint)(async ({ scope, visitor }) => {
      const customerId = 'customerId' in visitor.holder ? visitor.holder.customerId : null
      return { marketing: await getOwnPermission(scope, { customerId, isSignedIn: visitor.isSignedIn }) }
    })
  for (const endpoint of [contract.setAcceptsMarketing, contract.setPermissionByExtension])
    on.visitor(endpoint)(async ({ scope, visitor, body, context, reply }) => {
      const { accepts_marketing: accepts, ...shown } = body
      if (!('customerId' in visitor.holder))
        throw unauthorized('customer_not_signed_in', 'no one is signed in at the store')
      const { customerId } = visitor.holder
      await countAttempt(context, reply, [[choicesOfCustomer, customerId]])
      return { marketing: await setOwnPermission(scope, customerId, { accepts, ...shown }) }
    })
}

/** On the storefront, where an address is entered. */
function forms(on: Routes): void {
  on.open(contract.subscribeFromStorefront)(async ({ body, context, request, reply }) => {
    const { shop, email, captcha } = body
    const shown =
      body.wording && body.language ? { wording: body.wording, language: body.language, page: body.page } : null
    const scope = await scopeOfShop(context, shop)
    const origin = originOf(request)
    await signUpLater(scope, reply, { origin, email, captcha, language: body.language, shown })
    return { accepted: true }
  })
  on.open(contract.unsubscribeFromStorefront)(async ({ body, context, request, reply }) => {
    const { shop, email, captcha } = body
    const scope = await scopeOfShop(context, shop)
    await unsubscribeLater(scope, reply, { origin: originOf(request), email, captcha })
    return { accepted: true }
  })
  on.visitor(contract.getSignUpCaptcha)(({ context, scope, body, request }) =>
    makeCaptcha(context, { form: body.form, merchantId: scope.merchantId }, originOf(request)),
  )
  on.visitor(contract.signUpOnPage)(async ({ scope, body, request, reply }) => {
    const { email, captcha, ...shown } = body
    const origin = originOf(request)
    await signUpLater(scope, reply, { origin, email, captcha, language: shown.language, shown })
    return { accepted: true }
  })
}

/** What a page of the storefront asks by itself. */
const readsOfCustomer: RateLimit = { name: 'marketing_read', max: 120, windowSeconds: 60 }
/** Each leaves a row of the record for good. */
const choicesOfCustomer: RateLimit = { name: 'marketing_choice', max: 20, windowSeconds: 3600 }

/** Kept as proof: what our page said in that language, and by which version of it. */
async function subscribeByButton(addressee: Addressee, language: Locale, page = pagePath.subscribe): Promise<void> {
  await countChoice(addressee)
  const { ask, button } = wordsIn(pageWords.subscribe, language)
  const wording = `${ask(addressee.merchantName)} [${button}] (${language}, ${WORDING_VERSION})`
  await subscribe(addressee, { source: 'subscribe_link', wording, page })
}

/** Returns the state afterwards. Throws link_invalid for an invalid token. */
async function changeByToken(
  context: Context,
  token: string,
  change: (addressee: Addressee) => Promise<void>,
): Promise<{ subscribed: boolean }> {
  const addressee = await findAddressee(context, token)
  if (!addressee) throw new AppError('not_found', 'link_invalid', 'the link does not work')
  await change(addressee)
  return { subscribed: (await findAddressee(context, token))?.permission.granted ?? false }
}
