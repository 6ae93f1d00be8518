import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../kernel/context.ts'
import { findShop } from './shop.ts'

/** Chromium keeps it no longer. */
const PREFLIGHT_SECONDS = 7200
const PREFIX = '/frontend/'

/** The shop that the address names: a request that only asks whether it may be made carries no token. */
const shopIn = (url: string): string => {
  const at = url.indexOf('?')
  return at < 0 ? '' : (new URLSearchParams(url.slice(at)).get('shop') ?? '')
}

/** Lets the pages of the shop that the address names (`?shop=`) read the answer, and no others. Answers whether it does. */
async function allowOwnPages(context: Context, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
  const { origin } = request.headers
  reply.header('vary', 'origin')
  if (origin === undefined) return false
  const shop = await findShop(context, shopIn(request.raw.url ?? ''))
  if (!shop?.origins.includes(origin)) return false
  reply.header('access-control-allow-origin', origin)
  reply.header('access-control-expose-headers', 'retry-after')
  return true
}

/** For all of `/frontend/*` of this part of the server. No cookies are ever part of it. */
export function answerOtherOrigins(app: FastifyInstance, context: Context): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.raw.url?.startsWith(PREFIX)) allowOwnPages(context, request, reply).then(() => done(), done)
    else done()
  })
  app.options(`${PREFIX}*`, { schema: { hide: true } }, (request, reply) => {
    if (request.headers['access-control-request-method'] === undefined) return reply.callNotFound()
    if (reply.hasHeader('access-control-allow-origin'))
      reply
        .header('access-control-allow-methods', 'GET, POST, PUT, DELETE')
        .header('access-control-allow-headers', 'authorization, content-type')
        .header('access-control-max-age', String(PREFLIGHT_SECONDS))
    return reply.code(204).send()
  })
}
