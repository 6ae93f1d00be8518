import { readFlex } from '@okaeri/contract/line-messages/flex-source'
import { expect, test } from 'vitest'
import { flexPlaces } from './flex-places.ts'
import { flexSample, flexSampleKeys } from './flex-samples.ts'

const bubble = (contents: string): string => `{
  "type": "bubble",
  "body": {
    "type": "box",
    "layout": "vertical",
    "contents": [
      ${contents}
    ]
  }
}`

test('a mistake in Flex is reported with its line, what is missing with the line of what lacks it', () => {
  expect(flexPlaces(bubble('{ "type": "text", "text": "x" }'))).toEqual([])
  expect(flexPlaces(bubble('{ "type": "text", "text": "x", "colour": "#fff" }'))).toEqual([
    { line: 7, place: 'body.contents.0.colour', reason: 'unknown_field' },
  ])
  expect(flexPlaces(bubble('{ "type": "image" }'))).toEqual([
    { line: 7, place: 'body.contents.0.url', reason: 'required' },
  ])
  expect(flexPlaces(bubble('{ "type": "text", }'))).toEqual([{ line: 7, place: '', reason: 'not_json' }])
  expect(flexPlaces('[]')).toEqual([{ line: 1, place: '', reason: 'not_an_object' }])
})

test('thousands of brackets are reported, and crash nothing', () => {
  expect(flexPlaces('['.repeat(60_000))).toEqual([{ line: 1, place: '', reason: 'not_json' }])
  const nested = `{"type":"bubble","x":${'['.repeat(40_000)}${']'.repeat(40_000)}}`
  expect(flexPlaces(nested)).toEqual([{ line: 1, place: '', reason: 'flex_too_deep' }])
})

test('a place with tags is looked at when it is filled in', () => {
  expect(flexPlaces(bubble('{ "type": "text", "text": "x", "color": "{{ customer.metafields.a.b }}" }'))).toEqual([])
})

test('every sample is what LINE takes', () => {
  for (const sample of flexSampleKeys)
    for (const language of ['ja', 'en'] as const)
      expect(readFlex(flexSample(sample, language))).toHaveProperty('contents')
})
