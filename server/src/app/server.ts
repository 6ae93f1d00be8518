import type { IncomingMessage, ServerResponse } from 'node:http'
import cookie from '@fastify/cookie'
import formbody from '@fastify/formbody'
import multipart from '@fastify/multipart'
import swagger from '@fastify/swagger'
import { allEndpoints } from '@okaeri/contract/all-endpoints'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import { allowShopPages, answerPreflights } from '../features/visitors/index.ts'
import { headersOf } from '../kernel/http/answer-headers.ts'
import type { Context } from '../kernel/context.ts'
import { AppError } from '../kernel/errors.ts'
import {
  answerError,
  answerUnreadable,
  checkContentType,
  createRoutes,
  type Identity,
  identify,
  type Parts,
  type Visitor,
} from '../kernel/http/http.ts'
import { isLoopbackRequest } from '../kernel/loopback.ts'
import { description } from './description.ts'
import { createLinkHosts } from './link-hosts.ts'
import { featureRoutes } from './routes.ts'
import { serveWeb, webAddresses } from './web.ts'

export interface ServerOptions {
  context: Context
  authenticate: (token: string) => Promise<Identity | null>
  /** Folder of the built web application; null serves the API alone. */
  webFolder: string | null
  /** Does all due work and answers whether there was any; given in a local sandbox only. */
  settle?: () => Promise<boolean>
}

/** A client that sends its request byte by byte holds a connection no longer than this. A large body over a slow line fits in. */
const REQUEST_TIMEOUT_MS = 60_000
/** A file of 500 MB over a line of 3 Mbit/s. Only members who signed in may upload, which is checked before the body is read. */
const UPLOAD_TIMEOUT_MS = 30 * 60_000

/** The HTTP side of a process: the API, its description, and the web application. Not yet listening. */
export async function buildServer({
  context,
  authenticate,
  webFolder,
  settle,
}: ServerOptions): Promise<FastifyInstance> {
  const headers = headersOf(context.settings)
  const app = Fastify({
    loggerInstance: context.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // Requests are not logged, so a logger for each, which knows its number, says no more than the one of all.
    childLoggerFactory: (logger) => logger,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 600 },
    // A proxy stands on the same machine or network. X-Forwarded-For from any other address is not trusted.
    trustProxy: context.settings.production ? 'loopback, linklocal, uniquelocal' : false,
    forceCloseConnections: true,
    requestTimeout: UPLOAD_TIMEOUT_MS,
    // Before any hook: an address that cannot be read.
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply.headers(headers)),
    clientErrorHandler: (error, socket) => answerUnreadable(error, socket, headers),
  })
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) =>
    limitBodyTime(request, response, headers),
  )
  app.setValidatorCompiler<z.core.$ZodType>((route) => {
    const validate = validatorCompiler(route)
    // No body comes as null: then a body's default holds, and without one it is missing rather than of the wrong type.
    return route.httpPart === 'body' ? (body: unknown) => validate(body ?? undefined) : validate
  })
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(answerError)
  app.decorateRequest('identity', null)
  app.decorateRequest('visitor', null)
  const guardLinkHost = createLinkHosts(context)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers)
    const guarded = guardLinkHost(request)
    if (guarded) guarded.then(() => done(), done)
    else done()
  })
  await app.register(swagger, description)
  let storefront: FastifyInstance = app
  await app.register(async (part) => {
    storefront = part
    knowVisitors(part, context)
  })
  await app.register((main) => buildMain(main, { context, authenticate, lean: app, storefront }))
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger())
  // For the sandbox, so that people need not wait. The route exists nowhere else.
  if (settle)
    app.post('/debug/settle', { schema: { hide: true } }, async (request, reply) => {
      if (!isLoopbackRequest(request)) refuseUnknownRoute(request, reply)
      return { worked: await settle() }
    })
  if (webFolder)
    await app.register(serveWeb, {
      folder: webFolder,
      staging: context.settings.staging,
      uploadOrigin: await context.integrations.storage.uploadOrigin(),
    })
  return app
}

/** What visitors of shops call with their token, by the thousand a second: nothing here looks for members or cookies. */
function knowVisitors(part: FastifyInstance, context: Context): void {
  allowShopPages(part, context)
  part.addHook('onRequest', (request, _reply, done) => {
    const admit = (visitor: Visitor): void => {
      request.visitor = visitor
      done()
    }
    const visitor = context.ports.visitorOf(context, request)
    if (visitor instanceof Promise) visitor.then(admit, done)
    else admit(visitor)
  })
  part.addHook('preValidation', checkContentType)
}

/**
 * All routes but the few that get thousands of requests a second and need no sign-in. Those stay outside this part, so they pass none of
 * its hooks.
 */
async function buildMain(
  app: FastifyInstance,
  {
    context,
    authenticate,
    lean,
    storefront,
  }: Pick<ServerOptions, 'context' | 'authenticate'> & Pick<Parts, 'lean' | 'storefront'>,
): Promise<void> {
  app.setNotFoundHandler(refuseUnknownRoute)
  // Before all others: what they refuse, the pages of the shop may read too.
  allowShopPages(app, context)
  answerPreflights(app)
  // Before its body is read: what would be wrong with that is not the point.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) refuseUnknownRoute(request, reply)
    const bodyKind = request.routeOptions.config.endpoint?.bodyKind
    if (bodyKind === 'multipart' || bodyKind === 'stream') uploads.add(request.raw)
    const identified = identify(request, authenticate)
    if (identified) identified.then(() => done(), done)
    else done()
  })
  app.addHook('preValidation', checkContentType)
  await app.register(cookie)
  await app.register(formbody)
  const parts: Parts = {
    lean,
    storefront,
    none: app,
    json: app,
    form: app,
    multipart: app,
    raw: app,
    stream: app,
  }
  // The plugin listens to every request of its part: the others need not pay for it.
  await app.register(async (part) => {
    await part.register(multipart, { limits: { fileSize: 100 * 1024 * 1024, files: 1 } })
    parts.multipart = part
  })
  await app.register(async (part) => {
    part.addContentTypeParser('multipart/form-data', { parseAs: 'buffer' }, readForm)
    parts.form = part
  })
  // Signatures are made over the bytes that came, so these routes get them unparsed.
  await app.register(async (part) => {
    part.removeAllContentTypeParsers()
    part.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    parts.raw = part
  })
  // The handler reads, and counts, what comes; the limit of the endpoint is its own to keep.
  await app.register(async (part) => {
    part.removeAllContentTypeParsers()
    part.addContentTypeParser('*', (_request, body, done) => done(null, body))
    parts.stream = part
  })
  const routes = createRoutes(parts, context)
  for (const mount of featureRoutes) mount(routes)
}

/** The text fields of a small form. Files in it are ignored. */
async function readForm({ headers }: FastifyRequest, body: string | Buffer): Promise<Record<string, string>> {
  try {
    const form = await new Response(body, { headers: { 'content-type': headers['content-type'] ?? '' } }).formData()
    return Object.fromEntries([...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])))
  } catch {
    throw new AppError('invalid', 'bad_request', 'the form cannot be read')
  }
}

/** Requests that upload and are not answered yet: of signed-in members, or to an address that was signed for them. */
const uploads = new WeakSet<IncomingMessage>()

/**
 * Node has one limit for all requests, and that is the limit of uploads. This is the limit for every other body. It also applies when the
 * answer was sent without reading the body.
 */
export function limitBodyTime(
  request: IncomingMessage,
  response: ServerResponse,
  given: Record<string, string>,
  limitMs = REQUEST_TIMEOUT_MS,
): void {
  const { headers } = request
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return
  // A small body is here with its head: thousands a second of them need no timer.
  process.nextTick(() => {
    if (request.complete || request.destroyed) return
    const look = setInterval(() => {
      if (request.complete || (uploads.has(request) && !response.writableEnded)) return
      clearInterval(look)
      if (response.writableEnded) request.socket.destroy()
      else
        answerUnreadable(Object.assign(new Error('slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), request.socket, given)
    }, limitMs).unref()
    request.once('close', () => clearInterval(look))
  })
}

const known = [
  ...allEndpoints.map(({ endpoint }) => ({
    methods: endpoint.method === 'GET' && endpoint.access === 'public' ? ['GET', 'HEAD'] : [endpoint.method],
    pattern: new RegExp(
      `^${endpoint.path
        .replace(/\/$/, '')
        .replace(/[.]/g, '\\.')
        .replace(/\{\w+\}/g, '[^/]+')}/?$`,
    ),
  })),
  ...[/^\/openapi\.json$/, ...webAddresses].map((pattern) => ({ methods: ['GET', 'HEAD'], pattern })),
]
/** The methods a path is served by; none where there is no such path. */
function methodsOf(url: string): string[] {
  const path = url.split('?')[0] ?? ''
  return [...new Set(known.filter((route) => route.pattern.test(path)).flatMap((route) => route.methods))]
}
function refuseUnknownRoute({ method, url }: FastifyRequest, reply: FastifyReply): never {
  const methods = methodsOf(url)
  const path = (url.split('?')[0] ?? '').slice(0, 200)
  if (methods.length === 0) throw new AppError('not_found', 'unknown_route', `there is nothing at ${method} ${path}`)
  reply.header('allow', methods.join(', '))
  throw new AppError('method_not_allowed', 'wrong_method', `${path} takes ${methods.join(', ')}`)
}
