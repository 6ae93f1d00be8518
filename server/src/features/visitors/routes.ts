import * as contract from '@okaeri/contract/visitors/routes'
import { notFound } from '../../kernel/errors.ts'
import type { Routes } from '../../kernel/http/http.ts'
import { sendReady } from './at-once.ts'
import { findScript, readyFor, type Script } from './script.ts'
import { type StatusAnswer, statusFor, statusOf, forgetStatus } from './status.ts'
import { connectPage, convertPageToken, tokenOfShopper, tradeSessionToken } from './visitor.ts'
import { changeWidgetSettings, presentWidgetSettings, readWidgetSettings, statusFrom } from './widget-settings.ts'

export function visitorRoutes(on: Routes): void {
  on.merchant(contract.getWidgetSettings)(({ scope }) => presentWidgetSettings(scope))

  on.merchant(contract.changeWidgetSettings)(async ({ scope, body }) => {
    await changeWidgetSettings(scope, body.widgetSettings)
    await forgetStatus(scope)
    return presentWidgetSettings(scope)
  })

  on.lean(contract.getLoader)(({ context, params, request, reply }) => {
    if (params.product !== 'okaeri') throw notFound('there is no such script')
    const send = ({ loader }: Script) => sendReady(reply, readyFor(request, loader))
    const script = findScript(context)
    return script instanceof Promise ? script.then(send) : send(script)
  })

  on.lean(contract.getWidgetPart)(async ({ context, params, request, reply }) => {
    const { version, parts } = await findScript(context)
    const part = parts.get(params.name)
    if (!part) throw notFound('there is no such part')
    // A loader from before the last update gets the current part, and soon the current loader.
    return sendReady(reply, readyFor(request, part[params.version === version ? 'lasting' : 'passing']))
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

  on.open(contract.tradeSessionToken)(async ({ context, request }) => {
    const { scope, token } = await tradeSessionToken(context, request)
    const { parts, texts } = statusFrom(await readWidgetSettings(scope))
    return { extension: { token, parts: { birthday: parts.birthday.on, consent: parts.consent.on }, texts } }
  })

  on.lean(contract.getFrontendStatus)(({ context, request, reply, query }) => {
    const send = (answer: StatusAnswer) => sendReady(reply, statusFor(answer, request.headers.origin))
    const answer = statusOf(context, query.shop.toLowerCase())
    return answer instanceof Promise ? answer.then(send) : send(answer)
  })
}
