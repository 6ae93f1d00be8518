/** Words that are signs of a sentence to rewrite (STYLE.md, "Comments"), and what to write instead. */
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

/** The comments of a file, and of a test the names of its cases, line by line. A comment stands at the begin or the end of a line. */
function sentencesOf(file: string, text: string): { line: number; text: string }[] {
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

/** Where comments and names of tests use a word that is a sign of a sentence to rewrite. Code in backticks is left out. */
export const signsIn = (file: string, text: string): { line: number; word: string; better: string }[] =>
  sentencesOf(file, text).flatMap(({ line, text }) =>
    [...text.replaceAll(/`[^`]*`/g, '').matchAll(signs)].map(([word]) => ({
      line,
      word,
      better: SIGNS[word.toLowerCase()] ?? '',
    })),
  )
