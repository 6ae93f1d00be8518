import {
  type Dataset,
  type DatasetCheck,
  DatasetId,
  type DatasetProgress,
  type DatasetStore,
  type DifferenceKind,
} from '@okaeri/contract/datasets/dataset'
import { type CopiedKind, copiedKinds } from '../../integrations/shopify/sync-operations.ts'
import { conflict } from '../../kernel/errors.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { checkCopy, getSync, startSync, secondsLeft, shareDone } from '../data-sync/index.ts'
import { fillFromConnectedStore } from '../metafields/index.ts'
import { listRemoteSegmentsLater } from '../segments/index.ts'
import { findStore } from '../stores/index.ts'
import { countDataset } from './dataset-counts.ts'
import {
  type CheckRow,
  type FetchState,
  findFetchStates,
  findLastChecked,
  findLastDifference,
  listChecks,
} from './queries.ts'
import { datasetNames } from './words.ts'

const isCopied = (id: DatasetId): id is CopiedKind => (copiedKinds as readonly string[]).includes(id)
const SHOWN_CHECKS = 50

export async function listDatasets(scope: MerchantScope) {
  const data = await presentAll(scope, DatasetId.options)
  return { data, limit: data.length, offset: 0, total: data.length, store: await presentStore(scope) }
}

export async function getDataset(scope: MerchantScope, id: DatasetId): Promise<Dataset> {
  const [dataset] = await presentAll(scope, [id])
  if (!dataset) throw new Error('every dataset is presented')
  return dataset
}

export async function getDatasetDetail(scope: MerchantScope, id: DatasetId) {
  const [dataset, checks, store] = await Promise.all([
    getDataset(scope, id),
    listChecks(scope, id, SHOWN_CHECKS),
    presentStore(scope),
  ])
  return { dataset, checks: checks.map(presentCheck), store }
}

/** Throws `store_not_connected`, or `sync_running` while a fetch is in progress. */
export async function refetchDataset(scope: MerchantScope, id: DatasetId): Promise<void> {
  if (isCopied(id)) {
    await startSync(scope, [id])
    return
  }
  await scope.transaction(async (scope) => {
    if ((await findStore(scope))?.status !== 'connected') throw conflict('store_not_connected', 'no store is connected')
    const state = (await findFetchStates(scope)).get(id)
    if (state?.status === 'fetching') throw conflict('sync_running', 'this is being fetched already')
    await (id === 'segments' ? listRemoteSegmentsLater(scope) : fillFromConnectedStore(scope))
  })
}

/** Throws `store_not_connected`; `not_compared` for datasets that are only fetched as a whole. */
export async function checkDataset(scope: MerchantScope, id: DatasetId): Promise<void> {
  if (!isCopied(id)) throw conflict('not_compared', 'this dataset is fetched whole instead')
  await checkCopy(scope, [id])
}

async function presentAll(scope: MerchantScope, ids: readonly DatasetId[]): Promise<Dataset[]> {
  const states = await findFetchStates(scope)
  const sync = await getSync(scope)
  const left = sync.status === 'running' ? sync.seconds_left : null
  return Promise.all(
    ids.map(async (id): Promise<Dataset> => {
      const state = states.get(id) ?? NEVER
      const [{ count, at }, lastChecked, difference] = await Promise.all([
        countDataset(scope, id, state.lastFetchedAt),
        findLastChecked(scope, id),
        findLastDifference(scope, id),
      ])
      return {
        id,
        name: datasetNames[id],
        status: state.status,
        error: state.status === 'failed' ? state.error : null,
        count,
        counted_at: at.toISOString(),
        last_fetched_at: state.lastFetchedAt?.toISOString() ?? null,
        last_checked_at: lastChecked?.toISOString() ?? null,
        last_difference: difference && {
          at: (difference.finishedAt ?? difference.startedAt).toISOString(),
          count: sumOf(difference),
          kinds: kindsOf(difference),
        },
        progress: progressOf(state, left),
      }
    }),
  )
}

const NEVER: FetchState = { status: 'never_fetched', error: null, lastFetchedAt: null, running: null }

function progressOf({ status, running }: FetchState, left: number | null): DatasetProgress | null {
  if (status !== 'fetching' || !running) return null
  const { phase, exportedCount, loadedCount, startedAt, now } = running
  const step = {
    status: phase,
    exported_count: exportedCount,
    loaded_count: loadedCount,
  }
  const percent = Math.round(shareDone([step]) * 1000) / 10
  return {
    phase,
    exported_count: exportedCount,
    loaded_count: loadedCount,
    percent,
    seconds_left: phase === 'loading' && startedAt ? secondsLeft([step], now.getTime() - startedAt.getTime()) : left,
  }
}

const kindColumns = {
  missing: 'missing',
  outdated: 'outdated',
  consent: 'consent',
  gone: 'gone',
} as const satisfies Record<DifferenceKind, keyof CheckRow>
const kindsOf = (check: CheckRow): { kind: DifferenceKind; count: number }[] =>
  (Object.keys(kindColumns) as DifferenceKind[])
    .map((kind) => ({ kind, count: check[kindColumns[kind]] }))
    .filter(({ count }) => count > 0)
const sumOf = (check: CheckRow): number => kindsOf(check).reduce((sum, { count }) => sum + count, 0)

const presentCheck = (check: CheckRow): DatasetCheck => ({
  id: check.id,
  kind: check.method,
  from: check.from?.toISOString() ?? null,
  until: check.until.toISOString(),
  status: check.status,
  checked_count: check.checked,
  repaired_count: sumOf(check),
  kinds: kindsOf(check),
  started_at: check.startedAt.toISOString(),
  finished_at: check.finishedAt?.toISOString() ?? null,
})

async function presentStore(scope: MerchantScope): Promise<DatasetStore> {
  const [store, { webhooks_waiting }] = await Promise.all([findStore(scope), getSync(scope)])
  if (!store) return { connected: false, shop_domain: null, reason: 'never', since: null, webhooks_waiting }
  const connected = store.status === 'connected'
  return {
    connected,
    shop_domain: store.shop_domain,
    reason: connected ? null : (store.disconnected_reason ?? 'disconnected'),
    since: ((connected ? store.connected_at : store.disconnected_at) ?? store.connected_at).toISOString(),
    webhooks_waiting,
  }
}
