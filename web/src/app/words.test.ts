import { describe, expect, test } from 'vitest'
import '../features/scenarios/flow-editor/node-kinds/index.ts'
import '../features/scenarios/flow-editor/trigger-kinds/index.ts'
import { wordsOfParts } from './i18n.ts'
import { textsIn } from './word-tree.ts'
import { words } from './words.ts'

type Texts = ReturnType<typeof textsIn>
const flat = (texts: Texts, path = ''): [string, string][] =>
  Object.entries(texts).flatMap(
    ([key, value]) =>
      (typeof value === 'string' ? [[path + key, value]] : flat(value, `${path}${key}.`)) as [string, string][],
  )
const places = (text: string) =>
  [...text.matchAll(/\{\{(\w+)/g)].map((match) => match[1] ?? '').toSorted((a, b) => a.localeCompare(b))

const parts = wordsOfParts.map((tree) => [Object.keys(tree).join(), tree] as const)

describe.each([...Object.entries(words), ...parts])('the words of %s', (_, tree) => {
  const japanese = new Map(flat(textsIn(tree, 'ja')))
  test.each(flat(textsIn(tree, 'en')))(
    '%s says something in both languages, with the same values in it',
    (path, text) => {
      const other = japanese.get(path.replace(/_(one|other)$/, ''))
      expect(text.trim()).not.toBe('')
      expect(other?.trim()).toBeTruthy()
      // A singular may leave out its count ("One customer").
      if (!path.endsWith('_one')) expect(places(text)).toEqual(places(other ?? ''))
    },
  )
})
