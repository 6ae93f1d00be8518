import {
  type OnlineStock as StockAtStore,
  STOCK,
  STOCK_AT_ONCE,
  type StockResult,
} from '../../integrations/shopify/stock-operations.ts'
import { globalId, numberIn } from '../../integrations/shopify/sync-operations.ts'
import { recurring } from '../../kernel/work/due-merchants.ts'
import { AppError, IntegrationError } from '../../kernel/errors.ts'
import { type MerchantScope, merchantScope } from '../../kernel/merchant-scope.ts'
import { getStoreClient } from '../stores/index.ts'
import { dueStockLooks } from './due-queries.ts'
import {
  claimLooks,
  deleteLooks,
  insertLooks,
  lockStock,
  postponeLooks,
  type StockLook,
  selectStock,
  updateStock,
  type OnlineStock,
} from './stock-queries.ts'

declare module '../../kernel/facts.ts' {
  interface Facts {
    /** The store said what of these products sells online: of some of their variants, and before what changed is said. */
    'online_stock.read': { storeProductIds: readonly number[] }
    /** What of these variants sells online is another than it was known to be. */
    'online_stock.changed': { changes: readonly StockChange[] }
  }
}

export interface StockChange {
  storeProductId: number
  storeVariantId: number
  /** Null: it was not known. Infinity: sold whether there is any or not. */
  before: number | null
  after: number
}

const LEASE_MS = 60_000
const FIRST_PAUSE_MS = 2000
const LONGEST_PAUSE_MS = 600_000

/** The store is asked soon, for many at once; asked again meanwhile, it is still one question. */
export async function requestStockCheck(
  scope: MerchantScope,
  of: 'variant' | 'item',
  storeIds: readonly number[],
): Promise<void> {
  if (storeIds.length > 0) await insertLooks(scope, of, [...new Set(storeIds)])
}

/** Asks for variants whose stock was not read since then. */
export async function askForStock(
  scope: MerchantScope,
  storeVariantIds: readonly number[],
  { since }: { since: Date },
): Promise<void> {
  const known = await selectStock(scope, storeVariantIds)
  const old = known.filter(({ read_at: at }) => at === null || at < since || at > scope.now)
  await requestStockCheck(
    scope,
    'variant',
    old.map(({ store_variant_id: id }) => id),
  )
}

/** What the store says now. Publishes what is another than before. */
export function setOnlineStock(scope: MerchantScope, given: readonly OnlineStock[]): Promise<void> {
  return scope.transaction(async (scope) => {
    const now = new Map(given.map(({ storeVariantId, quantity }) => [storeVariantId, quantity]))
    const before = await lockStock(scope, [...now.keys()])
    const known = before.map((row) => ({ ...row, now: now.get(row.store_variant_id) ?? 0 }))
    await updateStock(
      scope,
      known.map(({ store_variant_id: storeVariantId, now }) => ({ storeVariantId, quantity: now })),
    )
    if (known.length > 0)
      await scope.context.publish(scope, 'online_stock.read', {
        storeProductIds: [...new Set(known.map(({ store_product_id }) => store_product_id))],
      })
    const changes = known.flatMap(({ store_product_id, store_variant_id, quantity, now }) =>
      quantity === now
        ? []
        : { storeProductId: store_product_id, storeVariantId: store_variant_id, before: quantity, after: now },
    )
    if (changes.length > 0) await scope.context.publish(scope, 'online_stock.changed', { changes })
  })
}

/** Asks the store what sells online of the variants that were named. A webhook that comes meanwhile makes it ask again. */
export const checkStock = recurring({
  name: 'look at stock',
  everyMs: 1000,
  due: dueStockLooks,
  atOnce: 4,
  async turn(scope) {
    const looks = await claimLooks(scope, { limit: STOCK_AT_ONCE, leaseMs: LEASE_MS })
    if (looks.length === 0) return false
    try {
      const stock = await fetchStock(scope, looks)
      await merchantScope(scope.context, scope.merchantId).transaction(async (scope) => {
        await setOnlineStock(scope, stock)
        await deleteLooks(scope, looks)
      })
    } catch (error) {
      // There is no store to ask; when one is connected it is copied.
      if (error instanceof AppError && error.reason === 'store_not_connected') await deleteLooks(scope, looks)
      else if (error instanceof IntegrationError) await postpone(scope, looks, error)
      else throw error
    }
    return true
  },
})

async function postpone(scope: MerchantScope, looks: readonly StockLook[], error: unknown): Promise<void> {
  const attempts = Math.max(...looks.map(({ attempts }) => attempts))
  const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempts)
  scope.context.log.warn({ merchantId: scope.merchantId, error }, 'the store does not say what is in stock')
  await postponeLooks(scope, looks, new Date(scope.now.getTime() + pauseMs))
}

async function fetchStock(scope: MerchantScope, looks: readonly StockLook[]): Promise<OnlineStock[]> {
  const store = await getStoreClient(scope)
  const ids = looks.map(({ of, store_id: id }) => globalId(of === 'variant' ? 'ProductVariant' : 'InventoryItem', id))
  const { nodes } = await store.graphql<StockResult>(STOCK, { ids })
  return nodes.flatMap((node): OnlineStock[] => {
    // Deleted in the store meanwhile.
    if (node === null) return []
    const stock = 'variant' in node ? node.variant : (node as StockAtStore)
    return stock ? [{ storeVariantId: numberIn(stock.id), quantity: quantityOf(stock) }] : []
  })
}

const quantityOf = ({ availableForSale, sellableOnlineQuantity: quantity }: StockAtStore): number =>
  availableForSale && quantity <= 0 ? Number.POSITIVE_INFINITY : quantity
