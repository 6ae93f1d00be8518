import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { execute, findRow } from '../sql.ts'
import { isBodyError, LineRefusal, parseJson } from './refusals.ts'
import { type AccountRow, type AccountScope, type LinePlatform, nowMs } from './platform.ts'
import { createBuckets, type Rate } from './rate-limits.ts'
import { type Fault, faults, sentinelOf } from './sentinels.ts'
import { problemsOf, type Shape } from './shapes/shapes.ts'

/** One call of the Messaging API: whose token it came with, and what it says. */
export interface LineCall {
  scope: AccountScope
  requestId: string
  params: Record<string, string>
  query: Record<string, string | undefined>
  /** The bytes of a picture. */
  bytes: Buffer
  contentType: string
  retryKey: string | null
  /** The body, which is as the shape says. */
  body: <Body>(shape: Shape) => Body
}

export interface LineAnswer {
  status?: number
  body?: unknown
  headers?: Record<string, string>
  type?: string
}

export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  rate?: Rate
  /** Takes X-Line-Retry-Key; all other calls refuse it. */
  takesRetryKey?: boolean
  answer: (call: LineCall) => LineAnswer | Promise<LineAnswer>
}

/** Larger bodies are 413 (reference: 2 MB). */
const bodyLimit = 2 * 1024 * 1024

/** Mounts calls that need a channel's token, below one of the platform's hosts. */
export function mountCalls(app: FastifyInstance, platform: LinePlatform, routes: readonly Route[]): void {
  const take = createBuckets(platform)
  for (const route of routes) {
    const { method, path, rate = everythingElse } = route
    app.route<{ Params: Record<string, string>; Querystring: Record<string, string | undefined> }>({
      method,
      url: path,
      bodyLimit,
      handler: async (request, reply) => {
        const requestId = randomUUID()
        reply.header('x-line-request-id', requestId)
        const account = accountOf(platform, request)
        const scope: AccountScope = { ...platform, account }
        if (!take(account.id, `${method} ${path}`, rate))
          throw new LineRefusal(429, 'The API rate limit has been exceeded. Try again later.')
        const call = callOf(request, { scope, requestId, takesRetryKey: route.takesRetryKey === true })
        return answerOrFail(reply, call, route)
      },
    })
  }
}
const everythingElse: Rate = { times: 2000, perMs: 1000 }

function accountOf(platform: LinePlatform, request: FastifyRequest): AccountRow {
  const [, token] = /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  if (token === undefined)
    throw new LineRefusal(
      401,
      'Authentication failed due to the following reason: missing or invalid authorization header',
    )
  const row = findRow<AccountRow & { expires_ms: number | null; revoked: number }>(
    platform.database,
  )`SELECT line_account.*,
    expires_ms, revoked FROM line_channel_token JOIN line_account ON line_account.id = account_id
    WHERE token = ${token}`
  if (!row || row.revoked === 1)
    throw new LineRefusal(401, 'Authentication failed due to the following reason: invalid token')
  // The machine's own clock: moving the sandbox's by a month must not log everybody out.
  if (row.expires_ms !== null && row.expires_ms <= Date.now())
    throw new LineRefusal(401, 'Authentication failed due to the following reason: access token expired')
  return row
}

function callOf(
  request: FastifyRequest,
  { scope, requestId, takesRetryKey }: { scope: AccountScope; requestId: string; takesRetryKey: boolean },
): LineCall {
  const given = request.headers['x-line-retry-key']
  if (given !== undefined && !takesRetryKey)
    throw new LineRefusal(400, 'The retry key is not supported by this endpoint')
  if (given !== undefined && !(typeof given === 'string' && isUuid(given)))
    throw new LineRefusal(400, 'Invalid retry key')
  const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const contentType = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  let parsed: unknown
  return {
    scope,
    requestId,
    params: request.params as Record<string, string>,
    query: request.query as Record<string, string | undefined>,
    bytes,
    contentType,
    retryKey: given?.toLowerCase() ?? null,
    body<Body>(shape: Shape) {
      if (contentType !== 'application/json')
        throw new LineRefusal(415, `The content type, ${contentType}, is not supported`)
      parsed ??= parseJson(bytes)
      const problems = problemsOf(shape, parsed)
      if (problems.length > 0) throw new LineRefusal(400, `The request body has ${problems.length} error(s)`, problems)
      return parsed as Body
    },
  }
}
const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

/** Answers, or fails as a sentinel or a switch asks for. */
async function answerOrFail(reply: FastifyReply, call: LineCall, route: Route): Promise<FastifyReply> {
  const isWrite = route.method !== 'GET' && !route.path.includes('/validate') && !route.path.includes('/webhook')
  const fault = isWrite ? takeFault(call) : null
  if (fault !== null) failBefore(call, fault)
  if (fault === 'silence') return cut(reply)
  const answer = await route.answer(call)
  if (fault === 'slow') await sleep(call.scope.slowMs)
  if (fault === 'silence_after') return cut(reply)
  if (fault === 'error_after') throw new LineRefusal(500, 'Internal Server Error')
  for (const [name, value] of Object.entries(answer.headers ?? {})) reply.header(name, value)
  return reply
    .code(answer.status ?? 200)
    .type(answer.type ?? 'application/json')
    .send(answer.body ?? {})
}

function failBefore({ scope }: LineCall, fault: Fault): void {
  if (fault === 'rate') throw new LineRefusal(429, 'The API rate limit has been exceeded. Try again later.')
  if (fault === 'quota') throw new LineRefusal(429, 'You have reached your monthly limit.')
  if (fault === 'error') throw new LineRefusal(500, 'Internal Server Error')
  if (fault === 'bad_id')
    throw new LineRefusal(400, "The property, 'to', in the request body is invalid (line: -, column: -)")
  if (fault !== 'revoked') return
  execute(scope.database)`UPDATE line_channel_token SET revoked = 1 WHERE account_id = ${scope.account.id}`
  throw new LineRefusal(401, 'Authentication failed due to the following reason: invalid token')
}

function cut(reply: FastifyReply): FastifyReply {
  reply.hijack()
  reply.raw.destroy()
  return reply
}

/** The switch counts down; a sentinel counts its own tries. The first sentinel named decides. */
function takeFault(call: LineCall): Fault | null {
  const { database, account } = call.scope
  if (account.break_left > 0) {
    execute(database)`UPDATE line_account SET break_left = break_left - 1 WHERE id = ${account.id}`
    return faults.find((one) => one === account.break_as) ?? null
  }
  const sentinel = namedPeople(call)
    .map(sentinelOf)
    .find((one) => one !== undefined)
  if (!sentinel || sentinel.times === null) return sentinel?.fault ?? null
  const tries = findRow<{ tries: number }>(database)`INSERT INTO line_sentinel_try (account_id, user_id, tries)
    VALUES (${account.id}, ${sentinel.id}, 1) ON CONFLICT (account_id, user_id) DO UPDATE
    SET tries = tries + 1 RETURNING tries`
  return (tries?.tries ?? 1) <= sentinel.times ? sentinel.fault : null
}

function namedPeople({ params, bytes, contentType }: LineCall): string[] {
  const named = params['userId'] === undefined ? [] : [params['userId']]
  if (contentType !== 'application/json') return named
  try {
    const { to = [], userIds = [] } = (parseJson(bytes) ?? {}) as { to?: string | string[]; userIds?: string[] }
    return [...named, ...[to, userIds].flat()].filter((id) => typeof id === 'string')
  } catch (error) {
    // What is wrong with the body is said by the call itself.
    if (isBodyError(error)) return named
    throw error
  }
}

/** Where a retry key was accepted less than 24 hours ago: what was answered then. */
export function findAccepted({ scope, retryKey }: LineCall): { request_id: string; sent: string | null } | undefined {
  if (retryKey === null) return undefined
  return findRow<{ request_id: string; sent: string | null }>(
    scope.database,
  )`SELECT request_id, sent FROM line_retry_key
    WHERE account_id = ${scope.account.id} AND key = ${retryKey} AND at_ms > ${nowMs(scope) - 24 * 3_600_000}`
}
