import { nowSeconds, type StoreScope } from '../platform.ts'
import { execute, findRow, listRows, part } from '../../sql.ts'

/** Where goods lie, and how many of each. */

export interface LocationRow {
  id: number
  name: string
  is_active: number
  /** Whether what lies here can be bought in the online store. */
  sells_online: number
  created_at: number
  updated_at: number
}

export interface LevelRow {
  inventory_item_id: number
  location_id: number
  available: number
  created_at: number
  updated_at: number
}

/** Each store has these; the first is meant where none is named. What lies at the last cannot be bought online. */
const locationNames = [
  ['本店倉庫', true],
  ['京都の店', true],
  ['催事用の倉庫', false],
] as const

export const listLocations = (scope: StoreScope): LocationRow[] =>
  listRows<LocationRow>(scope.database)`SELECT * FROM store_location WHERE store_id = ${scope.store.id} ORDER BY id`

export function mainLocation(scope: StoreScope): LocationRow {
  const [first] = listLocations(scope)
  if (!first) throw new Error('a store has locations')
  return first
}

export const listLevels = (scope: StoreScope, inventoryItemId: number): LevelRow[] =>
  listRows<LevelRow>(scope.database)`SELECT * FROM store_level WHERE store_id = ${scope.store.id}
    AND inventory_item_id = ${inventoryItemId} ORDER BY location_id`

export const findLevel = (scope: StoreScope, inventoryItemId: number, locationId: number): LevelRow | null =>
  findRow<LevelRow>(scope.database)`SELECT * FROM store_level WHERE store_id = ${scope.store.id}
    AND inventory_item_id = ${inventoryItemId} AND location_id = ${locationId}` ?? null

/** And what the variant has in all, and of that online. No webhook. */
export function writeLevel(
  scope: StoreScope,
  inventoryItemId: number,
  locationId: number,
  available: number,
): LevelRow | null {
  const now = nowSeconds(scope)
  execute(scope.database)`INSERT INTO store_level VALUES (${scope.store.id}, ${inventoryItemId}, ${locationId},
    ${available}, ${now}, ${now}) ON CONFLICT DO UPDATE
    SET available = excluded.available, updated_at = excluded.updated_at`
  sumLevels(scope, inventoryItemId)
  return findLevel(scope, inventoryItemId, locationId)
}

export function sumLevels(scope: StoreScope, inventoryItemId: number): void {
  execute(scope.database)`UPDATE store_variant INDEXED BY store_variant_item
    SET updated_at = ${nowSeconds(scope)}, (inventory_quantity, online_quantity) = (
    SELECT coalesce(sum(l.available), 0), coalesce(sum(l.available) FILTER (WHERE p.is_active = 1
    AND p.sells_online = 1), 0) FROM store_level l
    JOIN store_location p ON p.store_id = l.store_id AND p.id = l.location_id
    WHERE l.store_id = ${scope.store.id} AND l.inventory_item_id = ${inventoryItemId})
    WHERE store_id = ${scope.store.id} AND inventory_item_id = ${inventoryItemId}`
}

/** For a store that has variants but no locations yet: most of what there is lies in the warehouse. */
export function giveLocations(scope: StoreScope): void {
  if (listLocations(scope).length > 0) return
  const { id: storeId, created_at: since } = scope.store
  const ids = locationNames.map(([name, sellsOnline], index) => {
    const id = 90_000_000_000 + storeId * 100 + index
    execute(scope.database)`INSERT INTO store_location VALUES (${storeId}, ${id}, ${name}, 1, ${Number(sellsOnline)},
      ${since}, ${since})`
    return id
  })
  const parts = ['inventory_quantity - in_shop - aside', 'in_shop', 'aside']
  for (const [index, share] of parts.entries())
    execute(scope.database)`INSERT INTO store_level
      SELECT store_id, inventory_item_id, ${ids[index] ?? 0}, ${part(share)}, created_at, updated_at FROM (
        SELECT *, CASE WHEN id % 5 = 2 AND inventory_quantity >= 20 THEN inventory_quantity / 4 ELSE 0 END AS in_shop,
          CASE WHEN id % 7 = 3 AND inventory_quantity >= 10 THEN 3 ELSE 0 END AS aside
        FROM store_variant WHERE store_id = ${storeId})`
  execute(scope.database)`UPDATE store_variant SET online_quantity = inventory_quantity - (
      SELECT l.available FROM store_level l WHERE l.store_id = store_variant.store_id
      AND l.inventory_item_id = store_variant.inventory_item_id AND l.location_id = ${ids.at(-1) ?? 0})
    WHERE store_id = ${storeId}`
}
