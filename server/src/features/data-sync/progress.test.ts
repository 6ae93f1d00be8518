import { expect, test } from 'vitest'
import { secondsLeft, shareDone, slowExport } from './progress.ts'

const step = (status: 'waiting' | 'exporting' | 'loading' | 'done', exported = 0, loaded = 0) => ({
  status,
  exported_count: exported,
  loaded_count: loaded,
})

test('the progress of a copy is that of its steps', () => {
  expect(shareDone([step('waiting'), step('waiting'), step('waiting')])).toBe(0)
  expect(shareDone([step('done'), step('loading', 100, 50), step('waiting')])).toBeCloseTo(1.75 / 3)
  expect(shareDone([step('done'), step('done'), step('done')])).toBe(1)
})

test('an export is slow once it stands, or takes long', () => {
  const start = new Date('2026-03-01T00:00:00Z')
  const at = (minutes: number) => new Date(start.getTime() + minutes * 60_000)
  const slow = (progressedMin: number, nowMin: number, status: 'exporting' | 'loading' = 'exporting') =>
    slowExport(
      [{ kind: 'orders', status, startedAt: start, progressedAt: at(progressedMin), givenUp: false }],
      at(nowMin),
    )
  expect(slow(0, 9)).toBeNull()
  expect(slow(5, 14)).toBeNull()
  expect(slow(5, 16)).toMatchObject({ kind: 'orders', since: start.toISOString(), stands_since: at(5).toISOString() })
  expect(slow(30, 31)).toMatchObject({ stands_since: null, given_up_at: at(24 * 60).toISOString() })
  expect(slow(0, 60, 'loading')).toBeNull()
  // The clock was set back.
  expect(slow(0, -90)).toBeNull()
})

test('time left is estimated while loading, from the speed until now, but not while the store exports', () => {
  expect(secondsLeft([step('done'), step('loading', 100, 0), step('waiting')], 10_000)).toBe(10)
  expect(secondsLeft([step('done'), step('done'), step('loading', 100, 100)], 10_000)).toBe(0)
  expect(secondsLeft([step('done'), step('exporting', 70, 0), step('waiting')], 10_000)).toBeNull()
  expect(secondsLeft([step('waiting'), step('waiting'), step('waiting')], 10_000)).toBeNull()
})
