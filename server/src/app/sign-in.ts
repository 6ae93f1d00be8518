import type { Context } from '../kernel/context.ts'
import type { Identity } from '../kernel/http.ts'

/** Who an access token belongs to; null when it is not valid. Replaced by the sessions feature. */
export async function authenticate(_context: Context, _token: string): Promise<Identity | null> {
  return null
}
