import { type Locale, wordsIn } from '@okaeri/contract/locale'
import * as contract from '@okaeri/contract/subscriptions/routes'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Routes } from '../../kernel/http.ts'
import { originOf } from '../../kernel/rate-limits.ts'
import { type Addressee, findAddressee } from './addressee.ts'
import { countStorefrontRequest } from './flood.ts'
import { isOneClick } from './one-click.ts'
import { pageAddress, type PageName, pagePath, sendSubscriptionPage } from './pages.ts'
import { laterForShop, mailSubscribeLink, mailUnsubscribeLink } from './storefront.ts'
import { changePreferences, sendPreferences } from './preferences.ts'
import { subscribe, unsubscribe } from './subscription.ts'
import { pageWords, WORDING_VERSION } from './words.ts'

interface PageCall {
  query: { token: string; lang?: Locale | undefined }
  context: Context
  request: FastifyRequest
  reply: FastifyReply
}

export function subscriptionRoutes(on: Routes): void {
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
      language: lang ?? addressee.language,
    })
    return reply.redirect(`${pageAddress('preferences', token, lang)}&saved=1`, 303)
  })

  on.open(contract.oneClickUnsubscribe)(async ({ params, context, request, reply }) => {
    const { token } = params
    const addressee = await findAddressee(context, token)
    if (addressee && isOneClick(request.body, request.headers['content-type']))
      await unsubscribe(addressee, { source: 'one_click', wording: 'List-Unsubscribe=One-Click', page: '/u/' })
    const now = addressee && (await findAddressee(context, token))
    return sendSubscriptionPage(now, { page: 'confirm', token, lang: undefined, request, reply })
  })

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

  on.open(contract.subscribeFromStorefront)(async ({ body, context, request, reply }) => {
    const { shop, email } = body
    await countStorefrontRequest(context, reply, { origin: originOf(request), shop, email })
    await laterForShop(context, shop, mailSubscribeLink, { email })
    return { accepted: true }
  })
  on.open(contract.unsubscribeFromStorefront)(async ({ body, context, request, reply }) => {
    const { shop, email } = body
    await countStorefrontRequest(context, reply, { origin: originOf(request), shop, email })
    await laterForShop(context, shop, mailUnsubscribeLink, { email })
    return { accepted: true }
  })
}

/** Kept as proof: what our page said in that language, and by which version of it. */
function subscribeByButton(addressee: Addressee, language: Locale, page = pagePath.subscribe): Promise<void> {
  const { ask, button } = wordsIn(pageWords.subscribe, language)
  const wording = `${ask(addressee.merchantName)} [${button}] (${language}, ${WORDING_VERSION})`
  return subscribe(addressee, { source: 'subscribe_link', wording, page })
}

/** Answers the state afterwards. Throws link_invalid for an invalid token. */
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
