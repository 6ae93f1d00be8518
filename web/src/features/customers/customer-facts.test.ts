import { expect, test } from 'vitest'
import { addressLines, birthdayText } from './customer-facts.ts'

test('a birthday is the same day everywhere, and has no year where none is known', () => {
  expect(birthdayText('1988-07-15', 'ja')).toBe('1988年7月15日')
  expect(birthdayText('1988-07-15', 'en')).toBe('July 15, 1988')
  expect(birthdayText('1004-02-29', 'ja')).toBe('2月29日')
})

test('a Japanese address goes from the large to the small, others the western way', () => {
  const address = {
    zip: '1500001',
    country: 'JP',
    province: '東京都',
    city: '渋谷区',
    address1: '神宮前1-2-3',
    address2: 'ハイツ401',
    company: null,
    phone: null,
  }
  expect(addressLines(address)).toEqual(['〒150-0001', '東京都渋谷区神宮前1-2-3', 'ハイツ401'])
  expect(
    addressLines({ ...address, country: 'US', province: 'NY', city: 'New York', address1: '1 Main St', zip: '10001' }),
  ).toEqual(['1 Main St', 'ハイツ401', 'New York, NY, 10001', 'US'])
  expect(addressLines({ ...address, province: 'Tōkyō', address2: null })).toEqual([
    '〒150-0001',
    '東京都渋谷区神宮前1-2-3',
  ])
  expect(addressLines(null)).toEqual([])
})
