import { ApiError } from '@okaeri/contract/client'

export interface RenewalParts {
  accessToken: () => string | null
  refreshToken: () => string | null
  /** Exchanges the refresh token; throws ApiError. */
  exchange: (refreshToken: string) => Promise<{ access_token: string; refresh_token: string }>
  keep: (tokens: { access_token: string; refresh_token: string }) => void
  /** Runs one at a time over all tabs. */
  alone: <T>(work: () => Promise<T>) => Promise<T>
}

/**
 * One renewal of the session for all callers and all tabs. The function answers true when there is a newer access token than
 * the one that was refused, false when the session is over; a network failure is thrown, since it says nothing about the session.
 */
export function createRenewal(parts: RenewalParts): (refusedToken: string | null) => Promise<boolean> {
  let running: Promise<boolean> | null = null

  async function renew(refusedToken: string | null): Promise<boolean> {
    // While we waited for the lock another tab may have renewed: a used refresh token must not be sent twice.
    const current = parts.accessToken()
    if (current !== null && current !== refusedToken) return true
    const refreshToken = parts.refreshToken()
    if (refreshToken === null) return false
    try {
      parts.keep(await parts.exchange(refreshToken))
      return true
    } catch (error) {
      if (error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429) return false
      throw error
    }
  }

  return (refusedToken) => {
    running ??= parts
      .alone(() => renew(refusedToken))
      .finally(() => {
        running = null
      })
    return running
  }
}
