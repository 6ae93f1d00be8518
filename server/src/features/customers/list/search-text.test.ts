import { expect, test } from 'vitest'
import { foldText } from '../../../kernel/folding.ts'
import { displayNameOf } from '../derived-fields.ts'
import { searchTextOf, searchWords } from './search-text.ts'

const person = {
  firstName: '花子',
  lastName: '山田',
  email: 'Hanako@Example.com',
  phone: '+81 90-1234-5678',
  tags: ['VIP 会員', '店頭'],
}
const finds = (query: string, given = person): boolean =>
  searchWords(query).every((word) => ` ${searchTextOf(given)}`.includes(` ${word}`))

test('full width, half-width katakana, katakana and letter case make no difference', () => {
  expect(foldText('ＡＢＣ　ﾔﾏﾀﾞ ヤマダ やまだ ＹａＭａＤａ')).toBe('abc やまだ やまだ やまだ yamada')
  expect(foldText('ヴァイオリン ㍿')).toBe('ゔぁいおりん 株式会社')
})

test('a customer is found by name in either order, with or without a space, by mail and by phone in any form', () => {
  for (const query of [
    '山田花子',
    '山田 花子',
    '花子　山田',
    'HANAKO@',
    '090-1234-5678',
    '+81 90 1234',
    '０９０１２３４',
  ])
    expect(finds(query), query).toBe(true)
  expect(finds('山田太郎')).toBe(false)
  expect(finds('070-1234')).toBe(false)
  expect(finds('やまだ', { ...person, lastName: 'ヤマダ' })).toBe(true)
})

test('the last digits of a phone, the domain of a mail and each word of a tag find a customer; the inside of a word does not', () => {
  for (const query of ['5678', 'example.com', 'ｖｉｐ', '会員', 'vip会員', '#店頭'])
    expect(finds(query), query).toBe(true)
  expect(finds('anako')).toBe(false)
})

test('direction marks and half surrogate pairs are ignored', () => {
  expect(finds('\u202e山田\u2069')).toBe(true)
  expect(searchTextOf({ ...person, firstName: 'a\ud800' })).not.toMatch(/[\ud800-\udfff]/)
})

test('however long and many the words, the text fits the index', () => {
  const text = searchTextOf({
    ...person,
    firstName: 'あ'.repeat(5000),
    tags: Array.from({ length: 250 }, (_, n) => `${n}`.repeat(255)),
  })
  expect(text.length).toBeLessThanOrEqual(80_000)
  for (const word of text.split(' ')) expect(Buffer.byteLength(word)).toBeLessThan(1000)
})

test('percent signs and backslashes are letters like others', () => {
  expect(finds('%')).toBe(false)
  expect(finds('100%', { ...person, firstName: '100%' })).toBe(true)
})

test('names are in the order of their language', () => {
  const name = { email: 'x@example.com', phone: null, language: null }
  expect(displayNameOf({ ...name, firstName: '花子', lastName: '山田' })).toBe('山田 花子')
  expect(displayNameOf({ ...name, firstName: 'Hanako', lastName: 'Yamada', language: 'ja' })).toBe('Yamada Hanako')
  expect(displayNameOf({ ...name, firstName: 'Emma', lastName: 'Stone', language: 'en' })).toBe('Emma Stone')
  expect(displayNameOf({ ...name, firstName: null, lastName: ' ' })).toBe('x@example.com')
  expect(displayNameOf({ ...name, firstName: '\u200b\u3164', lastName: '\u202e' })).toBe('x@example.com')
})
