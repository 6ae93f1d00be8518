import { type LinePlatform, nowMs } from './platform.ts'

/** So many calls in so long; a token bucket that is as large as it is filled in that time. */
export interface Rate {
  times: number
  perMs: number
}
export const hourly = (times: number): Rate => ({ times, perMs: 3_600_000 })
export const perSecond = (times: number): Rate => ({ times, perMs: 1000 })
export const perMinute = (times: number): Rate => ({ times, perMs: 60_000 })

/** A bucket for each account and endpoint, filled by the sandbox's clock. Returns whether the call may go on. */
export function createBuckets(platform: LinePlatform): (accountId: number, endpoint: string, rate: Rate) => boolean {
  const buckets = new Map<string, { left: number; atMs: number }>()
  return (accountId, endpoint, { times, perMs }) => {
    const key = `${accountId} ${endpoint}`
    const now = nowMs(platform)
    const bucket = buckets.get(key) ?? { left: times, atMs: now }
    const left = Math.min(times, bucket.left + ((now - bucket.atMs) / perMs) * times)
    buckets.set(key, { left: left >= 1 ? left - 1 : left, atMs: now })
    return left >= 1
  }
}
