import { type Locale, wordsIn } from '@okaeri/contract/locale'
import { BYTE_ORDER_MARK, CSV_TYPE, csvLines, localTimes } from '../../kernel/csv.ts'
import type { Download } from '../../kernel/http/download.ts'
import { NIL_ID } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { html } from '../../kernel/http/public-page.ts'
import { getCustomerView } from '../customers/index.ts'
import { getMerchant } from '../merchants/index.ts'
import { consentSources, type ConsentSource } from '../consent/index.ts'
import { type ProofRow, selectProof } from './consent-proof-queries.ts'
import { proofWords } from './consent-words.ts'

const ROWS_A_STEP = 1000

async function* rowsOf(scope: MerchantScope, customerId: string | null): AsyncGenerator<ProofRow[]> {
  for (let after = NIL_ID, more = true; more; ) {
    const rows = await selectProof(scope, { customerId, after, limit: ROWS_A_STEP })
    if (rows.length > 0) yield rows
    after = rows.at(-1)?.id ?? after
    more = rows.length === ROWS_A_STEP
  }
}

const isSource = (source: string): source is ConsentSource => (consentSources as readonly string[]).includes(source)

function cellsIn(language: Locale, zone: string): (row: ProofRow) => (string | null)[] {
  const words = wordsIn(proofWords, language)
  const time = localTimes(zone)
  return (row) => [
    time(row.occurredAt),
    time(row.recordedAt),
    row.customerId,
    row.storeCustomerId === null ? null : String(row.storeCustomerId),
    row.name,
    row.email,
    words.kind[row.kind],
    words.state[row.from],
    words.state[row.to],
    isSource(row.source) ? words.source[row.source] : row.source,
    row.wording,
    row.page,
    row.campaign,
  ]
}

/** Every change of consent, of all customers or of one, as a table for spreadsheets. */
export async function proofTable(
  scope: MerchantScope,
  { customerId, language }: { customerId: string | null; language: Locale },
): Promise<Download> {
  if (customerId !== null) await getCustomerView(scope, customerId)
  const { timezone } = await getMerchant(scope)
  const words = wordsIn(proofWords, language)
  const cells = cellsIn(language, timezone)
  async function* content(): AsyncGenerator<string> {
    yield BYTE_ORDER_MARK + csvLines([words.columns(timezone)])
    for await (const rows of rowsOf(scope, customerId)) yield csvLines(rows.map(cells))
  }
  return { fileName: `${words.fileName}.csv`, mediaType: CSV_TYPE, content: content() }
}

const STYLE =
  'body{font:14px/1.6 system-ui,sans-serif;margin:2rem}table{border-collapse:collapse}' +
  'th,td{border:1px solid #999;padding:.3rem .5rem;text-align:left;vertical-align:top;overflow-wrap:anywhere}'

/** One customer's changes, as a page to print or to hand over. */
export async function proofPage(
  scope: MerchantScope,
  { customerId, language }: { customerId: string; language: Locale },
): Promise<Download> {
  const customer = await getCustomerView(scope, customerId)
  const { timezone, site_name } = await getMerchant(scope)
  const words = wordsIn(proofWords, language)
  const cells = cellsIn(language, timezone)
  const made = localTimes(timezone)(scope.now)
  async function* content(): AsyncGenerator<string> {
    yield html`<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${words.title}</title><style>${STYLE}</style></head>
<body><h1>${words.title}</h1><p>${site_name}</p><p>${customer.name} ${customer.email ?? ''}</p><p>${words.made}: ${made} (${timezone})</p>
<table><thead><tr>${words.columns(timezone).map((column) => html`<th>${column}</th>`)}</tr></thead><tbody>`.markup
    let any = false
    for await (const rows of rowsOf(scope, customerId)) {
      any = true
      for (const row of rows) yield html`<tr>${cells(row).map((cell) => html`<td>${cell}</td>`)}</tr>`.markup
    }
    yield html`</tbody></table>${any ? null : html`<p>${words.none}</p>`}</body></html>`.markup
  }
  return { fileName: `${words.fileName}.html`, mediaType: 'text/html; charset=utf-8', content: content() }
}
