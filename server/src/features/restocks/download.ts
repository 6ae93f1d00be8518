import { variantName } from '@okaeri/contract/catalog/variant-name'
import type { Locale } from '@okaeri/contract/locale'
import type { RestockStatus } from '@okaeri/contract/restocks/routes'
import { BYTE_ORDER_MARK, CSV_TYPE, csvLines, localTimes } from '../../kernel/csv.ts'
import type { Download } from '../../kernel/http/download.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { getMerchant } from '../merchants/index.ts'
import { type FileRow, selectForFile } from './queries.ts'
import { fileWords } from './words.ts'

const ROWS_A_PAGE = 1000

/** The registrations as a file, streamed page by page. */
export async function downloadRestocks(
  scope: MerchantScope,
  filter: { storeProductId?: number | undefined; status?: RestockStatus | undefined },
  language: Locale,
): Promise<Download> {
  const { timezone } = await getMerchant(scope)
  const time = localTimes(timezone)
  const cells = (row: FileRow) => [
    row.product_name,
    String(row.store_product_id),
    row.variant && variantName(row.variant),
    row.sku,
    row.store_variant_id === 0 ? null : String(row.store_variant_id),
    row.customer_name,
    row.customer_email,
    fileWords.channel[row.channel][language],
    fileWords.status[row.status][language],
    time(row.created_at),
    time(row.sent_at),
  ]
  async function* content(): AsyncGenerator<string> {
    yield BYTE_ORDER_MARK + csvLines([fileWords.columns(timezone).map((column) => column[language])])
    for (let after: FileRow | null = null, more = true; more; ) {
      const rows: FileRow[] = await selectForFile(scope, filter, { after, limit: ROWS_A_PAGE })
      if (rows.length > 0) yield csvLines(rows.map(cells))
      after = rows.at(-1) ?? after
      more = rows.length === ROWS_A_PAGE
    }
  }
  return { fileName: `${fileWords.title[language]}.csv`, mediaType: CSV_TYPE, content: content() }
}
