/** What came of one call of the Messaging API, before it is judged. */
export type LineAnswer =
  | {
      kind: 'answered'
      status: number
      /** The platform's name for the call; null where another server answered. */
      requestId: string | null
      /** With 409: the name of the call that was accepted. */
      acceptedRequestId: string | null
      /** Parsed JSON; null where it was none, or broke off. */
      body: unknown
    }
  /** Nothing was handed over. */
  | { kind: 'unreachable'; detail: string }
  /** Nothing was handed over: what stands for a token can be none. */
  | { kind: 'malformed_token' }
  /** It was handed over, wholly or in part, and no answer came. */
  | { kind: 'lost'; detail: string }

export interface LineProblem {
  message: string
  /** Where in the request: `messages[0].text`. Null where the platform names no place. */
  property: string | null
}

/**
 * What an answer means. `unknown` may have been accepted: it is asked again under the same retry key, within 24 hours. `rate_limited`,
 * `unreachable` were not accepted and may be tried again; `quota_used_up` not before the month turns; the rest not at all as they are.
 */
export type LineOutcome =
  | { kind: 'accepted'; requestId: string; messageIds: string[] }
  | { kind: 'accepted_before'; requestId: string | null }
  | { kind: 'rate_limited' }
  | { kind: 'quota_used_up' }
  | { kind: 'bad_request'; message: string; problems: LineProblem[] }
  | { kind: 'unauthorized'; message: string }
  | { kind: 'refused'; status: number; message: string }
  | { kind: 'unreachable'; detail: string }
  | { kind: 'unknown'; detail: string }

/** The words of 429 when the month's messages are used up; any other 429 is about speed (reference, limits.json). */
const QUOTA_WORDS = /monthly limit/i
/** What is kept of the platform's words. */
const MAX_WORDS = 500

/** Judges an answer. Pure. */
export function classifyLineAnswer(answer: LineAnswer): LineOutcome {
  if (answer.kind === 'unreachable') return answer
  if (answer.kind === 'malformed_token') return { kind: 'unauthorized', message: 'the token is malformed' }
  if (answer.kind === 'lost') return { kind: 'unknown', detail: answer.detail }
  const { status, requestId, body } = answer
  const message = messageOf(body)
  // A gateway on the way answers 200 too; only the platform names the call.
  if (status >= 200 && status < 300)
    return requestId === null
      ? { kind: 'unknown', detail: `HTTP ${status} without a request id` }
      : { kind: 'accepted', requestId, messageIds: messageIdsOf(body) }
  if (status === 409) return { kind: 'accepted_before', requestId: answer.acceptedRequestId }
  if (status === 429) return { kind: QUOTA_WORDS.test(message) ? 'quota_used_up' : 'rate_limited' }
  if (status === 401) return { kind: 'unauthorized', message }
  if (status === 400 || status === 413 || status === 415)
    return { kind: 'bad_request', message: message || `HTTP ${status}`, problems: problemsOf(body) }
  if (status >= 400 && status < 500 && status !== 408) return { kind: 'refused', status, message }
  return { kind: 'unknown', detail: `HTTP ${status} ${message}`.trim() }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const wordsOf = (value: unknown): string =>
  typeof value === 'string' ? value.replaceAll('\0', '').slice(0, MAX_WORDS) : ''

/** `message` of the Messaging API, `error_description` of the OAuth calls. */
function messageOf(body: unknown): string {
  if (!isObject(body)) return ''
  return wordsOf(body['message']) || wordsOf(body['error_description']) || wordsOf(body['error'])
}

function problemsOf(body: unknown): LineProblem[] {
  const details = isObject(body) && Array.isArray(body['details']) ? (body['details'] as unknown[]) : []
  return details
    .filter(isObject)
    .map(({ message, property }) => ({ message: wordsOf(message), property: wordsOf(property) || null }))
}

function messageIdsOf(body: unknown): string[] {
  const sent = isObject(body) && Array.isArray(body['sentMessages']) ? (body['sentMessages'] as unknown[]) : []
  return sent.filter(isObject).flatMap(({ id }) => (typeof id === 'string' ? [id] : []))
}
