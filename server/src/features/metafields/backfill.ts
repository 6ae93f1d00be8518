import type { MetafieldSetting } from '@okaeri/contract/metafields/metafield'
import { type ExportedMetafields, metafieldsExport } from '../../integrations/shopify/metafield-operations.ts'
import { type ExportSize, parseExportLine, readExportLines } from '../../integrations/shopify/export-file.ts'
import {
  BULK_NODE,
  type BulkNodeResult,
  type BulkRunResult,
  exportSize,
  isBusy,
  isUnderWay,
  retryPauseMs,
} from '../../integrations/shopify/operations.ts'
import {
  BULK_NEWEST,
  BULK_RUN_GROUPED,
  type BulkNewestResult,
  numberIn,
} from '../../integrations/shopify/sync-operations.ts'
import { isOutage } from '../../kernel/database-trouble.ts'
import { retriedTransaction } from '../../kernel/deadlocks.ts'
import { AppError, IntegrationError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { job } from '../../kernel/jobs.ts'
import type { Lease } from '../../kernel/leases.ts'
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
  makeFillDue,
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
    /** Whether the store's customers are here: before that no customer can have a metafield. */
    customersAreCopied(scope: MerchantScope): Promise<boolean>
  }
}

const BATCH_SIZE = 500
/** How often a running export is asked about. The platform's finish webhook usually comes first. */
const POLL_MS = 700
const RETRY_MS = 2000
/** An export that failed is asked for again, an unreachable platform tried again, this often. */
const MAX_ATTEMPTS = 5
/** Longer than a job waits in line; then it is asked for again, for the one who took it may be dead. */
const PUT_OFF_MS = 5000

/** Begins to fetch what waits, or compares all once a day; not while one is under way. Answers whether one was begun. */
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

/** Takes a fill as far as it goes now. Only one worker at a time gets anywhere, so it may run twice. */
export const advanceMetafieldFill = job<{ fillId: string }>(
  'advance_metafield_fill',
  ({ fillId }) => fillId,
  (scope, { fillId }) => advanceFill(scope, fillId),
)

/** Has the merchant's fill looked at, if one is due. Answers whether. */
export function advanceDueFill(scope: MerchantScope): Promise<boolean> {
  return scope.transaction(async (scope) => {
    const now = scope.context.clock.realNow()
    const fillId = await takeDueFill(scope, { now, putOffUntil: new Date(now.getTime() + PUT_OFF_MS) })
    if (fillId) await scope.context.jobs.later(scope, advanceMetafieldFill, { fillId })
    return fillId !== null
  })
}

/** A store was connected, for the first time or again: everything is fetched. */
export async function fillFromConnectedStore(scope: MerchantScope): Promise<void> {
  await markFillFinished(scope, null, { status: 'failed', error: 'store_not_connected' })
  await markPlatformWaiting(scope)
}

/** What has come stays; the rest waits for the store. */
export async function endFillOfLostStore(scope: MerchantScope): Promise<void> {
  await markFillFinished(scope, null, { status: 'failed', error: 'store_not_connected' })
  await markFillingWaiting(scope)
}

/** An export was finished: no need to wait for the next look. */
export const checkBackfillSoon = (scope: MerchantScope): Promise<void> => makeFillDue(scope)

/** How far the fill under way is, for the settings it is about. */
export async function progressOf(scope: MerchantScope): Promise<(setting: SettingRow) => MetafieldSetting['progress']> {
  const fill = await findRunningFill(scope)
  return (setting) =>
    fill && setting.status === 'filling' && fill.settingIds.includes(setting.id)
      ? { exported_count: fill.exportedCount, loaded_count: fill.loadedCount }
      : null
}

/** Another worker has it, or it was ended. This worker stops without a trace. */
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

/** Answers after how long to look again; null when it is done. */
async function advance(scope: MerchantScope, hold: Lease, fill: FillRow): Promise<number | null> {
  const store = await getStoreClient(scope)
  const settings = await settingsOf(scope, fill)
  if (settings.length === 0) return finish(scope, fill, settings)
  if (!fill.bulkOperationId) {
    if (!(await scope.context.ports.customersAreCopied(scope))) return RETRY_MS
    // Before the export, so that no change falls between the export and the first webhook.
    await subscribeToMetafieldChanges(scope, store)
    return (await startExport(scope, fill, store)) ? POLL_MS : RETRY_MS
  }
  const { node } = await store.graphql<BulkNodeResult>(BULK_NODE, { id: fill.bulkOperationId })
  const exportedCount = Number(node?.rootObjectCount ?? 0)
  if (node?.status === 'COMPLETED') {
    await changeFill(scope, fill.id, { exportedCount, exportedAt: new Date(node.createdAt) })
    const whole = exportSize(node)
    // No file means that nothing was found; but files are kept only for some days.
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
    return POLL_MS
  }
  const told = node?.errorCode ?? node?.status ?? 'EXPIRED'
  // What is forbidden stays forbidden: the merchant has to grant the access.
  if (told === 'ACCESS_DENIED') throw new IntegrationError('shopify', false, `export of metafields: ${told}`)
  await changeFill(scope, fill.id, { bulkOperationId: null, loadedCount: 0 })
  throw new IntegrationError('shopify', true, `export of metafields: ${told}`)
}

/** Those that were not deleted meanwhile. */
async function settingsOf(scope: MerchantScope, fill: FillRow): Promise<SettingRow[]> {
  const kept = new Map((await listSettings(scope)).map((setting) => [setting.id, setting]))
  return fill.settingIds.flatMap((id) => kept.get(id) ?? [])
}

/** Answers false when the platform is busy with another export of ours. */
async function startExport(scope: MerchantScope, fill: FillRow, store: StoreClient): Promise<boolean> {
  const kept = new Map((await settingsOf(scope, fill)).map((setting) => [setting.id, setting]))
  const query = metafieldsExport(fill.settingIds.map((id) => kept.get(id) ?? null))
  const { bulkOperationRunQuery: answer } = await store.graphql<BulkRunResult>(BULK_RUN_GROUPED, { query })
  let id = answer.bulkOperation?.id ?? null
  const [refusal] = answer.userErrors
  if (isBusy(refusal)) {
    // Ours, if a worker died between asking for it and writing that down.
    const { bulkOperations } = await store.graphql<BulkNewestResult>(BULK_NEWEST)
    id = bulkOperations.nodes.find((node) => isUnderWay(node.status) && node.query.trim() === query)?.id ?? null
    if (!id) return false
  } else if (refusal) throw new IntegrationError('shopify', false, `export of metafields refused: ${refusal.message}`)
  await changeFill(scope, fill.id, { bulkOperationId: id, exportedCount: 0, loadedCount: 0 })
  return true
}

/** Loads the file batch by batch; each batch and how far it got are stored together, so a resumed load goes on where it stopped. */
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
  // Webhooks work on the same customers meanwhile.
  await retriedTransaction(scope, async (scope) => {
    await upsertStoreBatch(scope, batch)
    await changeFill(scope, batch.fill.id, { loadedCount: batch.loadedCount, attempts: 0 })
    // Last, so that the row is locked for a moment only.
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
      // The fields of the export stand in the order of the fill's settings.
      const told = line[`m${fill.settingIds.indexOf(setting.id)}`]
      if (told) values.push({ setting, customerId, value: told.value, updatedAt: new Date(told.updatedAt) })
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

/** Then nearly everybody changes: that is said once, at the end. */
const isFirst = (settings: readonly SettingRow[]): boolean => settings.some(({ filledAt }) => !filledAt)

async function finish(scope: MerchantScope, fill: FillRow, settings: readonly SettingRow[]): Promise<null> {
  const ids = settings.map(({ id }) => id)
  // Before it is called ready, so that no page shows a count of zero.
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
 * A passing failure of the store's is tried again until it passes, one of ours some times. For good are refusals and a lost store. Answers
 * after how long to try again.
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

/** What the page shows: the platform's own words where it gave some, nothing of our insides. */
function reasonOf(error: unknown): string {
  if (error instanceof IntegrationError) return error.detail
  if (error instanceof AppError) return error.reason
  return 'internal'
}
