import fs from 'node:fs'
import path from 'node:path'
import { widgetTexts } from '@okaeri/contract/visitors/widget'
import { expect, test } from 'vitest'
import { words } from './words.ts'

const folder = path.join(import.meta.dirname, '../../../../widget/src/parts')
/** A text of a part that merchants may say otherwise: `t({ ja: '…', en: '…' }, 'heart_add')`. */
const named = /\{\s*ja: '([^']+)',\s*en: '([^']+)',?\s*\},\s*'([a-z._-]+)',?\s*\)/g

test('the form shows as plain texts what the parts say themselves', () => {
  const said = new Map<string, { ja: string; en: string }>()
  for (const file of fs.readdirSync(folder))
    for (const [, ja = '', en = '', name = ''] of fs.readFileSync(path.join(folder, file), 'utf8').matchAll(named))
      said.set(name.replaceAll(/[.-]/g, '_'), { ja, en })
  expect(Object.fromEntries(widgetTexts.map((name) => [name, said.get(name)]))).toEqual(words.plain)
  expect([...said.keys()].toSorted()).toEqual(widgetTexts.toSorted())
})
