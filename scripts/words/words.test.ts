import { describe, expect, test } from 'vitest'
import { findingsOf, retiredWords } from './rules.ts'
import { textsOf } from './texts.ts'

const read = (source: string) =>
  textsOf('page.tsx', source).map(({ language, key, text }) => [language, key, text] as const)

describe('the texts of a file', () => {
  test('stand in trees of words, each with its key and its values', () => {
    const source = [
      'export const words = { ask: { title: { ja: `「${name}」を削除しますか？`, en: `Delete “${name}”?` } } }',
      "const names = { languages: { ja: { ja: '日本語', en: 'Japanese' } }, n: { ja: '件', en: { one: 'item', other: 'items' } } }",
    ]
    expect(read(source.join('\n'))).toEqual([
      ['ja', 'ask.title', '「{{name}}」を削除しますか？'],
      ['en', 'ask.title', 'Delete “{{name}}”?'],
      ['ja', 'names.languages.ja', '日本語'],
      ['en', 'names.languages.ja', 'Japanese'],
      ['ja', 'names.n', '件'],
      ['en', 'names.n.one', 'item'],
      ['en', 'names.n.other', 'items'],
    ])
  })

  test('and beside their language, behind a question for it, and after one that leaves', () => {
    const source = [
      "const kind = { name_ja: '待つ', name_en: 'Wait', suffixJa: '日', suffixEn: 'days', value: 'days' }",
      "const say = (language) => language === 'ja' ? '送る' : language === 'fr' ? 'envoyer' : 'send'",
      "function tell(ja) { if (ja) return '起きた'; const text = 'It happened'; return text }",
    ]
    expect(read(source.join('\n')).map(([language, , text]) => [language, text])).toEqual([
      ['ja', '待つ'],
      ['en', 'Wait'],
      ['ja', '日'],
      ['en', 'days'],
      ['ja', '送る'],
      ['en', 'envoyer'],
      ['en', 'send'],
      ['ja', '起きた'],
      ['en', 'It happened'],
    ])
  })

  test('are not what programs read: codes compared, types, imports, keys, SQL', () => {
    const source = [
      "import { x } from 'somewhere'",
      "type Status = 'draft' | 'sent'",
      "const of = { en: status === 'left out' ? 'Skipped' : rows['left out'] }",
      "const query = sql`select '配信'`",
    ]
    expect(read(source.join('\n'))).toEqual([['en', 'of', 'Skipped']])
  })

  test('Japanese in no pair of languages stands alone', () => {
    const texts = textsOf('page.ts', "const of = { ja: '送る', en: 'Send' }; const title = '件名'; const nameJa = '名'")
    expect(texts.map(({ text, isAlone }) => [text, isAlone])).toEqual([
      ['送る', false],
      ['Send', false],
      ['件名', true],
      ['名', false],
    ])
  })

  test('a file that cannot be read is an error, not a file without texts', () => {
    expect(() => textsOf('page.ts', 'const a = {')).toThrow('page.ts')
  })
})

const retired = retiredWords(`
# Glossary
## Words of the pages

| thing | 日本語 | not | English | not |
|---|---|---|---|---|
| send | 配信 | 送信 (fine: テスト送信、送信者) | send | |
| skipped | 配信対象外 | 見送り | Skipped | left out、leave out |
| create | …を作成 | | Create … | New segment |

| turn of phrase we do not use | but |
|---|---|
| by itself | automatically |
| 下さい | ください |

## Avoided
| user | member |
`)

test('the tables say which word is not said in which language, and what is said instead', () => {
  expect(retired.map(({ language, word, better }) => `${language} ${word} → ${better}`)).toEqual([
    'ja 送信 → 配信',
    'ja 見送り → 配信対象外',
    'en left out → Skipped',
    'en leave out → Skipped',
    'en New segment → Create …',
    'en by itself → automatically',
    'ja 下さい → ください',
  ])
})

const wordsFound = (language: 'ja' | 'en', text: string) =>
  findingsOf({ language, text }, retired).map(({ word }) => word)

test.each([
  ['ja', '3件を見送りました', ['見送り']],
  ['ja', '送信待ちの2件', ['送信']],
  ['ja', 'テスト送信の送信者', []],
  ['ja', 'テスト送信の後に送信', ['送信']],
  ['en', 'Who is left  out', ['left  out', '  ']],
  ['en', 'Left out by itself', ['Left out', 'by itself']],
  ['en', 'The cleft outcome', []],
  ['en', 'A new segment with the same conditions', []],
  ['en', 'New segment', ['New segment']],
  ['en', '{{left out}}', []],
] as const)('a word that is not said is found, in %s: %s', (language, text, found) => {
  expect(wordsFound(language, text).toSorted()).toEqual([...found].toSorted())
})

test.each([
  ['ja', 'The email was not sent yet', true],
  ['ja', 'UTF-16 LE', false],
  ['ja', '住所(一行)', true],
  ['ja', '住所（一行）', false],
  ['ja', '件名,本文', true],
  ['ja', '保存しました。次に進みます', true],
  ['ja', '保存しました。次に進みますか？', false],
  ['ja', '“冬の便り”', true],
  ['ja', '￥100', true],
  ['en', 'Order 注文', true],
  ['en', 'Name：', true],
  ['en', "It's here", true],
  ['en', 'It’s here', false],
  ['en', 'A quote (") is never closed', false],
  ['en', 'Loading...', true],
  ['en', 'Kept for {count} days', true],
  ['en', 'Kept for {{count}} days', false],
  ['en', 'Saved. Reload the page', true],
  ['en', 'Saved. Reload the page.', false],
  ['en', 'e.g. New arrivals', false],
  ['en', 'No. Seven', false],
  ['en', 'Two  spaces', true],
] as const)('manners of writing, in %s: %s', (language, text, offends) => {
  expect(wordsFound(language, text).length > 0).toBe(offends)
})
