import type { DatasetId } from '@okaeri/contract/datasets/dataset'
import type { Locale } from '@okaeri/contract/locale'
import { currencyDigits } from '@okaeri/contract/money'
import { BYTE_ORDER_MARK, CSV_TYPE, type CsvCell, csvLines, localTimes } from '../../kernel/csv.ts'
import type { Download } from '../../kernel/http/download.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { getMerchant } from '../merchants/index.ts'
import { pagesOf } from './download-queries.ts'
import { datasetNames, fileColumns, codedWord } from './words.ts'

/** The whole dataset, streamed page by page. */
export async function downloadDataset(scope: MerchantScope, id: DatasetId, language: Locale): Promise<Download> {
  const { timezone, currency } = await getMerchant(scope)
  const time = localTimes(timezone)
  const digits = new Map<string, number>()
  const money = (minor: number | null, of: string): string | null => {
    if (minor === null) return null
    const places = digits.get(of) ?? currencyDigits(of)
    digits.set(of, places)
    return places === 0 ? String(minor) : (minor / 10 ** places).toFixed(places)
  }
  const cell = (value: unknown): CsvCell => {
    if (value === null || value === undefined) return null
    if (value instanceof Date) return time(value)
    if (Array.isArray(value)) return value.join(', ')
    if (typeof value === 'object') return JSON.stringify(value)
    return value as CsvCell
  }
  async function* content(): AsyncGenerator<string> {
    yield BYTE_ORDER_MARK + csvLines([fileColumns[id](timezone, currency).map((column) => column[language])])
    for await (const page of pagesOf(scope, id))
      yield csvLines(
        page.map(({ amounts, words, currency: own, cells }) =>
          cells.map((value, index) => {
            if (amounts.includes(index)) return money(value as number | null, own ?? currency)
            const of = words[index]
            return of && typeof value === 'string' ? codedWord(of, value, language) : cell(value)
          }),
        ),
      )
  }
  const day = time(scope.now)?.slice(0, 10) ?? ''
  return { fileName: `${datasetNames[id][language]}_${day}.csv`, mediaType: CSV_TYPE, content: content() }
}
