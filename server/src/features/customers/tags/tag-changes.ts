import type { CustomerSelection, TagChange } from '@okaeri/contract/customers/selection'
import {
  TAGS_ADD,
  TAGS_REMOVE,
  type TagsAddResult,
  type TagsRemoveResult,
} from '../../../integrations/shopify/customer-operations.ts'
import { globalId } from '../../../integrations/shopify/sync-operations.ts'
import { retriedTransaction } from '../../../kernel/database/deadlocks.ts'
import { AppError, conflict, IntegrationError, notFound } from '../../../kernel/errors.ts'
import { job } from '../../../kernel/work/jobs.ts'
import type { Job } from '../../../kernel/context.ts'
import { runHeavyQuery } from '../../../kernel/database/heavy-queries.ts'
import { type MerchantScope, merchantScope } from '../../../kernel/merchant-scope.ts'
import { findStore, getStoreClient, type StoreClient } from '../../stores/index.ts'
import { listSelected } from '../list/selection.ts'
import { changeStoreTags } from '../incoming/store-customers.ts'
import {
  areAnyOfStore,
  deleteTagChanges,
  findTagChange,
  insertTagChange,
  listRunning,
  markGivenUp,
  markTagged,
  markTried,
  selectNext,
  selectTagChanges,
  type TagChangeRow,
} from './tag-change-queries.ts'

/** In progress at the same time, per merchant. */
const MAX_RUNNING = 3
const DAY_MS = 86_400_000
const KEPT_MS = 30 * DAY_MS
/** Committed together; a crash repeats at most these. */
const AT_ONCE = 20
/** The time slice of a job. Real time. */
const SLICE_MS = 10_000
/** Between tries while the store is unreachable; after the last one the change fails. */
const BACK_OFF_MINUTES = [1, 5, 15, 60, 120, 240]
const MINUTE_MS = 60_000
/** Refusals that are about us, not about a customer. */
const ABOUT_ACCESS: readonly string[] = ['unauthorized', 'ACCESS_DENIED', 'app_credentials', 'refused']

/** Begins a change of tags. A second identical request finds the first. */
export async function beginTagChange(
  scope: MerchantScope,
  wanted: { id: string; selection: CustomerSelection; expected_count: number; add: string[]; remove: string[] },
): Promise<TagChange> {
  const { id } = wanted
  const known = await findTagChange(scope, id)
  if (known) return present(known)
  // Before the lock: waiting for it holds a connection.
  const customerIds = await runHeavyQuery(scope, () => listSelected(scope, wanted))
  const store = await findStore(scope)
  if (store && store.status !== 'connected' && (await areAnyOfStore(scope, customerIds)))
    throw conflict('store_not_connected', 'they are customers of a store that is not connected now')
  const [add, remove] = [eachOnce(wanted.add), eachOnce(wanted.remove)]
  return scope.transaction(async (scope) => {
    const running = await listRunning(scope)
    const known = await findTagChange(scope, id)
    if (known) return present(known)
    // Continues changes that lost their job (the database was away for hours); a waiting job is not enqueued twice.
    for (const changeId of running) await scope.context.jobs.later(scope, changeTagsOfMany, { changeId })
    if (running.length >= MAX_RUNNING) throw conflict('too_many_tag_changes', `${MAX_RUNNING} are under way`)
    await deleteTagChanges(scope, new Date(scope.now.getTime() - KEPT_MS))
    await insertTagChange(scope, { id, add, remove, customerIds })
    await scope.context.jobs.later(scope, changeTagsOfMany, { changeId: id })
    const row = await findTagChange(scope, id)
    if (!row) throw notFound()
    return present(row)
  })
}

/** As in the store: compared without letter case, the first spelling stays. */
const eachOnce = (tags: readonly string[]): string[] =>
  tags.filter((tag, at) => tags.findIndex((other) => other.toLowerCase() === tag.toLowerCase()) === at)

export const listTagChanges = async (scope: MerchantScope): Promise<TagChange[]> =>
  (await selectTagChanges(scope, new Date(scope.now.getTime() - DAY_MS))).map(present)

const present = (row: TagChangeRow): TagChange => ({
  id: row.id,
  add: row.add,
  remove: row.remove,
  status: row.status,
  total: row.total,
  done_count: row.total - row.left - row.refused,
  refused_count: row.refused,
  created_at: row.createdAt.toISOString(),
  finished_at: row.finishedAt?.toISOString() ?? null,
})

/** Processes the rest, some at a time. Existing tags are no error, so a second run changes nothing. */
export const changeTagsOfMany: Job<{ changeId: string }> = job<{ changeId: string }>(
  'customers.change_tags',
  ({ changeId }) => changeId,
  async (scope, { changeId }) => {
    const { context, merchantId } = scope
    const until = context.clock.realNow().getTime() + SLICE_MS
    try {
      while (await changeSome(merchantScope(context, merchantId), changeId))
        if (context.clock.realNow().getTime() > until) {
          await context.jobs.later(scope, changeTagsOfMany, { changeId })
          return
        }
    } catch (error) {
      if (!isStoreAway(error)) throw error
      await tryLater(merchantScope(context, merchantId), changeId)
    }
  },
)

/** Unreachable, or our access is lost: it may be back within hours. */
const isStoreAway = (error: unknown): boolean =>
  error instanceof IntegrationError || (error instanceof AppError && error.reason === 'store_not_connected')

async function tryLater(scope: MerchantScope, changeId: string): Promise<void> {
  await scope.transaction(async (scope) => {
    const minutes = BACK_OFF_MINUTES[(await markTried(scope, changeId)) - 1]
    if (minutes === undefined) await markGivenUp(scope, changeId)
    else await scope.context.jobs.later(scope, changeTagsOfMany, { changeId }, { delayMs: minutes * MINUTE_MS })
  })
}

/** Returns whether any customer was left. Throws if the store was not reached; customers done before that are on record. */
async function changeSome(scope: MerchantScope, changeId: string): Promise<boolean> {
  const change = await findTagChange(scope, changeId)
  if (change?.status !== 'running') return false
  const next = await selectNext(scope, changeId, AT_ONCE)
  // Without a store the tags change only here; if the store was lost meanwhile, no customer is skipped.
  const store = await findStore(scope)
  const client = store?.status === 'connected' ? await getStoreClient(scope) : null
  const [done, refused]: [string[], string[]] = [[], []]
  let failure: unknown = null
  for (const { id, storeCustomerId, isKnown } of next) {
    try {
      const isOfStore = isKnown && store !== null && storeCustomerId !== null
      if (isOfStore && !client) throw conflict('store_not_connected')
      const isTagged = !isOfStore || !client || (await tagInStore(client, storeCustomerId, change))
      ;(isTagged ? done : refused).push(id)
    } catch (error) {
      failure = error
      break
    }
  }
  await retriedTransaction(scope, async (scope) => {
    for (const id of done.toSorted())
      await changeStoreTags(scope, { id, added: change.add, removed: change.remove, occurredAt: scope.now })
    await markTagged(scope, changeId, { done, refused })
  })
  if (failure) throw failure
  return next.length > 0
}

/** False if the store refuses it for this customer; throws if it may accept it later. */
async function tagInStore(
  store: StoreClient,
  storeCustomerId: number,
  { add, remove }: TagChangeRow,
): Promise<boolean> {
  const id = globalId('Customer', storeCustomerId)
  const errors = []
  try {
    if (add.length > 0)
      errors.push(...(await store.graphql<TagsAddResult>(TAGS_ADD, { id, tags: add })).tagsAdd.userErrors)
    if (remove.length > 0)
      errors.push(...(await store.graphql<TagsRemoveResult>(TAGS_REMOVE, { id, tags: remove })).tagsRemove.userErrors)
  } catch (error) {
    if (error instanceof IntegrationError && !error.retryable && !ABOUT_ACCESS.includes(error.detail)) return false
    throw error
  }
  return errors.length === 0
}
