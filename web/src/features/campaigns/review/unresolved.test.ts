import { expect, test } from 'vitest'
import { unresolvedOf } from './unresolved.ts'

test('each finding is agreed to by itself, the same one once, and bytes are not repeated', () => {
  const rows = unresolvedOf([
    { code: 'links_to_nowhere', detail: '詳しく' },
    { code: 'links_to_nowhere', detail: '購入' },
    { code: 'links_to_nowhere', detail: '購入' },
    { code: 'no_contact', detail: null },
    { code: 'size_clipped', detail: '120000' },
  ])
  expect(rows.map(({ code, detail }) => [code, detail])).toEqual([
    ['links_to_nowhere', '詳しく'],
    ['links_to_nowhere', '購入'],
    ['no_contact', null],
    ['size_clipped', null],
  ])
  expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length)
})
