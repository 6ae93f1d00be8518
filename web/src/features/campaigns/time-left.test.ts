import { expect, test } from 'vitest'
import { secondsLeft } from './time-left.ts'

test('the rest takes as long as the speed of the samples says', () => {
  const samples = [
    { at: 0, done: 0 },
    { at: 4000, done: 100 },
    { at: 10_000, done: 500 },
  ]
  expect(secondsLeft(samples, 1000)).toBe(20)
})

test('nothing is promised without a speed', () => {
  expect(secondsLeft([], 1000)).toBeNull()
  expect(secondsLeft([{ at: 0, done: 10 }], 1000)).toBeNull()
  const tooShort = [
    { at: 0, done: 0 },
    { at: 1000, done: 50 },
  ]
  const atRest = [
    { at: 0, done: 50 },
    { at: 20_000, done: 50 },
  ]
  expect(secondsLeft(tooShort, 1000)).toBeNull()
  expect(secondsLeft(atRest, 1000)).toBeNull()
})
