import * as endpoints from '@okaeri/contract/restocks/storefront-routes'
import type { Routes } from '../../kernel/http/http.ts'
import { originOf } from '../../kernel/rate-limits.ts'
import { register, registerByLine } from './registration.ts'
import { pageAddress } from './registration-link.ts'
import { chooseOnPage, sendRegistrationPage } from './registration-page.ts'

export function restockStorefrontRoutes(on: Routes): void {
  on.visitor(endpoints.registerForRestock)(async ({ visitor, body, request, reply }) => ({
    accepted: true,
    ...(await register(reply, visitor, {
      awaited: awaitedOf(body),
      email: body.email,
      captcha: body.captcha,
      language: body.language,
      origin: originOf(request),
    })),
  }))
  on.visitor(endpoints.registerForRestockByLine)(async ({ visitor, body, reply }) => {
    await registerByLine(reply, visitor, awaitedOf(body))
    return { accepted: true }
  })
  on.open(endpoints.restockLink)(async ({ params, query, context, reply }) =>
    reply.redirect(`${context.settings.publicUrl}${pageAddress({ token: params.token, lang: query.lang })}`, 302),
  )
  on.open(endpoints.restockPage)(({ query, context, request, reply }) =>
    sendRegistrationPage(context, { token: query.token, lang: query.lang, done: query.done }, { request, reply }),
  )
  on.open(endpoints.chooseRestock)(async ({ body, context, reply }) => {
    const { token, lang, choice } = body
    await chooseOnPage(context, { token, lang, choice })
    const done = { confirm: undefined, cancel: 'cancel', cancel_all: 'all' } as const
    return reply.redirect(pageAddress({ token, lang, done: done[choice] }), 303)
  })
}

const awaitedOf = ({ product_id, variant_id }: { product_id: number; variant_id?: number | undefined }) => ({
  storeProductId: product_id,
  storeVariantId: variant_id ?? 0,
})
