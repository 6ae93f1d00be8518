import type { Endpoint, EndpointTypes } from './endpoint.ts'
import type { ErrorBody, ErrorCode, FieldReason, Reason } from './errors.ts'

type Field<K extends string, V> = [V] extends [undefined]
  ? { [P in K]?: undefined }
  : Record<never, never> extends V
    ? { [P in K]?: V }
    : { [P in K]: V }
/** What a call of one endpoint takes. */
export type CallInput<T extends EndpointTypes> = Field<'params', T['inParams']> &
  Field<'query', T['inQuery']> &
  Field<'body', T['inBody']> & { signal?: AbortSignal; form?: FormData }

/** An answer that was not 2xx, in the error form of the contract; `network` when there was no answer at all. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: ErrorCode | 'network'
  readonly reason: Reason | 'network'
  readonly fields: Record<string, FieldReason>
  /** When the server says to try again; null when it does not. */
  readonly retryAfterMs: number | null
  constructor(
    status: number,
    code: ErrorCode | 'network',
    reason: Reason | 'network',
    message: string,
    fields: Record<string, FieldReason> = {},
    retryAfterMs: number | null = null,
  ) {
    super(message)
    this.status = status
    this.code = code
    this.reason = reason
    this.fields = fields
    this.retryAfterMs = retryAfterMs
  }
}

interface ClientOptions {
  baseUrl: string
  /** Headers for each request, asked for each time (the access token changes). */
  headers?: () => Record<string, string>
  fetch?: typeof fetch
}
interface AnyInput {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  form?: FormData
  signal?: AbortSignal
}

/** The address of an endpoint with its parameters filled in, for links and downloads. */
export function addressOf<T extends EndpointTypes>(endpoint: Endpoint<T>, input: CallInput<T>): string {
  const { params, query } = input as AnyInput
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(String(params?.[key])))
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query ?? {})) {
    if (value === undefined || value === null) continue
    for (const one of Array.isArray(value) ? value : [value]) search.append(key, String(one))
  }
  return search.size > 0 ? `${path}?${search}` : path
}

/** Seconds; the other form, a date, is not ours. */
function retryAfterOf(response: Response): number | null {
  const header = response.headers.get('retry-after')
  return header !== null && /^\d+$/.test(header) ? Number(header) * 1000 : null
}

/** What a status alone means: a proxy in between answers with a page of its own. */
const meanings: Readonly<Record<number, { code: ErrorCode; reason: Reason }>> = {
  413: { code: 'too_large', reason: 'body_too_large' },
  429: { code: 'rate_limited', reason: 'rate_limited' },
  502: { code: 'unavailable', reason: 'unavailable' },
  503: { code: 'unavailable', reason: 'unavailable' },
  504: { code: 'unavailable', reason: 'unavailable' },
}

const isJson = (response: Response): boolean => response.headers.get('content-type')?.includes('json') ?? false

/** The error in an answer that is not ok. */
export async function refusalOf(response: Response): Promise<ApiError> {
  // Cut off on its way, it says no more than its status.
  const body = isJson(response) ? ((await response.json().catch(() => null)) as Partial<ErrorBody> | null) : null
  const { code, reason, message, fields } = {
    code: 'internal' as const,
    reason: 'internal' as const,
    message: response.statusText,
    fields: {},
    ...meanings[response.status],
    ...body?.error,
  }
  return new ApiError(response.status, code, reason, message, fields, retryAfterOf(response))
}

/** A function that calls any endpoint of the contract. Throws {@link ApiError}. */
export function createClient(options: ClientOptions) {
  return async function call<T extends EndpointTypes>(
    endpoint: Endpoint<T>,
    input: CallInput<T>,
  ): Promise<T['outReply']> {
    const given = input as AnyInput
    const headers: Record<string, string> = { accept: 'application/json', ...options.headers?.() }
    let body: BodyInit | null = null
    if (given.form) body = given.form
    else if (given.body !== undefined && endpoint.bodyKind === 'form')
      body = new URLSearchParams(given.body as Record<string, string>)
    else if (given.body !== undefined) {
      headers['content-type'] = 'application/json'
      body = JSON.stringify(given.body)
    }
    let response: Response
    try {
      response = await (options.fetch ?? fetch)(`${options.baseUrl}${addressOf(endpoint, input)}`, {
        method: endpoint.method,
        headers,
        body,
        signal: given.signal ?? null,
      })
    } catch (error) {
      if (given.signal?.aborted) throw error
      throw new ApiError(0, 'network', 'network', error instanceof Error ? error.message : String(error))
    }
    if (!response.ok) throw await refusalOf(response)
    if (endpoint.replyKind === 'empty') return undefined as T['outReply']
    if (isJson(response)) return (await response.json()) as T['outReply']
    // The sign-in page of a network, not Okaeri.
    if (endpoint.replyKind === 'json')
      throw new ApiError(response.status, 'network', 'network', 'the answer is no JSON')
    return (await response.text()) as T['outReply']
  }
}
