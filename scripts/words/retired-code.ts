/** A word the code no longer uses: an identifier, or a file's name (it ends in `.ts` or `.tsx`). */
export interface RetiredCodeWord {
  word: string
  better: string
}

/** What the table of GLOSSARY.md "Retired from the code" says. */
export function retiredCodeWords(glossary: string): RetiredCodeWord[] {
  const [, section = ''] = /\n## Retired from the code\n([\s\S]*?)(?:\n## |$)/.exec(glossary) ?? []
  return [...section.matchAll(/^\| (`[^|]+) \| ([^|]+) \|$/gm)].flatMap(([, words = '', better = '']) =>
    [...words.matchAll(/`([^`]+)`/g)].map(([, word = '']) => ({ word, better: better.trim() })),
  )
}

const fileNames = /\.tsx?$/

/** Where a file of this path and text uses retired words: in its name, its code, its comments. Line 0 is the name. */
export function retiredCodeIn(
  file: string,
  text: string,
  retired: readonly RetiredCodeWord[],
): { line: number; word: string; better: string }[] {
  const names = retired.filter(({ word }) => fileNames.test(word))
  const words = new Map(retired.filter(({ word }) => !fileNames.test(word)).map((one) => [one.word, one]))
  // A test stands beside the file it has its name from.
  const plain = file.replace('.test.', '.')
  const found = names
    .filter(({ word }) => plain === word || plain.endsWith(`/${word}`))
    .map(({ word, better }) => ({ line: 0, word, better }))
  for (const [at, line] of text.split('\n').entries())
    for (const [name] of line.matchAll(/[A-Za-z_$][\w$]*/g)) {
      const one = words.get(name)
      if (one) found.push({ line: at + 1, word: name, better: one.better })
    }
  return found
}
