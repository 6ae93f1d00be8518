import type { RemoteSegments } from '@okaeri/contract/segments/segment'
import {
  type MembersQuery,
  SEGMENT_MEMBERS,
  SEGMENT_MEMBERS_FIND,
  SEGMENT_MEMBERS_FOUND,
  segmentGlobalId,
  type SegmentMembersFindResult,
  type SegmentMembersFoundResult,
  type SegmentMembersResult,
  SEGMENTS,
  type SegmentsResult,
} from '../../../integrations/shopify/segment-operations.ts'
import { crashPoint } from '../../../kernel/crash-point.ts'
import { recurring } from '../../../kernel/work/due-merchants.ts'
import { AppError, conflict, IntegrationError } from '../../../kernel/errors.ts'
import { job } from '../../../kernel/work/jobs.ts'
import { type MerchantScope, merchantScope } from '../../../kernel/merchant-scope.ts'
import { findStore, getStoreClient, type StoreClient } from '../../stores/index.ts'
import { dueRemoteLists } from '../due-queries.ts'
import { lockSegments } from '../membership/incremental-membership-queries.ts'
import { announce } from '../membership/members.ts'
import { calculateReferencingSegments } from '../segment-references.ts'
import { lockMembers, markCalculating, markFailed } from '../membership/members-queries.ts'
import { findSegment, type SegmentRow } from '../queries.ts'
import {
  beginFetch,
  deleteOtherRemote,
  findFetchState,
  findListState,
  forgetMembers,
  keepPage,
  type ListedSegment,
  markFetched,
  markListed,
  markListing,
  storeFetchedMembers,
  upsertRemote,
} from './remote-queries.ts'

/** After this a listing counts as dead. */
const STALE_LISTING_MS = 5 * 60_000
/** A store that is unreachable for this long is reported; the next request tries again. */
const PATIENCE_MS = 10 * 60_000
/** The platform is asked again after this while it is still collecting the members. */
const ASK_AGAIN_MS = 1000

const isConnected = async (scope: MerchantScope): Promise<boolean> => (await findStore(scope))?.status === 'connected'

export async function presentRemoteSegments(scope: MerchantScope): Promise<RemoteSegments> {
  const state = await findListState(scope)
  return {
    status: (await isConnected(scope)) ? (state?.remote_status ?? 'waiting') : 'unavailable',
    failure: state?.remote_failure ?? null,
    listed_at: state?.remote_listed_at?.toISOString() ?? null,
  }
}

/** Lists the segments again. A listing in progress is not repeated, unless it takes too long or the caller insists. */
export async function resyncRemoteSegments(
  scope: MerchantScope,
  { force }: { force: boolean },
): Promise<RemoteSegments> {
  if (!(await isConnected(scope))) throw conflict('store_not_connected', 'no store is connected')
  return scope.transaction(async (scope) => {
    const state = await findListState(scope)
    const age = scope.now.getTime() - (state?.remote_requested_at?.getTime() ?? 0)
    if (force || state?.remote_status !== 'listing' || age >= STALE_LISTING_MS) await listLater(scope)
    return presentRemoteSegments(scope)
  })
}

async function listLater(scope: MerchantScope): Promise<void> {
  await markListing(scope)
  await scope.context.jobs.later(scope, listRemoteSegments, {})
}

/** There is no webhook for segments renamed or deleted in the store, so they are listed once a day. */
export const listRemoteSegmentsDaily = recurring({
  name: 'list the segments of stores',
  everyMs: 10 * 60_000,
  due: dueRemoteLists,
  async turn(scope) {
    await scope.transaction(listRemoteSegmentsLater)
    return false
  },
})

/** Reaction to `customers.changed_widely`, which a finished copy publishes: the store's segments are listed after its customers. */
export async function listRemoteSegmentsLater(scope: MerchantScope): Promise<void> {
  if (await isConnected(scope)) await listLater(scope)
}

export const listRemoteSegments = job<Record<never, never>>(
  'segments.list_remote',
  () => 'list',
  async (scope) => {
    const state = await findListState(scope)
    if (state?.remote_status !== 'listing') return
    try {
      const listed = await readList(await getStoreClient(scope))
      await scope.transaction(async (scope) => {
        await lockSegments(scope)
        for (const id of await upsertRemote(scope, listed)) await fetchLater(scope, id)
        const gone = await deleteOtherRemote(
          scope,
          listed.map(({ storeSegmentId }) => storeSegmentId),
        )
        for (const segmentId of gone) await scope.context.jobs.later(scope, forgetDeletedSegment, { segmentId })
        await markListed(scope, null)
      })
    } catch (error) {
      const failure = failureOf(scope, error, state.remote_requested_at)
      if (!failure) throw error
      await markListed(scope, failure)
      scope.context.log.warn({ merchantId: scope.merchantId, failure, error }, 'the store’s segments were not listed')
    }
  },
)

async function readList(store: StoreClient): Promise<ListedSegment[]> {
  const listed: ListedSegment[] = []
  for (let after: string | null = null; ; ) {
    const { segments }: SegmentsResult = await store.graphql<SegmentsResult>(SEGMENTS, { after })
    for (const { id, name, query } of segments.nodes) listed.push({ storeSegmentId: numberIn(id), name, query })
    if (!segments.pageInfo.hasNextPage) return listed
    after = segments.pageInfo.endCursor
  }
}

function numberIn(globalId: string): number {
  const number = Number(/\/(\d+)$/.exec(globalId)?.[1] ?? Number.NaN)
  if (!Number.isSafeInteger(number))
    throw new IntegrationError('shopify', false, `not an id of the platform: ${globalId.slice(0, 200)}`)
  return number
}

/** Null: a retry may help, so the job fails and runs again. */
function failureOf(scope: MerchantScope, error: unknown, requestedAt: Date | null): SegmentRow['failure'] {
  if (error instanceof AppError && error.reason === 'store_not_connected') return 'store_not_connected'
  if (!(error instanceof IntegrationError)) return null
  if (!error.retryable) return 'store_refused'
  const waited = scope.context.clock.now().getTime() - (requestedAt?.getTime() ?? 0)
  return waited >= PATIENCE_MS ? 'store_unreachable' : null
}

/** Deletes up to hundreds of thousands of rows, so no request waits for it. */
export const forgetDeletedSegment = job(
  'segments.forget',
  ({ segmentId }: { segmentId: string }) => segmentId,
  (scope, { segmentId }) =>
    scope.transaction(async (scope) => {
      await lockMembers(scope, [segmentId])
      if (!(await findSegment(scope, segmentId))) await forgetMembers(scope, [segmentId])
    }),
)

/** Returns the number of this fetch; it is done when `answered_number` reaches it. */
export async function fetchLater(scope: MerchantScope, segmentId: string): Promise<number> {
  const number = await markCalculating(scope, segmentId)
  await scope.context.jobs.later(scope, fetchRemoteMembers, { segmentId })
  return number
}

export const fetchRemoteMembers = job(
  'segments.fetch_remote',
  ({ segmentId }: { segmentId: string }) => segmentId,
  fetch,
)

async function fetch(scope: MerchantScope, { segmentId }: { segmentId: string }): Promise<void> {
  const segment = await findSegment(scope, segmentId)
  if (!segment || segment.origin === 'own' || segment.answered_number >= segment.count_number) return
  try {
    const store = await getStoreClient(scope)
    const found = await findMembers(scope, store, segment)
    if (!found) return
    if (!found.done) {
      await scope.context.jobs.later(scope, fetchRemoteMembers, { segmentId }, { delayMs: ASK_AGAIN_MS })
      return
    }
    if (await readPages(scope, store, { segment, queryId: found.id })) await replaceByFetched(scope, segment)
  } catch (error) {
    const failure = failureOf(scope, error, segment.count_requested_at)
    if (!failure) throw error
    await markFailed(scope, segment, failure)
    scope.context.log.warn({ merchantId: scope.merchantId, segmentId, failure, error }, 'members were not fetched')
  }
}

/** Continues the query this fetch has started, if the platform still has it. Null: another fetch was requested. */
async function findMembers(
  scope: MerchantScope,
  store: StoreClient,
  segment: SegmentRow,
): Promise<MembersQuery | null> {
  const state = await findFetchState(scope, segment)
  if (!state) return null
  if (state.store_members_query !== null) {
    const asked = await store.graphql<SegmentMembersFoundResult>(SEGMENT_MEMBERS_FOUND, {
      id: state.store_members_query,
    })
    if (asked.customerSegmentMembersQuery) return asked.customerSegmentMembersQuery
  }
  const { customerSegmentMembersQueryCreate: answer } = await store.graphql<SegmentMembersFindResult>(
    SEGMENT_MEMBERS_FIND,
    { segmentId: segmentGlobalId(segment.store_segment_id ?? 0) },
  )
  const found = answer.customerSegmentMembersQuery
  if (!found)
    throw new IntegrationError(
      'shopify',
      false,
      answer.userErrors.map(({ message }) => message).join('; ') || 'no answer',
    )
  await scope.transaction((scope) => beginFetch(scope, segment, found.id))
  return found
}

/** Each page is stored with its cursor, so that a fetch continues after a crash. False: another fetch was requested. */
async function readPages(
  scope: MerchantScope,
  store: StoreClient,
  { segment, queryId }: { segment: SegmentRow; queryId: string },
): Promise<boolean> {
  for (;;) {
    const state = await findFetchState(scope, segment)
    if (!state) return false
    const { customerSegmentMembers: page } = await store.graphql<SegmentMembersResult>(SEGMENT_MEMBERS, {
      queryId,
      after: state.store_cursor,
    })
    const storeCustomerIds = page.edges.map(({ node }) => numberIn(node.id))
    const kept = await scope.transaction((scope) =>
      keepPage(scope, segment, { storeCustomerIds, total: page.totalCount, cursor: page.pageInfo.endCursor }),
    )
    crashPoint('members_page')
    if (!kept) return false
    if (!page.pageInfo.hasNextPage) return true
  }
}

function replaceByFetched(scope: MerchantScope, segment: SegmentRow): Promise<void> {
  // A new scope, because fetching may have taken minutes.
  const later = merchantScope(scope.context, scope.merchantId)
  return later.transaction(async (scope) => {
    await lockMembers(scope, [segment.id])
    await lockSegments(scope)
    const current = await findSegment(scope, segment.id)
    if (!current || current.count_number !== segment.count_number) return
    const { entered, left, ...result } = await storeFetchedMembers(scope, segment.id)
    await markFetched(scope, segment, result)
    await scope.context.publish(scope, 'segments.members_updated', { segmentIds: [segment.id] })
    if (current.members_at !== null && !current.is_quiet) await announce(scope, segment.id, { entered, left })
    if (entered.length + left.length > 0) await calculateReferencingSegments(scope, segment.id)
  })
}
