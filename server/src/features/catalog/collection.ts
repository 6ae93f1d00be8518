import type { Collection } from '@okaeri/contract/catalog/routes'
import type { Page } from '@okaeri/contract/paging'
import { foldText } from '../../kernel/folding.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { type Choice, readChoice } from './choice.ts'
import {
  type CollectionRow,
  deleteMemberships,
  markDeleted,
  selectCollections,
  upsertCollections,
  writeMemberships,
  type StoreCollection,
} from './collection-queries.ts'

/** Stores collections; data older than ours changes nothing. */
export async function upsertStoreCollections(scope: MerchantScope, given: readonly StoreCollection[]): Promise<void> {
  const collections = [...new Map(given.map((one) => [one.storeCollectionId, one])).values()].sort(
    (one, other) => one.storeCollectionId - other.storeCollectionId,
  )
  if (collections.length === 0) return
  await scope.transaction(async (scope) => {
    const written = new Set(
      await upsertCollections(
        scope,
        collections.map((collection) => ({ ...collection, searchText: foldText(collection.title) })),
      ),
    )
    for (const { storeCollectionId, productIds } of collections)
      if (productIds && written.has(storeCollectionId)) await writeMemberships(scope, storeCollectionId, productIds)
  })
}

/** Deleted in the store: no longer offered, but segments may still name it. It has no products. */
export async function removeStoreCollections(
  scope: MerchantScope,
  storeCollectionIds: readonly number[],
): Promise<void> {
  await scope.transaction(async (scope) => {
    await markDeleted(scope, storeCollectionIds)
    await deleteMemberships(scope, storeCollectionIds)
  })
}

export async function listCollections(scope: MerchantScope, query: Choice): Promise<Page<Collection>> {
  const { limit, offset } = query
  const { rows, total } = await selectCollections(scope, readChoice(query), query)
  return { data: rows.map(present), limit, offset, total }
}

const present = ({ store_collection_id, ...row }: CollectionRow): Collection => ({
  ...row,
  store_collection_id: String(store_collection_id),
})
