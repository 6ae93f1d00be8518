import { expect, test } from 'vitest'
import { addressLines, birthdayText, countryCode, phoneText } from './customer-facts.ts'
import { prefectureChoices, prefectureCode, prefectureOf } from './prefectures.ts'

test('a birthday is the same day in every zone, and has no year if none is known', () => {
  expect(birthdayText('1988-07-15', 'ja')).toBe('1988年7月15日')
  expect(birthdayText('1988-07-15', 'en')).toBe('July 15, 1988')
  expect(birthdayText('1004-02-29', 'ja')).toBe('2月29日')
})

test('a Japanese phone number has the domestic form, in groups if they are certain; others stay unchanged', () => {
  expect(
    ['+819012345678', '+81 80-1234-5678', '+815012345678', '+818001234567', '+81120123456', '+81312345678'].map(
      phoneText,
    ),
  ).toEqual(['090-1234-5678', '080-1234-5678', '050-1234-5678', '0800-123-4567', '0120-123-456', '03-1234-5678'])
  expect(['+81751234567', '+81422123456'].map(phoneText)).toEqual(['075-123-4567', '0422123456'])
  for (const other of ['+14155550123', '090-1234-5678', '+810901234567', '+81', ''])
    expect(phoneText(other)).toBe(other)
})

test('a Japanese address begins with the largest part, others have the western order', () => {
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

test('a prefecture is known by its code, in Latin letters with or without marks, and in kanji', () => {
  for (const given of ['JP-13', 'Tokyo', 'Tōkyō', '東京都']) {
    expect(prefectureCode(given), given).toBe('JP-13')
    expect(prefectureOf(given), given).toBe('東京都')
  }
  expect(prefectureCode('JP-48')).toBeNull()
  expect(prefectureOf('California')).toBe('California')
  expect(prefectureChoices('ja')).toHaveLength(47)
  expect(prefectureChoices('en').at(46)).toEqual({ value: 'JP-47', label: 'Okinawa' })
})

test('a country the platform names in English has a code; one that is not offered has none', () => {
  expect(['Japan', 'JP', 'South Korea', 'Brazil', null].map(countryCode)).toEqual(['JP', 'JP', 'KR', null, null])
})
