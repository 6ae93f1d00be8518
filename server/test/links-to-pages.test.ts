import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')

test('every link to a page that the server mails or answers leads to a page there is', () => {
  const pages = new Set(
    [...fs.readFileSync(path.join(root, 'web/src/app/paths.ts'), 'utf8').matchAll(/path\('([^']+)'\)/g)].map(
      ([, one]) => one?.replace(/\$id/g, '$'),
    ),
  )
  expect(pages.size).toBeGreaterThan(30)
  const linked: string[] = []
  for (const file of fs.globSync('server/src/features/**/*.ts', { cwd: root })) {
    if (file.endsWith('.test.ts')) continue
    const text = fs.readFileSync(path.join(root, file), 'utf8')
    for (const [, to = ''] of text.matchAll(/publicUrl\}\/_app(\/[^`'"?\s]*)/g))
      linked.push(to.replace(/\$\{[^}]+\}/g, '$'))
  }
  expect(linked.length).toBeGreaterThan(8)
  expect(linked.filter((to) => !pages.has(to))).toEqual([])
})
