import { expect, it } from 'vitest'
import { roughWidth } from './card-text.ts'

it('Japanese is as wide as its number of characters; Latin letters are narrower', () => {
  expect(roughWidth('クーポンを発行する', 13)).toBe(117)
  expect(roughWidth('', 13)).toBe(0)
  const latin = roughWidth('Issue coupon', 13)
  expect(latin).toBeGreaterThan(12 * 13 * 0.5)
  expect(latin).toBeLessThan(12 * 13 * 0.7)
  expect(roughWidth('𠮷野家', 10)).toBe(30)
})
