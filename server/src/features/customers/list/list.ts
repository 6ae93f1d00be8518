import type { Customer } from '@okaeri/contract/customers/customer'
import { type CustomerFilter, customerRanges, type CustomerSort } from '@okaeri/contract/customers/view'
import { currencyDigits } from '@okaeri/contract/money'
import { DateTime } from 'luxon'
import { invalid } from '../../../kernel/errors.ts'
import type { MerchantScope } from '../../../kernel/merchant-scope.ts'
import { getMerchant } from '../../merchants/index.ts'
import { listCustomerViews } from '../customer-view.ts'
import { searchedBy } from './search-index.ts'
import { readCursor, writeCursor } from './list-cursor.ts'
import type { ListFilter } from './list-filter-sql.ts'
import type { ListedId } from './list-page-queries.ts'
import { countList, selectList } from './list-queries.ts'

/** Deeper pages need a cursor: an offset reads all rows it skips. */
const MAX_OFFSET = 50_000

export interface ListQuery extends CustomerFilter {
  sort: CustomerSort
  direction: 'asc' | 'desc'
  limit: number
  offset: number
  cursor?: string | undefined
}
interface ListedPage {
  data: Customer[]
  limit: number
  offset: number
  total: number
  total_exact: boolean
  next: string | null
  prev: string | null
}

/** By cursor a page costs the same at any depth: it begins where the previous one ended. */
export async function listCustomers(scope: MerchantScope, query: ListQuery): Promise<ListedPage> {
  const { sort, direction, limit, cursor } = query
  const place = cursor === undefined ? null : readCursor(cursor, sort, direction)
  const offset = place ? 0 : query.offset
  if (offset > MAX_OFFSET) throw invalid({ offset: 'too_big' })
  const found = await selectList(scope, await filterOf(scope, query), { sort, direction, limit, offset, place })
  const more = found.rows.length > limit
  const kept = found.rows.slice(0, limit)
  const backwards = place?.toward === 'prev'
  const rows = backwards ? kept.reverse() : kept
  const at = (row: ListedId | undefined, toward: 'next' | 'prev', is: boolean): string | null =>
    row && is ? writeCursor(sort, direction, { toward, value: row.value, id: row.id }) : null
  const atEnd = place !== null && place.id === null
  return {
    data: await listCustomerViews(
      scope,
      rows.map(({ id }) => id),
    ),
    limit,
    offset,
    total: Math.max(found.total, offset + rows.length),
    total_exact: found.totalExact,
    next: at(rows.at(-1), 'next', backwards ? !atEnd : more),
    prev: at(rows[0], 'prev', backwards ? more : place !== null || offset > 0),
  }
}

export const countCustomers = async (scope: MerchantScope, filter: CustomerFilter): Promise<number> =>
  countList(scope, await filterOf(scope, filter))

/** The contract's filter in the form of the queries. Throws `invalid` if a range ends before it begins. */
export async function filterOf(scope: MerchantScope, filter: CustomerFilter): Promise<ListFilter> {
  const { q, tag, created_from: from, created_to: to, sales_min: salesMin, sales_max: salesMax, ...others } = filter
  const isWrong = (least: number | string | undefined, most: number | string | undefined) =>
    least !== undefined && most !== undefined && least > most
  const wrong = {
    ...(isWrong(from, to) && { created_to: 'too_small' as const }),
    ...Object.fromEntries(
      Object.values(customerRanges).flatMap(({ min, max }) =>
        isWrong(filter[min], filter[max]) ? [[max, 'too_small' as const]] : [],
      ),
    ),
  }
  if (Object.keys(wrong).length > 0) throw invalid(wrong)
  const asksMerchant = [from, to, salesMin, salesMax].some((end) => end !== undefined)
  const { timezone: zone, currency } = asksMerchant ? await getMerchant(scope) : { timezone: 'UTC', currency: 'JPY' }
  const dayStart = (day: string): DateTime => DateTime.fromISO(day, { zone }).startOf('day')
  const minor = 10 ** currencyDigits(currency)
  return {
    ...others,
    searched: searchedBy({ q, tag }),
    createdFrom: from ? dayStart(from).toJSDate() : null,
    createdBefore: to ? dayStart(to).plus({ days: 1 }).toJSDate() : null,
    // An amount with more decimals than the currency is rounded inwards.
    salesMin: salesMin === undefined ? null : Math.ceil(rounded(salesMin * minor)),
    salesMax: salesMax === undefined ? null : Math.floor(rounded(salesMax * minor)),
  }
}

/** 1.1 × 100 is a little more than 110. */
const rounded = (amount: number): number => Number(amount.toFixed(6))
