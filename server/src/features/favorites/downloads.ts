import { variantName } from '@okaeri/contract/catalog/variant-name'
import type { Favorite } from '@okaeri/contract/favorites/routes'
import type { Locale } from '@okaeri/contract/locale'
import { BYTE_ORDER_MARK, CSV_TYPE, type CsvCell, csvLines, localTimes } from '../../kernel/csv.ts'
import type { Download } from '../../kernel/http/download.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { getMerchant } from '../merchants/index.ts'
import { selectAggregated } from './count-queries.ts'
import { wordsOf } from './favorite.ts'
import { type FavoriteFilter, type FavoriteOrder, selectFavorites } from './queries.ts'
import { fileWords } from './words.ts'

const timesOf = (timezone: string) => {
  const time = localTimes(timezone)
  return { day: (at: Date) => time(at)?.slice(0, 10) ?? '', of: (at: string | null) => time(at ? new Date(at) : null) }
}

type ProductOrder = Omit<Parameters<typeof selectAggregated>[2], 'limit' | 'offset'>

/** Favorites by product. A store has some ten thousand products, so they are read at once. */
export async function downloadProducts(
  scope: MerchantScope,
  { q, ...order }: { q?: string | undefined } & ProductOrder,
  language: Locale,
): Promise<Download> {
  const { timezone } = await getMerchant(scope)
  const time = timesOf(timezone)
  const { rows } = await selectAggregated(scope, { words: wordsOf(q) }, { ...order, limit: null, offset: 0 })
  async function* content(): AsyncGenerator<string> {
    yield BYTE_ORDER_MARK + csvLines([fileWords.ofProducts(timezone).map((heading) => heading[language])])
    for (let at = 0; at < rows.length; at += LINES_AT_ONCE)
      yield csvLines(
        rows
          .slice(at, at + LINES_AT_ONCE)
          .map((row) => [
            row.store_product_id,
            row.product_name,
            row.active_count,
            row.removed_count,
            row.average_retention_days,
            time.of(row.first_favorited_at),
            time.of(row.latest_favorited_at),
          ]),
      )
  }
  return {
    fileName: `${fileWords.products[language]}_${time.day(scope.now)}.csv`,
    mediaType: CSV_TYPE,
    content: content(),
  }
}
const LINES_AT_ONCE = 1000
/** Products with few favorites are read together, up to about this many favorites. */
const ROWS_AT_ONCE = 5000

/** Writes the people product by product, so that no more than one product's lines are in memory. */
export async function downloadPeople(
  scope: MerchantScope,
  {
    q,
    product_id,
    customer_id,
    status,
    ...order
  }: FavoriteOrder & {
    q?: string | undefined
    product_id?: number | undefined
    customer_id?: string | undefined
    status?: 'active' | 'removed' | undefined
  },
  language: Locale,
): Promise<Download> {
  const { timezone } = await getMerchant(scope)
  const time = timesOf(timezone)
  const filter = {
    words: wordsOf(q),
    status,
    holder: customer_id === undefined ? undefined : { customerId: customer_id },
  }
  const yesOrNo = (is: boolean): string => fileWords[is ? 'yes' : 'no'][language]
  const cells = (row: Favorite): CsvCell[] => [
    fileWords[row.status][language],
    row.store_product_id,
    row.product_name,
    row.variant && variantName(row.variant),
    row.sku,
    row.customer_id,
    row.guest_id,
    row.customer_id ? row.customer_name : fileWords.guest[language],
    row.customer_email,
    yesOrNo(row.restock_registered),
    row.favorite_count,
    time.of(row.first_favorited_at),
    time.of(row.latest_favorited_at),
    time.of(row.removed_at),
  ]
  async function* content(): AsyncGenerator<string> {
    yield BYTE_ORDER_MARK + csvLines([fileWords.ofPeople(timezone).map((heading) => heading[language])])
    for await (const storeProductIds of batches(scope, product_id)) {
      const those: FavoriteFilter = { ...filter, storeProductIds }
      const { rows } = await selectFavorites(scope, those, { ...order, limit: null, offset: 0 })
      for (let at = 0; at < rows.length; at += LINES_AT_ONCE)
        yield csvLines(rows.slice(at, at + LINES_AT_ONCE).map(cells))
    }
  }
  return {
    fileName: `${fileWords.people[language]}_${time.day(scope.now)}.csv`,
    mediaType: CSV_TYPE,
    content: content(),
  }
}

/** The most wanted product first. */
async function* batches(scope: MerchantScope, productId: number | undefined): AsyncGenerator<number[]> {
  if (productId !== undefined) return yield [productId]
  const page = { sort: 'active_count', direction: 'desc', limit: null, offset: 0 } as const
  let batch: number[] = []
  let count = 0
  for (const row of (await selectAggregated(scope, {}, page)).rows) {
    batch.push(Number(row.store_product_id))
    count += row.active_count + row.removed_count
    if (count < ROWS_AT_ONCE) continue
    yield batch
    batch = []
    count = 0
  }
  if (batch.length > 0) yield batch
}
