import { type Locale, type Localized, wordsIn } from '@okaeri/contract/locale'
import { html, type Markup } from '../../kernel/http/public-page.ts'
import { columnWords, fileWords, stateWords, valueWords } from './words.ts'

/** Everything stored about one person, in the form of the file. */
export interface PersonalDataExport {
  format: 'okaeri-customer-data'
  version: 1
  created_at: string
  timezone: string
  /** Whose customer it is. */
  merchant: string
  sections: { table: string; title: { ja: string; en: string }; is_cut: boolean; rows: Record<string, unknown>[] }[]
}

const STYLE = `
:root{color-scheme:light dark;--ground:#fff;--ink:#25231f;--soft:#67625a;--line:#dedad2}
@media (prefers-color-scheme:dark){:root{--ground:#1a1917;--ink:#f1eee8;--soft:#aaa49a;--line:#3b3833}}
html{font:15px/1.7 system-ui,-apple-system,"Hiragino Sans","Hiragino Kaku Gothic ProN","Noto Sans JP","Noto Sans CJK JP",Meiryo,sans-serif;background:var(--ground);color:var(--ink)}
body{max-width:60rem;margin:0 auto;padding:2rem 1.25rem 4rem}
h1{font-size:1.5rem;line-height:1.4;margin:0 0 .25rem}
h2{font-size:1.1rem;margin:2.5rem 0 .5rem;padding-bottom:.3rem;border-bottom:2px solid var(--line)}
h2 small{color:var(--soft);font-weight:400;margin-inline-start:.5rem}
p{color:var(--soft);margin:.25rem 0}
dl{display:grid;grid-template-columns:minmax(8rem,14rem) 1fr;margin:0 0 1rem;border:1px solid var(--line);border-radius:8px;overflow:hidden}
dt,dd{padding:.35rem .75rem;margin:0;border-top:1px solid var(--line)}
dt:first-of-type,dt:first-of-type+dd{border-top:0}
dt{color:var(--soft)}
dd{overflow-wrap:anywhere;white-space:pre-wrap}
@media (max-width:34rem){dl{grid-template-columns:1fr}dd{border-top:0;padding-top:0}}
@media print{dl{break-inside:avoid}}
`

/** A page for a person, in one file without external resources. */
export function renderFile(data: PersonalDataExport, language: Locale): string {
  const words = wordsIn(fileWords, language)
  const moment = new Intl.DateTimeFormat(language === 'ja' ? 'ja-JP' : 'en-GB', {
    dateStyle: 'long',
    timeStyle: 'medium',
    timeZone: data.timezone,
  })
  const valueText = (value: unknown, column: string): string => {
    if (typeof value === 'boolean') return value ? words.yes : words.no
    if (typeof value === 'string')
      return INSTANT.test(value) ? moment.format(new Date(value)) : (spoken(column, value)?.[language] ?? value)
    if (Array.isArray(value)) return value.map((one) => valueText(one, column)).join('\n')
    if (typeof value !== 'object' || value === null) return String(value)
    return inOrder(value)
      .filter(([, inner]) => !isNothing(inner))
      .map(([key, inner]) => `${label(key, language)}: ${valueText(inner, key)}`)
      .join('\n')
  }
  const row = (fields: Record<string, unknown>): Markup => {
    const shown = inOrder(fields).filter(([, value]) => !isNothing(value))
    return html`<dl>${shown.map(([key, value]) => html`<dt>${label(key, language)}</dt><dd>${valueText(value, key)}</dd>`)}</dl>`
  }
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${words.title}</title>
<style>${{ markup: STYLE }}</style>
</head>
<body>
<h1>${words.title}</h1>
<p>${words.heldBy(data.merchant)}</p>
<p>${words.madeAt(moment.format(new Date(data.created_at)))}</p>
${data.sections.length === 0 ? html`<p>${words.nothing}</p>` : null}
${data.sections.map(
  ({
    title,
    rows,
    is_cut: isCut,
  }) => html`<section><h2>${title[language]}<small>${words.entries(rows.length)}</small></h2>
${isCut ? html`<p>${words.cut}</p>` : null}
${rows.map(row)}</section>
`,
)}
</body>
</html>
`.markup
}

/** As PostgreSQL writes an instant in JSON. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?([+-]\d\d:\d\d|Z)$/
const isNothing = (value: unknown): boolean =>
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (typeof value === 'object' && Object.keys(value as object).length === 0)

const label = (column: string, language: Locale): string =>
  columnWords[column]?.[language] ?? column.replaceAll('_', ' ')

const places = new Map(Object.keys(columnWords).map((column, place) => [column, place]))
const placeOf = (column: string): number => places.get(column) ?? places.size
/** In a natural order: PostgreSQL returns the shortest names first. */
const inOrder = (fields: object): [string, unknown][] =>
  Object.entries(fields).sort(([one], [other]) => placeOf(one) - placeOf(other)) as [string, unknown][]

/** Only in columns with words of ours: a customer's tag may have the same text. */
const spoken = (column: string, value: string): Localized | undefined => {
  if (column.endsWith('_state') && value in stateWords) return stateWords[value]
  return /(^|_)(state|status|kind|channel|source|reason|verdict)$/.test(column) ? valueWords[value] : undefined
}
