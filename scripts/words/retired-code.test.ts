import { expect, test } from 'vitest'
import { retiredCodeIn, retiredCodeWords } from './retired-code.ts'

const retired = retiredCodeWords(`
# Glossary
## Retired from the code

| not | but |
|---|---|
| \`blotOut\` | \`redact\` |
| \`segments/following.ts\`, \`following-queries.ts\` | \`incremental-membership.ts\` |

## After
| \`fine\` | \`other\` |
`)

test('the table says which words are retired from the code and what stands there now', () => {
  expect(retired).toEqual([
    { word: 'blotOut', better: '`redact`' },
    { word: 'segments/following.ts', better: '`incremental-membership.ts`' },
    { word: 'following-queries.ts', better: '`incremental-membership.ts`' },
  ])
})

test('a retired word is found in code and comments, as a whole word only', () => {
  const text = '// See blotOut.\nawait blotOut(scope)\nconst blotOuts = blot'
  expect(retiredCodeIn('a.ts', text, retired).map(({ line, word }) => [line, word])).toEqual([
    [1, 'blotOut'],
    [2, 'blotOut'],
  ])
})

test('a retired file name is found where it is named so, also of a test, and not in another folder', () => {
  const linesOf = (file: string) => retiredCodeIn(file, '', retired).map(({ line }) => line)
  expect(linesOf('server/src/features/segments/following.ts')).toEqual([0])
  expect(linesOf('server/src/features/segments/following.test.ts')).toEqual([0])
  expect(linesOf('server/src/features/orders/following.ts')).toEqual([])
})
