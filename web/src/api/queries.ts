import { ApiError, type CallInput } from '@okaeri/contract/client'
import type { Endpoint, EndpointTypes } from '@okaeri/contract/endpoint'
import { QueryClient, queryOptions } from '@tanstack/react-query'
import { call } from './call.ts'
import { nextTryMs, waitsForDatabase } from './waiting.ts'

/** Spec §9. */
const MAX_RETRIES = 2
const REFETCH_INTERVAL_MS = 30_000
const CACHE_MS = 30_000

export const retryQuery = (failures: number, error: unknown): boolean =>
  waitsForDatabase(error) ||
  (failures < MAX_RETRIES && !(error instanceof ApiError && error.status >= 400 && error.status < 500))

/** One second, then two, …; where the server says when, then. */
const retryDelay = (failures: number, error: unknown): number =>
  error instanceof ApiError && error.retryAfterMs !== null ? nextTryMs(error) : Math.min(1000 * 2 ** failures, 30_000)

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      refetchOnWindowFocus: true,
      refetchOnMount: true,
      refetchOnReconnect: true,
      staleTime: 0,
      gcTime: CACHE_MS,
      refetchInterval: REFETCH_INTERVAL_MS,
      retry: retryQuery,
      retryDelay,
    },
    // Fails at once without a network too: an action must not be done later, when the network is back, by a page that was left long ago.
    mutations: { retry: false, networkMode: 'always' },
  },
})

/** What a page asks for: `useQuery(queryOf(getCampaign, { params: { id } }))`. Keyed by the endpoint's area first. */
export function queryOf<T extends EndpointTypes>(endpoint: Endpoint<T>, input: CallInput<T>) {
  return queryOptions({
    queryKey: [endpoint.area, endpoint.path, input] as const,
    queryFn: ({ signal }): Promise<T['outReply']> => call(endpoint, { ...input, signal }),
  })
}

/** Asks again for everything shown of these areas (an endpoint's `area`): after a change. */
export const refresh = (...areas: string[]): Promise<unknown> =>
  Promise.all(areas.map((area) => queryClient.invalidateQueries({ queryKey: [area] })))
