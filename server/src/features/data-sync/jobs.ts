import { COLLECTION, type CollectionResult, globalId } from '../../integrations/shopify/sync-operations.ts'
import { job } from '../../kernel/work/jobs.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { listKnownStoreCollections, removeStoreCollections, upsertStoreCollections } from '../catalog/index.ts'
import { findStore, getStoreClient } from '../stores/index.ts'
import { checkDue, listChildren } from './change-check.ts'
import { makeDue, takeDueRun } from './queries.ts'
import { readSyncCollection } from './export-payloads.ts'
import { advanceSync } from './run.ts'
import { beginRun } from './sync.ts'
import { askForChecks, askForCustomersSince, deleteOldChecks, listDueSweeps, postponeSweeps } from './watch-queries.ts'
import { WEBHOOKS_KEPT_MS } from './due-queries.ts'

/** Advances a copy as far as possible now. Only one worker at a time holds the run, so the job may run twice. */
export const advanceSyncJob = job<{ runId: string }>(
  'advance_sync',
  ({ runId }) => runId,
  (scope, { runId }) => advanceSync(scope, runId),
)

/** Fetches a collection's products from the store. */
export const fetchCollection = job<{ storeCollectionId: number }>(
  'fetch_collection',
  ({ storeCollectionId }) => String(storeCollectionId),
  async (scope, { storeCollectionId }) => {
    if ((await findStore(scope))?.status !== 'connected') return
    const client = await getStoreClient(scope)
    const id = globalId('Collection', storeCollectionId)
    const { collection } = await client.graphql<CollectionResult>(COLLECTION, { id })
    if (!collection) return removeStoreCollections(scope, [storeCollectionId])
    const products = await listChildren(client, 'collections', id)
    await scope.transaction(async (scope) => {
      const before = (await listKnownStoreCollections(scope, [storeCollectionId])).get(storeCollectionId)
      const fetched = readSyncCollection(collection, products)
      await upsertStoreCollections(scope, [fetched])
      const now = [...new Set(fetched.productIds)].sort((one, other) => one - other)
      // Conditions about its products now have other answers.
      if (before?.productIds.join() !== now.join())
        await scope.context.publish(scope, 'customers.changed_widely', { learned: true })
    })
  },
)

/** Compares a part of what is due with the store, then queues behind other merchants. */
export const checkStore = job<Record<never, never>>(
  'check_store',
  () => '',
  async (scope) => {
    if (await checkDue(scope)) await scope.context.jobs.later(scope, checkStore, {})
  },
)

/** Enqueues a comparison with the store if one is due. Returns whether. */
export async function checkDueLater(scope: MerchantScope): Promise<boolean> {
  return scope.transaction(async (scope) => {
    const asked = await askForChecks(scope, new Date(scope.context.clock.realNow().getTime() - PUT_OFF_MS))
    if (asked) await scope.context.jobs.later(scope, checkStore, {})
    return asked
  })
}

/** Whether it is known who opted out in the store until then; true without a store. Where it is not it is compared soon. */
export const knowsStoreConsent = async (scope: MerchantScope, at: Date): Promise<boolean> =>
  (await findStore(scope))?.status !== 'connected' || askForCustomersSince(scope, at)

/** More than the comparisons of all kinds in two weeks, one per hour. */
const MAX_FORGOTTEN = 5000

/** Begins an export of all ids, if that is due and the store runs no other export for us. Returns whether. */
export async function beginDueSweep(scope: MerchantScope): Promise<boolean> {
  const kinds = await listDueSweeps(scope)
  if (kinds.length === 0 || !(await beginRun(scope, { purpose: 'sweep', kinds }))) return false
  await postponeSweeps(scope, kinds)
  await deleteOldChecks(scope, new Date(scope.context.clock.now().getTime() - WEBHOOKS_KEPT_MS), MAX_FORGOTTEN)
  return true
}

/** Longer than a job waits in the queue. After this it is enqueued again, because its worker may have died. */
const PUT_OFF_MS = 5000

/** Enqueues the next step of the merchant's copy if one is due. Returns whether. */
export async function advanceDueSync(scope: MerchantScope): Promise<boolean> {
  return scope.transaction(async (scope) => {
    const now = scope.context.clock.now()
    const runId = await takeDueRun(scope, { now, postponedUntil: new Date(now.getTime() + PUT_OFF_MS) })
    if (runId) await scope.context.jobs.later(scope, advanceSyncJob, { runId })
    return runId !== null
  })
}

/** An export was finished, so the next step is due now. */
export const syncSoon = (scope: MerchantScope): Promise<void> => makeDue(scope)
