import {
  CHANGED,
  type ChangedPage,
  type ChangedResult,
  type ChildPage,
  type CopiedKind,
  copiedKinds,
  NODE_CHILDREN,
  type NodeChildrenResult,
} from '../../integrations/shopify/sync-operations.ts'
import { AppError, IntegrationError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { getStoreClient, learnStoreCurrency, type StoreClient } from '../stores/index.ts'
import { loadBatch } from './export-load.ts'
import type { ExportedObject } from './exported-objects.ts'
import { subscribeToStore } from './webhooks/webhook-subscriptions.ts'
import { beginRun, isCopying } from './sync.ts'
import {
  addToWindow,
  CHECK_EVERY_MS,
  checkSoonAfterOutage,
  claimDueWatch,
  endWindow,
  findRunningWindow,
  holdWatch,
  insertWindow,
  ON_ITS_WAY_MS,
  releaseWatch,
  type Watch,
  type WindowCheck,
} from './watch-queries.ts'
import { findOldestWaiting } from './webhooks/webhook-queries.ts'

/** The store's search by `updated_at` reads an index, which is a moment behind. */
const OVERLAP_MS = 60_000
/** Then other merchants get their turn, and this continues after them. */
const PAGES_A_TURN = 20
/** More than this is exported and loaded in bulk: paging through a million would take a day of the platform's allowance. */
const MAX_PAGED = 10_000
const RETRY_MS = 60_000
/** The platform's calculated cost of one call stays under its limit of 1,000 points. */
const PAGE_SIZES: Record<CopiedKind, number> = {
  products: 20,
  collections: 100,
  customers: 100,
  orders: 40,
  checkouts: 40,
}

/**
 * Compares the store's changes since the last time with the copy, and repairs the copy: one kind, a few pages, then it is due again at once.
 * The position is stored with each page. Returns whether anything was due.
 */
export async function checkDue(scope: MerchantScope): Promise<boolean> {
  const { clock } = scope.context
  const leaseId = newId()
  const lease = { id: leaseId, ms: scope.context.settings.leaseSeconds * 1000 }
  // A full copy repairs everything.
  if (await isCopying(scope)) return false
  const watch = await claimDueWatch(scope, lease)
  if (!watch) return false
  const { kind } = watch
  const release = async (nextMs: number, comparedUntil: Date | null = null): Promise<void> => {
    await releaseWatch(scope, kind, { leaseId, comparedUntil, nextCheckAt: new Date(clock.now().getTime() + nextMs) })
    if (kind === 'customers') await checkSoonAfterOutage(scope)
  }
  const window = await openWindow(scope, watch)
  if (!window) {
    await release(CHECK_EVERY_MS)
    return true
  }
  try {
    const end = await followWindow(scope, kind, window, lease)
    if (end === 'more') await release(0)
    else if (end === 'through') await release(CHECK_EVERY_MS, window.until)
    else await release(CHECK_EVERY_MS)
  } catch (error) {
    if (!(error instanceof IntegrationError) && !(error instanceof AppError)) {
      await release(RETRY_MS)
      throw error
    }
    scope.context.log.warn({ merchantId: scope.merchantId, kind, error }, 'comparing with the store met an error')
    const passing = error instanceof IntegrationError && error.retryable
    if (!passing) await endWindow(scope, window.id, 'failed')
    await release(passing ? RETRY_MS : CHECK_EVERY_MS)
  }
  return true
}

/** The window in progress, or the next one; null while nothing can have been missed yet. */
async function openWindow(scope: MerchantScope, { kind, comparedUntil }: Watch): Promise<WindowCheck | null> {
  const running = await findRunningWindow(scope, kind)
  if (running) return running
  const now = scope.context.clock.now().getTime()
  const waiting = (await findOldestWaiting(scope))?.getTime() ?? now
  // A webhook that fails for hours does not delay the comparison.
  const until = new Date(Math.max(Math.min(now - ON_ITS_WAY_MS, waiting), now - CHECK_EVERY_MS))
  if (until <= comparedUntil) return null
  const window = { id: newId(), from: new Date(comparedUntil.getTime() - OVERLAP_MS), until }
  await insertWindow(scope, kind, window)
  return { ...window, cursor: null, checked: 0 }
}

/** `bulk`: there are so many changes that they are exported instead. */
async function followWindow(
  scope: MerchantScope,
  kind: CopiedKind,
  window: WindowCheck,
  lease: { id: string; ms: number },
): Promise<'more' | 'through' | 'bulk'> {
  const store = await getStoreClient(scope)
  // Once an hour is enough, with the first kind. This comparison also finds the changes since subscriptions were dropped.
  if (kind === copiedKinds[0] && window.cursor === null) {
    await learnStoreCurrency(scope)
    const made = await subscribeToStore(scope, store)
    if (made.length > 0)
      scope.context.log.warn({ merchantId: scope.merchantId, topics: made }, 'the store had stopped telling of this')
  }
  const query = `updated_at:>='${window.from.toISOString()}' AND updated_at:<='${window.until.toISOString()}'`
  let { cursor, checked } = window
  for (let page = 0; page < PAGES_A_TURN; page += 1) {
    const found = await askPage(store, kind, { first: PAGE_SIZES[kind], after: cursor, query })
    const batch: ExportedObject[] = []
    for (const node of found.nodes) batch.push(await withChildren(store, kind, node))
    cursor = found.pageInfo.hasNextPage ? found.pageInfo.endCursor : null
    checked += batch.length
    await scope.transaction(async (scope) => {
      const differences = await loadBatch(scope, kind, batch, { bulk: false })
      await addToWindow(scope, window.id, { cursor, checked: batch.length, ...differences })
      if (!(await holdWatch(scope, kind, lease)))
        throw new IntegrationError('shopify', true, 'another compares already')
    })
    if (!cursor) {
      await endWindow(scope, window.id, 'done')
      return 'through'
    }
    if (checked >= MAX_PAGED && (await beginRun(scope, { purpose: 'repair', kinds: [kind], since: window.from }))) {
      await endWindow(scope, window.id, 'done')
      return 'bulk'
    }
  }
  return 'more'
}

async function askPage(
  store: StoreClient,
  kind: CopiedKind,
  variables: { first: number; after: string | null; query: string },
): Promise<ChangedPage> {
  const answer = await store.graphql<ChangedResult>(CHANGED[kind], variables)
  const page = answer[kind === 'checkouts' ? 'abandonedCheckouts' : kind]
  if (!page) throw new IntegrationError('shopify', true, `no ${kind} in the answer`)
  return page
}

/** A node with all its children: those of the page or, if the page did not have all, fetched again. */
async function withChildren(
  store: StoreClient,
  kind: CopiedKind,
  node: ChangedPage['nodes'][number],
): Promise<ExportedObject> {
  if (kind === 'customers') return { node, children: [] }
  const page = kind === 'products' ? node.variants : node.lineItems
  if (page && !page.pageInfo.hasNextPage) return { node, children: page.nodes }
  return { node, children: await listChildren(store, kind, node.id) }
}

/** The variants of a product, the products of a collection, the lines of an order or a checkout. */
export async function listChildren(
  store: StoreClient,
  kind: Exclude<CopiedKind, 'customers'>,
  id: string,
): Promise<{ id: string }[]> {
  const children: { id: string }[] = []
  for (let after: string | null = null; ; ) {
    const { node }: NodeChildrenResult = await store.graphql<NodeChildrenResult>(NODE_CHILDREN[kind], { id, after })
    const page: ChildPage | undefined = Object.values(node ?? {}).find((value) => typeof value !== 'string')
    if (!page) return children
    children.push(...page.nodes)
    if (!page.pageInfo.hasNextPage) return children
    after = page.pageInfo.endCursor ?? null
  }
}
