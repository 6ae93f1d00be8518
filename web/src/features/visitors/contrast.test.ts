import { expect, test } from 'vitest'
import { contrastOf } from './contrast.ts'

test('black on white stands apart most, a color from itself least, and what is no color is not compared', () => {
  expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21)
  expect(contrastOf('#777777', '#FFFFFF')).toBeCloseTo(4.48, 2)
  expect(contrastOf('#b3261e', '#b3261e')).toBe(1)
  expect([contrastOf('', '#ffffff'), contrastOf('red', '#ffffff')]).toEqual([null, null])
})
