import http from 'node:http'
import https from 'node:https'
import { IntegrationError } from '../../kernel/errors.ts'
import { addressOf } from './call.ts'
import type { Address } from './names.ts'

/** What came back where an address was opened as a reader would. */
export interface SeenAddress {
  /** `unknown`: it may be there; it was not shown to us. */
  outcome: 'answers' | 'gone' | 'no_host' | 'unknown'
  /** The status of the last answer; null: none came. */
  status: number | null
  /** Why it is not known. */
  reason: UnknownBecause | null
  /** After redirects. */
  leadsTo: string
  /** As the server says; null where it does not. */
  sizeBytes: number | null
}
export type UnknownBecause =
  /** An address inside our own network. */
  | 'private'
  /** Neither 80 nor 443. */
  | 'port'
  | 'no_answer'
  /** Browsers would warn of it. */
  | 'certificate'
  | 'too_many_redirects'
  /** Shops keep robots out, or ask who one is. */
  | 'refused'
  | 'server_error'
  /** Said by `visit`. */
  | 'not_visited'

export interface AddressToSee {
  /** http or https. */
  url: string
  userAgent: string
  /** For all of it: names, redirects, answers. */
  timeoutMs: number
  /** Also addresses of this machine and its network, and any port; for the sandbox. */
  allowPrivate: boolean
  /** The size matters: where no header says it, the body is read, up to {@link MAX_READ_BYTES}. */
  measures: boolean
  /** Runs each request to a host, redirects too. Throws {@link NotVisited} where it must not be made. */
  visit: <T>(url: URL, request: () => Promise<T>) => Promise<T>
}
export class NotVisited extends Error {}

const MAX_REDIRECTS = 6
const MAX_READ_BYTES = 5 * 1024 * 1024
const MAX_HEADER_BYTES = 32 * 1024
/** These say the same to every client. */
const GONE = [404, 410]
/** HEAD is refused by some who answer GET. */
const isRefusedHead = (status: number): boolean => status >= 400

/**
 * Opens an address politely: HEAD, and GET for the first byte where that is refused. Each host of a redirect is resolved once and checked, and the
 * connection goes to just that address. No cookies are kept, nothing is sent but our name.
 */
export async function seeAddress(asked: AddressToSee): Promise<SeenAddress> {
  const signal = AbortSignal.timeout(asked.timeoutMs)
  let url = URL.parse(asked.url)
  const seen = (what: Partial<SeenAddress> & Pick<SeenAddress, 'outcome'>): SeenAddress => ({
    status: null,
    reason: null,
    sizeBytes: null,
    ...what,
    leadsTo: url?.href ?? asked.url,
  })
  try {
    for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
      if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
        return seen({ outcome: 'unknown', reason: 'refused' })
      // Other ports are other services: Okaeri must not be usable to find out where they are.
      if (!asked.allowPrivate && url.port !== '') return seen({ outcome: 'unknown', reason: 'port' })
      const here: URL = url
      const answer = await asked.visit(here, () => ask(here, asked, signal))
      const { status, location } = answer
      if (status >= 300 && status < 400 && location) {
        const next = URL.parse(location, here.href)
        // Into an application, as links to LINE do.
        if (next && !/^https?:$/.test(next.protocol)) return seen({ outcome: 'answers', status })
        url = next
        continue
      }
      if (status >= 200 && status < 300) return seen({ outcome: 'answers', status, sizeBytes: answer.sizeBytes })
      if (GONE.includes(status)) return seen({ outcome: 'gone', status })
      return seen({ outcome: 'unknown', status, reason: status >= 500 ? 'server_error' : 'refused' })
    }
    return seen({ outcome: 'unknown', reason: 'too_many_redirects' })
  } catch (error) {
    return seen(meaningOf(error))
  }
}

function meaningOf(error: unknown): Pick<SeenAddress, 'outcome' | 'reason'> {
  if (error instanceof NotVisited) return { outcome: 'unknown', reason: 'not_visited' }
  if (error instanceof IntegrationError && !error.retryable) return { outcome: 'unknown', reason: 'private' }
  const code = codeOf(error instanceof IntegrationError ? error.cause : error)
  if (error instanceof IntegrationError && NO_SUCH_NAME.includes(code)) return { outcome: 'no_host', reason: null }
  return {
    outcome: 'unknown',
    reason: /^(?:CERT_|ERR_TLS|.*_CERT|UNABLE_TO_)/.test(code) ? 'certificate' : 'no_answer',
  }
}
const NO_SUCH_NAME = ['ENOTFOUND', 'ENODATA']
const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')

interface Answer {
  status: number
  location: string | null
  sizeBytes: number | null
}

async function ask(url: URL, asked: AddressToSee, signal: AbortSignal): Promise<Answer> {
  const address = await addressOf(url, asked.allowPrivate)
  const head = await request({ url, address, asked, signal, method: 'HEAD' }).catch((error: unknown) => {
    // Some close the connection on HEAD.
    if (signal.aborted || codeOf(error) !== 'ECONNRESET') throw error
    return null
  })
  const isUnmeasured = asked.measures && head !== null && head.status < 300 && head.sizeBytes === null
  return head && !isRefusedHead(head.status) && !isUnmeasured
    ? head
    : request({ url, address, asked, signal, method: 'GET' })
}

function request(given: {
  url: URL
  address: Address
  asked: AddressToSee
  signal: AbortSignal
  method: 'HEAD' | 'GET'
}): Promise<Answer> {
  const { url, asked, signal, method } = given
  const { address, family } = given.address
  return new Promise((done, failed) => {
    const made = (url.protocol === 'https:' ? https : http).request(
      url,
      {
        method,
        signal,
        agent: false,
        maxHeaderSize: MAX_HEADER_BYTES,
        // The address that was checked, even if the name now resolves to another.
        lookup: (_host, options, answer) =>
          options.all ? answer(null, [{ address, family }]) : answer(null, address, family),
        headers: {
          'user-agent': asked.userAgent,
          accept: '*/*',
          'accept-encoding': 'identity',
          ...(method === 'GET' && { range: 'bytes=0-0' }),
        },
      },
      (response) => {
        const { headers, statusCode: status = 0 } = response
        const answer: Answer = {
          status,
          location: headers.location ?? null,
          sizeBytes: sizeOf(status, headers),
        }
        response.on('error', () => done(answer))
        if (method === 'HEAD' || !asked.measures || answer.sizeBytes !== null || status !== 200) {
          done(answer)
          made.destroy()
          return
        }
        let read = 0
        const end = (): void => done({ ...answer, sizeBytes: read })
        response.on('data', (part: Buffer) => {
          read += part.length
          if (read < MAX_READ_BYTES) return
          end()
          made.destroy()
        })
        response.on('end', end)
        response.on('close', end)
      },
    )
    made.on('error', failed)
    // An answer that would go on in another protocol only ends.
    made.on('close', () => failed(new Error('no answer')))
    made.end()
  })
}

/** `bytes 0-0/12345` says the whole. */
function sizeOf(status: number, headers: http.IncomingHttpHeaders): number | null {
  const said = status === 206 ? /\/(\d{1,12})$/.exec(headers['content-range'] ?? '')?.[1] : headers['content-length']
  return said !== undefined && /^\d{1,12}$/.test(said) ? Number(said) : null
}
