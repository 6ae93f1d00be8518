import { expect, test } from 'vitest'
import { parseStorableJson } from './storable-json.ts'

test('characters PostgreSQL cannot store are removed from JSON, whole surrogate pairs stay', () => {
  expect(parseStorableJson(String.raw`{"a\u0000b":["x\u0000y","\ud83d","\ud83d\ude00",1,null],"n":"\\u0000"}`)).toEqual(
    {
      ab: ['xy', '\ufffd', '😀', 1, null],
      n: String.raw`\u0000`,
    },
  )
  expect(() => parseStorableJson(String.raw`{"\u0000`)).toThrow(SyntaxError)
  expect(() => parseStorableJson(`${'['.repeat(50_000)}"\\u0000"${']'.repeat(50_000)}`)).toThrow(SyntaxError)
})
