import { expect, test } from 'vitest'
import { filesNamedIn, isAmong } from './named-files.ts'

test('a document names files in code quotes, by their name or with their folder', () => {
  expect(
    filesNamedIn(
      'First `a/one.ts` and `two.test.tsx`,\nthen `../web/README.md`, `nodes/*.ts`, `<phase>-queries.ts`, one.ts and `one`.',
    ),
  ).toEqual([
    { line: 1, file: 'a/one.ts' },
    { line: 1, file: 'two.test.tsx' },
    { line: 2, file: 'web/README.md' },
  ])
})

test('a named file is there where a path ends in it at the border of a name', () => {
  const files = ['server/src/features/campaigns/reservation.ts']
  expect(
    ['reservation.ts', 'campaigns/reservation.ts', 'tion.ts', 'segments/reservation.ts'].map((one) =>
      isAmong(files, one),
    ),
  ).toEqual([true, true, false, false])
})
