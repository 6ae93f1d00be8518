import { z } from 'zod'

/** The page sizes the tables offer; an API caller may ask for any number up to {@link MAX_LIMIT}. */
export const pageSizes = [20, 50, 100] as const
const MAX_LIMIT = 200
/** Deeper than this a list is not paged through but searched, filtered or downloaded. */
const MAX_OFFSET = 1_000_000

/** `limit` and `offset` of every list, as text in the query. */
export const PageQuery = z.object({
  limit: z.coerce.number<string | number>().int().min(1).max(MAX_LIMIT).default(20),
  offset: z.coerce.number<string | number>().int().min(0).max(MAX_OFFSET).default(0),
})
export type PageQuery = z.output<typeof PageQuery>

/** The answer of every list: `{data, limit, offset, total}`. */
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({ data: z.array(item), limit: z.int(), offset: z.int(), total: z.int() })

export interface Page<T> {
  data: T[]
  limit: number
  offset: number
  total: number
}
