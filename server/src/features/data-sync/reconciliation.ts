import { parseExportLine, readExportLines } from '../../integrations/shopify/export-file.ts'
import {
  type CopiedKind,
  globalId,
  numberIn,
  EXISTING_NODES,
  type ExistingNodesResult,
} from '../../integrations/shopify/sync-operations.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import {
  listStoreCollectionIds,
  listStoreProductIds,
  removeStoreCollections,
  removeStoreProducts,
} from '../catalog/index.ts'
import { listStoreCustomerIds, removeStoreCustomer } from '../customers/index.ts'
import { listStoreOrderIds, removeStoreOrders } from '../orders/index.ts'
import { findStore, type StoreClient } from '../stores/index.ts'
import type { ExportFile } from './exported-objects.ts'

/** Kinds whose deletions are looked for. Abandoned checkouts leave the store's list anyway when completed or after some months. */
export const sweptKinds = ['products', 'collections', 'customers', 'orders'] as const satisfies readonly CopiedKind[]
type SweptKind = (typeof sweptKinds)[number]

const PAGE = 5000
/** The platform's limit for one query. */
const ASKED_AT_ONCE = 250
/** Without `read_all_orders` an app sees only orders this recent: older ones are not deleted, only hidden. */
const ORDERS_SHOWN_MS = 60 * 86_400_000

const globalTypes = { products: 'Product', collections: 'Collection', customers: 'Customer', orders: 'Order' } as const

interface Sweeping {
  kind: CopiedKind
  /** The export of ids; null if the store has none. */
  file: ExportFile | null
  store: StoreClient
  /** Throws if the run was lost. */
  holdOn: () => Promise<void>
}

/**
 * Removes what was deleted in the store. An id missing from the export may be newer than it, so each is queried before it is removed. The ids
 * are held in memory, eight bytes each. Returns how many were removed; may be repeated.
 */
export async function sweep(scope: MerchantScope, { kind, file, store, holdOn }: Sweeping): Promise<number> {
  if (!isSwept(kind)) return 0
  const there = file ? await readIds(file) : new Float64Array()
  let gone = 0
  for (let after = 0; ; ) {
    const ours = await listOurs(scope, kind, after)
    const last = ours.at(-1)
    if (last === undefined) return gone
    const absent = ours.filter((id) => !includes(there, id))
    for (let from = 0; from < absent.length; from += ASKED_AT_ONCE) {
      const confirmed = await listGone(store, kind, absent.slice(from, from + ASKED_AT_ONCE))
      await remove(scope, kind, confirmed)
      gone += confirmed.length
      await holdOn()
    }
    await holdOn()
    after = last
  }
}

const isSwept = (kind: CopiedKind): kind is SweptKind => (sweptKinds as readonly CopiedKind[]).includes(kind)

async function readIds({ url, whole }: ExportFile): Promise<Float64Array> {
  let ids = new Float64Array(1024)
  let count = 0
  for await (const line of readExportLines(url, whole)) {
    const node = parseExportLine<{ id: string; __parentId?: string }>(line, JSON.parse)
    if (node.__parentId !== undefined) continue
    if (count === ids.length) {
      const larger = new Float64Array(count * 2)
      larger.set(ids)
      ids = larger
    }
    ids[count] = numberIn(node.id)
    count += 1
  }
  return ids.subarray(0, count).sort()
}

function includes(sorted: Float64Array, id: number): boolean {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? 0) < id) low = middle + 1
    else high = middle
  }
  return sorted[low] === id
}

async function listOurs(scope: MerchantScope, kind: SweptKind, after: number): Promise<number[]> {
  switch (kind) {
    case 'products':
      return listStoreProductIds(scope, after, PAGE)
    case 'collections':
      return listStoreCollectionIds(scope, after, PAGE)
    case 'customers':
      return listStoreCustomerIds(scope, after, PAGE)
    case 'orders':
      return listStoreOrderIds(scope, { after, limit: PAGE, placedSince: await ordersShownSince(scope) })
  }
}

async function ordersShownSince(scope: MerchantScope): Promise<Date | null> {
  const store = await findStore(scope)
  const scopes = (store?.scopes ?? '').split(',')
  return scopes.includes('read_all_orders') ? null : new Date(scope.context.clock.now().getTime() - ORDERS_SHOWN_MS)
}

async function listGone(store: StoreClient, kind: SweptKind, ids: readonly number[]): Promise<number[]> {
  const { nodes } = await store.graphql<ExistingNodesResult>(EXISTING_NODES, {
    ids: ids.map((id) => globalId(globalTypes[kind], id)),
  })
  return ids.filter((_, index) => nodes[index] === null)
}

async function remove(scope: MerchantScope, kind: SweptKind, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  switch (kind) {
    case 'products':
      return removeStoreProducts(scope, ids)
    case 'collections':
      return removeStoreCollections(scope, ids)
    case 'orders':
      return removeStoreOrders(scope, ids)
    case 'customers':
      for (const id of ids) await removeStoreCustomer(scope, id)
  }
}
