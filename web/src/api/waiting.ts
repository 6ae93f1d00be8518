import { ApiError } from '@okaeri/contract/client'

/** Where the server does not say when. */
const RETRY_AFTER_MS = 5000

/** The server is there, its database is not: what was asked is asked again until it is. */
export const waitsForDatabase = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status === 503 && error.reason === 'database_away'

/** Later by up to half: not all pages that wait ask at once. */
export const nextTryMs = (error: ApiError): number => (error.retryAfterMs ?? RETRY_AFTER_MS) * (1 + Math.random() / 2)

let waiting = false
const listeners = new Set<() => void>()

/** Every answer says whether the server still waits for its database; no answer at all says nothing. */
export function noteAnswer(error: unknown): void {
  if (error !== null && !(error instanceof ApiError && error.status > 0)) return
  const now = waitsForDatabase(error)
  if (now === waiting) return
  waiting = now
  for (const tell of listeners) tell()
}

export const isWaiting = (): boolean => waiting
export function onWaitingChanged(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
