import { countOf, withEmojiSigns, withoutTags } from '@okaeri/contract/line-messages/limits'
import fc from 'fast-check'
import { expect, test } from 'vitest'

test('lengths are those of LINE: units, or what people take for one character', () => {
  const texts = ['abc', '🌸', '👨‍👩‍👧‍👦', 'か゚', '🇯🇵', 'a\r\nb']
  expect(texts.map((text) => countOf(text, 'units'))).toEqual([3, 2, 11, 2, 4, 4])
  expect(texts.map((text) => countOf(text, 'graphemes'))).toEqual([3, 1, 1, 1, 1, 3])
})

test('tags are left out of what is counted; what is never closed stays', () => {
  expect(withoutTags('a{{ x }}b{% if y %}c{% endif %}')).toBe('abc')
  expect(withoutTags('a{{ x b')).toBe('a{{ x b')
  expect(withoutTags('{{ a }}{% b')).toBe('{% b')
  expect(withEmojiSigns('x[emoji:5ac1bfd5040ab15980c9b435:001]y')).toBe('x$y')
  fc.assert(
    fc.property(fc.stringMatching(/^[{}% a]{0,40}$/), (text) => {
      const plain = text.replace(/\{\{(?:(?!\}\})[^])*\}\}|\{%(?:(?!%\})[^])*%\}/g, '')
      // A tag that is never closed ends the looking.
      expect(withoutTags(text).startsWith(plain.split(/\{[{%]/)[0] ?? '')).toBe(true)
    }),
  )
})
