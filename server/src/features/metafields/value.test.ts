import { isDay, readBirthday } from '@okaeri/contract/metafields/birthday'
import { splitMetafieldKey } from '@okaeri/contract/metafields/metafield'
import { metafieldText } from '@okaeri/contract/metafields/text'
import { isListType, memberTypeOf, metafieldTypeName, metafieldTypes } from '@okaeri/contract/metafields/value-type'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readValue } from './value.ts'

const TODAY = '2026-11-20'
const type = fc.constantFrom(...metafieldTypes)

test('reading any value gives a result that can be stored, and never throws', () => {
  fc.assert(
    fc.property(type, fc.oneof(fc.string({ unit: 'binary' }), fc.json(), fc.double().map(String)), (type, value) => {
      const read = readValue(type, value.toWellFormed())
      expect(read.texts.every((text) => text.isWellFormed() && text.length <= 140_000)).toBe(true)
      if (read.number !== null) expect(read.number).toMatch(/^-?\d{1,18}(\.\d{1,18})?$/)
      if (read.at !== null) expect(new Date(read.at).toISOString()).toBe(read.at)
      if (!read.readable) expect(read).toMatchObject({ number: null, at: null })
      expect(typeof metafieldText(type, value, 'ja')).toBe('string')
    }),
    { numRuns: 2000 },
  )
})

test('numbers are read as they are written, to the last digit', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 18n) + 1n, max: 10n ** 18n - 1n }), (number) => {
      expect(readValue('number_integer', String(number)).number).toBe(String(number))
      const money = JSON.stringify({ amount: `${number}.5`, currency_code: 'JPY' })
      expect(readValue('money', money)).toMatchObject({ number: `${number}.5`, readable: true })
      const rating = JSON.stringify({ value: String(number), scale_min: '1.0', scale_max: '5.0' })
      expect(readValue('rating', rating).number).toBe(String(number))
    }),
  )
})

test('every day is read as its first instant, and in each format as the same birthday', () => {
  fc.assert(
    fc.property(
      fc
        .date({ min: new Date('1900-01-01'), max: new Date('2026-11-19'), noInvalidDate: true })
        .map((at) => at.toISOString().slice(0, 10)),
      (day) => {
        expect(isDay(day)).toBe(true)
        expect(readValue('date', day)).toEqual({
          number: null,
          at: `${day}T00:00:00.000Z`,
          texts: [day],
          readable: true,
        })
        const [year = '', month = '', date = ''] = day.split('-')
        const [m, d] = [Number(month), Number(date)]
        const whole = [
          day,
          `${year}/${month}/${date}`,
          `${year}/${m}/${d}`,
          `${year}.${m}.${d}`,
          `${year}年${m}月${d}日`,
          `${year}${month}${date}`,
        ]
        for (const spelling of [
          ...whole,
          ` ${day} `,
          `${day}T00:00:00Z`,
          day.replace(/\d/g, (digit) => '０１２３４５６７８９'[Number(digit)] ?? ''),
        ])
          expect(readBirthday(spelling, TODAY), spelling).toBe(day)
        for (const spelling of [`${month}-${date}`, `${m}/${d}`, `${m}月${d}日`, `--${month}-${date}`])
          expect(readBirthday(spelling, TODAY), spelling).toBe(`1004-${month}-${date}`)
      },
    ),
  )
})

test.each([
  '1990-02-30',
  '1990-13-01',
  '25/12/1990',
  '12/31/1990',
  '2027-01-01',
  '1899-12-31',
  '0000-00-00',
  '02-30',
  '13-01',
  'unknown',
  '',
  '昭和55年4月1日',
  '1990-04-01'.repeat(10),
])('"%s" is not a birthday', (text) => {
  expect(readBirthday(text, TODAY)).toBeNull()
})

test('29 February is a birthday without a year', () => {
  expect(readBirthday('2/29', TODAY)).toBe('1004-02-29')
  expect(readBirthday('1991-02-29', TODAY)).toBeNull()
})

describe('values by the platform’s rules', () => {
  test.each([
    ['boolean', 'true', { number: '1' }],
    ['boolean', 'false', { number: '0' }],
    ['number_decimal', '-12.50', { number: '-12.50' }],
    ['money', '{"amount":"5.99","currency_code":"USD"}', { number: '5.99', texts: ['$5.99'] }],
    ['rating', '{"value":"3.5","scale_min":"1.0","scale_max":"5.0"}', { number: '3.5' }],
    ['dimension', '{"value":25.0,"unit":"cm"}', { number: '25' }],
    ['dimension', '{"value":1,"unit":"INCHES"}', { number: '2.54' }],
    ['weight', '{"value":2.5,"unit":"kg"}', { number: '2500' }],
    ['volume', '{"value":0.35,"unit":"l"}', { number: '350' }],
    ['date_time', '2026-04-01T10:00:00+09:00', { at: '2026-04-01T01:00:00.000Z' }],
    ['date_time', '2026-04-01T10:00:00', { at: '2026-04-01T10:00:00.000Z' }],
    ['list.single_line_text_field', '["ワイン","ﾜｲﾝ","お茶"]', { texts: ['わいん', 'お茶'] }],
    ['list.number_integer', '[1,2]', { texts: ['1', '2'] }],
    ['list.date', '["2026-04-01"]', { texts: ['2026-04-01'] }],
    ['single_line_text_field', ' ＶＩＰ ', { texts: ['vip'] }],
    ['json', '{"a":[1]}', {}],
    ['product_reference', 'gid://shopify/Product/1', { texts: ['gid://shopify/product/1'] }],
    [
      'rich_text_field',
      '{"type":"root","children":[{"type":"paragraph","children":[{"type":"text","value":"こんにちは"}]}]}',
      { texts: ['こんにちは'] },
    ],
  ] as const)('%s %s', (type, value, expected) => {
    expect(readValue(type, value)).toMatchObject({ readable: true, ...expected })
  })

  test.each([
    ['number_integer', '12.5'],
    ['number_integer', '１２'],
    ['number_decimal', '1e9'],
    ['number_decimal', ''],
    ['boolean', 'yes'],
    ['date', '1990/04/01'],
    ['date', '1990-02-30'],
    ['date_time', 'tomorrow'],
    ['money', '1200'],
    ['money', '{"amount":"x","currency_code":"JPY"}'],
    ['dimension', '{"value":25,"unit":"parsec"}'],
    ['dimension', '{"value":25,"unit":"constructor"}'],
    ['list.number_integer', '[1,"two"]'],
    ['list.single_line_text_field', 'not a list'],
    ['json', '{broken'],
  ] as const)('%s "%s" is kept as text', (type, value) => {
    expect(readValue(type, value)).toEqual({ number: null, at: null, texts: [expect.any(String)], readable: false })
  })
})

test('every type of the platform has a name in both languages, and lists name their members', () => {
  for (const type of metafieldTypes) {
    expect(metafieldTypeName(type, 'ja')).not.toBe('')
    expect(metafieldTypeName(type, 'en')).not.toBe('')
    if (isListType(type)) expect(`list.${memberTypeOf(type)}`).toBe(type)
  }
})

test('a key is a namespace and a key of letters, digits, underscores and hyphens', () => {
  for (const key of ['facts.birth_date', 'app--12--x.a-b', 'A.b', '1.2'])
    expect(splitMetafieldKey(key), key).not.toBeNull()
  for (const key of [
    '',
    'facts',
    '.',
    'a.',
    '.b',
    'a.b.c',
    'a b.c',
    'ファクト.誕生日',
    'a.b\n',
    'a.b;',
    "a.b'",
    'a.b"',
    'a.ｂ',
    `a.${'b'.repeat(65)}`,
  ])
    expect(splitMetafieldKey(key), JSON.stringify(key)).toBeNull()
})

test('an amount in yen is written with the same sign in both languages', () => {
  const yen = '{"amount":"1980","currency_code":"JPY"}'
  expect([metafieldText('money', yen, 'ja'), metafieldText('money', yen, 'en')]).toEqual(['¥1,980', '¥1,980'])
})
