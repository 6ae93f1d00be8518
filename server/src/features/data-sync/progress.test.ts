import { expect, test } from 'vitest'
import { secondsLeft, shareDone } from './progress.ts'

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

test('time left is estimated while loading, from the speed until now, but not while the store exports', () => {
  expect(secondsLeft([step('done'), step('loading', 100, 0), step('waiting')], 10_000)).toBe(10)
  expect(secondsLeft([step('done'), step('done'), step('loading', 100, 100)], 10_000)).toBe(0)
  expect(secondsLeft([step('done'), step('exporting', 70, 0), step('waiting')], 10_000)).toBeNull()
  expect(secondsLeft([step('waiting'), step('waiting'), step('waiting')], 10_000)).toBeNull()
})
