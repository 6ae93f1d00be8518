import type { Socket } from 'node:net'
import type { Endpoint, EndpointTypes } from '@okaeri/contract/endpoint'
import { ErrorBody, type FieldReason, fieldReasons } from '@okaeri/contract/errors'
import type { MemberRole } from '@okaeri/contract/merchants/merchant'
import { CURRENCY_HEADER } from '@okaeri/contract/money'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import type { Context } from '../context.ts'
import { type DatabaseTrouble, troubleOf } from '../database/database-trouble.ts'
import { AppError, forbidden, IntegrationError, notFound, unauthorized } from '../errors.ts'
import { type MerchantScope, merchantScope } from '../merchant-scope.ts'
import { sendFailed, sendNothingHere, sendTryLater } from './public-page.ts'
import { isLoopbackRequest } from '../loopback.ts'

/** The caller, from the access token. */
export interface Identity {
  merchantId: string
  memberId: string
  sessionId: string
  role: MemberRole
}
/** A visitor of a shop, from the short token of its page. What more is known of them is merged in by the feature that knows it. */
export interface Visitor {
  scope: MerchantScope
}
declare module '../context.ts' {
  interface Ports {
    /** Rejects with 401 for a request without a good token, 403 where it may not be used. */
    visitorOf(context: Context, request: FastifyRequest): Visitor | Promise<Visitor>
  }
}
declare module 'fastify' {
  interface FastifyRequest {
    identity: Identity | null
    visitor: Visitor | null
  }
  interface FastifyContextConfig {
    endpoint?: Endpoint
  }
}

export interface PublicCall<T extends EndpointTypes> {
  params: T['params']
  query: T['query']
  body: T['body']
  context: Context
  /** Set if a valid access token was sent, though none is required. */
  identity: Identity | null
  request: FastifyRequest
  reply: FastifyReply
}
export interface MerchantCall<T extends EndpointTypes> extends PublicCall<T> {
  scope: MerchantScope
  identity: Identity
}
export interface VisitorCall<T extends EndpointTypes> extends PublicCall<T> {
  scope: MerchantScope
  visitor: Visitor
}

/** Mounts endpoints of the contract. Curried: the endpoint is fixed first, so literals in the handler's answer keep their types. */
export interface Routes {
  /** For endpoints with access `public`, `operator` or `connected`; the handler of the last reads the token. */
  open<T extends EndpointTypes>(
    endpoint: Endpoint<T>,
  ): (handler: (call: PublicCall<T>) => Promise<T['reply'] | FastifyReply>) => void
  /** As `open`, for routes with thousands of requests a second: no cookies, no body, no sign-in. */
  lean<T extends EndpointTypes>(
    endpoint: Endpoint<T>,
  ): (handler: (call: PublicCall<T>) => Promise<T['reply'] | FastifyReply>) => void
  /** For endpoints with access `member`, `marketer` or `owner`. */
  merchant<T extends EndpointTypes>(
    endpoint: Endpoint<T>,
  ): (handler: (call: MerchantCall<T>) => Promise<T['reply'] | FastifyReply>) => void
  /** For endpoints with access `storefront` or `extension`. */
  visitor<T extends EndpointTypes>(
    endpoint: Endpoint<T>,
  ): (handler: (call: VisitorCall<T>) => Promise<T['reply'] | FastifyReply>) => void
}

const consumes: Partial<Record<Endpoint['bodyKind'], string[]>> = {
  form: ['application/x-www-form-urlencoded', 'multipart/form-data'],
  multipart: ['multipart/form-data'],
}
const mayCall: Record<'member' | 'marketer' | 'owner', readonly MemberRole[]> = {
  member: ['owner', 'marketer', 'viewer'],
  marketer: ['owner', 'marketer'],
  owner: ['owner'],
}

/** Parts of the server, one for each kind of body, one without body and sign-in, and one that knows its visitors. */
export type Parts = Record<Endpoint['bodyKind'] | 'lean' | 'storefront', FastifyInstance>

export function createRoutes(parts: Parts, context: Context): Routes {
  const mount = (
    endpoint: Endpoint,
    handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
    part: keyof Parts = endpoint.bodyKind,
  ): void => {
    const schema: Record<string, unknown> = {
      tags: [endpoint.area],
      summary: endpoint.summary,
      operationId: `${endpoint.method.toLowerCase()}${endpoint.path.replace(/[^a-z0-9]+/gi, '_')}`,
      response: { ...(endpoint.reply ? { [endpoint.status]: endpoint.reply } : {}), '4xx': ErrorBody },
    }
    if (endpoint.params) schema['params'] = endpoint.params
    if (endpoint.query) schema['querystring'] = endpoint.query
    if (endpoint.body) schema['body'] = endpoint.body
    if (consumes[endpoint.bodyKind]) schema['consumes'] = consumes[endpoint.bodyKind]
    parts[part].route({
      method: endpoint.method,
      url: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
      schema: schema as FastifySchema,
      config: { endpoint },
      bodyLimit: endpoint.bodyLimitBytes,
      // Mail scanners request links of mails with HEAD first; those handlers check the method and store nothing.
      exposeHeadRoute: endpoint.method === 'GET' && endpoint.access === 'public',
      // Neither this nor what it calls is async: each promise costs when thousands of mails are opened per second.
      handler: (request, reply) => {
        reply.code(endpoint.status)
        const answered = handler(request, reply)
        if (endpoint.replyKind !== 'empty') return answered
        return answered.then((answer) => (reply.sent ? answer : reply.send()))
      },
    })
  }
  return {
    open: (endpoint) => (handler) => {
      if (!isOpen(endpoint))
        throw new Error(`${endpoint.path} asks who calls: mount it with routes.merchant or visitor`)
      mount(endpoint, (request, reply) => {
        if (endpoint.access === 'operator') requireOperator(context, request)
        return handler({ ...given(request), context, identity: request.identity, request, reply })
      })
    },
    lean: (endpoint) => (handler) => {
      if (endpoint.access !== 'public' || endpoint.bodyKind !== 'none')
        throw new Error(
          `${endpoint.path} asks who calls, or reads a body: mount it with routes.open or routes.merchant`,
        )
      mount(
        endpoint,
        (request, reply) => handler({ ...given(request), context, identity: null, request, reply }),
        'lean',
      )
    },
    merchant: (endpoint) => (handler) => {
      const { access } = endpoint
      if (!isForMembers(access))
        throw new Error(`${endpoint.path} is not for members: mount it with routes.open or visitor`)
      mount(endpoint, (request, reply) => {
        const { identity } = request
        if (!identity) throw unauthorized('sign_in_required')
        if (!mayCall[access].includes(identity.role)) throw forbidden('role_forbids')
        const { [CURRENCY_HEADER]: currency = null } = request.headers
        const scope = merchantScope(context, identity.merchantId, identity.memberId, currency && String(currency))
        return handler({ ...given(request), context, identity, scope, request, reply })
      })
    },
    visitor: (endpoint) => (handler) => {
      if (endpoint.access !== 'storefront' && endpoint.access !== 'extension')
        throw new Error(`${endpoint.path} is not for visitors: mount it with routes.open or merchant`)
      if (endpoint.bodyKind !== 'json' && endpoint.bodyKind !== 'none')
        throw new Error(`${endpoint.path}: visitors send JSON`)
      mount(
        endpoint,
        (request, reply) => {
          const { visitor } = request
          if (!visitor) throw unauthorized('sign_in_required')
          return handler({ ...given(request), context, identity: null, scope: visitor.scope, visitor, request, reply })
        },
        'storefront',
      )
    },
  }
}

const isForMembers = (access: Endpoint['access']): access is keyof typeof mayCall => Object.hasOwn(mayCall, access)
const isOpen = ({ access }: Endpoint): boolean => access === 'public' || access === 'operator' || access === 'connected'

const given = (request: FastifyRequest) => ({
  params: request.params as never,
  query: request.query as never,
  body: request.body as never,
})

/**
 * Open to this machine in a local sandbox, otherwise to a caller with the operator key (`X-Operator-Key`). For all others it does not exist.
 */
function requireOperator(context: Context, request: FastifyRequest): void {
  if (context.settings.isLocalSandbox && isLoopbackRequest(request)) return
  const key = request.headers['x-operator-key']
  if (typeof key !== 'string' || !context.keyring.operatorKeyMatches(key))
    throw new AppError('not_found', 'unknown_route')
}

/** The bearer token is checked before the body is read, so that strangers upload nothing. Returns null for a route without sign-in. */
export function identify(
  request: FastifyRequest,
  authenticate: (token: string) => Promise<Identity | null>,
): Promise<void> | null {
  const { endpoint } = request.routeOptions.config
  if (!endpoint) return null
  request.identity = null
  const token = bearerOf(request)
  // The handler reads it: it is no member's.
  if (endpoint.access === 'connected' && token !== null) return null
  if (token !== null)
    return authenticate(token).then((identity) => {
      request.identity = identity
      if (!identity && !isOpen(endpoint)) throw unauthorized('token_invalid')
    })
  if (!isOpen(endpoint) || endpoint.access === 'connected') throw unauthorized('sign_in_required')
  return null
}

/** The scheme's name may have any letter case (RFC 9110 §11.1). */
export const bearerOf = ({ headers }: Pick<FastifyRequest, 'headers'>): string | null =>
  /^bearer +([^ ].*)$/i.exec(headers.authorization ?? '')?.[1] ?? null

/** The body must have the endpoint's kind, even if the parser would accept another (or leaves it unread: multipart). */
export function checkContentType(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
  const { endpoint } = request.routeOptions.config
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (endpoint?.body && request.body === null && type !== '')
    return done(new AppError('invalid', 'validation', 'invalid: body', { body: 'not_an_object' }))
  if (!endpoint || ((request.body === undefined || request.body === null) && type === '')) return done()
  const fits =
    endpoint.bodyKind === 'form'
      ? (consumes.form ?? []).includes(type)
      : endpoint.bodyKind === 'json'
        ? type === 'application/json' || type.endsWith('+json')
        : true
  done(fits ? undefined : new AppError('unsupported_media_type', 'wrong_content_type'))
}

/** Whether to show a page: programs that accept anything get JSON. */
export const isBrowser = (request: FastifyRequest): boolean => /\btext\/html\b/.test(request.headers.accept ?? '')

/** Long enough for a restart, short enough for a person who waits. */
export const RETRY_AFTER_SECONDS = 5

const troubleWords: Record<DatabaseTrouble, string> = {
  database_away: 'the database is away for the moment; nothing was changed that was not answered',
  database_busy: 'the database has too much to do for the moment',
  disk_full: 'the disk is full: nothing can be stored until there is room again',
}

/** Handles all thrown errors. The caller gets the contract's error form without internals. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const answer = translate(error, request)
  if (answer.status >= 500) request.log.error({ error, url: request.routeOptions.url }, 'request failed')
  if (answer.code === 'unauthorized') reply.header('www-authenticate', 'Bearer')
  if (answer.code === 'unavailable') reply.header('retry-after', String(RETRY_AFTER_SECONDS))
  const { endpoint } = request.routeOptions.config
  const isForAPerson = endpoint?.replyKind === 'page' || endpoint?.replyKind === 'redirect'
  if (answer.code === 'unavailable' && isForAPerson) return sendTryLater(reply, request.headers['accept-language'])
  if (answer.reason === 'unknown_route' && isBrowser(request))
    return sendNothingHere(reply, request.headers['accept-language'])
  if (isForAPerson && isBrowser(request)) return sendFailed(reply, request.headers['accept-language'], answer.status)
  reply.code(answer.status).type('application/json; charset=utf-8').serializer(JSON.stringify)
  return reply.send({
    error: {
      code: answer.code,
      reason: answer.reason,
      message: answer.message,
      ...(answer.fields ? { fields: answer.fields } : {}),
    },
  } satisfies ErrorBody)
}

/** Returns input that is not HTTP at all (or has endless headers) with an error and closes the connection. */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket, headers: Record<string, string>): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const body = JSON.stringify({
    error: { code: 'invalid', reason: 'bad_request', message: 'the request cannot be read' },
  } satisfies ErrorBody)
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request'
  const head = Object.entries({
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status}\r\n${head.join('')}\r\n${body}`)
}

function translate(error: unknown, request: FastifyRequest): AppError {
  if (error instanceof AppError) return error
  const trouble = troubleOf(error)
  if (trouble) return new AppError('unavailable', trouble, troubleWords[trouble])
  if (error instanceof IntegrationError)
    return new AppError('unavailable', 'unavailable', `${error.service} did not answer as hoped`)
  if (hasZodFastifySchemaValidationErrors(error)) {
    // An invalid id belongs to nothing.
    if (error.validationContext === 'params') return notFound('there is nothing of this id')
    const fields = fieldsOf(error.validation as Issue[], partOf(request, error.validationContext))
    return new AppError('invalid', 'validation', `invalid: ${Object.keys(fields).join(', ') || 'body'}`, fields)
  }
  const { statusCode, code } = error as FastifyError
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new AppError('unsupported_media_type', 'wrong_content_type')
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' || statusCode === 413) return new AppError('too_large', 'body_too_large')
  if (statusCode === 429) return new AppError('rate_limited', 'rate_limited', 'too many requests; wait a little')
  if (
    code === 'FST_ERR_CTP_EMPTY_JSON_BODY' ||
    code === 'FST_ERR_CTP_INVALID_JSON_BODY' ||
    error instanceof SyntaxError
  )
    return new AppError('invalid', 'malformed_json', 'the body is not valid JSON')
  if (statusCode && statusCode >= 400 && statusCode < 500)
    return new AppError('invalid', 'bad_request', 'the request cannot be read')
  if (isInvalidText(error))
    return new AppError('invalid', 'bad_request', 'the request holds a character that cannot be stored')
  return new AppError('internal', 'internal', 'something went wrong on our side')
}

/** PostgreSQL cannot store NUL; 22021 invalid byte sequence, 22P05 untranslatable character. */
const isInvalidText = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && (error.code === '22021' || error.code === '22P05')

/** An issue of zod, as fastify-type-provider-zod passes it on. */
interface Issue {
  instancePath: string
  message?: string
  keyword?: string
  params?: {
    keys?: string[]
    expected?: string
    origin?: string
    minimum?: number | bigint
    format?: string
    discriminator?: string
  }
}

/** Only this many wrong fields are listed, for people and log lines; long names are cut. */
const MAX_FIELDS = 100
const MAX_FIELD_NAME = 200

const isFieldReason = (text: string): text is FieldReason => (fieldReasons as readonly string[]).includes(text)

const partOf = (request: FastifyRequest, part: string | undefined): unknown =>
  part === 'body' ? request.body : part === 'params' ? request.params : request.query

function fieldsOf(issues: readonly Issue[], given: unknown): Record<string, FieldReason> {
  // A map: a field may be called `constructor`.
  const fields = new Map<string, FieldReason>()
  for (const issue of issues) {
    const keys = issue.instancePath.split('/').filter((key) => key !== '')
    const path = keys.join('.')
    const found: [string, FieldReason][] =
      issue.keyword === 'unrecognized_keys'
        ? (issue.params?.keys ?? []).map((key) => [path === '' ? key : `${path}.${key}`, 'unknown_field'])
        : [[path || 'body', reasonOf(issue, valueAt(given, keys))]]
    for (const [name, reason] of found) {
      if (fields.size >= MAX_FIELDS) break
      const short = name.slice(0, MAX_FIELD_NAME)
      if (!fields.has(short)) fields.set(short, reason)
    }
  }
  return Object.fromEntries(fields)
}

function valueAt(given: unknown, keys: readonly string[]): unknown {
  let value: unknown = given ?? undefined
  for (const key of keys) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}

const expectedReasons: Record<string, FieldReason> = {
  number: 'not_a_number',
  int: 'not_a_number',
  boolean: 'not_a_boolean',
  string: 'not_a_text',
  array: 'not_a_list',
  object: 'not_an_object',
  record: 'not_an_object',
}
const formatReasons: Record<string, FieldReason> = {
  uuid: 'not_an_id',
  email: 'not_an_email',
  url: 'not_a_url',
  date: 'not_a_date',
  datetime: 'not_a_date',
}
function reasonOf({ keyword, message = '', params = {} }: Issue, value: unknown): FieldReason {
  // A missing field is `required`, whatever its type. A rule over several fields (`custom`) names its own reason.
  if (value === undefined && keyword !== 'custom') return 'required'
  if (isFieldReason(message)) return message
  const { expected = '', format = '', origin, minimum, discriminator } = params
  const isNumber = origin === 'number' || origin === 'int'
  switch (keyword) {
    case 'invalid_type':
      return expectedReasons[expected] ?? 'invalid'
    case 'invalid_format':
      return formatReasons[format] ?? 'invalid'
    case 'too_small':
      return isNumber ? 'too_small' : Number(minimum) === 1 ? 'required' : 'too_short'
    case 'too_big':
      return isNumber ? 'too_big' : 'too_long'
    case 'invalid_value':
      return 'not_allowed'
    case 'invalid_union':
      return discriminator ? 'not_allowed' : 'invalid'
    default:
      return 'invalid'
  }
}
