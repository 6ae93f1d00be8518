import { Agent, type Dispatcher } from 'undici'
import type { z } from 'zod'
import { stopwatch } from '../../kernel/clock.ts'
import { IntegrationError } from '../../kernel/errors.ts'
import { storableValue } from '../../kernel/storable-json.ts'
import { classifyLineAnswer, type LineAnswer, type LineOutcome, type LineProblem } from './answer.ts'

/** The platform answers within a second; a send that is waited for longer is asked again under its retry key. */
const ANSWER_TIMEOUT_MS = 15_000
/** An answer that has begun, however it trickles in: each of its bytes ends the silence that is waited for above. */
const WHOLE_ANSWER_MS = 60_000
const CONNECT_TIMEOUT_MS = 5000
/** As many calls at once to one host; more wait for a connection. */
const CONNECTIONS = 100
/** A thousand menus of twenty areas are some 6 MB. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024

/** Errors before anything was written: no name, no route, no handshake. Of any other it is not known what arrived. */
const NOTHING_SENT =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|ERR_TLS_CERT_ALTNAME_INVALID)$/

/** RFC 6750 §2.1: of anything else no header can be made. */
const TOKEN = /^[\w.~+/-]+=*$/

/** A call of the platform that failed, other than a send: `outcome` says how. */
export class LineError extends IntegrationError {
  readonly outcome: LineOutcome
  constructor(outcome: LineOutcome) {
    const isPassing = ['rate_limited', 'unreachable', 'unknown'].includes(outcome.kind)
    super('line', isPassing, detailOf(outcome))
    this.outcome = outcome
  }
}

function detailOf(outcome: LineOutcome): string {
  if ('message' in outcome) return `${outcome.kind}: ${outcome.message}`
  return 'detail' in outcome ? `${outcome.kind}: ${outcome.detail}` : outcome.kind
}

export interface LineHosts {
  /** `https://api.line.me` */
  apiUrl: string
  /** `https://api-data.line.me`: pictures and what people send. */
  dataApiUrl: string
  /** `https://access.line.me`: the pages a person logs in on. */
  accessUrl: string
}

export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  host?: 'api' | 'data'
  /** With what was given by people or the platform already escaped: see `path`. */
  path: string
  /** A channel's token or a person's; null for calls that bring a secret instead. */
  token: string | null
  json?: unknown
  /** JSON that was made already. */
  madeJson?: string
  form?: Record<string, string>
  picture?: { bytes: Buffer; type: 'image/png' | 'image/jpeg' }
  retryKey?: string
}

/** An address of the platform: what stands in it cannot leave its place. */
export const path = (texts: TemplateStringsArray, ...values: string[]): string =>
  String.raw({ raw: texts }, ...values.map(encodeURIComponent))

/** Connections to the platform's hosts, kept open. */
export interface LineConnection {
  readonly hosts: LineHosts
  /** One try; never throws. */
  call(call: Call): Promise<LineAnswer>
  /** One try; returns the body of a success where it is as the shape says, and throws {@link LineError} otherwise. */
  ask<T>(call: Call, shape: z.ZodType<T>): Promise<T>
  /** One try; throws {@link LineError} where it was no success. */
  tell(call: Call): Promise<void>
  close(): Promise<void>
}

export function openLineConnection(
  hosts: LineHosts,
  { timeoutMs = ANSWER_TIMEOUT_MS, wholeMs = WHOLE_ANSWER_MS }: { timeoutMs?: number; wholeMs?: number } = {},
): LineConnection {
  const dispatcher = new Agent({
    connections: CONNECTIONS,
    connect: { timeout: CONNECT_TIMEOUT_MS },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: MAX_ANSWER_BYTES,
  })

  const [api, data] = [partsOf(hosts.apiUrl), partsOf(hosts.dataApiUrl)]

  async function call({ method, host = 'api', path: place, token, ...more }: Call): Promise<LineAnswer> {
    if (token !== null && !TOKEN.test(token)) return { kind: 'malformed_token' }
    const { body, type } = bodyOf(more)
    const { origin, prefix } = host === 'api' ? api : data
    const headers = ['accept', 'application/json']
    if (token !== null) headers.push('authorization', `Bearer ${token}`)
    if (type !== null) headers.push('content-type', type)
    if (more.retryKey !== undefined) headers.push('x-line-retry-key', more.retryKey)
    try {
      const answer = await heard(dispatcher, { origin, path: prefix + place, method, body, headers }, wholeMs)
      return {
        kind: 'answered',
        status: answer.status,
        requestId: headerOf(answer.headers['x-line-request-id']),
        acceptedRequestId: headerOf(answer.headers['x-line-accepted-request-id']),
        body: answer.text === null ? null : parse(answer.text),
      }
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
      return { kind: NOTHING_SENT.test(code) ? 'unreachable' : 'lost', detail: code }
    }
  }

  const fail = (answer: LineAnswer): LineError => {
    const outcome = classifyLineAnswer(answer)
    return new LineError(outcome.kind === 'accepted' ? { kind: 'unknown', detail: 'an unreadable answer' } : outcome)
  }
  const isSuccess = (answer: LineAnswer): answer is Extract<LineAnswer, { kind: 'answered' }> =>
    answer.kind === 'answered' && answer.status >= 200 && answer.status < 300

  /** One try. What a gateway on the way answers to a call of the Messaging API, its 200 and its 404 too, says nothing of what was asked. */
  async function tryOnce(asked: Call): Promise<LineAnswer> {
    const answer = await call(asked)
    const isStrange = answer.kind === 'answered' && asked.path.startsWith('/v2/bot/') && answer.requestId === null
    const wouldDecide = isStrange && (answer.status < 300 || answer.status === 404)
    return wouldDecide ? { kind: 'lost', detail: `HTTP ${answer.status} without a request id` } : answer
  }

  return {
    hosts,
    call,
    async ask<T>(asked: Call, shape: z.ZodType<T>) {
      const answer = await tryOnce(asked)
      const read = isSuccess(answer) ? shape.safeParse(answer.body) : null
      if (!read?.success) throw fail(answer)
      return read.data
    },
    async tell(told) {
      const answer = await tryOnce(told)
      if (!isSuccess(answer)) throw fail(answer)
    },
    close: () => dispatcher.close(),
  }
}

const partsOf = (url: string): { origin: string; prefix: string } => {
  const { origin, pathname } = new URL(url)
  return { origin, prefix: pathname === '/' ? '' : pathname }
}

interface Heard {
  status: number
  headers: Record<string, string | string[] | undefined>
  /** Null where the body broke off: the status was heard, which changes nothing about it. */
  text: string | null
}

/** Without a stream for each call. Throws what came before a status. */
const heard = (dispatcher: Dispatcher, asked: Dispatcher.DispatchOptions, wholeMs: number): Promise<Heard> =>
  new Promise((resolve, reject) => {
    let elapsed = stopwatch()
    let answer: Omit<Heard, 'text'> | null = null
    const parts: Buffer[] = []
    dispatcher.dispatch(asked, {
      onRequestStart: () => undefined,
      onResponseStart(_, status, headers) {
        elapsed = stopwatch()
        if (status >= 200) answer = { status, headers }
      },
      onResponseData(controller, part) {
        parts.push(part)
        if (elapsed() > wholeMs) controller.abort(new Error('an answer without end'))
      },
      onResponseEnd() {
        if (answer)
          resolve({ ...answer, text: (parts.length === 1 ? parts[0] : Buffer.concat(parts))?.toString() ?? '' })
      },
      onResponseError: (_, error) => (answer ? resolve({ ...answer, text: null }) : reject(error)),
    })
  })

/** Null where the platform knows no such thing (404). */
export async function orNull<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof LineError && error.outcome.kind === 'refused' && error.outcome.status === 404) return null
    throw error
  }
}

/** What the platform finds wrong with what it was given to validate; empty when it would take it. */
export async function problemsIn(validated: Promise<void>): Promise<LineProblem[]> {
  try {
    await validated
    return []
  } catch (error) {
    if (!(error instanceof LineError) || error.outcome.kind !== 'bad_request') throw error
    const { problems, message } = error.outcome
    return problems.length > 0 ? problems : [{ message, property: null }]
  }
}

function bodyOf({ json, madeJson, form, picture }: Pick<Call, 'json' | 'madeJson' | 'form' | 'picture'>): {
  body: string | Buffer | null
  type: string | null
} {
  if (picture) return { body: picture.bytes, type: picture.type }
  if (form) return { body: new URLSearchParams(form).toString(), type: 'application/x-www-form-urlencoded' }
  const body = madeJson ?? (json === undefined ? null : JSON.stringify(json))
  return { body, type: body === null ? null : 'application/json' }
}

const headerOf = (value: string | string[] | undefined): string | null => (typeof value === 'string' ? value : null)

function parse(text: string): unknown {
  if (text === '') return {}
  try {
    return storableValue(JSON.parse(text))
  } catch (error) {
    // A gateway's page, or half an answer.
    if (error instanceof SyntaxError) return null
    throw error
  }
}
