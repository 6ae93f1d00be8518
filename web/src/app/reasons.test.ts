import { ApiError } from '@okaeri/contract/client'
import { expect, test } from 'vitest'
import { errorText } from './reasons.ts'

const limited = (retryAfterMs: number | null) =>
  new ApiError(429, 'rate_limited', 'rate_limited', 'too many attempts', {}, retryAfterMs)

test('after too many tries the text says how long to wait, if the server says so', () => {
  expect(errorText(limited(30_000), 'ja')).toContain('30秒ほど')
  expect(errorText(limited(29_001), 'en')).toContain('about 30 seconds')
  expect(errorText(limited(15 * 60_000), 'ja')).toContain('15分ほど')
  expect(errorText(limited(20 * 3_600_000), 'en')).toContain('20 hours')
  expect(errorText(limited(null), 'en')).toBe('Too many attempts. Please try again after a while.')
})
