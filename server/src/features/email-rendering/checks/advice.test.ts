import { expect, test } from 'vitest'
import { adviceOn, contrastOf, exclamationsIn, isShouted, unreadableIn } from './advice.ts'
import { pastDatesIn } from '../data/dates-in-text.ts'
import { linkMarker } from '../parts.ts'
import { unguardedFields } from './unguarded-fields.ts'

/** A Thursday. */
const DAY = '2026-11-26'
const past = (text: string) => pastDatesIn(text, DAY).map((date) => date.text)

test.each([
  ['セールは2026年11月3日まで', ['2026年11月3日']],
  ['11月3日(火)より開催', ['11月3日']],
  ['11/3(火)まで', ['11/3']],
  ['2026/11/03 発売', ['2026/11/03']],
  ['2026-11-25まで', ['2026-11-25']],
  ['Ends November 3, 2026', ['November 3, 2026']],
  ['Ends Nov. 3', ['Nov. 3']],
  ['Until 3 November 2026', ['3 November 2026']],
  ['昨年のご案内: 2025年11月3日まで', ['2025年11月3日']],
])('A date that is over when the mail leaves is found: %s', (text, found) => {
  expect(past(text)).toEqual(found)
})

test.each([
  '2026年11月26日まで',
  '2026年12月3日まで',
  '1月3日まで',
  '12/24(木)まで',
  '創業1923年4月1日',
  '2003年4月1日設立',
  '当店は2026年4月1日に創立しました',
  '2026年11月3日に新店をオープンしました',
  '毎年11月3日は文化の日',
  '営業時間 10:00-18:00、24/7、1/2カップ、サイズ 9/10',
  '11月3日〜30日',
  '11月3日(火)から11月30日(月)まで',
  'November 3 – November 30',
  'Established May 3, 2026',
  '{{ coupon.expires_at | default: "2026年11月3日" }}まで',
  '第11月3日目',
  '99年99月99日',
  '03-1234-5678',
  '2026.11.3.4',
])('What is no date, is still to come, or is meant to be past is not: %s', (text) => {
  expect(past(text)).toEqual([])
})

test.each([
  ['BIG WINTER SALE NOW', true],
  ['ＢＩＧ ＷＩＮＴＥＲ ＳＡＬＥ', true],
  ['{{ customer.first_name }}, BIG WINTER SALE', true],
  ['SALE', false],
  ['Big winter sale', false],
  ['WINTER SALE開催中のお知らせ', false],
  ['', false],
])('A subject in capitals: %s', (subject, shouted) => {
  expect(isShouted(subject)).toBe(shouted)
})

test.each([
  ['本日最終日！！！', 3],
  ['Last day!', 1],
  ['‼本日', 2],
  ['{{ "!!!" }}', 0],
])('Exclamation marks of a subject: %s', (subject, count) => {
  expect(exclamationsIn(subject)).toBe(count)
})

test.each([
  ['①㈱髙﨑ⅣΩ😀', []],
  ['\uE63E晴れ', ['\uE63E']],
  ['文字\uFFFDけ', ['\uFFFD']],
  [`a${linkMarker(12)}b`, []],
])('Signs that no two devices show alike: %s', (text, found) => {
  expect(unreadableIn(text)).toEqual(found)
})

const advice = (content: string, text: string) =>
  adviceOn({ subject: 'Hello', preheader: '', content, text, day: DAY }).map(
    ({ code, detail, line }) => `${code} ${detail ?? ''} ${line ?? ''}`,
  )
const LONG = 'A text that says with words what the picture shows. '.repeat(5)

test('A picture with hardly a text beside it is found, the footer that every mail has left aside', () => {
  const footer = '{{ store.postal_address }} 東京都渋谷区一丁目二番三号\nTo unsubscribe from all of these mails: x'
  expect(advice('<img src="https://x.test/a.png" alt="a">', footer)).toEqual(['mostly_picture  '])
  expect(advice('<img src="https://x.test/a.png" alt="a" width="80">', footer)).toEqual([])
  expect(advice('<img src="https://x.test/a.png" alt="a">', LONG)).toEqual([])
})

test('A picture without an address is found with its line; one whose address a tag says is not', () => {
  expect(advice('<p>1</p>\n<img src="" alt="">', LONG)).toEqual(['picture_missing  2'])
  expect(advice('<img src="{{ event.product_image_url }}" alt="">', LONG)).toEqual([])
})

test.each([
  ['<p style="color:#222">a</p>', ['dark_mode_contrast #222 1']],
  ['<body style="background-color:#fff">\n<p style="color:#222">a</p>', []],
  ['<p style="color:#fff;background:#eee">a</p>', ['low_contrast #fff / #eee 1']],
  ['<td bgcolor="#1d5c4d" style="color:#ffffff">a</td>', []],
  ['<p style="color:{{ x }}">a</p>', []],
  ['<p style="color:var(--a)">a</p>', []],
])('Contrast: %s', (content, found) => {
  expect(advice(content, LONG)).toEqual(found)
})

test('Contrast is what WCAG says', () => {
  expect(contrastOf('#000', 'rgb(255, 255, 255)')).toBeCloseTo(21)
  expect(contrastOf('teal', '#fff')).toBeNull()
})

test.each([
  ['{{ customer.last_name }} {{customer.phone}}', ['last_name', 'phone']],
  ['{{ customer.last_name | default: "x" }}', []],
  ['{% if customer.last_name != "" %}{{ customer.last_name }}{% endif %}', []],
  ['{{ customer.metafields.shop.size | upcase }}', ['metafields.shop.size']],
  ['{{ store.name }}', []],
])('Fields that nothing replaces where they are empty: %s', (template, fields) => {
  expect(unguardedFields([template])).toEqual(fields)
})

test('a mail made of fields and conditions alone is looked at as fast as any', () => {
  const some = Array.from({ length: 12_000 }, (_, at) => `{{ customer.a${at} }}{% if customer.b${at} %}{% endif %}`)
  const begun = process.cpuUsage()
  expect(unguardedFields([some.join('')])).toHaveLength(12_000)
  const { user, system } = process.cpuUsage(begun)
  // Each field looked for in each condition would take half a minute; the generous limit is for slow machines.
  expect((user + system) / 1000).toBeLessThan(3_000)
})
