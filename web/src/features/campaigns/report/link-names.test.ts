import { describe, expect, test } from 'vitest'
import { nameOf, placeOf } from './link-names.ts'

describe('where a link of a report leads', () => {
  test.each([
    [
      'https://shop.example/pages/%E6%98%A5?utm_source=okaeri&utm_medium=email&utm_content=x&size=m',
      'shop.example/pages/春?size=m',
    ],
    ['https://shop.example/?utm_source=okaeri', 'shop.example'],
    ['https://shop.example/a%zz', 'shop.example/a%zz'],
    ['[unsubscribe]', '[unsubscribe]'],
    ['{{ product.url }}?utm_source=okaeri&utm_medium=email', null],
  ])('%s is read as %s', (address, place) => {
    expect(placeOf(address)).toBe(place)
  })
})

test('a link that stands at several places is not called by one of them alone', () => {
  expect(nameOf(['米ぬか石鹸', '入浴剤', '米ぬか石鹸'])).toEqual({ text: '米ぬか石鹸', isOneOfMany: true, places: 3 })
  expect(nameOf(['商品を見る', '商品を見る'])).toEqual({ text: '商品を見る', isOneOfMany: false, places: 2 })
  expect(nameOf(['', 'ストアを見る'])).toMatchObject({ text: 'ストアを見る', isOneOfMany: false })
  expect(nameOf([])).toEqual({ text: '', isOneOfMany: false, places: 0 })
})
