import { expect, test } from 'vitest'
import { formatsFor } from './format.ts'

const ja = formatsFor('ja', 'Asia/Tokyo')
const en = formatsFor('en', 'America/New_York')

test('a scheduled time names its zone', () => {
  expect(ja.scheduled('2026-11-20T06:30:00Z')).toBe('2026/11/20 15:30（日本標準時）')
  expect(en.scheduled('2026-11-20T06:30:00Z')).toMatch(/^Nov 20, 2026, 01:30 \(Eastern .*Time\)$/)
})

test('a calendar day is the same in every zone', () => {
  expect([ja.calendarDay('1990-04-01'), en.calendarDay('1990-04-01')]).toEqual(['1990/04/01', 'Apr 1, 1990'])
})

test('money is given in minor units', () => {
  expect(ja.money({ amount: 12800, currency: 'JPY' })).toBe('¥12,800')
  expect(en.money({ amount: 12800, currency: 'JPY' })).toBe('¥12,800')
  expect(en.money({ amount: 12800, currency: 'USD' })).toBe('$128.00')
  expect(en.money({ amount: 12800, currency: 'KWD' })).toContain('12.800')
})

test('a small amount has one more digit, and the yen sign is the same everywhere', () => {
  expect(ja.moneyEach({ amount: 6.59, currency: 'JPY' })).toBe('¥6.6')
  expect(en.moneyEach({ amount: 6.59, currency: 'USD' })).toBe('$0.066')
  expect([ja.currencySymbol('JPY'), en.currencySymbol('JPY')]).toEqual(['¥', '¥'])
})

test('figures at the axis of a chart are grouped like those next to it', () => {
  expect([ja.compact(1200), ja.number(1200)]).toEqual(['1,200', '1,200'])
  expect([ja.compact(45_000), en.compact(1200)]).toEqual(['4.5万', '1.2K'])
})

test('rates are given in percent, spans in seconds', () => {
  expect(ja.percent(12.34)).toBe('12.3%')
  expect([ja.share(460, 0), en.share(460, 0), ja.share(0, 0), ja.share(3, 12.34)]).toEqual([
    '0.1%未満',
    'under 0.1%',
    '0.0%',
    '12.3%',
  ])
  expect(en.duration(45)).toBe('45 sec')
  expect(en.duration(3900)).toBe('1 hr 5 min')
  expect([ja.duration(6), ja.duration(3900)]).toEqual(['6秒', '1時間5分'])
  expect(ja.relative('2026-11-20T06:00:00Z', Date.parse('2026-11-20T08:30:00Z'))).toBe('2時間前')
})
