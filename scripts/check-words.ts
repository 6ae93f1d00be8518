import fs from 'node:fs'
import path from 'node:path'
import { codeNotRead, exceptions, notRead, ofTheSpecification } from './words/exceptions.ts'
import { filesNamedIn, isAmong } from './words/named-files.ts'
import { signsIn } from './words/plain-sentences.ts'
import { retiredCodeIn, retiredCodeWords } from './words/retired-code.ts'
import { type Finding, findingsOf, retiredWords } from './words/rules.ts'
import { type Text, textsOf } from './words/texts.ts'

// Holds what people read to GLOSSARY.md "Words of the pages", in pages, mails and files; keeps retired words out of the code, and names of
// files that are gone out of the documents; finds words in comments, names of tests and documents that are signs of a sentence to rewrite.
// The texts of another working copy, and beginnings of paths in it, may be given:
// `npm run words -- . web/src/features/emails`.

const here = path.join(import.meta.dirname, '..')
const [given = here, ...beginnings] = process.argv.slice(2)
const root = path.resolve(given)
const retired = retiredWords(fs.readFileSync(path.join(here, 'GLOSSARY.md'), 'utf8'))
if (retired.length === 0) throw new Error('GLOSSARY.md has no table “Words of the pages”')

const files = ['contract/src', 'server/src', 'web/src', 'widget/src'].flatMap((room) =>
  fs
    .readdirSync(path.join(root, room), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.(test|d)\.tsx?$/.test(file))
    .map((file) => `${room}/${file}`)
    .filter((file) => !(file in notRead)),
)
const texts: Text[] = files.flatMap((file) => textsOf(file, fs.readFileSync(path.join(root, file), 'utf8')))

const used = new Set<unknown>()
const isExcepted = ({ file, key, text }: Text, word: string): boolean => {
  const own = ofTheSpecification.find((sentence) => text.includes(sentence) && sentence.includes(word))
  const listed = exceptions.find(
    (one) => one.file === file && (one.key === undefined || one.key === key) && one.word === word,
  )
  if (own) used.add(own)
  if (listed) used.add(listed)
  return own !== undefined || listed !== undefined
}
const aloneIn = ({ isAlone, text }: Text): Finding[] =>
  isAlone ? [{ word: text, better: '{ ja: …, en: … }, both languages side by side' }] : []
const byFile = new Map<string, string[]>()
for (const each of texts)
  for (const { word, better } of [...findingsOf(each, retired), ...aloneIn(each)]) {
    if (isExcepted(each, word)) continue
    const said = each.text.length > 100 ? `${each.text.slice(0, 100)}…` : each.text
    const line = `  ${each.line}  ${each.key} (${each.language}): “${word}” → ${better}  | ${said.replace(/\s+/g, ' ')}`
    byFile.set(each.file, [...(byFile.get(each.file) ?? []), line])
  }
for (const one of [...exceptions, ...ofTheSpecification])
  if (!used.has(one))
    byFile.set('scripts/words/exceptions.ts', [
      ...(byFile.get('scripts/words/exceptions.ts') ?? []),
      `  is not needed any more: ${JSON.stringify(one)}`,
    ])

// Words retired from the code, in names of files, code and comments.
const retiredFromCode = retiredCodeWords(fs.readFileSync(path.join(here, 'GLOSSARY.md'), 'utf8'))
if (retiredFromCode.length === 0) throw new Error('GLOSSARY.md has no table “Retired from the code”')
const codeFiles = ['contract', 'server', 'web', 'widget', 'sandbox', 'e2e', 'scripts'].flatMap((room) =>
  fs
    .readdirSync(path.join(root, room), { recursive: true, encoding: 'utf8' })
    .map((file) => `${room}/${file}`)
    .filter((file) => /\.(tsx?|mjs)$/.test(file) && !/(^|\/)(node_modules|dist)\//.test(file))
    .filter((file) => !Object.keys(codeNotRead).some((start) => file.startsWith(start))),
)
for (const file of codeFiles) {
  const text = fs.readFileSync(path.join(root, file), 'utf8')
  const found = [...retiredCodeIn(file, text, retiredFromCode), ...signsIn(file, text)]
  const lines = found.map(({ line, word, better }) => `  ${line || 'its name'}: “${word}” → ${better}`)
  if (lines.length > 0) byFile.set(file, [...(byFile.get(file) ?? []), ...lines])
}

// Files that documents name are there, and their sentences are plain.
const everyFile = fs.globSync(['*', '{contract,docs,e2e,sandbox,scripts,server,web,widget}/**/*'], {
  cwd: root,
  exclude: (name) => /(^|\/)(node_modules|dist)$/.test(name),
})
for (const document of everyFile.filter((file) => file.endsWith('.md'))) {
  const whole = fs.readFileSync(path.join(root, document), 'utf8')
  // GLOSSARY.md lists words and names that are not used.
  const [text = ''] = whole.split('\n## Retired from the code\n')
  const [sentences = ''] = whole.split('\n## Words of the pages\n')
  const lines = [
    ...filesNamedIn(text)
      .filter(({ file }) => !isAmong(everyFile, file))
      .map(({ line, file }) => `  ${line}: there is no file ${file}`),
    ...signsIn(document, sentences).map(({ line, word, better }) => `  ${line}: “${word}” → ${better}`),
  ]
  if (lines.length > 0) byFile.set(document, [...(byFile.get(document) ?? []), ...lines])
}

const shown = [...byFile].filter(
  ([file]) => beginnings.length === 0 || beginnings.some((start) => file.startsWith(start)),
)
for (const [file, lines] of shown) console.error(`${file}\n${lines.join('\n')}`)
const count = shown.reduce((sum, [, lines]) => sum + lines.length, 0)
if (count === 0) console.log(`The words are in order (${texts.length} texts in ${files.length} files).`)
else {
  console.error(`${count} findings in ${shown.length} files; the words are in GLOSSARY.md, “Words of the pages”.`)
  process.exitCode = 1
}
