import { pageSizes } from '@okaeri/contract/paging'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { z } from 'zod'

type Shape = Record<string, z.ZodType>
type Direction = 'asc' | 'desc'

/**
 * The query of a list page: `q`, `page`, `size`, `sort`, `direction` and the page's own filters. Invalid parts are dropped, so that an old
 * or mistyped address still opens the page. Give the result to the route's `validateSearch`.
 */
export function listSearch<
  const Sort extends readonly [string, ...string[]],
  Filters extends Shape = Record<never, never>,
>(init: { sorts: Sort; defaultSort?: Sort[number]; defaultDirection?: Direction; filters?: Filters }) {
  const lenient = Object.fromEntries(
    Object.entries(init.filters ?? {}).map(([name, schema]) => [name, schema.optional().catch(undefined)]),
  ) as { [K in keyof Filters]: z.ZodCatch<z.ZodOptional<Filters[K]>> }
  const schema = z.object({
    q: z.string().max(200).optional().catch(undefined),
    page: z.coerce.number<unknown>().int().min(1).optional().catch(undefined),
    size: z.coerce
      .number<unknown>()
      .refine((size) => (pageSizes as readonly number[]).includes(size))
      .optional()
      .catch(undefined),
    sort: z.enum(init.sorts).optional().catch(undefined),
    direction: z.enum(['asc', 'desc']).optional().catch(undefined),
    /** For lists that are paged by cursors. */
    cursor: z.string().max(4000).optional().catch(undefined),
    ...lenient,
  })
  return Object.assign(schema, {
    defaults: {
      sort: (init.defaultSort ?? init.sorts[0]) as Sort[number],
      direction: init.defaultDirection ?? ('desc' as Direction),
    },
  })
}

interface ListSchema extends z.ZodType {
  defaults: { sort: string; direction: Direction }
}

/** The part that `ListPage` needs. */
export interface AnyListState {
  search: unknown
  q: string
  page: number
  size: number
  sort: string
  direction: Direction
  /** Whether a filter is set, so that an empty list means "nothing matches". */
  narrowed: boolean
  /** Changes the address; any change except of the page returns to the first page. */
  set: (change: Record<string, unknown>) => void
  clear: () => void
}
/** The state for a page, with its own filters typed. */
export interface ListState<S extends ListSchema> extends AnyListState {
  search: z.output<S>
  /** For the list endpoint: `{ ...list.query, status: list.search.status }`. */
  query: {
    limit: number
    offset: number
    q?: string
    sort: S['defaults']['sort']
    direction: Direction
    cursor?: string
  }
}

const NOT_FILTERS = new Set(['page', 'size', 'sort', 'direction', 'cursor'])

/** The active filters, as one text to compare. */
export const narrowingOf = (search: unknown): string =>
  JSON.stringify(Object.entries(search as object).filter(([name]) => !NOT_FILTERS.has(name)))

/** Reads and writes the list's state in the address. */
export function useListState<S extends ListSchema>(schema: S): ListState<S> {
  const raw: unknown = useSearch({ strict: false })
  const navigate = useNavigate()
  return useMemo(() => {
    const search = schema.parse(raw) as z.output<S>
    const common = search as {
      q?: string
      page?: number
      size?: number
      sort?: string
      direction?: Direction
      cursor?: string
    }
    const {
      q,
      cursor,
      page = 1,
      size = pageSizes[0],
      sort = schema.defaults.sort,
      direction = schema.defaults.direction,
    } = common
    const go = (next: object) => {
      const kept = Object.entries(next).filter(([, value]) => value !== undefined && value !== '')
      void navigate({ to: '.', search: Object.fromEntries(kept), replace: true })
    }
    return {
      search,
      q: q ?? '',
      page,
      size,
      sort,
      direction,
      query: {
        limit: size,
        offset: (page - 1) * size,
        ...(q ? { q } : {}),
        sort,
        direction,
        ...(cursor ? { cursor } : {}),
      },
      set: (change) => go({ ...common, page: undefined, cursor: undefined, ...change }),
      clear: () => go({ size: common.size, sort: common.sort, direction: common.direction }),
      narrowed: Object.entries(common).some(([name, value]) => !NOT_FILTERS.has(name) && value !== undefined),
    }
  }, [raw, schema, navigate])
}
