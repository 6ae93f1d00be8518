import type { FastifyReply, FastifyRequest } from 'fastify'
import { landingPath } from '../orders.ts'
import type { StoreScope } from '../platform.ts'
import { cookieOf, setCookie } from './visit.ts'

const landingCookie = 'store_landing'

/** Keeps the first address, query included, that brought the visitor here; the order carries it. */
export function rememberLanding(scope: StoreScope, request: FastifyRequest, reply: FastifyReply): void {
  const own = landingPath(scope, request.url) ?? '/'
  const fromOutside = request.headers.referer !== undefined && !request.headers.referer.startsWith(scope.publicUrl())
  const tells = /[?&](utm_|ref=|[a-z_]*(token|click|delivery|id)=)/.test(own)
  if (readLanding(request) && !tells && !fromOutside) return
  const value = JSON.stringify({ landing: own, referrer: fromOutside ? request.headers.referer : null })
  setCookie(scope, reply, landingCookie, value)
}

function readLanding(request: FastifyRequest): { landing: string; referrer: string | null } | null {
  const text = cookieOf(request, landingCookie)
  if (text === null) return null
  try {
    const { landing, referrer } = JSON.parse(decodeURIComponent(text)) as Record<string, unknown>
    if (typeof landing !== 'string') return null
    return { landing, referrer: typeof referrer === 'string' && URL.canParse(referrer) ? referrer : null }
  } catch {
    // An altered cookie counts as none.
    return null
  }
}

export function cameBy(request: FastifyRequest): { landingSite: string; referringSite: string | null } {
  const known = readLanding(request)
  return { landingSite: known?.landing ?? '/', referringSite: known?.referrer ?? null }
}
