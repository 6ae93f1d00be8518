import { widgetTexts } from '@okaeri/contract/visitors/widget'
import { expect, test } from 'vitest'
import { words } from './words.ts'

const sources = import.meta.glob<string>(['../../../../widget/src/parts/*.ts', '../../../../widget/src/kit.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
})
/** A text that several parts say stands in the kit, `email: { ja: '…', en: '…' }`, and is named by the part: `t(kit.texts.email, 'sign_up_label')`. */
const shared = /\b(\w+): \{\s*ja: '([^']+)',\s*en: '([^']+)',?\s*\}/g
const sharedNamed = /\(kit\.texts\.(\w+), '([a-z_]+)'\)/g
/** A text of a part that merchants may say otherwise: `t({ ja: '…', en: '…' }, 'heart_add')`. */
const named = /\{\s*ja: '([^']+)',\s*en: '([^']+)',?\s*\},\s*'([a-z_]+)',?\s*\)/g

test('the form shows as plain texts what the parts say themselves', () => {
  const said = new Map<string, { ja: string; en: string }>()
  const inKit = new Map<string, { ja: string; en: string }>()
  for (const text of Object.values(sources)) {
    for (const [, ja = '', en = '', name = ''] of text.matchAll(named)) said.set(name, { ja, en })
    for (const [, name = '', ja = '', en = ''] of text.matchAll(shared)) inKit.set(name, { ja, en })
  }
  for (const text of Object.values(sources))
    for (const [, of = '', name = ''] of text.matchAll(sharedNamed)) said.set(name, inKit.get(of) ?? { ja: '', en: '' })
  expect(Object.fromEntries(widgetTexts.map((name) => [name, said.get(name)]))).toEqual(words.plain)
  expect([...said.keys()].toSorted()).toEqual(widgetTexts.toSorted())
})
