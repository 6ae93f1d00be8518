import * as contract from '@okaeri/contract/visitors/routes'
import { notFound } from '../../kernel/errors.ts'
import type { Routes } from '../../kernel/http.ts'
import { sendAtOnce } from './at-once.ts'
import { isOwnPage } from './cors.ts'
import { findScript, sendScript } from './script.ts'
import { STATUS_SECONDS, statusOf, tellAgain } from './status.ts'
import { connectPage, convertPageToken, tokenOfShopper } from './visitor.ts'
import { changeWidgetSettings, presentWidgetSettings } from './widget-settings.ts'

export function visitorRoutes(on: Routes): void {
  on.merchant(contract.getWidgetSettings)(({ scope }) => presentWidgetSettings(scope))

  on.merchant(contract.changeWidgetSettings)(async ({ scope, body }) => {
    await changeWidgetSettings(scope, body.widgetSettings)
    await tellAgain(scope)
    return presentWidgetSettings(scope)
  })

  on.lean(contract.getLoader)(async ({ context, params, request, reply }) => {
    if (params.product !== 'okaeri') throw notFound('there is no such script')
    const found = findScript(context)
    const { loader } = found instanceof Promise ? await found : found
    return sendScript(context, request, reply, loader, 'public, max-age=300, stale-while-revalidate=86400')
  })

  on.lean(contract.getWidgetPart)(async ({ context, params, request, reply }) => {
    const { version, parts } = await findScript(context)
    const part = parts.get(params.name)
    if (!part) throw notFound('there is no such part')
    // A loader from before the last update gets the part of now, and soon the loader of now.
    const isOfNow = params.version === version
    return sendScript(
      context,
      request,
      reply,
      part,
      isOfNow ? 'public, max-age=31536000, immutable' : 'public, max-age=60',
    )
  })

  on.open(contract.connectVisitor)(async ({ context, request, query }) => ({
    connection: await connectPage(context, request, query),
  }))

  on.open(contract.getVisitorToken)(async ({ context, request, query }) => ({
    token: await tokenOfShopper(context, request, query),
  }))

  on.open(contract.convertToken)(async ({ context, request, body }) => ({
    token: await convertPageToken(context, request, { guestToken: body.guest_id }),
  }))

  on.lean(contract.getFrontendStatus)(async ({ context, request, reply, query }) => {
    const shopDomain = query.shop.toLowerCase()
    const found = statusOf(context, shopDomain)
    const { body, etag } = found instanceof Promise ? await found : found
    const { origin } = request.headers
    const isOwn = origin !== undefined && (await isOwnPage(context, shopDomain, origin))
    return sendAtOnce(context, reply, request.headers['if-none-match'] === etag ? null : body, {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': `public, max-age=${STATUS_SECONDS}`,
      vary: 'origin',
      etag,
      ...(isOwn ? { 'access-control-allow-origin': origin } : {}),
    })
  })
}
