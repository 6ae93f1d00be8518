import cookie from '@fastify/cookie'
import formbody from '@fastify/formbody'
import multipart from '@fastify/multipart'
import rateLimit from '@fastify/rate-limit'
import swagger from '@fastify/swagger'
import { allEndpoints } from '@okaeri/contract/all-endpoints'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import type { Context } from '../kernel/context.ts'
import { AppError } from '../kernel/errors.ts'
import {
  answerError,
  answerUnreadable,
  checkContentType,
  createRoutes,
  type Identity,
  identify,
} from '../kernel/http.ts'
import { description } from './description.ts'
import { featureRoutes } from './routes.ts'
import { serveWeb } from './web.ts'

export interface ServerOptions {
  context: Context
  authenticate: (token: string) => Promise<Identity | null>
  /** Folder of the built web application; null serves the API alone. */
  webFolder: string | null
}

/** The HTTP side of a process: the API, its description, and the web application. Not yet listening. */
export async function buildServer({ context, authenticate, webFolder }: ServerOptions): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: context.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 600 },
    trustProxy: context.settings.production,
    forceCloseConnections: true,
    frameworkErrors: answerError,
    clientErrorHandler: answerUnreadable,
  })
  app.setValidatorCompiler<z.core.$ZodType>((route) => {
    const validate = validatorCompiler(route)
    // No body comes as null: then a body's default holds, and without one it is missing rather than of the wrong type.
    return route.httpPart === 'body' ? (body: unknown) => validate(body ?? undefined) : validate
  })
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(answerError)
  app.setNotFoundHandler((request, reply) => {
    const methods = methodsOf(request.url)
    if (methods.length > 0) reply.header('allow', methods.join(', '))
    return answerError(unknownRoute(request.method, request.url, methods), request, reply)
  })
  app.decorateRequest('identity', null)
  app.addHook('onRequest', (request) => identify(request, authenticate))
  app.addHook('preValidation', checkContentType)
  app.addHook('onSend', async (_request, reply) => {
    reply.headers({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'same-origin' })
    if (!reply.getHeader('cache-control')) reply.header('cache-control', 'no-store')
  })

  await app.register(swagger, description)
  await app.register(rateLimit, { global: false })
  await app.register(cookie)
  await app.register(formbody)
  await app.register(multipart, { limits: { fileSize: 100 * 1024 * 1024, files: 1 } })
  // Signatures are made over the bytes that came, so these routes get them unparsed.
  await app.register(async (raw) => {
    raw.removeAllContentTypeParsers()
    raw.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    const routes = createRoutes(app, raw, context)
    for (const mount of featureRoutes) mount(routes)
  })
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger())
  if (webFolder) await app.register(serveWeb, { folder: webFolder })
  return app
}

const known = allEndpoints.map(({ endpoint }) => ({
  method: endpoint.method,
  pattern: new RegExp(
    `^${endpoint.path
      .replace(/\/$/, '')
      .replace(/[.]/g, '\\.')
      .replace(/\{\w+\}/g, '[^/]+')}/?$`,
  ),
}))
/** The methods the contract has for a path; none where it has no such path. */
function methodsOf(url: string): string[] {
  const path = url.split('?')[0] ?? ''
  return [...new Set(known.filter((route) => route.pattern.test(path)).map((route) => route.method))]
}
function unknownRoute(method: string, url: string, others: readonly string[]): AppError {
  const path = (url.split('?')[0] ?? '').slice(0, 200)
  if (others.length === 0) return new AppError('not_found', 'unknown_route', `there is nothing at ${method} ${path}`)
  return new AppError('method_not_allowed', 'wrong_method', `${path} takes ${others.join(', ')}`)
}
