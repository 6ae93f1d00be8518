import { expect, test } from 'vitest'
import { words } from './words.ts'

const files = import.meta.glob<string>('../../../../widget/src/parts/restock.ts', {
  query: '?raw',
  import: 'default',
  eager: true,
})
const part = Object.values(files).join()

test('the settings show as plain texts what the button and the popup say themselves', () => {
  const said = [...part.matchAll(/\{\s*ja: '([^']+)',\s*en: '([^']+)',?\s*\}/g)].map(([, ja, en]) => ({ ja, en }))
  expect(said).toEqual(expect.arrayContaining(Object.values(words.settings.plain)))
})
