/** Words that are signs of a sentence to rewrite (STYLE.md, "Comments and documents"), and what to write instead. */
const SIGNS: Readonly<Record<string, string>> = {
  told: 'notified, reported, sent, shown',
  untold: 'not reported',
  nobody: 'no one, or say who',
  somebody: 'a customer, a member, a person, another process',
  anybody: 'anyone, or say who',
  whoever: 'the person by their role',
  whomever: 'the person by their role',
  anew: 'again',
}
const signs = new RegExp(`(?<![\\w@])(${Object.keys(SIGNS).join('|')})(?![\\w@])`, 'gi')

const titleBegins = /^\s*(?:await )?(?:test|describe|it)\b[.\w]*\(\s*|^\s*\]\)\(\s*|[.\w]*\.each\(.*\)\(\s*/
const trailingComment = /\s\/\/ .*$/

interface Line {
  line: number
  text: string
}

/** The lines of a document, without its blocks of code. */
function linesOfDocument(text: string): Line[] {
  let isInCode = false
  return text.split('\n').flatMap((line, at) => {
    const isFence = line.trimStart().startsWith('```')
    if (isFence) isInCode = !isInCode
    return isFence || isInCode ? [] : [{ line: at + 1, text: line }]
  })
}

/** The comments of a file, and of a test the names of its cases, line by line. A comment stands at the begin or the end of a line. */
function commentsOf(file: string, text: string): Line[] {
  const isTest = /\.(test|spec)\.ts$/.test(file)
  let isInBlock = false
  return text.split('\n').flatMap((line, at) => {
    const begins = line.trimStart().replace(/^\{(?=\/\*)/, '')
    const isBlock = isInBlock || begins.startsWith('/*')
    if (isBlock) isInBlock = !line.includes('*/')
    if (isBlock || begins.startsWith('//')) return [{ line: at + 1, text: begins }]
    if (isTest && titleBegins.test(line)) return [{ line: at + 1, text: line }]
    return trailingComment.test(line) ? [{ line: at + 1, text: trailingComment.exec(line)?.[0] ?? '' }] : []
  })
}

/** Where comments, names of tests and documents (`.md`) use a word that is a sign of a sentence to rewrite. Text in backticks is left out. */
export const signsIn = (file: string, text: string): { line: number; word: string; better: string }[] =>
  (file.endsWith('.md') ? linesOfDocument(text) : commentsOf(file, text)).flatMap(({ line, text }) =>
    [...text.replaceAll(/`[^`]*`/g, '').matchAll(signs)].map(([word]) => ({
      line,
      word,
      better: SIGNS[word.toLowerCase()] ?? '',
    })),
  )
