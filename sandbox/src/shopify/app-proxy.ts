import { createHmac } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refuse } from '../http.ts'
import { escapeHtml } from '../page.ts'
import { appUrlOf } from './oauth.ts'
import type { Platform, StoreScope } from './platform.ts'
import { refuseShop } from './refusal-page.ts'
import { renderLiquid } from './storefront/liquid.ts'
import { show } from './storefront/theme.ts'
import { signedInCustomer, visitOf } from './storefront/visit.ts'
import { openStore } from './stores.ts'

/** As the app's settings at the platform name it: prefix and subpath, and the app's own address behind them. */
const pathPrefix = '/apps/okaeri'
/** Headers passed on to the app; cookies are not passed on in either direction. */
const requestHeaders = ['accept', 'accept-language', 'content-type', 'user-agent'] as const
const responseHeaders = ['content-type', 'content-language', 'cache-control', 'location'] as const
const answerMs = 10_000

/** The platform's app proxy: passes on requests below the store's own address, signed, with the signed-in customer. */
export function mountAppProxy(app: FastifyInstance, platform: Platform): void {
  void app.register(async (proxied) => {
    proxied.removeAllContentTypeParsers()
    proxied.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    proxied.route<{ Params: { shop: string; '*': string } }>({
      method: ['GET', 'POST', 'PUT', 'DELETE'],
      url: `/stores/:shop${pathPrefix}/*`,
      handler: (request, reply) => {
        refuseShop(request.params.shop)
        return passOn(openStore(platform, request.params.shop), request, reply)
      },
    })
  })
}

async function passOn(scope: StoreScope, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const appUrl = appUrlOf(scope)
  if (appUrl === null) throw refuse(404, 'not_found', 'The app is not installed in this store.')
  const { network } = scope.store
  if (network === 'failing' || network === 'dead')
    throw refuse(503, 'app_unavailable', 'There was an error in the third-party application.')
  const asked = new URL(request.url, scope.publicUrl())
  const query = new URLSearchParams(asked.searchParams)
  query.append('shop', scope.store.shop)
  query.append('logged_in_customer_id', String(signedInCustomer(scope, request)?.id ?? ''))
  query.append('path_prefix', pathPrefix)
  query.append('timestamp', String(Math.floor(Date.now() / 1000)))
  query.append('signature', signProxyQuery(query, scope.apiSecret))
  const path = asked.pathname.slice(asked.pathname.indexOf(pathPrefix) + pathPrefix.length)
  const headers = requestHeaders.flatMap((name) => {
    const value = request.headers[name]
    return value === undefined ? [] : [[name, value] as [string, string]]
  })
  // The platform waits for the app, over the same slow way.
  const reachable = await scope.relays.addressOf(appUrl, network)
  const answer = await fetch(`${reachable}${path}?${query.toString()}`, {
    method: request.method,
    redirect: 'manual',
    headers,
    signal: AbortSignal.timeout(answerMs),
    ...(Buffer.isBuffer(request.body) ? { body: new Uint8Array(request.body) } : {}),
  }).catch((error: unknown) => {
    throw refuse(502, 'bad_gateway', `The app did not answer: ${String(error)}`)
  })
  for (const name of responseHeaders) {
    const value = answer.headers.get(name)
    if (value !== null) reply.header(name, value)
  }
  reply.code(answer.status)
  const bytes = Buffer.from(await answer.arrayBuffer())
  if (!/^application\/liquid\b/.test(answer.headers.get('content-type') ?? '')) return reply.send(bytes)
  return reply.send(await withinTheme(scope, request, reply, bytes.toString()))
}

/** The platform renders Liquid of an app as a page of the theme. */
async function withinTheme(
  scope: StoreScope,
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
): Promise<string> {
  const visit = visitOf(scope, request, reply)
  const { html, hasLayout } = await renderLiquid(visit, text).catch((error: unknown) => ({
    html: `<p>Liquid error: ${escapeHtml(error instanceof Error ? error.message : String(error))}</p>`,
    hasLayout: true,
  }))
  reply.type('text/html; charset=utf-8')
  return hasLayout ? show(visit, { type: 'app', title: scope.store.name, body: html }) : html
}

/** Over the decoded parameters in order of their names, nothing between them; repeated ones are joined by commas. */
export function signProxyQuery(query: URLSearchParams, secret: string): string {
  const names = [...new Set(query.keys())].filter((name) => name !== 'signature').toSorted()
  const signed = names.map((name) => `${name}=${query.getAll(name).join(',')}`).join('')
  return createHmac('sha256', secret).update(signed).digest('hex')
}
