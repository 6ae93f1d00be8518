import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../kernel/context.ts'
import { findShop, type Shop } from './shop.ts'

/** Chromium keeps it no longer. */
const PREFLIGHT_SECONDS = 7200
const PREFIX = '/frontend/'
/** What our extension calls from a worker of the platform's, whose origin is `null` or one of many hosts of the platform's (decision 205). */
const EXTENSION_PREFIX = '/frontend/extension/'

/** The shop that the address names: a request that only asks whether it may be made carries no token. */
const shopIn = ({ query }: FastifyRequest): string => {
  const { shop } = (query ?? {}) as { shop?: unknown }
  return typeof shop === 'string' ? shop : ''
}

/** Lets the pages of the shop that the address names (`?shop=`) read the answer, and no others. */
function allowOwnPages(reply: FastifyReply, origin: string, shop: Shop | null): void {
  if (!shop?.origins.includes(origin)) return
  reply.header('access-control-allow-origin', origin)
  reply.header('access-control-expose-headers', 'retry-after')
}

/** For all of `/frontend/*` of this part of the server. No cookies are ever part of it. */
export function allowShopPages(app: FastifyInstance, context: Context): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.raw.url?.startsWith(PREFIX)) return done()
    if (request.raw.url.startsWith(EXTENSION_PREFIX)) {
      reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', 'retry-after')
      return done()
    }
    const { origin } = request.headers
    reply.header('vary', 'origin')
    if (origin === undefined) return done()
    const shop = findShop(context, shopIn(request))
    if (shop instanceof Promise) {
      shop.then((shop) => allowOwnPages(reply, origin, shop)).then(() => done(), done)
    } else {
      allowOwnPages(reply, origin, shop)
      done()
    }
  })
}

/** In a part with {@link allowShopPages}. */
export function answerPreflights(app: FastifyInstance): void {
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
