import type { MetafieldSetting } from '@okaeri/contract/metafields/metafield'
import { type ExportedMetafields, metafieldsExport } from '../../integrations/shopify/metafield-operations.ts'
import { type ExportSize, parseExportLine, readExportLines } from '../../integrations/shopify/export-file.ts'
import {
  BULK_CANCEL,
  type BulkCancelResult,
  BULK_NODE,
  type BulkNodeResult,
  type BulkRunResult,
  exportLookMs,
  exportSize,
  isBusy,
  isUnderWay,
  retryPauseMs,
  STUCK_EXPORT_MS,
} from '../../integrations/shopify/operations.ts'
import {
  BULK_NEWEST,
  BULK_RUN_GROUPED,
  type BulkNewestResult,
  numberIn,
} from '../../integrations/shopify/sync-operations.ts'
import { isOutage } from '../../kernel/database/database-trouble.ts'
import { retriedTransaction } from '../../kernel/database/deadlocks.ts'
import { AppError, IntegrationError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { job } from '../../kernel/work/jobs.ts'
import type { Lease } from '../../kernel/work/leases.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { parseStorableJson } from '../../kernel/storable-json.ts'
import { findStoreCustomers } from '../customers/index.ts'
import { findStore, getStoreClient, type StoreClient } from '../stores/index.ts'
import {
  analyzeValues,
  changeFill,
  claimFill,
  type FillRow,
  findNewestStart,
  findRunningFill,
  holdFill,
  insertFill,
  markFillFinished,
  releaseFill,
  takeDueFill,
} from './backfill-queries.ts'
import { METAFIELDS_COMPARED_EVERY_MS } from './due-queries.ts'
import { listSettings, markFillingWaiting, markPlatformWaiting, markStatus, type SettingRow } from './queries.ts'
import { subscribeToMetafieldChanges } from './store-notifications.ts'
import { recount } from './value-queries.ts'
import { type NewValue, upsertValues } from './value-upsert.ts'

declare module '../../kernel/context.ts' {
  interface Ports {
    /** Whether the store's customers are copied: before that no customer can have a metafield. */
    customersAreCopied(scope: MerchantScope): Promise<boolean>
  }
}

const BATCH_SIZE = 500
const RETRY_MS = 2000
/** Tries after a fault of ours; temporary failures of the platform have no limit. */
const MAX_ATTEMPTS = 5
/** Longer than a job waits in the queue. After this it is enqueued again, because its worker may have died. */
const PUT_OFF_MS = 5000

/** Begins to fetch what waits, or compares everything once a day, unless one is in progress. Returns whether one was begun. */
export function beginDueFill(scope: MerchantScope): Promise<boolean> {
  return scope.transaction(async (scope) => {
    if ((await findStore(scope))?.status !== 'connected') return false
    const platform = (await listSettings(scope)).filter(({ namespaceType }) => namespaceType === 'platform')
    const waiting = platform.filter(({ status }) => status === 'waiting')
    const newest = await findNewestStart(scope)
    const compareAll = !newest || scope.now.getTime() - newest.getTime() >= METAFIELDS_COMPARED_EVERY_MS
    const chosen = (compareAll ? platform : waiting).map(({ id }) => id)
    if (chosen.length === 0 || !(await insertFill(scope, newId(), chosen))) return false
    await markStatus(
      scope,
      waiting.map(({ id }) => id),
      { status: 'filling' },
    )
    return true
  })
}

/** Advances a backfill as far as possible now. Only one worker at a time holds it, so the job may run twice. */
export const advanceMetafieldFill = job<{ fillId: string }>(
  'advance_metafield_fill',
  ({ fillId }) => fillId,
  (scope, { fillId }) => advanceFill(scope, fillId),
)

/** Enqueues the next step of the merchant's backfill if one is due. Returns whether. */
export function advanceDueFill(scope: MerchantScope): Promise<boolean> {
  return scope.transaction(async (scope) => {
    const now = scope.context.clock.realNow()
    const fillId = await takeDueFill(scope, { now, postponedUntil: new Date(now.getTime() + PUT_OFF_MS) })
    if (fillId) await scope.context.jobs.later(scope, advanceMetafieldFill, { fillId })
    return fillId !== null
  })
}

/** A store was connected, for the first time or again: everything is fetched. */
export async function fillFromConnectedStore(scope: MerchantScope): Promise<void> {
  await markFillFinished(scope, null, { status: 'failed', error: 'store_not_connected' })
  await markPlatformWaiting(scope)
}

/** Fetched values stay; the rest waits for the store. */
export async function endFillOfLostStore(scope: MerchantScope): Promise<void> {
  await markFillFinished(scope, null, { status: 'failed', error: 'store_not_connected' })
  await markFillingWaiting(scope)
}

/** The progress of the current backfill, with its settings. */
export async function progressOf(scope: MerchantScope): Promise<(setting: SettingRow) => MetafieldSetting['progress']> {
  const fill = await findRunningFill(scope)
  return (setting) =>
    fill && setting.status === 'filling' && fill.settingIds.includes(setting.id)
      ? { exported_count: fill.exportedCount, loaded_count: fill.loadedCount }
      : null
}

/** Another worker has it, or it was ended. This worker stops and writes nothing. */
class FillLost extends Error {
  override readonly name = 'FillLost'
}

async function advanceFill(scope: MerchantScope, fillId: string): Promise<void> {
  const hold: Lease = { rowId: fillId, id: newId() }
  const fill = await claimFill(scope, hold)
  if (!fill) return
  let nextMs = RETRY_MS
  try {
    nextMs = (await advance(scope, hold, fill)) ?? RETRY_MS
  } catch (error) {
    if (error instanceof FillLost) return
    if (isOutage(error)) throw error
    nextMs = await giveUpOrRetry(scope, fill, error)
  } finally {
    await releaseFill(scope, hold, new Date(scope.context.clock.realNow().getTime() + nextMs))
  }
}

/** Returns when to continue, in milliseconds; null when it is done. */
async function advance(scope: MerchantScope, hold: Lease, fill: FillRow): Promise<number | null> {
  const store = await getStoreClient(scope)
  const settings = await settingsOf(scope, fill)
  if (settings.length === 0) return finish(scope, fill, settings)
  if (!fill.bulkOperationId) {
    if (!(await scope.context.ports.customersAreCopied(scope))) return RETRY_MS
    // Before the export, so that no change is missed between the export and the first webhook.
    await subscribeToMetafieldChanges(scope, store)
    return (await startExport(scope, fill, store)) ? exportLookMs(0) : RETRY_MS
  }
  const { node } = await store.graphql<BulkNodeResult>(BULK_NODE, { id: fill.bulkOperationId })
  const exportedCount = Number(node?.rootObjectCount ?? 0)
  if (node?.status === 'COMPLETED') {
    await changeFill(scope, fill.id, { exportedCount, exportedAt: new Date(node.createdAt) })
    const whole = exportSize(node)
    // An empty result has no file. The file of any other result is deleted after some days.
    if (!node.url && whole.objects > 0) {
      await changeFill(scope, fill.id, { bulkOperationId: null, loadedCount: 0 })
      throw new IntegrationError('shopify', true, 'export of metafields: EXPIRED')
    }
    if (node.url)
      await load(scope, hold, {
        fill: { ...fill, exportedAt: new Date(node.createdAt) },
        settings,
        url: node.url,
        whole,
      })
    return finish(scope, fill, settings)
  }
  if (node && (isUnderWay(node.status) || node.status === 'CANCELING')) {
    await changeFill(scope, fill.id, { exportedCount })
    const ageMs = Math.max(0, scope.context.clock.now().getTime() - Date.parse(node.createdAt))
    if (ageMs > STUCK_EXPORT_MS && isUnderWay(node.status))
      await store.graphql<BulkCancelResult>(BULK_CANCEL, { id: fill.bulkOperationId })
    return exportLookMs(ageMs)
  }
  const failure = node?.errorCode ?? node?.status ?? 'EXPIRED'
  // A retry cannot help: the merchant has to grant the access.
  if (failure === 'ACCESS_DENIED') throw new IntegrationError('shopify', false, `export of metafields: ${failure}`)
  await changeFill(scope, fill.id, { bulkOperationId: null, loadedCount: 0 })
  throw new IntegrationError('shopify', true, `export of metafields: ${failure}`)
}

/** Those that were not deleted meanwhile. */
async function settingsOf(scope: MerchantScope, fill: FillRow): Promise<SettingRow[]> {
  const kept = new Map((await listSettings(scope)).map((setting) => [setting.id, setting]))
  return fill.settingIds.flatMap((id) => kept.get(id) ?? [])
}

/** Returns false if the platform is busy with another export of ours. */
async function startExport(scope: MerchantScope, fill: FillRow, store: StoreClient): Promise<boolean> {
  const kept = new Map((await settingsOf(scope, fill)).map((setting) => [setting.id, setting]))
  const query = metafieldsExport(fill.settingIds.map((id) => kept.get(id) ?? null))
  const { bulkOperationRunQuery: answer } = await store.graphql<BulkRunResult>(BULK_RUN_GROUPED, { query })
  let id = answer.bulkOperation?.id ?? null
  const [refusal] = answer.userErrors
  if (isBusy(refusal)) {
    // Our own export, if a worker died between requesting it and storing its id.
    const { bulkOperations } = await store.graphql<BulkNewestResult>(BULK_NEWEST)
    id = bulkOperations.nodes.find((node) => isUnderWay(node.status) && node.query.trim() === query)?.id ?? null
    if (!id) return false
  } else if (refusal) throw new IntegrationError('shopify', false, `export of metafields refused: ${refusal.message}`)
  await changeFill(scope, fill.id, { bulkOperationId: id, exportedCount: 0, loadedCount: 0 })
  return true
}

/** Loads the file batch by batch. Each batch is stored with the position, so a resumed load continues where it stopped. */
async function load(
  scope: MerchantScope,
  hold: Lease,
  { fill, settings, url, whole }: { fill: FillRow; settings: readonly SettingRow[]; url: string; whole: ExportSize },
): Promise<void> {
  let position = 0
  let batch: ExportedMetafields[] = []
  const flush = async (): Promise<void> => {
    if (batch.length > 0) await storeBatch(scope, hold, { fill, settings, batch, loadedCount: position })
    batch = []
  }
  for await (const line of readExportLines(url, whole)) {
    position += 1
    if (position <= fill.loadedCount) continue
    batch.push(parseExportLine<ExportedMetafields>(line, parseStorableJson))
    if (batch.length >= BATCH_SIZE) await flush()
  }
  await flush()
}

interface Batch {
  fill: FillRow
  settings: readonly SettingRow[]
  batch: readonly ExportedMetafields[]
  loadedCount: number
}

async function storeBatch(scope: MerchantScope, hold: Lease, batch: Batch): Promise<void> {
  // Webhooks change the same customers meanwhile.
  await retriedTransaction(scope, async (scope) => {
    await upsertStoreBatch(scope, batch)
    await changeFill(scope, batch.fill.id, { loadedCount: batch.loadedCount, attempts: 0 })
    // Last, so that the row is locked only for a moment.
    if (!(await holdFill(scope, hold))) throw new FillLost()
  })
}

async function upsertStoreBatch(scope: MerchantScope, { fill, settings, batch }: Batch): Promise<void> {
  const ids = await findStoreCustomers(
    scope,
    batch.map(({ id }) => numberIn(id)),
  )
  const values: NewValue[] = []
  for (const line of batch) {
    const customerId = ids.get(numberIn(line.id))
    if (!customerId) continue
    for (const setting of settings) {
      // The fields of the export are in the order of the backfill's settings.
      const field = line[`m${fill.settingIds.indexOf(setting.id)}`]
      if (field) values.push({ setting, customerId, value: field.value, updatedAt: new Date(field.updatedAt) })
    }
  }
  await upsertValues(scope, values, {
    complete: {
      settingIds: settings.map(({ id }) => id),
      customerIds: [...ids.values()],
      asOf: fill.exportedAt ?? scope.now,
    },
    silent: isFirst(settings),
  })
}

/** Nearly all customers change then, which is published once, at the end. */
const isFirst = (settings: readonly SettingRow[]): boolean => settings.some(({ filledAt }) => !filledAt)

async function finish(scope: MerchantScope, fill: FillRow, settings: readonly SettingRow[]): Promise<null> {
  const ids = settings.map(({ id }) => id)
  // Before the status is ready, so that no page shows a count of zero.
  for (const id of ids) await recount(scope, id)
  await scope.transaction(async (scope) => {
    if (!(await markFillFinished(scope, fill.id, { status: 'done', error: null }))) throw new FillLost()
    await markStatus(scope, ids, { status: 'ready', filledAt: scope.context.clock.now() })
    if (isFirst(settings)) await scope.context.publish(scope, 'customers.changed_widely', { learned: true })
  })
  await analyzeValues(scope)
  return null
}

/**
 * A temporary failure of the store is retried without a limit, one of ours a few times. A refusal or a lost store is final. Returns when to
 * try again, in milliseconds.
 */
async function giveUpOrRetry(scope: MerchantScope, fill: FillRow, error: unknown): Promise<number> {
  const attempts = fill.attempts + 1
  const passing =
    error instanceof IntegrationError ? error.retryable : !(error instanceof AppError) && attempts < MAX_ATTEMPTS
  scope.context.log.warn(
    { merchantId: scope.merchantId, fillId: fill.id, attempts, error },
    'fetching metafields met an error',
  )
  await changeFill(scope, fill.id, { attempts })
  if (passing) return retryPauseMs(attempts)
  await scope.transaction(async (scope) => {
    const ids = await markFillFinished(scope, fill.id, { status: 'failed', error: reasonOf(error) })
    if (ids) await markStatus(scope, ids, { status: 'failed', error: reasonOf(error) })
  })
  return RETRY_MS
}

/** For the page: the platform's message if there is one, without internal details. */
function reasonOf(error: unknown): string {
  if (error instanceof IntegrationError) return error.detail
  if (error instanceof AppError) return error.reason
  return 'internal'
}
