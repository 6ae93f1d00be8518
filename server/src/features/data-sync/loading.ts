import { readExportLines } from '../../integrations/shopify/export-file.ts'
import type { SyncCustomer, SyncLineItem, SyncOrder, SyncProduct } from '../../integrations/shopify/sync-operations.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { parseStorableJson } from '../../kernel/storable-json.ts'
import { upsertStoreProducts } from '../catalog/index.ts'
import { changeConsents, readStoreConsent } from '../consent/index.ts'
import { findStoreCustomers, readSyncCustomer, upsertStoreCustomers } from '../customers/index.ts'
import { upsertStoreOrders } from '../orders/index.ts'
import type { StepKind } from './queries.ts'
import { readSyncOrder, readSyncProduct, strangerOf } from './reading.ts'

/** Large enough that statements are few, small enough that locks are short and memory stays flat. */
export const BATCH_SIZE = 500

/** A root object of an export with its children, as parsed from its lines. */
export interface Exported {
  node: unknown
  children: unknown[]
}

/** The objects of an export, read as they come. Throws a retryable {@link IntegrationError} when the file breaks off. */
export async function* readExport(url: string): AsyncGenerator<Exported> {
  let current: Exported | null = null
  for await (const line of readExportLines(url)) {
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

/** Takes in a batch. What is there already and not older stays as it is, so a batch may be loaded twice. */
export const loadBatch: Record<StepKind, (scope: MerchantScope, batch: readonly Exported[]) => Promise<void>> = {
  products: (scope, batch) =>
    upsertStoreProducts(
      scope,
      batch.map(({ node }) => readSyncProduct(node as SyncProduct)),
    ),
  async customers(scope, batch) {
    const nodes = batch.map(({ node }) => node as SyncCustomer)
    const customers = nodes.map(readSyncCustomer)
    const ids = await upsertStoreCustomers(scope, customers)
    const consents = nodes.flatMap((node, index) => {
      const customerId = ids.get(customers[index]?.storeCustomerId ?? -1)
      const { marketingState, marketingUpdatedAt } = node.defaultEmailAddress ?? {}
      if (!customerId || !marketingState) return []
      return [
        {
          customerId,
          to: readStoreConsent(marketingState),
          occurredAt: marketingUpdatedAt ? new Date(marketingUpdatedAt) : null,
        },
      ]
    })
    await changeConsents(scope, consents, { kind: 'marketing', source: 'sync' })
  },
  async orders(scope, batch) {
    const orders = batch.map(({ node, children }) => readSyncOrder(node as SyncOrder, children as SyncLineItem[]))
    await addStrangers(scope, orders)
    await upsertStoreOrders(scope, orders)
  },
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
