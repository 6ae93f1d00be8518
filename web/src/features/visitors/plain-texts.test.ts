import { widgetTexts } from '@okaeri/contract/visitors/widget'
import { expect, test } from 'vitest'
import { words } from './words.ts'

const parts = import.meta.glob<string>('../../../../widget/src/parts/*.ts', {
  query: '?raw',
  import: 'default',
  eager: true,
})
/** A text of a part that merchants may say otherwise: `t({ ja: '…', en: '…' }, 'heart_add')`. */
const named = /\{\s*ja: '([^']+)',\s*en: '([^']+)',?\s*\},\s*'([a-z._-]+)',?\s*\)/g

test('the form shows as plain texts what the parts say themselves', () => {
  const said = new Map<string, { ja: string; en: string }>()
  for (const text of Object.values(parts))
    for (const [, ja = '', en = '', name = ''] of text.matchAll(named))
      said.set(name.replaceAll(/[.-]/g, '_'), { ja, en })
  expect(Object.fromEntries(widgetTexts.map((name) => [name, said.get(name)]))).toEqual(words.plain)
  expect([...said.keys()].toSorted()).toEqual(widgetTexts.toSorted())
})
