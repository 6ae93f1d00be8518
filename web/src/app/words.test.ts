import { describe, expect, test } from 'vitest'
import { words } from './words.ts'

type Texts = { readonly [key: string]: string | Texts }
const flat = (texts: Texts, path = ''): [string, string][] =>
  Object.entries(texts).flatMap(
    ([key, value]) =>
      (typeof value === 'string' ? [[path + key, value]] : flat(value, `${path}${key}.`)) as [string, string][],
  )
const places = (text: string) =>
  [...text.matchAll(/\{\{(\w+)/g)].map((match) => match[1] ?? '').toSorted((a, b) => a.localeCompare(b))

describe.each(Object.entries(words))('the words of %s', (_, { ja, en }) => {
  const english = new Map(flat(en))
  test.each(flat(ja))('%s says something in both languages, with the same values in it', (path, text) => {
    const other = english.get(path)
    expect(text.trim()).not.toBe('')
    expect(other?.trim()).toBeTruthy()
    // A singular may leave out its count ("One customer").
    if (!path.endsWith('_one')) expect(places(other ?? '')).toEqual(places(text))
  })
})
