import { expect, test } from 'vitest'
import { newIds } from './ids.ts'

test('many ids made at once sort after earlier ones, also within a millisecond', () => {
  const made = Array.from({ length: 2000 }, (_, call) => newIds(1 + (call % 3))).flat()
  expect(new Set(made).size).toBe(made.length)
  expect(made.toSorted()).toEqual(made)
})
