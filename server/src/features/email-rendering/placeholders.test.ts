import { expect, test } from 'vitest'
import { placeholdersIn } from './placeholders.ts'

test.each([
  'ここに本文を書いてください。',
  'ここにメッセージを入力',
  'ここに文章が入ります',
  '件名を入力してください',
  'Enter your own headline here',
  'Add text here',
  'Your message here',
  '[Message]',
  'Lorem ipsum',
])('"%s" was left from a template', (text) => {
  expect(placeholdersIn(`前の行\n${text}\n次の行`).map(({ at }) => at)).toEqual([4])
})

test.each([
  'お問い合わせフォームに件名を入力してください。',
  'Please leave your message here: https://shop.example.com/contact',
  'Share your message here and win',
  '[Message] From our founder',
  'ここに説明が記載されています',
  'ここに日々の文章を書いています',
  'ここに商品の内容を記載しました',
])('"%s" is a shop’s own text', (text) => {
  expect(placeholdersIn(`前の行\n${text}\n次の行`)).toEqual([])
})

test('however a long text is made of blanks and beginnings, it takes one pass', () => {
  // Quadratic, each of them would take minutes.
  for (const begun of ['add', 'your', 'lorem', '\n', '本文', '[type', 'ここに'])
    for (const text of [begun + ' '.repeat(500_000), `${begun} `.repeat(100_000), begun.repeat(100_000)])
      expect(placeholdersIn(text)).toEqual([])
})
