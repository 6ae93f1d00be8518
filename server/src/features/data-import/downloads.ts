import { type Locale, wordsIn } from '@okaeri/contract/locale'
import { stringify } from 'csv-stringify/sync'
import { notFound } from '../../kernel/errors.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { findImport, selectErrors } from './queries.ts'
import { importWords } from './words.ts'

const ROWS_A_PAGE = 1000
/** Without it Excel reads Japanese as something else. */
const BYTE_ORDER_MARK = '\uFEFF'

const csv = (rows: readonly (string | number)[][]): string =>
  stringify(rows as (string | number)[][], {
    record_delimiter: 'windows',
    // Spreadsheets run a cell that begins like a formula.
    escape_formulas: true,
  })

/** The refused rows with line, reason and original cells, streamed from the database. */
export async function downloadErrors(
  scope: MerchantScope,
  id: string,
  language: Locale,
): Promise<{ fileName: string; content: AsyncGenerator<string> }> {
  const found = await findImport(scope, id)
  if (!found) throw notFound('there is no such import')
  const words = wordsIn(importWords, language)
  async function* content(): AsyncGenerator<string> {
    yield BYTE_ORDER_MARK +
      csv([[words.line, words.reason, words.column, ...(found?.columns.map(({ header }) => header) ?? [])]])
    for (let after = 0, more = true; more; ) {
      const rows = await selectErrors(scope, id, { after, limit: ROWS_A_PAGE })
      if (rows.length > 0)
        yield csv(rows.map(({ line, reason, header, cells }) => [line, words.reasons[reason], header ?? '', ...cells]))
      after = rows.at(-1)?.line ?? after
      more = rows.length === ROWS_A_PAGE
    }
  }
  const name = found.file_name.replace(/\.[a-z]{1,4}$/i, '').replace(/[\\/:*?"<>|\p{Cc}]+/gu, '_')
  return { fileName: `${name.slice(0, 80)}_${words.errors}.csv`, content: content() }
}
