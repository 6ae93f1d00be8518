import { expect, test } from 'vitest'
import { parseNumber } from './parsed-number.ts'

test.each([
  ['3', 3],
  ['１２，０００', 12_000],
  ['1,234.5', 1234.5],
  ['－５', -5],
  ['', null],
  ['  ', null],
  ['３回', '３回'],
  ['1e9', '1e9'],
  ['0x10', '0x10'],
  ['Infinity', 'Infinity'],
  ['--1', '--1'],
])('%j is read as %j', (typed, taken) => {
  expect(parseNumber(typed)).toBe(taken)
})
