import '@shopify/shopify-api/adapters/node'
import { AsyncLocalStorage } from 'node:async_hooks'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { isShopDomain } from '@okaeri/contract/store/shop-domain'
import {
  ApiVersion,
  GraphqlQueryError,
  HttpResponseError,
  HttpThrottlingError,
  LogSeverity,
  Session,
  ShopifyError,
  shopifyApi,
} from '@shopify/shopify-api'
import { setAbstractFetchFunc } from '@shopify/shopify-api/runtime'
import { createClock } from '../../kernel/clock.ts'
import { IntegrationError } from '../../kernel/errors.ts'
import { storableValue } from '../../kernel/storable-json.ts'
import { readSessionToken, type SessionClaims } from './session-token.ts'

const SERVICE = 'shopify'
/** The platform answers within ten seconds or not at all. */
const TIMEOUT_MS = 30_000
/** A throttled call waits at most this long in all, then is the caller's to repeat. */
const THROTTLE_PATIENCE_MS = 60_000
const DEFAULT_THROTTLE_WAIT_MS = 1000
/** The largest pages of what is asked for are a few MB; exports come as files of their own. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024

/** What the app proxy adds to a query. Source: reference/shopify/rules.json, app_proxy. */
const PROXY_PARAMETERS = ['shop', 'logged_in_customer_id', 'path_prefix', 'timestamp', 'signature'] as const

/** What the platform gave us for a store. Times are the machine's own. */
export interface StoreGrant {
  shopDomain: string
  accessToken: string
  /** Comma-separated. */
  scopes: string
  /** Null for a token that does not expire. */
  expiresAt: Date | null
  refreshToken: string | null
}

export interface StoreConnection {
  shopDomain: string
  accessToken: string
}

/** The store platform, as our app: one per process. Every function that reaches out throws {@link IntegrationError}. */
export interface Shopify {
  readonly scopes: readonly string[]
  /** Where a merchant approves our access; the platform then calls `redirectUri`. */
  authorizeUrl(shopDomain: string, options: { state: string; redirectUri: string }): string
  /** Trades the code of the callback for tokens that expire and are refreshed. */
  exchangeCode(shopDomain: string, code: string): Promise<StoreGrant>
  /**
   * New tokens for a refresh token. An error with `detail` `refused` means that the store has to be connected again, `app_credentials` that
   * the platform does not accept the app's key and secret.
   */
  refresh(shopDomain: string, refreshToken: string): Promise<StoreGrant>
  /** Whether the platform signed this query, within 90 seconds of now. A repeated parameter makes it invalid. */
  isSignedQuery: (query: URLSearchParams) => Promise<boolean>
  /** The same of what came through the app proxy, which signs otherwise. Only parameters of the visitor's own may be repeated. */
  isSignedProxyQuery: (query: URLSearchParams) => Promise<boolean>
  /** Whether the platform signed these bytes (see {@link storeHeader}). Constant time; an empty body is never valid. */
  isSignedBody: (rawBody: Buffer, signature: string | undefined) => boolean
  /** What a session token says that the platform signed for our app and that is good now. Null for any other text. */
  readSessionToken: (token: string) => Promise<SessionClaims | null>
  /**
   * Runs an operation of operations.ts and answers its data, its texts such as can be stored. Waits when throttled, by the cost the platform tells. `detail` of the
   * error: `unauthorized` when the token is not taken, one of {@link storeTroubles} when the whole store is closed to us, else the platform's
   * code or the HTTP status.
   */
  graphql<T>(connection: StoreConnection, operation: string, variables?: Record<string, unknown>): Promise<T>
  /** Whether the platform can be reached; throws when it cannot. */
  ping(): Promise<void>
}

export interface ShopifyOptions {
  apiKey: string
  apiSecret: string
  /** While the secret is rotated: what was signed with the one before counts too, and tokens are asked for with either. */
  formerSecret?: string | null
  scopes: readonly string[]
  /** Null: the real platform. */
  sandboxUrl: string | null
  timeoutMs?: number
}

/** Why the platform keeps a whole store from us. A person has to act there; until then it is worth asking again, seldom. */
export const storeTroubles = ['frozen', 'locked', 'forbidden', 'gone', 'app_credentials'] as const
export type StoreTrouble = (typeof storeTroubles)[number]
/** 402: not paid for. 423: locked by the platform. 404 "could be available again in the future". Source: shopify.dev, response codes. */
const troubleOfStatus: Record<number, StoreTrouble | undefined> = {
  402: 'frozen',
  403: 'forbidden',
  404: 'gone',
  423: 'locked',
}
export const asStoreTrouble = (error: unknown): StoreTrouble | null =>
  (error instanceof IntegrationError &&
    error.service === SERVICE &&
    storeTroubles.find((one) => one === error.detail)) ||
  null

/** A header of the platform's, which sends some as `x-shopify-topic` and newer ones as `shopify-topic`. Null when it is missing. */
export function storeHeader(headers: Record<string, string | string[] | undefined>, name: string): string | null {
  const value = headers[`x-shopify-${name}`] ?? headers[`shopify-${name}`]
  return typeof value === 'string' && value !== '' ? value : null
}

// The SDK knows no base address: its one fetch function is given ours, and which world it reaches is said around each call.
const world = new AsyncLocalStorage<{ sandboxUrl: string | null; timeoutMs: number }>()
setAbstractFetchFunc(async (input, init) => {
  const { sandboxUrl, timeoutMs } = world.getStore() ?? { sandboxUrl: null, timeoutMs: TIMEOUT_MS }
  const url = storeAddress(String(input instanceof Request ? input.url : input), sandboxUrl)
  const timeout = AbortSignal.timeout(timeoutMs)
  const signal = init?.signal ? AbortSignal.any([init.signal, timeout]) : timeout
  // A redirect would carry the token to wherever it points.
  return bounded(await fetch(url, { ...init, signal, redirect: 'error' }))
})

/** Whatever answers in the platform's place, memory holds it. */
function bounded(response: Response): Response {
  if (!response.body) return response
  let read = 0
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, controller) {
      read += part.length
      if (read > MAX_ANSWER_BYTES) controller.error(new Error('an answer without end'))
      else controller.enqueue(part)
    },
  })
  const { status, statusText, headers } = response
  return new Response(response.body.pipeThrough(limit), { status, statusText, headers })
}

/** An address of the platform, in the sandbox where there is one: `https://{shop}/{path}` becomes `{sandbox}/stores/{shop}/{path}`. */
export function storeAddress(url: string, sandboxUrl: string | null): string {
  if (!sandboxUrl) return url
  const { hostname, pathname, search } = new URL(url)
  if (!isShopDomain(hostname)) throw new IntegrationError(SERVICE, false, 'not an address of a store')
  return `${sandboxUrl}/stores/${hostname}${pathname}${search}`
}

/** The store platform with our app's credentials, real or sandbox. */
export function createShopify(options: ShopifyOptions): Shopify {
  const { apiKey, apiSecret, formerSecret, scopes, sandboxUrl, timeoutMs = TIMEOUT_MS } = options
  const secrets = formerSecret ? [apiSecret, formerSecret] : [apiSecret]
  const makeSdk = (secret: string) =>
    shopifyApi({
      apiKey,
      apiSecretKey: secret,
      scopes: [...scopes],
      // Asked for by the SDK for cookies and redirects of its own, which are not used.
      hostName: 'localhost',
      apiVersion: ApiVersion.July26,
      isEmbeddedApp: false,
      logger: { level: LogSeverity.Error, log: () => undefined },
    })
  const sdk = makeSdk(apiSecret)
  const sdks = [sdk, ...secrets.slice(1).map(makeSdk)]
  const clock = createClock()
  const outside = <T>(work: () => Promise<T>): Promise<T> => world.run({ sandboxUrl, timeoutMs }, work)

  /** With the one secret, and where that is not taken, with the other. */
  async function askForTokens(shopDomain: string, body: Record<string, string>): Promise<StoreGrant> {
    for (const [index, secret] of secrets.entries()) {
      const answer = await tokenRequest(shopDomain, {
        sandboxUrl,
        timeoutMs,
        body: { client_id: apiKey, client_secret: secret, ...body },
      }).catch((error: unknown) => {
        const isLast = index === secrets.length - 1
        if (isLast || !(error instanceof IntegrationError) || error.detail !== 'app_credentials') throw error
        return null
      })
      if (!answer) continue
      return {
        shopDomain,
        accessToken: answer.access_token,
        scopes: answer.scope,
        expiresAt: answer.expires_in ? new Date(clock.realNow().getTime() + answer.expires_in * 1000) : null,
        refreshToken: answer.refresh_token ?? null,
      }
    }
    throw new Error('there is at least one secret')
  }

  async function isSigned(query: URLSearchParams, signator: 'admin' | 'appProxy'): Promise<boolean> {
    for (const { utils } of sdks)
      try {
        if (await utils.validateHmac(query, { signator })) return true
      } catch (error) {
        if (!(error instanceof ShopifyError)) throw error
      }
    return false
  }

  return {
    scopes,
    authorizeUrl(shopDomain, { state, redirectUri }) {
      const query = new URLSearchParams({
        client_id: apiKey,
        scope: scopes.join(','),
        redirect_uri: redirectUri,
        state,
        'grant_options[]': '',
      })
      return storeAddress(`https://${shopDomain}/admin/oauth/authorize?${query.toString()}`, sandboxUrl)
    },
    // The SDK's own callback keeps the state in a cookie of its own and would ask for it; ours is kept in the database.
    exchangeCode: (shopDomain, code) => askForTokens(shopDomain, { code, expiring: '1' }),
    refresh: (shopDomain, refreshToken) =>
      askForTokens(shopDomain, { grant_type: 'refresh_token', refresh_token: refreshToken }),
    async isSignedQuery(query) {
      const keys = [...query.keys()]
      return new Set(keys).size === keys.length && isSigned(query, 'admin')
    },
    // A visitor may write the platform's own parameters into the address: then there are two of a name.
    isSignedProxyQuery: async (query) =>
      PROXY_PARAMETERS.every((name) => query.getAll(name).length <= 1) && isSigned(query, 'appProxy'),
    isSignedBody(rawBody, signature) {
      if (rawBody.length === 0 || !signature) return false
      const given = Buffer.from(signature)
      return secrets.some((secret) => {
        const expected = Buffer.from(createHmac('sha256', secret).update(rawBody).digest('base64'))
        return expected.length === given.length && timingSafeEqual(expected, given)
      })
    },
    readSessionToken: (token) => readSessionToken(token, { apiKey, secrets, now: clock.realNow() }),
    async graphql<T>({ shopDomain, accessToken }: StoreConnection, operation: string, variables = {}) {
      const session = new Session({ id: shopDomain, shop: shopDomain, state: '', isOnline: false, accessToken })
      const client = new sdk.clients.Graphql({ session })
      for (let waitedMs = 0; ; ) {
        try {
          const { data } = await outside(() => client.request<T>(operation, { variables }))
          if (data === undefined) throw new IntegrationError(SERVICE, true, 'an answer without data')
          return storableValue(data) as T
        } catch (error) {
          const waitMs = throttleWaitMs(error)
          if (waitMs === null || waitedMs + waitMs > THROTTLE_PATIENCE_MS) throw explain(error)
          await sleep(waitMs)
          waitedMs += waitMs
        }
      }
    },
    async ping() {
      await fetch(sandboxUrl ?? 'https://www.shopify.com', {
        signal: AbortSignal.timeout(5000),
        redirect: 'manual',
      }).catch((error: unknown) => {
        throw new IntegrationError(SERVICE, true, 'unreachable', { cause: error })
      })
    },
  }
}

interface TokenAnswer {
  access_token: string
  scope: string
  expires_in?: number
  refresh_token?: string
  error?: unknown
  error_description?: unknown
}

async function tokenRequest(
  shopDomain: string,
  { sandboxUrl, timeoutMs, body }: { sandboxUrl: string | null; timeoutMs: number; body: Record<string, string> },
): Promise<TokenAnswer> {
  let response: Response
  let answer: TokenAnswer | null
  try {
    response = bounded(
      await fetch(storeAddress(`https://${shopDomain}/admin/oauth/access_token`, sandboxUrl), {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify(body),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      }),
    )
    answer = readObject(await response.text())
  } catch (error) {
    if (error instanceof IntegrationError) throw error
    throw new IntegrationError(SERVICE, true, 'unreachable', { cause: error })
  }
  if (!response.ok) throw tokenRefusal(response.status, answer)
  if (typeof answer?.access_token !== 'string' || typeof answer.scope !== 'string')
    throw new IntegrationError(SERVICE, true, 'no access token in the answer')
  return answer
}

function readObject(text: string): TokenAnswer | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as TokenAnswer) : null
  } catch {
    // A gateway's page, or half an answer.
    return null
  }
}

/**
 * What a refused request for tokens means. The words decide, not the status: a refresh token that is dead is answered with 401
 * `invalid_request` "This request requires an active refresh_token", a wrong secret with 401 `invalid_client` or with the same
 * `invalid_request`. Without any of the platform's words (a gateway, a firewall) nothing is known about our access.
 */
function tokenRefusal(
  status: number,
  answer: { error?: unknown; error_description?: unknown } | null,
): IntegrationError {
  const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
  const [code, description] = [textOf(answer?.error), textOf(answer?.error_description)]
  const isWorded = code !== '' && status >= 400 && status < 500 && status !== 408 && status !== 429
  if (isWorded) {
    const aboutToken = /refresh[ _-]?token|authorization code/i.test(description)
    const aboutApp =
      /^(invalid_client|unauthorized_client|application_cannot_be_found)$/.test(code) ||
      (code === 'invalid_request' && /client|secret|api[ _-]?key|application/i.test(description))
    const cause = { cause: new Error(`${status} ${code}: ${description}`) }
    if (aboutApp && !aboutToken) return new IntegrationError(SERVICE, false, 'app_credentials', cause)
    if (!troubleOfStatus[status] || aboutToken || status === 403)
      return new IntegrationError(SERVICE, false, 'refused', cause)
  }
  return new IntegrationError(SERVICE, isPassing(status), troubleOfStatus[status] ?? `HTTP ${status}`)
}

/** Whether the same request may be taken later. 430: the platform took it for an attack. */
const isPassing = (status: number): boolean =>
  status === 408 || status === 429 || status === 430 || status >= 500 || troubleOfStatus[status] !== undefined

interface ThrottledBody {
  errors?: { graphQLErrors?: { message?: string; extensions?: { code?: string } }[] }
  extensions?: {
    cost?: {
      requestedQueryCost?: number
      throttleStatus?: { currentlyAvailable?: number; restoreRate?: number }
    }
  }
}
const bodyOf = (error: GraphqlQueryError): ThrottledBody => (error.body ?? {}) as ThrottledBody
const codesOf = (error: GraphqlQueryError): string[] =>
  (bodyOf(error).errors?.graphQLErrors ?? []).map(({ extensions }) => extensions?.code ?? '')

/** How long to wait before asking again; null when it was not throttling. */
function throttleWaitMs(error: unknown): number | null {
  if (error instanceof HttpThrottlingError) {
    // It may be a date, which the SDK makes no number of.
    const seconds = error.response.retryAfter ?? 1
    return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : DEFAULT_THROTTLE_WAIT_MS
  }
  if (!(error instanceof GraphqlQueryError) || !codesOf(error).includes('THROTTLED')) return null
  const cost = bodyOf(error).extensions?.cost
  const missing = (cost?.requestedQueryCost ?? 0) - (cost?.throttleStatus?.currentlyAvailable ?? 0)
  const restoreRate = cost?.throttleStatus?.restoreRate ?? 0
  return missing > 0 && restoreRate > 0 ? Math.ceil((missing / restoreRate) * 1000) : DEFAULT_THROTTLE_WAIT_MS
}

function explain(error: unknown): IntegrationError {
  if (error instanceof IntegrationError) return error
  const cause = { cause: error }
  if (error instanceof GraphqlQueryError) {
    const [code] = codesOf(error).filter((one) => one !== '')
    if (code === 'SHOP_INACTIVE') return new IntegrationError(SERVICE, true, 'frozen', cause)
    const passing = code === 'THROTTLED' || code === 'INTERNAL_SERVER_ERROR' || code === 'TIMEOUT'
    return new IntegrationError(SERVICE, passing, code ?? error.message, cause)
  }
  if (error instanceof HttpResponseError) {
    const { code } = error.response
    if (code === 401) return new IntegrationError(SERVICE, false, 'unauthorized', cause)
    if (code === 429 || code === 430) return new IntegrationError(SERVICE, true, 'THROTTLED', cause)
    // A success that cannot be read: cut off, a gateway's page, damaged on the way.
    if (code < 300) return new IntegrationError(SERVICE, true, 'unreadable', cause)
    return new IntegrationError(SERVICE, isPassing(code), troubleOfStatus[code] ?? String(code), cause)
  }
  // Everything else means that no answer came.
  return new IntegrationError(SERVICE, true, 'unreachable', cause)
}
