import { expect, test } from 'vitest'
import { signsIn } from './plain-sentences.ts'

const found = (text: string, file = 'a.ts') => signsIn(file, text).map(({ line, word }) => [line, word])

test('a comment with a sign of a sentence to rewrite is found, wherever it stands', () => {
  expect(found('// Nobody waits.')).toEqual([[1, 'Nobody']])
  expect(found('/**\n * Of those\n * who were told.\n */\nconst told = 1')).toEqual([[3, 'told']])
  expect(found('  {/* Whoever comes. */}')).toEqual([[1, 'Whoever']])
  expect(found('const pause = 5 // anew each time')).toEqual([[1, 'anew']])
})

test('code, texts and words in backticks are left out', () => {
  expect(found("const told = 'nobody'\nconst at = 'http://nobody.test'\n// Runs as `nobody`.")).toEqual([])
  expect(found('// nobody@example.test')).toEqual([])
})

test('the names of tests are read in tests alone', () => {
  const text = "test('nobody is lost', () => {\ntest.each(rows)('%s: anew', () => {\n  test('fine', () => {"
  expect(found(text, 'a.test.ts')).toEqual([
    [1, 'nobody'],
    [2, 'anew'],
  ])
  expect(found(text)).toEqual([])
})

test('of a document every line is read, without code in backticks and blocks of code', () => {
  const document = [
    '# Nobody waits',
    'The [rule](0001-what-is-told.md) runs as `nobody`.',
    '```sh',
    'su nobody',
    '```',
    '| whoever | comes |',
  ]
  expect(found(document.join('\n'), 'docs/a.md')).toEqual([
    [1, 'Nobody'],
    [2, 'told'],
    [6, 'whoever'],
  ])
})
