import type { FastifyReply, FastifyRequest } from 'fastify'
import { languageOf, type SandboxLanguage } from '../../page.ts'
import { findCustomer } from '../customers.ts'
import { type StoreScope, storePath } from '../platform.ts'
import { type CustomerRow, type Look, looks } from '../rows.ts'

/** One look at a page of the store: who looks, in which language, at which theme. */
export interface Visit {
  scope: StoreScope
  request: FastifyRequest
  reply: FastifyReply
  language: SandboxLanguage
  look: Look
  hasStrictCsp: boolean
  customer: CustomerRow | null
  t: (ja: string, en: string) => string
  /** An address within the store. */
  at: (path?: string) => string
}

const customerCookie = 'store_customer'
const lookCookie = 'store_look'
const cspCookie = 'store_csp'

export const cookieOf = (request: FastifyRequest, name: string): string | null =>
  new RegExp(`(?:^|;\\s*)${name}=([^;]*)`).exec(request.headers.cookie ?? '')?.[1] ?? null

export function setCookie(
  scope: StoreScope,
  reply: FastifyReply,
  name: string,
  value: string,
  more = '',
): FastifyReply {
  const age = value === '' ? 0 : 86_400
  return reply.header(
    'set-cookie',
    `${name}=${encodeURIComponent(value)}; Path=${storePath(scope)}; Max-Age=${age}; SameSite=Lax${more}`,
  )
}

/** The customer who is signed in in this browser. */
export function signedInCustomer(scope: StoreScope, request: FastifyRequest): CustomerRow | null {
  const id = cookieOf(request, customerCookie)
  return id === null || !/^\d{1,15}$/.test(id) ? null : findCustomer(scope, Number(id))
}

export const keepCustomer = (scope: StoreScope, reply: FastifyReply, id: number | null): FastifyReply =>
  setCookie(scope, reply, customerCookie, id === null ? '' : String(id), '; HttpOnly')

/** `?theme=light|dark` and `?csp=strict|off` win over the store's switches, and are remembered in this browser. */
export function visitOf(scope: StoreScope, request: FastifyRequest, reply: FastifyReply): Visit {
  const query = (request.query ?? {}) as Record<string, unknown>
  const remembered = (cookie: string, given: unknown, known: readonly string[]): string | null => {
    if (typeof given === 'string' && known.includes(given)) {
      setCookie(scope, reply, cookie, given)
      return given
    }
    const kept = cookieOf(request, cookie)
    return kept !== null && known.includes(kept) ? kept : null
  }
  const look = remembered(lookCookie, query.theme, looks)
  const csp = remembered(cspCookie, query.csp, ['strict', 'off'])
  const language = languageOf(request, reply)
  return {
    scope,
    request,
    reply,
    language,
    look: look === null ? scope.store.look : (look as Look),
    hasStrictCsp: csp === null ? scope.store.strict_csp === 1 : csp === 'strict',
    customer: signedInCustomer(scope, request),
    t: (ja, en) => (language === 'ja' ? ja : en),
    at: (path = '') => storePath(scope, path),
  }
}

/** The platform's words for kinds of pages. */
export type PageType =
  | 'index'
  | 'collection'
  | 'list-collections'
  | 'product'
  | 'search'
  | 'cart'
  | 'checkout'
  | 'order'
  | 'customers/account'
  | 'customers/login'
  | 'customers/register'
  | 'page'
  | 'app'
  | '404'

export interface ThemePage {
  type: PageType
  title: string
  /** Markup; what is inside has been escaped. */
  body: string
  /** On a product page: what the app's script gets about the product where no extension says it. */
  product?: { handle: string; facts: string }
}
