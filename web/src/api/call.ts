import { ApiError, addressOf, type CallInput, createClient, refusalOf } from '@okaeri/contract/client'
import type { Endpoint, EndpointTypes } from '@okaeri/contract/endpoint'
import { refreshToken } from '@okaeri/contract/sessions/routes'
import { CURRENCY_HEADER } from '@okaeri/contract/money'
import { createRenewal } from './renewal.ts'
import { accessToken, clearTokens, keepTokens, refreshTokenKept } from './session.ts'
import { noteAnswer } from './waiting.ts'

interface AccountCurrency {
  merchantId: string
  currency: string
}
let known: AccountCurrency | null = null
/**
 * What amounts on these pages are in, as it was when the account was first seen in this tab: what was typed since then was meant in it, whatever
 * the account counts in now. Null forgets it. Returns what is known.
 */
export function noteCurrency(seen: AccountCurrency | null): string | null {
  if (seen === null || known?.merchantId !== seen.merchantId) known = seen
  return known?.currency ?? null
}

const bearer = (): Record<string, string> => {
  const token = accessToken()
  return token === null ? {} : { authorization: `Bearer ${token}` }
}
const client = createClient({
  baseUrl: '',
  headers: () => ({ ...bearer(), ...(known && { [CURRENCY_HEADER]: known.currency }) }),
})
const publicClient = createClient({ baseUrl: '' })

const LOCK = 'okaeri-session'
const renewSession = createRenewal({
  accessToken,
  refreshToken: refreshTokenKept,
  exchange: (token) => publicClient(refreshToken, { body: { refresh_token: token } }),
  keep: keepTokens,
  // Absent on plain http from another machine; there each tab renews for itself.
  alone: (work) => (navigator.locks ? navigator.locks.request(LOCK, work) : work()),
})

/** Asked when the session is over. Resolves to true when the person signed in again without leaving the page. */
type SessionOver = (call: { saving: boolean }) => Promise<boolean>
let sessionOver: SessionOver = () => Promise.resolve(false)
export function whenSessionIsOver(handler: SessionOver): void {
  sessionOver = handler
}

/** One try; on 401 one renewal and one retry (spec §7); when the session is over, a chance to sign in and a last try. */
async function withSession<T>(endpoint: Endpoint, attempt: () => Promise<T>): Promise<T> {
  const token = accessToken()
  try {
    return await attempt()
  } catch (error) {
    const refused = error instanceof ApiError && error.status === 401 && endpoint.access !== 'public'
    if (!refused || error.reason === 'wrong_current_password') throw error
    if (await renewSession(token)) return attempt()
    clearTokens()
    if (await sessionOver({ saving: endpoint.method !== 'GET' })) return attempt()
    throw new ApiError(401, 'unauthorized', 'sign_in_required', 'Exchange token failed')
  }
}

/** Calls an endpoint of the contract as the signed-in member. Throws {@link ApiError}. */
export const call = <T extends EndpointTypes>(endpoint: Endpoint<T>, input: CallInput<T>): Promise<T['outReply']> =>
  withSession(endpoint as Endpoint, async () => {
    try {
      const reply = await client(endpoint, input)
      noteAnswer(null)
      return reply
    } catch (error) {
      noteAnswer(error)
      throw error
    }
  })

/** Fetches a file endpoint (CSV) and saves it under the name the server gives, else under `fallbackName`. */
export async function download<T extends EndpointTypes>(
  endpoint: Endpoint<T>,
  input: CallInput<T>,
  fallbackName: string,
): Promise<void> {
  const response = await withSession(endpoint as Endpoint, async () => {
    const { body } = input as { body?: unknown }
    const answer = await fetch(addressOf(endpoint, input), {
      method: endpoint.method,
      headers: { ...bearer(), ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (answer.ok) return answer
    throw await refusalOf(answer)
  })
  const named = /filename\*=UTF-8''([^;]+)/i.exec(response.headers.get('content-disposition') ?? '')?.[1]
  const url = URL.createObjectURL(await response.blob())
  const link = Object.assign(document.createElement('a'), {
    href: url,
    download: named ? decodeURIComponent(named) : fallbackName,
  })
  link.click()
  URL.revokeObjectURL(url)
}
