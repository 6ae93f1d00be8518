import { ADDRESS } from './address.ts'
import { shopify } from './platform.ts'

/** What an answer that was not 2xx says (contract: ErrorBody). `status` 0: there was none. */
export interface CallError {
  status: number
  reason: string
  fields: Record<string, string>
}

export interface Entered {
  /** Null: no customer is signed in. */
  token: { access_token: string } | null
  parts: { birthday: boolean; consent: boolean }
  /** The merchant's own words. */
  texts: Record<string, { ja: string; en: string }>
}

type Method = 'GET' | 'POST' | 'PUT'
/** A call that was not answered for so long has failed, and what was entered can be sent again. */
const LATE_MS = 30_000

async function ask<T>(method: Method, path: string, token: string, body?: unknown): Promise<T> {
  let answer: Response
  let json: unknown
  try {
    answer = await fetch(`${ADDRESS}/frontend/extension${path}`, {
      method,
      signal: AbortSignal.timeout(LATE_MS),
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    json = await answer.json()
  } catch {
    throw { status: 0, reason: 'network', fields: {} } satisfies CallError
  }
  if (answer.ok) return json as T
  const { reason = 'internal', fields = {} } = (json as { error?: Partial<CallError> } | null)?.error ?? {}
  throw { status: answer.status, reason, fields } satisfies CallError
}

const KEPT = 'okaeri'
interface Kept {
  jti: string
  entered: Entered
}
/** When the other block on the page should have its answer. */
const LOOKED_AFTER_MS = [0, 300, 900, 2700]

/**
 * A session token is good once, and the platform gives every block on a page the same one: the block that comes second takes what the first one got.
 */
async function enter(): Promise<Entered> {
  const sessionToken = await shopify.sessionToken.get()
  const jti = numberOf(sessionToken)
  try {
    const { extension } = await ask<{ extension: Entered }>('POST', '/token', sessionToken)
    await shopify.storage.write(KEPT, { jti, entered: extension } satisfies Kept)
    return extension
  } catch (error) {
    if ((error as CallError).reason !== 'session_token_used') throw error
    for (const ms of LOOKED_AFTER_MS) {
      await new Promise((resolve) => setTimeout(resolve, ms))
      const kept = await shopify.storage.read<Kept>(KEPT)
      if (kept?.jti === jti) return kept.entered
    }
    throw error
  }
}

/** Of a token, which the server checks; here it only tells one from another. */
function numberOf(token: string): string {
  const [, body = ''] = token.split('.')
  return (JSON.parse(atob(body.replace(/-/g, '+').replace(/_/g, '/'))) as { jti: string }).jti
}

export interface Calls {
  entered: Entered
  call<T>(method: Method, path: string, body?: unknown): Promise<T>
}

/** Null: no one is signed in. Throws a {@link CallError}. */
export async function openCalls(): Promise<Calls | null> {
  let entered = await enter()
  if (entered.token === null) return null
  return {
    entered,
    async call<T>(method: Method, path: string, body?: unknown) {
      const once = () => ask<T>(method, path, entered.token?.access_token ?? '', body)
      try {
        return await once()
      } catch (error) {
        // The page was open for longer than the token lives.
        if ((error as CallError).reason !== 'token_invalid') throw error
        entered = await enter()
        return once()
      }
    },
  }
}
