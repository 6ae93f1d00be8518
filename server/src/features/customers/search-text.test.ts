import { expect, test } from 'vitest'
import { foldText } from '../../kernel/folding.ts'
import { displayNameOf } from './naming.ts'
import { searchTextOf, searchWords } from './search-text.ts'

const person = { firstName: '花子', lastName: '山田', email: 'Hanako@Example.com', phone: '+81 90-1234-5678' }
const finds = (query: string, given = person): boolean =>
  searchWords(query).every((word) => searchTextOf(given).includes(word))

test('full width, half-width katakana, katakana and letter case are one', () => {
  expect(foldText('ＡＢＣ　ﾔﾏﾀﾞ ヤマダ やまだ ＹａＭａＤａ')).toBe('abc やまだ やまだ やまだ yamada')
  expect(foldText('ヴァイオリン ㍿')).toBe('ゔぁいおりん 株式会社')
})

test('someone is found by name in either order, with or without a space, by mail and by phone in any form', () => {
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

test('percent signs and backslashes are letters like others', () => {
  expect(finds('%')).toBe(false)
  expect(finds('100%', { ...person, firstName: '100%' })).toBe(true)
})

test('names stand in the order of their language', () => {
  const name = { email: 'x@example.com', phone: null, language: null }
  expect(displayNameOf({ ...name, firstName: '花子', lastName: '山田' })).toBe('山田 花子')
  expect(displayNameOf({ ...name, firstName: 'Hanako', lastName: 'Yamada', language: 'ja' })).toBe('Yamada Hanako')
  expect(displayNameOf({ ...name, firstName: 'Emma', lastName: 'Stone', language: 'en' })).toBe('Emma Stone')
  expect(displayNameOf({ ...name, firstName: null, lastName: ' ' })).toBe('x@example.com')
})
