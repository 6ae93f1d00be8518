import { readExportLines } from '../../integrations/shopify/export-file.ts'
import {
  type CopiedKind,
  type SyncCheckout,
  type SyncCheckoutLine,
  type SyncCollection,
  type SyncCustomer,
  type SyncLineItem,
  type SyncOrder,
  type SyncProduct,
  type SyncVariant,
} from '../../integrations/shopify/sync-operations.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { parseStorableJson } from '../../kernel/storable-json.ts'
import {
  listKnownStoreCollections,
  listKnownStoreProducts,
  rememberStoreValues,
  upsertStoreCollections,
  upsertStoreProducts,
} from '../catalog/index.ts'
import { listKnownStoreCheckouts, upsertStoreCheckouts } from '../checkouts/index.ts'
import { changeConsents, readStoreConsent, recordCopiedConsents } from '../consent/index.ts'
import {
  type CopiedCustomer,
  findStoreCustomers,
  insertCopiedCustomers,
  differs,
  isOutdated,
  listKnownCopies,
  readSyncCustomer,
  upsertStoreCustomers,
} from '../customers/index.ts'
import { getMerchant } from '../merchants/index.ts'
import { listKnownStoreOrders, type StoreOrder, upsertStoreOrders } from '../orders/index.ts'
import { leaveOutForgotten } from './erased.ts'
import { listMailedLately } from './queries.ts'
import { readSyncCheckout, readSyncCollection, readSyncOrder, readSyncProduct, strangerOf } from './reading.ts'

/**
 * Large enough that statements are few, small enough that locks are short, other merchants get their turn and memory stays flat.
 * Products and collections bring children along.
 */
export const BATCH_SIZES: Record<CopiedKind, number> = {
  products: 500,
  collections: 50,
  customers: 2000,
  orders: 1500,
  checkouts: 1000,
}

/** A root object of an export with its children, as parsed from its lines. */
export interface Exported {
  node: unknown
  children: unknown[]
}

/** What was not as the store has it, and now is. */
export interface Differences {
  missing: number
  outdated: number
  consent: number
}

/**
 * The objects of an export after the first `skipped` ones, read as they come. Throws a retryable {@link IntegrationError} when the file
 * breaks off.
 */
export async function* readExport(url: string, skipped = 0): AsyncGenerator<Exported> {
  let current: Exported | null = null
  let left = skipped
  for await (const line of readExportLines(url)) {
    // What is passed over is not parsed: children follow their parents.
    if (current === null && (left > 0 || skipped > 0) && line.includes('"__parentId"')) continue
    if (left > 0) {
      left -= 1
      continue
    }
    const node = parseStorableJson(line) as { __parentId?: string }
    if (node.__parentId !== undefined) {
      current?.children.push(node)
      continue
    }
    if (current) yield current
    current = { node, children: [] }
  }
  if (current) yield current
}

/**
 * Takes in a batch. What is there already and not older stays as it is, so a batch may be loaded twice. In `bulk` customers are not
 * told of as changed one by one, and their orders not counted: the end of the work does both.
 */
export const loadBatch: Record<
  CopiedKind,
  (scope: MerchantScope, batch: readonly Exported[], how: { bulk: boolean }) => Promise<Differences>
> = {
  async products(scope, batch) {
    const { currency } = await getMerchant(scope)
    const products = batch.map(({ node, children }) =>
      readSyncProduct(node as SyncProduct, children as SyncVariant[], currency),
    )
    const known = await listKnownStoreProducts(
      scope,
      products.map(({ storeProductId }) => storeProductId),
    )
    await upsertStoreProducts(scope, products)
    return compare(products, (product) => known.get(product.storeProductId))
  },
  async collections(scope, batch) {
    const collections = batch.map(({ node, children }) =>
      readSyncCollection(node as SyncCollection, children as { id: string }[]),
    )
    const known = await listKnownStoreCollections(
      scope,
      collections.map(({ storeCollectionId }) => storeCollectionId),
    )
    await upsertStoreCollections(scope, collections)
    const differences = compare(collections, ({ storeCollectionId }) => known.get(storeCollectionId)?.updatedAt)
    // A collection chosen by rules gains and loses products without being told of as changed.
    differences.outdated += collections.filter(({ storeCollectionId, updatedAt, productIds }) => {
      const before = known.get(storeCollectionId)
      const now = [...new Set(productIds)].sort((one, other) => one - other)
      return before?.updatedAt?.getTime() === updatedAt.getTime() && before.productIds.join() !== now.join()
    }).length
    return differences
  },
  customers: loadCustomers,
  async orders(scope, batch, { bulk }) {
    const orders = batch.map(({ node, children }) => readSyncOrder(node as SyncOrder, children as SyncLineItem[]))
    const known = await listKnownStoreOrders(
      scope,
      orders.map(({ storeOrderId }) => storeOrderId),
    )
    const stale = orders.filter(({ storeOrderId, updatedAt }) => isOlder(known.get(storeOrderId), updatedAt))
    await addStrangers(scope, stale)
    const announce = await placedLately(scope, stale)
    await upsertStoreOrders(scope, stale, { announce, bulk })
    return compare(orders, (order) => known.get(order.storeOrderId))
  },
  async checkouts(scope, batch, { bulk }) {
    const checkouts = batch.map(({ node, children }) =>
      readSyncCheckout(node as SyncCheckout, children as SyncCheckoutLine[]),
    )
    const known = await listKnownStoreCheckouts(
      scope,
      checkouts.map(({ storeCheckoutId }) => storeCheckoutId),
    )
    await upsertStoreCheckouts(scope, checkouts, { quiet: bulk })
    return compare(checkouts, (checkout) => known.get(checkout.storeCheckoutId))
  },
}

/** `known`: when the store last changed what we have; null when we do not know, undefined when we have nothing. */
const isOlder = (known: Date | null | undefined, updatedAt: Date): boolean => !known || known <= updatedAt

function compare<T extends { updatedAt: Date }>(
  told: readonly T[],
  knownOf: (one: T) => Date | null | undefined,
): Differences {
  const missing = told.filter((one) => knownOf(one) === undefined).length
  const outdated = told.filter((one) => {
    const known = knownOf(one)
    return known === null || (known !== undefined && known < one.updatedAt)
  }).length
  return { missing, outdated, consent: 0 }
}

async function loadCustomers(
  scope: MerchantScope,
  batch: readonly Exported[],
  { bulk }: { bulk: boolean },
): Promise<Differences> {
  const copied = new Map<number, CopiedCustomer>()
  for (const { node } of batch) {
    const customer = readCopiedCustomer(node as SyncCustomer)
    copied.set(customer.storeCustomerId, customer)
  }
  await leaveOutForgotten(scope, copied)
  const known = await listKnownCopies(scope, [...copied.keys()])
  const strangers = [...copied.values()]
    .filter(({ storeCustomerId }) => !known.has(storeCustomerId))
    .sort((one, other) => one.storeCustomerId - other.storeCustomerId)
  // A few go the usual way, which tells of each.
  const inserted = bulk ? await insertCopiedCustomers(scope, strangers) : new Map<number, string>()
  await recordCopiedConsents(
    scope,
    [...inserted].flatMap(([number, customerId]) => {
      const marketing = copied.get(number)?.marketing
      return marketing ? [{ customerId, to: marketing.state, occurredAt: marketing.changedAt }] : []
    }),
  )
  const outdated = [...copied.values()].filter((customer) => {
    const before = known.get(customer.storeCustomerId)
    return before && isOutdated(before, customer)
  })
  // Those put in meanwhile by a webhook, or added here before the store told of them, go the usual way.
  const others = strangers.filter(({ storeCustomerId }) => !inserted.has(storeCustomerId))
  const ids = await upsertStoreCustomers(scope, [...outdated, ...others])
  const changed = await changeConsents(
    scope,
    [...copied.values()].flatMap(({ storeCustomerId, marketing }) => {
      const before = known.get(storeCustomerId)
      const customerId = before?.id ?? ids.get(storeCustomerId)
      if (!marketing || !customerId || before?.marketingState === marketing.state) return []
      return [{ customerId, to: marketing.state, occurredAt: marketing.changedAt }]
    }),
    { kind: 'marketing', source: 'sync' },
  )
  await rememberStoreValues(scope, { customer_tag: [...copied.values()].flatMap(({ tags }) => tags ?? []) })
  const counted = new Set(ids.values())
  return {
    missing: strangers.length,
    outdated: outdated.filter((customer) => {
      const before = known.get(customer.storeCustomerId)
      return before && differs(before, customer)
    }).length,
    consent: changed.filter((id) => !counted.has(id)).length,
  }
}

function readCopiedCustomer(node: SyncCustomer): CopiedCustomer {
  const { marketingState, marketingUpdatedAt } = node.defaultEmailAddress ?? {}
  return {
    ...readSyncCustomer(node),
    updatedAt: new Date(node.updatedAt),
    marketing: marketingState
      ? {
          state: readStoreConsent(marketingState),
          changedAt: marketingUpdatedAt ? new Date(marketingUpdatedAt) : null,
        }
      : null,
  }
}

/** Customers who came to the store after its customers were exported: their webhook tells who they are. */
async function addStrangers(
  scope: MerchantScope,
  orders: readonly { storeCustomerId: number | null }[],
): Promise<void> {
  const numbers = [...new Set(orders.flatMap(({ storeCustomerId }) => storeCustomerId ?? []))]
  const known = await findStoreCustomers(scope, numbers)
  await upsertStoreCustomers(
    scope,
    numbers.filter((number) => !known.has(number)).map((number) => strangerOf(number)),
  )
}

const DAY_MS = 86_400_000

/**
 * The orders that a mail of ours may have brought although no webhook told of them as they were placed: placed within the time in which
 * orders are credited, by someone mailed in the same time before. All others are the store's past.
 */
async function placedLately(scope: MerchantScope, orders: readonly StoreOrder[]): Promise<Set<number>> {
  const { attribution_days: days } = await getMerchant(scope)
  const since = new Date(scope.now.getTime() - days * DAY_MS)
  const recent = orders.filter(({ processedAt, cancelledAt }) => processedAt >= since && !cancelledAt)
  if (recent.length === 0) return new Set()
  const mailed = await listMailedLately(scope, {
    storeCustomerIds: recent.flatMap(({ storeCustomerId }) => storeCustomerId ?? []),
    emailKeys: recent.flatMap(({ email }) => email?.trim().toLowerCase() || []),
    since: new Date(since.getTime() - days * DAY_MS),
  })
  return new Set(
    recent
      .filter(
        ({ storeCustomerId, email }) =>
          (storeCustomerId !== null && mailed.storeCustomerIds.has(storeCustomerId)) ||
          (email !== null && mailed.emailKeys.has(email.trim().toLowerCase())),
      )
      .map(({ storeOrderId }) => storeOrderId),
  )
}
