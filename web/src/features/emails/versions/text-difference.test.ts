import fc from 'fast-check'
import { expect, test } from 'vitest'
import { differenceOf, type Line, withGaps } from './text-difference.ts'

const said = (lines: readonly Line[], ...kinds: Line['kind'][]): string =>
  lines
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ pieces }) => pieces.map(({ text }) => text).join(''))
    .join('\n')

test('each side is what it was: nothing is lost and nothing is made up', () => {
  const text = fc.array(fc.constantFrom('春', '夏の新作', 'new', '', '<p>', '価格 1,000円'), { maxLength: 12 })
  fc.assert(
    fc.property(text, text, (before, now) => {
      const lines = differenceOf(before.join('\n'), now.join('\n'))
      expect(said(lines, 'same', 'removed')).toBe(before.join('\n'))
      expect(said(lines, 'same', 'added')).toBe(now.join('\n'))
    }),
  )
})

test('of a line in which a word changed, that word is marked', () => {
  expect(differenceOf('New bowls are here', 'New plates are here')).toEqual([
    { kind: 'removed', pieces: piecesSaying('New ', 'bowls', ' are here') },
    { kind: 'added', pieces: piecesSaying('New ', 'plates', ' are here') },
  ])
})
const piecesSaying = (before: string, word: string, after: string) => [
  { text: before, changed: false },
  { text: word, changed: true },
  { text: after, changed: false },
]

test('what is the same and far away is only counted', () => {
  const many = Array.from({ length: 20 }, (_, at) => `${at}`)
  const shown = withGaps(differenceOf(many.join('\n'), [...many, 'new'].join('\n')))
  expect(shown.map(({ kind }) => kind)).toEqual(['gap', 'same', 'same', 'added'])
  expect(shown[0]).toEqual({ kind: 'gap', count: 18 })
})

// Compared line by line with line they would take minutes, and all memory.
test('two long texts that have nothing in common take no time to speak of', { timeout: 60_000 }, () => {
  const long = (word: string) => Array.from({ length: 50_000 }, (_, at) => `${word}${at}`).join('\n')
  expect(differenceOf(long('a'), long('b'))).toHaveLength(100_000)
})
