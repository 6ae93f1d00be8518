import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cutAt, widthOf } from './inbox-width.ts'

describe('how wide a subject is in an inbox', () => {
  test.each([
    ['Autumn sale', 11],
    ['秋のセール', 10],
    ['ｱｷﾉｾｰﾙ', 6],
    ['【再入荷】', 10],
    ['🎉', 2],
    ['👨‍👩‍👧', 2],
    ['❤️', 2],
    ['1️⃣', 2],
    ['100%', 4],
    ['がぎぐ', 6],
    ['', 0],
  ])('%s is %i', (text, width) => expect(widthOf(text)).toBe(width))

  test('nothing is lost where it is cut, no sign is split, and what is seen fits', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(60), (text, units) => {
        const { seen, cut } = cutAt(text, units)
        expect(seen + cut).toBe(text)
        expect(widthOf(seen)).toBeLessThanOrEqual(units)
        if (cut !== '') expect(widthOf(seen)).toBeGreaterThanOrEqual(units - 1)
      }),
    ))

  test('a family of joined emoji stays whole', () => {
    expect(cutAt('秋👨‍👩‍👧', 3)).toEqual({ seen: '秋', cut: '👨‍👩‍👧' })
  })
})
