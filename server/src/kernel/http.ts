import type { Endpoint, EndpointTypes } from '@okaeri/contract/endpoint'
import { ErrorBody, type FieldReason, fieldReasons } from '@okaeri/contract/errors'
import type { MemberRole } from '@okaeri/contract/merchants/merchant'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import type { Context } from './context.ts'
import { AppError, forbidden, IntegrationError, unauthorized } from './errors.ts'
import { type MerchantScope, merchantScope } from './merchant-scope.ts'

/** Who the access token says is calling. */
export interface Identity {
  merchantId: string
  memberId: string
  sessionId: string
  role: MemberRole
}
declare module 'fastify' {
  interface FastifyRequest {
    identity: Identity | null
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
  /** Set when a valid access token came along, though none is needed. */
  identity: Identity | null
  request: FastifyRequest
  reply: FastifyReply
}
export interface MerchantCall<T extends EndpointTypes> extends PublicCall<T> {
  scope: MerchantScope
  identity: Identity
}

/** Mounts endpoints of the contract. Curried: the endpoint is fixed first, so literals in the handler's answer keep their types. */
export interface Routes {
  /** For endpoints with access `public` or `operator`. */
  open<T extends EndpointTypes>(
    endpoint: Endpoint<T>,
  ): (handler: (call: PublicCall<T>) => Promise<T['reply'] | FastifyReply>) => void
  /** For endpoints with access `member`, `marketer` or `owner`. */
  merchant<T extends EndpointTypes>(
    endpoint: Endpoint<T>,
  ): (handler: (call: MerchantCall<T>) => Promise<T['reply'] | FastifyReply>) => void
}

const consumes: Partial<Record<Endpoint['bodyKind'], string[]>> = {
  form: ['application/x-www-form-urlencoded'],
  multipart: ['multipart/form-data'],
}
const mayCall: Record<'member' | 'marketer' | 'owner', readonly MemberRole[]> = {
  member: ['owner', 'marketer', 'viewer'],
  marketer: ['owner', 'marketer'],
  owner: ['owner'],
}

/** `raw` is the part of the server that leaves bodies unparsed. */
export function createRoutes(app: FastifyInstance, raw: FastifyInstance, context: Context): Routes {
  const mount = (
    endpoint: Endpoint,
    handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
  ): void => {
    const schema: Record<string, unknown> = {
      tags: [endpoint.area],
      summary: endpoint.summary,
      operationId: `${endpoint.method.toLowerCase()}${endpoint.path.replace(/[^a-z0-9]+/gi, '_')}`,
      response: { ...(endpoint.reply ? { [endpoint.status]: endpoint.reply } : {}), '4xx': ErrorBody },
      security: endpoint.access === 'public' ? [] : [{ bearer: [] }],
    }
    if (endpoint.params) schema['params'] = endpoint.params
    if (endpoint.query) schema['querystring'] = endpoint.query
    if (endpoint.body) schema['body'] = endpoint.body
    if (consumes[endpoint.bodyKind]) schema['consumes'] = consumes[endpoint.bodyKind]
    const part = endpoint.bodyKind === 'raw' ? raw : app
    part.route({
      method: endpoint.method,
      url: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
      schema: schema as FastifySchema,
      config: { endpoint },
      bodyLimit: endpoint.bodyLimitBytes,
      // What mails link to is looked at by mail scanners with HEAD first; those handlers see the method and store nothing.
      exposeHeadRoute: endpoint.method === 'GET' && endpoint.access === 'public',
      handler: async (request, reply) => {
        reply.code(endpoint.status)
        const answer = await handler(request, reply)
        if (endpoint.replyKind === 'empty' && !reply.sent) return reply.send()
        return answer
      },
    })
  }
  return {
    open: (endpoint) => (handler) => {
      if (endpoint.access !== 'public' && endpoint.access !== 'operator')
        throw new Error(`${endpoint.path} is for members: mount it with routes.merchant`)
      mount(endpoint, async (request, reply) => {
        if (endpoint.access === 'operator') requireOperator(context, request)
        return handler({ ...given(request), context, identity: request.identity, request, reply })
      })
    },
    merchant: (endpoint) => (handler) => {
      const { access } = endpoint
      if (access === 'public' || access === 'operator')
        throw new Error(`${endpoint.path} is public: mount it with routes.open`)
      mount(endpoint, async (request, reply) => {
        const { identity } = request
        if (!identity) throw unauthorized('sign_in_required')
        if (!mayCall[access].includes(identity.role)) throw forbidden('role_forbids')
        const scope = merchantScope(context, identity.merchantId, identity.memberId)
        return handler({ ...given(request), context, identity, scope, request, reply })
      })
    },
  }
}

const given = (request: FastifyRequest) => ({
  params: request.params as never,
  query: request.query as never,
  body: request.body as never,
})

/** Open outside production; in production to whoever sends the operator key (`X-Operator-Key`), else it does not exist. */
function requireOperator(context: Context, request: FastifyRequest): void {
  if (!context.settings.production) return
  const key = request.headers['x-operator-key']
  if (typeof key !== 'string' || !context.keyring.operatorKeyMatches(key))
    throw new AppError('not_found', 'unknown_route')
}

/** A bearer token is needed before a body is read: strangers upload nothing. */
export async function identify(
  request: FastifyRequest,
  authenticate: (token: string) => Promise<Identity | null>,
): Promise<void> {
  const { endpoint } = request.routeOptions.config
  if (!endpoint) return
  const header = request.headers.authorization
  const token = header?.startsWith('Bearer ') ? header.slice(7) : null
  request.identity = token ? await authenticate(token) : null
  if (endpoint.access === 'public' || endpoint.access === 'operator') return
  if (!token) throw unauthorized('sign_in_required')
  if (!request.identity) throw unauthorized('token_invalid')
}

/** The body must be of the kind the endpoint takes, even where the parser would accept another. */
export async function checkContentType(request: FastifyRequest): Promise<void> {
  const { endpoint } = request.routeOptions.config
  if (!endpoint || request.body === undefined || request.body === null) return
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? ''
  const fits =
    endpoint.bodyKind === 'form'
      ? type === 'application/x-www-form-urlencoded'
      : endpoint.bodyKind === 'json'
        ? type === 'application/json' || type.endsWith('+json')
        : true
  if (!fits) throw new AppError('unsupported_media_type', 'wrong_content_type')
}

/** One handler for whatever was thrown; the caller sees the contract's error form and nothing of our insides. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const told = translate(error)
  if (told.status >= 500) request.log.error({ error, url: request.routeOptions.url }, 'request failed')
  if (told.code === 'unauthorized') reply.header('www-authenticate', 'Bearer')
  reply.code(told.status).type('application/json; charset=utf-8').serializer(JSON.stringify)
  return reply.send({
    error: {
      code: told.code,
      reason: told.reason,
      message: told.message,
      ...(told.fields ? { fields: told.fields } : {}),
    },
  } satisfies ErrorBody)
}

function translate(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (error instanceof IntegrationError)
    return new AppError('unavailable', 'unavailable', `${error.service} did not answer as hoped`)
  if (hasZodFastifySchemaValidationErrors(error)) {
    const fields: Record<string, FieldReason> = {}
    for (const { instancePath, message, keyword, params } of error.validation as Issue[])
      for (const [path, reason] of fieldErrors(instancePath, message ?? '', keyword, params)) fields[path] ??= reason
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

interface Issue {
  instancePath: string
  message?: string
  keyword?: string
  params?: { issue?: { code?: string; keys?: string[]; expected?: string; input?: unknown } } & Record<string, unknown>
}

const isFieldReason = (text: string): text is FieldReason => (fieldReasons as readonly string[]).includes(text)

function fieldErrors(
  instancePath: string,
  message: string,
  keyword: string | undefined,
  params: Issue['params'],
): [string, FieldReason][] {
  const path = instancePath.replace(/^\//, '').replaceAll('/', '.').replaceAll('~1', '/') || 'body'
  const issue = (params?.issue ?? params ?? {}) as { keys?: string[]; expected?: string }
  if (keyword === 'unrecognized_keys')
    return (issue.keys ?? []).map((key) => [path === 'body' ? key : `${path}.${key}`, 'unknown_field'])
  if (isFieldReason(message)) return [[path, message]]
  return [[path, reasonOf(keyword, issue.expected, message)]]
}

const expectedReasons: Record<string, FieldReason> = {
  number: 'not_a_number',
  int: 'not_a_number',
  boolean: 'not_a_boolean',
  string: 'not_a_text',
  array: 'not_a_list',
  object: 'not_an_object',
}
function reasonOf(keyword: string | undefined, expected: string | undefined, message: string): FieldReason {
  if (keyword === 'invalid_type') {
    if (message.includes('received undefined')) return 'required'
    return expectedReasons[expected ?? ''] ?? 'invalid'
  }
  if (keyword === 'too_small') return 'too_small'
  if (keyword === 'too_big') return 'too_big'
  if (keyword === 'invalid_value') return 'not_allowed'
  return 'invalid'
}
