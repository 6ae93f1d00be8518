import { describe, expect, test } from 'vitest'
import { placeOf } from './link-names.ts'

describe('where a link of a report leads', () => {
  test.each([
    [
      'https://shop.example/pages/%E6%98%A5?utm_source=okaeri&utm_medium=email&utm_content=x&size=m',
      'shop.example/pages/春?size=m',
    ],
    ['https://shop.example/?utm_source=okaeri', 'shop.example'],
    ['https://shop.example/a%zz', 'shop.example/a%zz'],
    ['[unsubscribe]', '[unsubscribe]'],
  ])('%s is read as %s', (address, place) => {
    expect(placeOf(address)).toBe(place)
  })
})
