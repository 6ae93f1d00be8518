import { ApiError } from '@okaeri/contract/client'
import { expect, test } from 'vitest'
import { retryQuery } from './queries.ts'
import { isWaiting, nextTryMs, noteAnswer, onWaitingChanged } from './waiting.ts'

const away = (retryAfterMs: number | null = 5000) =>
  new ApiError(503, 'unavailable', 'database_away', 'away', {}, retryAfterMs)
const network = new ApiError(0, 'network', 'network', 'failed to fetch')

test('pages wait from the first answer that the database is away until the first of another kind', () => {
  const changes: boolean[] = []
  const forget = onWaitingChanged(() => changes.push(isWaiting()))
  for (const answer of [null, away(), away(), network, null, null, new ApiError(404, 'not_found', 'not_found', 'gone')])
    noteAnswer(answer)
  forget()
  expect(changes).toEqual([true, false])
})

test('what was asked while the database is away is asked again for as long as it takes, when the server says', () => {
  expect(retryQuery(1000, away())).toBe(true)
  for (const error of [away(5000), away(null)]) {
    expect(nextTryMs(error)).toBeGreaterThanOrEqual(5000)
    expect(nextTryMs(error)).toBeLessThanOrEqual(7500)
  }
})

test('other failures are tried twice more, refusals not at all', () => {
  const busy = new ApiError(503, 'unavailable', 'database_busy', 'busy', {}, 5000)
  expect([0, 1, 2].map((failures) => retryQuery(failures, busy))).toEqual([true, true, false])
  expect(retryQuery(0, new ApiError(403, 'forbidden', 'role_forbids', 'no'))).toBe(false)
})
