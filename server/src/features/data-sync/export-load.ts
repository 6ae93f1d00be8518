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
import { copyIn } from '../../kernel/database/copy-in.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import {
  listKnownStoreCollections,
  listKnownStoreProducts,
  rememberStoreValues,
  upsertStoreCollections,
  upsertStoreProducts,
} from '../catalog/index.ts'
import { listKnownStoreCheckouts, upsertStoreCheckouts } from '../checkouts/index.ts'
import { changeConsents, firstConsents, readStoreConsent } from '../consent/index.ts'
import {
  type CopiedCustomer,
  copiedRows,
  differs,
  emailKeyOf,
  findStoreCustomers,
  isOutdated,
  listKnownCopies,
  readSyncCustomer,
  upsertStoreCustomers,
  withoutAddedHere,
} from '../customers/index.ts'
import { getMerchant } from '../merchants/index.ts'
import { listKnownStoreOrders, type StoreOrder, upsertStoreOrders } from '../orders/index.ts'
import type { ExportedObject } from './exported-objects.ts'
import { leaveOutForgotten } from './erased-customers.ts'
import { listMailedLately } from './queries.ts'
import {
  readSyncCheckout,
  readSyncCollection,
  readSyncOrder,
  readSyncProduct,
  placeholderCustomer,
} from './export-payloads.ts'

/**
 * Large enough for few statements, small enough for short locks, the turns of other merchants and constant memory. Products and collections
 * have children.
 */
export const BATCH_SIZES: Record<CopiedKind, number> = {
  products: 500,
  collections: 50,
  customers: 2000,
  orders: 1000,
  checkouts: 1000,
}

/** The most text of an export in a batch, however few objects that is: an order may have hundreds of lines. */
export const BATCH_CHARACTERS = 3_000_000

/** What differed from the store and is now repaired. */
export interface Differences {
  missing: number
  outdated: number
  consent: number
}

export interface WriteOptions {
  /** Does not mark customers dirty or count their orders: the end of the run does both. */
  bulk: boolean
  /** Called when the database has received all data of the batch. */
  handedOver?: () => void
}

/**
 * Objects of an export, read and prepared one by one, then written together. Rows that exist and are not older stay unchanged, so a batch may
 * be written twice.
 */
export interface Batch {
  add(exported: ExportedObject): void
  write(scope: TransactionScope, how: WriteOptions): Promise<Differences>
  /** The batch is committed. */
  release(): void
}

function batchOf<T>(
  read: (exported: ExportedObject) => T,
  write: (scope: MerchantScope, objects: readonly T[], how: WriteOptions) => Promise<Differences>,
): Batch {
  const objects: T[] = []
  return {
    add: (exported) => void objects.push(read(exported)),
    write(scope, how) {
      how.handedOver?.()
      return write(scope, objects, how)
    },
    release() {},
  }
}

/** In a store where each customer has a tag of its own, remembering tags gains nothing. */
const REMEMBERED_AT_MOST = 10_000

/** What earlier batches of a run found out. It only makes later ones faster. */
export interface EarlierBatches {
  /** A guess from the previous batch. */
  mostAreNew: boolean
  /** Tags stored by earlier, committed batches; a batch adds its own when it is released. */
  remembered: Set<string>
}

const begin: Record<CopiedKind, (scope: MerchantScope, earlier: EarlierBatches) => Batch> = {
  products: () => batchOf((exported) => exported, writeProducts),
  collections: () =>
    batchOf(
      ({ node, children }) => readSyncCollection(node as SyncCollection, children as { id: string }[]),
      writeCollections,
    ),
  customers: beginCustomers,
  orders: () =>
    batchOf(({ node, children }) => readSyncOrder(node as SyncOrder, children as SyncLineItem[]), writeOrders),
  checkouts: () =>
    batchOf(
      ({ node, children }) => readSyncCheckout(node as SyncCheckout, children as SyncCheckoutLine[]),
      writeCheckouts,
    ),
}

export const beginBatch = (scope: MerchantScope, kind: CopiedKind, earlier: EarlierBatches): Batch =>
  begin[kind](scope, earlier)

/** Writes some objects as one batch. */
export function loadBatch(
  scope: TransactionScope,
  kind: CopiedKind,
  objects: readonly ExportedObject[],
  how: WriteOptions,
): Promise<Differences> {
  const batch = beginBatch(scope, kind, { mostAreNew: false, remembered: new Set() })
  for (const exported of objects) batch.add(exported)
  return batch.write(scope, how)
}

async function writeProducts(scope: MerchantScope, exported: readonly ExportedObject[]): Promise<Differences> {
  const { currency } = await getMerchant(scope)
  const products = exported.map(({ node, children }) =>
    readSyncProduct(node as SyncProduct, children as SyncVariant[], currency),
  )
  const known = await listKnownStoreProducts(
    scope,
    products.map(({ storeProductId }) => storeProductId),
  )
  await upsertStoreProducts(scope, products)
  return compare(products, (product) => known.get(product.storeProductId))
}

async function writeCollections(
  scope: MerchantScope,
  collections: readonly ReturnType<typeof readSyncCollection>[],
): Promise<Differences> {
  const known = await listKnownStoreCollections(
    scope,
    collections.map(({ storeCollectionId }) => storeCollectionId),
  )
  await upsertStoreCollections(scope, collections)
  const differences = compare(collections, ({ storeCollectionId }) => known.get(storeCollectionId)?.updatedAt)
  // A collection with rules gains and loses products without a webhook.
  differences.outdated += collections.filter(({ storeCollectionId, updatedAt, productIds }) => {
    const before = known.get(storeCollectionId)
    const now = [...new Set(productIds)].sort((one, other) => one - other)
    return before?.updatedAt?.getTime() === updatedAt.getTime() && before.productIds.join() !== now.join()
  }).length
  return differences
}

async function writeOrders(
  scope: MerchantScope,
  orders: readonly StoreOrder[],
  { bulk }: WriteOptions,
): Promise<Differences> {
  const known = await listKnownStoreOrders(
    scope,
    orders.map(({ storeOrderId }) => storeOrderId),
  )
  const stale = orders.filter(({ storeOrderId, updatedAt }) => isOlder(known.get(storeOrderId), updatedAt))
  await addStrangers(scope, stale)
  const announce = await placedLately(scope, stale)
  await upsertStoreOrders(scope, stale, { announce, bulk })
  return compare(orders, (order) => known.get(order.storeOrderId))
}

async function writeCheckouts(
  scope: MerchantScope,
  checkouts: readonly ReturnType<typeof readSyncCheckout>[],
  { bulk }: WriteOptions,
): Promise<Differences> {
  const known = await listKnownStoreCheckouts(
    scope,
    checkouts.map(({ storeCheckoutId }) => storeCheckoutId),
  )
  await upsertStoreCheckouts(scope, checkouts, { quiet: bulk })
  return compare(checkouts, (checkout) => known.get(checkout.storeCheckoutId))
}

/** `known`: when the store last changed our row; null if unknown, undefined if there is no row. */
const isOlder = (known: Date | null | undefined, updatedAt: Date): boolean => !known || known <= updatedAt

function compare<T extends { updatedAt: Date }>(
  objects: readonly T[],
  knownOf: (one: T) => Date | null | undefined,
): Differences {
  const missing = objects.filter((one) => knownOf(one) === undefined).length
  const outdated = objects.filter((one) => {
    const known = knownOf(one)
    return known === null || (known !== undefined && known < one.updatedAt)
  }).length
  return { missing, outdated, consent: 0 }
}

function beginCustomers(scope: MerchantScope, { mostAreNew, remembered }: EarlierBatches): Batch {
  const customers = new Map<number, CopiedCustomer>()
  const newTags = new Set<string>()
  const rows = copiedRows(scope)
  const ledger = firstConsents(scope)
  const encoded = new Map<CopiedCustomer, { row: number; ledgerRow: number | null }>()
  const encode = (customer: CopiedCustomer): { row: number; ledgerRow: number | null } => {
    const { id, row } = rows.add(customer)
    const { marketing } = customer
    const ledgerRow =
      marketing && marketing.state !== 'unknown'
        ? ledger.add({
            customerId: id,
            kind: 'marketing',
            to: marketing.state,
            source: 'sync',
            wording: null,
            page: null,
            occurredAt: marketing.changedAt ?? scope.now,
          })
        : null
    const one = { row, ledgerRow }
    encoded.set(customer, one)
    return one
  }
  return {
    add({ node }) {
      const customer = readCopiedCustomer(node as SyncCustomer)
      customers.set(customer.storeCustomerId, customer)
      if (mostAreNew) encode(customer)
    },
    async write(scope, how) {
      const copied = new Map(customers)
      await leaveOutForgotten(scope, copied)
      const differences = await writeCustomers(scope, copied, how, (scope, fresh) => {
        const written = fresh.map((customer) => encoded.get(customer) ?? encode(customer))
        return copyIn(
          scope,
          [
            ...rows.copies(written.map(({ row }) => row)),
            ledger.copy(written.flatMap(({ ledgerRow }) => ledgerRow ?? [])),
          ],
          how.handedOver,
        )
      })
      for (const { tags } of copied.values()) for (const tag of tags ?? []) if (!remembered.has(tag)) newTags.add(tag)
      if (newTags.size > 0) await rememberStoreValues(scope, { customer_tag: [...newTags] })
      return differences
    },
    release() {
      if (remembered.size < REMEMBERED_AT_MOST) for (const tag of newTags) remembered.add(tag)
      rows.release()
      ledger.release()
    },
  }
}

/** `insert` writes new customers, with the first known state of their consent. */
async function writeCustomers(
  scope: TransactionScope,
  copied: ReadonlyMap<number, CopiedCustomer>,
  { bulk }: WriteOptions,
  insert: (scope: TransactionScope, fresh: readonly CopiedCustomer[]) => Promise<void>,
): Promise<Differences> {
  const known = await listKnownCopies(scope, [...copied.keys()])
  const strangers = [...copied.values()].filter(({ storeCustomerId }) => !known.has(storeCustomerId))
  // A few take the usual path, which reports each one. So do customers who may have been added here before the store reported them.
  const fresh = new Set(bulk ? await withoutAddedHere(scope, strangers) : [])
  await insert(scope, [...fresh])
  const outdated = [...copied.values()].filter((customer) => {
    const before = known.get(customer.storeCustomerId)
    return before && isOutdated(before, customer)
  })
  const others = strangers.filter((customer) => !fresh.has(customer))
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
  const customer = readSyncCustomer(node)
  return {
    ...customer,
    updatedAt: customer.updatedAt ?? new Date(node.updatedAt),
    marketing: marketingState
      ? {
          state: readStoreConsent(marketingState),
          changedAt: marketingUpdatedAt ? new Date(marketingUpdatedAt) : null,
        }
      : null,
  }
}

/** Customers created after the store's customers were exported; their own webhook brings their data. */
async function addStrangers(
  scope: MerchantScope,
  orders: readonly { storeCustomerId: number | null }[],
): Promise<void> {
  const numbers = [...new Set(orders.flatMap(({ storeCustomerId }) => storeCustomerId ?? []))]
  const known = await findStoreCustomers(scope, numbers)
  await upsertStoreCustomers(
    scope,
    numbers.filter((number) => !known.has(number)).map((number) => placeholderCustomer(number)),
  )
}

const DAY_MS = 86_400_000

/**
 * Orders without a webhook that one of our mails may have brought: placed within the attribution window, by a customer mailed within that
 * window before. All others are the store's past.
 */
async function placedLately(scope: MerchantScope, orders: readonly StoreOrder[]): Promise<Set<number>> {
  const { attribution_days: days } = await getMerchant(scope)
  const since = new Date(scope.now.getTime() - days * DAY_MS)
  const recent = orders.filter(({ processedAt, cancelledAt }) => processedAt >= since && !cancelledAt)
  if (recent.length === 0) return new Set()
  const mailed = await listMailedLately(scope, {
    storeCustomerIds: recent.flatMap(({ storeCustomerId }) => storeCustomerId ?? []),
    emailKeys: recent.flatMap(({ email }) => emailKeyOf(email) ?? []),
    since: new Date(since.getTime() - days * DAY_MS),
  })
  return new Set(
    recent
      .filter(
        ({ storeCustomerId, email }) =>
          (storeCustomerId !== null && mailed.storeCustomerIds.has(storeCustomerId)) ||
          mailed.emailKeys.has(emailKeyOf(email) ?? ''),
      )
      .map(({ storeOrderId }) => storeOrderId),
  )
}
