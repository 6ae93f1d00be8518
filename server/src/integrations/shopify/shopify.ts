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

const SERVICE = 'shopify'
/** The platform answers within ten seconds or not at all. */
const TIMEOUT_MS = 30_000
/** A throttled call waits at most this long in all, then is the caller's to repeat. */
const THROTTLE_PATIENCE_MS = 60_000
const DEFAULT_THROTTLE_WAIT_MS = 1000

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
  /** New tokens for a refresh token. An error with `detail` `refused` says that the store has to be connected anew. */
  refresh(shopDomain: string, refreshToken: string): Promise<StoreGrant>
  /** Whether the platform signed this query, within 90 seconds of now. A repeated parameter makes it invalid. */
  isSignedQuery: (query: URLSearchParams) => Promise<boolean>
  /** Whether the platform signed these bytes (`X-Shopify-Hmac-Sha256`). Constant time; an empty body is never valid. */
  isSignedBody: (rawBody: Buffer, signature: string | undefined) => boolean
  /**
   * Runs an operation of operations.ts and answers its data, its texts such as can be stored. Waits when throttled, by the cost the platform tells. `detail` of the
   * error: `unauthorized` when the token is not taken, the platform's code or the HTTP status otherwise.
   */
  graphql<T>(connection: StoreConnection, operation: string, variables?: Record<string, unknown>): Promise<T>
  /** Whether the platform can be reached; throws when it cannot. */
  ping(): Promise<void>
}

export interface ShopifyOptions {
  apiKey: string
  apiSecret: string
  scopes: readonly string[]
  /** Null: the real platform. */
  sandboxUrl: string | null
}

// The SDK knows no base address: its one fetch function is given ours, and which world it reaches is said around each call.
const world = new AsyncLocalStorage<string | null>()
setAbstractFetchFunc((input, init) => {
  const url = storeAddress(String(input instanceof Request ? input.url : input), world.getStore() ?? null)
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const signal = init?.signal ? AbortSignal.any([init.signal, timeout]) : timeout
  // A redirect would carry the token to wherever it points.
  return fetch(url, { ...init, signal, redirect: 'error' })
})

/** An address of the platform, in the sandbox where there is one: `https://{shop}/{path}` becomes `{sandbox}/stores/{shop}/{path}`. */
export function storeAddress(url: string, sandboxUrl: string | null): string {
  if (!sandboxUrl) return url
  const { hostname, pathname, search } = new URL(url)
  if (!isShopDomain(hostname)) throw new IntegrationError(SERVICE, false, 'not an address of a store')
  return `${sandboxUrl}/stores/${hostname}${pathname}${search}`
}

/** The store platform with our app's credentials, real or sandbox. */
export function createShopify({ apiKey, apiSecret, scopes, sandboxUrl }: ShopifyOptions): Shopify {
  const sdk = shopifyApi({
    apiKey,
    apiSecretKey: apiSecret,
    scopes: [...scopes],
    // Asked for by the SDK for cookies and redirects of its own, which are not used.
    hostName: 'localhost',
    apiVersion: ApiVersion.July26,
    isEmbeddedApp: false,
    logger: { level: LogSeverity.Error, log: () => undefined },
  })
  const clock = createClock()
  const outside = <T>(work: () => Promise<T>): Promise<T> => world.run(sandboxUrl, work)

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
    async exchangeCode(shopDomain, code) {
      // The SDK's own callback keeps the state in a cookie of its own and would ask for it; ours is kept in the database.
      const answer = await tokenRequest(shopDomain, sandboxUrl, {
        client_id: apiKey,
        client_secret: apiSecret,
        code,
        expiring: '1',
      })
      return {
        shopDomain,
        accessToken: answer.access_token,
        scopes: answer.scope,
        expiresAt: answer.expires_in ? new Date(clock.realNow().getTime() + answer.expires_in * 1000) : null,
        refreshToken: answer.refresh_token ?? null,
      }
    },
    async refresh(shopDomain, refreshToken) {
      try {
        const { session } = await outside(() => sdk.auth.refreshToken({ shop: shopDomain, refreshToken }))
        if (!session.accessToken) throw new IntegrationError(SERVICE, true, 'no access token in the answer')
        return {
          shopDomain,
          accessToken: session.accessToken,
          scopes: session.scope ?? '',
          expiresAt: session.expires ?? null,
          refreshToken: session.refreshToken ?? null,
        }
      } catch (error) {
        const told = explain(error)
        throw isTakenAway(error) ? new IntegrationError(SERVICE, false, 'refused', { cause: error }) : told
      }
    },
    async isSignedQuery(query) {
      const keys = [...query.keys()]
      if (new Set(keys).size !== keys.length) return false
      try {
        return await sdk.utils.validateHmac(Object.fromEntries(query))
      } catch (error) {
        if (error instanceof ShopifyError) return false
        throw error
      }
    },
    isSignedBody(rawBody, signature) {
      if (rawBody.length === 0 || !signature) return false
      const expected = Buffer.from(createHmac('sha256', apiSecret).update(rawBody).digest('base64'))
      const given = Buffer.from(signature)
      return expected.length === given.length && timingSafeEqual(expected, given)
    },
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
}

async function tokenRequest(
  shopDomain: string,
  sandboxUrl: string | null,
  body: Record<string, string>,
): Promise<TokenAnswer> {
  let response: Response
  try {
    response = await fetch(storeAddress(`https://${shopDomain}/admin/oauth/access_token`, sandboxUrl), {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
  } catch (error) {
    throw new IntegrationError(SERVICE, true, 'unreachable', { cause: error })
  }
  if (!response.ok) throw new IntegrationError(SERVICE, isPassing(response.status), `HTTP ${response.status}`)
  const answer = (await response.json().catch(() => null)) as Partial<TokenAnswer> | null
  if (typeof answer?.access_token !== 'string' || typeof answer.scope !== 'string')
    throw new IntegrationError(SERVICE, true, 'no access token in the answer')
  return answer as TokenAnswer
}

/** Our own credentials being wrong is no word of the merchant's. */
const OUR_FAULTS = ['application_cannot_be_found', 'invalid_client', 'invalid_request']
function isTakenAway(error: unknown): boolean {
  if (!(error instanceof HttpResponseError) || ![400, 401, 403, 404].includes(error.response.code)) return false
  const { error: code } = (error.response.body ?? {}) as { error?: string }
  return !OUR_FAULTS.includes(code ?? '')
}

/** Whether the same request may be taken later. */
const isPassing = (status: number): boolean => status === 408 || status === 429 || status >= 500

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
  if (error instanceof HttpThrottlingError) return (error.response.retryAfter ?? 1) * 1000
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
    const passing = code === 'THROTTLED' || code === 'INTERNAL_SERVER_ERROR' || code === 'TIMEOUT'
    return new IntegrationError(SERVICE, passing, code ?? error.message, cause)
  }
  if (error instanceof HttpResponseError) {
    const { code } = error.response
    if (code === 401) return new IntegrationError(SERVICE, false, 'unauthorized', cause)
    return new IntegrationError(SERVICE, isPassing(code), String(code), cause)
  }
  // Whatever is left had no answer, or one that was no JSON (a gateway's page).
  return new IntegrationError(SERVICE, true, 'unreachable', cause)
}
