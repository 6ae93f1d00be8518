import { parseSync } from 'vite'

export type Language = 'ja' | 'en'
/** One text people read, and where it stands. Values put in are shown as `{{name}}`. */
export interface Text {
  file: string
  line: number
  key: string
  language: Language
  /** Japanese that stands in no pair of languages. */
  isAlone: boolean
  text: string
}

export const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u

interface Place {
  language: Language | null
  path: readonly string[]
}
const other = (language: Language): Language => (language === 'ja' ? 'en' : 'ja')
const isNode = (value: unknown): value is { type: string; start: number } & Record<string, unknown> =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'

/** `{ ja: …, en: … }`: its name may be `ja` or `en` too, as a language's name. */
const hasBoth = (node: unknown): boolean =>
  isNode(node) &&
  node.type === 'ObjectExpression' &&
  (node['properties'] as { key?: { name?: string } }[]).some(({ key }) => key?.name === 'ja')

/** `ja`, `name_en`, `suffixJa`. */
const languageOf = (name: string): Language | null => {
  const found = /^(ja|en)$|(?:_|(?<=[a-z]))(ja|en|Ja|En)$/.exec(name)
  const marked = found?.[1] ?? (found?.[2] && /_(ja|en)$|(Ja|En)$/.test(name) ? found[2] : null)
  return marked ? (marked.toLowerCase() as Language) : null
}

/** The language in which a test is true: `ja`, `!ja`, `language === 'en'`. */
function languageAsked(test: unknown): Language | null {
  if (!isNode(test)) return null
  if (test.type === 'Identifier') return test['name'] === 'ja' || test['name'] === 'en' ? test['name'] : null
  if (test.type === 'UnaryExpression') {
    const inner = languageAsked(test['argument'])
    return inner && other(inner)
  }
  if (test.type !== 'BinaryExpression' || !/^[!=]==$/.test(String(test['operator']))) return null
  const { right } = test
  const said = isNode(right) && right.type === 'Literal' ? right['value'] : null
  if (said !== 'ja' && said !== 'en') return null
  return test['operator'] === '===' ? said : other(said)
}

const leaves = (statement: unknown): boolean =>
  isNode(statement) &&
  (statement.type === 'ReturnStatement' ||
    (statement.type === 'BlockStatement' && leaves((statement['body'] as unknown[]).at(-1))))

/** Every text of a file whose language is known: by the `ja` or `en` it stands at, or because it is written in Japanese. */
export function textsOf(file: string, source: string): Text[] {
  const found: Text[] = []
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)

  const say = (text: string, start: number, { language, path }: Place): void => {
    const its = language ?? (JAPANESE.test(text) ? 'ja' : null)
    if (its === null || text.trim() === '') return
    const line = source.slice(0, start).split('\n').length
    found.push({ file, line, key: path.join('.'), language: its, isAlone: language === null, text })
  }
  const all = (nodes: unknown, place: Place): void => {
    for (const node of nodes as unknown[]) walk(node, place)
  }
  const statements = (nodes: readonly unknown[], place: Place): void => {
    let here = place
    for (const node of nodes) {
      walk(node, here)
      if (!isNode(node) || node.type !== 'IfStatement') continue
      const asked = languageAsked(node['test'])
      if (asked && leaves(node['consequent'])) here = { ...here, language: other(asked) }
    }
  }
  const nameOf = (node: unknown): string => {
    if (!isNode(node)) return ''
    const { name, value, property } = node
    if (typeof name === 'string') return name
    return typeof value === 'string' ? value : nameOf(property) || 'x'
  }

  function walk(node: unknown, place: Place): void {
    if (!isNode(node)) return
    const { language } = place
    switch (node.type) {
      case 'ImportDeclaration':
      case 'ExportAllDeclaration':
        return
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
      case 'TSNonNullExpression':
        return walk(node['expression'], place)
      case 'Program':
      case 'BlockStatement':
        return statements(node['body'] as unknown[], place)
      case 'SwitchCase':
        return statements(node['consequent'] as unknown[], place)
      case 'Property': {
        const name = nameOf(node['key'])
        const own = hasBoth(node['value']) ? null : languageOf(name)
        const path = own !== null && /^(ja|en)$/.test(name) ? place.path : [...place.path, name]
        return walk(node['value'], { language: own ?? language, path })
      }
      case 'VariableDeclarator':
      case 'FunctionDeclaration': {
        const name = nameOf(node['id'])
        const path = /^(words|ja|en)$/.test(name) ? place.path : [...place.path, name]
        return walk(node['init'] ?? node['body'], { language: languageOf(name) ?? language, path })
      }
      case 'ConditionalExpression':
      case 'IfStatement': {
        const asked = languageAsked(node['test'])
        walk(node['test'], place)
        walk(node['consequent'], { ...place, language: asked ?? language })
        return walk(node['alternate'], { ...place, language: asked ? other(asked) : language })
      }
      case 'LogicalExpression':
        walk(node['left'], place)
        return walk(node['right'], {
          ...place,
          language: (node['operator'] === '&&' ? languageAsked(node['left']) : null) ?? language,
        })
      case 'BinaryExpression':
        if (node['operator'] !== '+') return
        break
      case 'MemberExpression':
        return walk(node['object'], place)
      case 'NewExpression':
        return
      case 'TaggedTemplateExpression':
        return nameOf(node['tag']) === 'sql' ? undefined : walk(node['quasi'], place)
      case 'Literal':
      case 'JSXText':
        return typeof node['value'] === 'string' ? say(node['value'], node.start, place) : undefined
      case 'TemplateLiteral': {
        const values = node['expressions'] as unknown[]
        const text = (node['quasis'] as { value: { cooked: string } }[])
          .map(({ value }, at) => value.cooked + (at < values.length ? `{{${nameOf(values[at])}}}` : ''))
          .join('')
        say(text, node.start, place)
        return all(values, place)
      }
    }
    if (node.type.startsWith('TS')) return
    for (const value of Object.values(node)) {
      if (Array.isArray(value)) all(value, place)
      else walk(value, place)
    }
  }
  walk(program, { language: null, path: [] })
  return found
}
