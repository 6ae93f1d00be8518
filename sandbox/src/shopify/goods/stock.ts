import {
  findLevel,
  type LevelRow,
  listLocations,
  type LocationRow,
  mainLocation,
  sumLevels,
  writeLevel,
} from './levels.ts'
import { inventoryLevelBody } from '../webhooks/payloads-goods.ts'
import { nowSeconds, type StoreScope } from '../platform.ts'
import { findVariant, productsChanged } from './products.ts'
import { execute, listRows, transaction } from '../../sql.ts'
import { publish } from '../webhooks/webhooks.ts'
import type { VariantRow } from './rows.ts'

/** Changes of stock, each reported as the platform does: the level, and the product once. */

export interface LevelChange {
  variant: VariantRow
  locationId: number
  available: number
}

/** What is so already is neither changed nor reported. Returns how many levels changed. */
export function setLevels(scope: StoreScope, changes: LevelChange[]): number {
  return transaction(scope.database, () => {
    const products = new Set<number>()
    let changed = 0
    for (const { variant, locationId, available } of changes) {
      const item = variant.inventory_item_id
      if (findLevel(scope, item, locationId)?.available === available) continue
      tell(scope, writeLevel(scope, item, locationId, available))
      products.add(variant.product_id)
      changed += 1
    }
    productsChanged(scope, products)
    return changed
  })
}

/** Then all there is lies at the main location, none elsewhere. Reported even where it was so. */
export function setStock(scope: StoreScope, variantId: number, available: number): VariantRow | null {
  const variant = findVariant(scope, variantId)
  if (!variant) return null
  return transaction(scope.database, () => {
    const main = mainLocation(scope)
    const before = findLevel(scope, variant.inventory_item_id, main.id)
    const changes = listLocations(scope).map(({ id }) => ({
      variant,
      locationId: id,
      available: id === main.id ? available : 0,
    }))
    if (setLevels(scope, changes) === 0) productsChanged(scope, [variant.product_id])
    if (before?.available === available) tell(scope, before)
    return findVariant(scope, variantId)
  })
}

/** Takes what was ordered from the locations that sell online, in their order; the first owes what none has. */
export function takeFromStock(scope: StoreScope, variant: VariantRow, quantity: number): void {
  const [first, ...others] = listLocations(scope).filter((one) => one.is_active === 1 && one.sells_online === 1)
  if (!first) return
  const has = new Map<number, number>()
  const taken = new Map<number, number>()
  let left = quantity
  for (const { id } of [first, ...others]) {
    const here = findLevel(scope, variant.inventory_item_id, id)?.available ?? 0
    const part = Math.min(left, Math.max(0, here))
    has.set(id, here)
    taken.set(id, part)
    left -= part
  }
  taken.set(first.id, (taken.get(first.id) ?? 0) + left)
  setLevels(
    scope,
    [...taken].map(([locationId, part]) => ({ variant, locationId, available: (has.get(locationId) ?? 0) - part })),
  )
}

/** No level changes by it, so the platform reports only the location. */
export function setSellsOnline(scope: StoreScope, locationId: number, sellsOnline: boolean): LocationRow | null {
  return transaction(scope.database, () => {
    const found = execute(scope.database)`UPDATE store_location SET sells_online = ${Number(sellsOnline)},
      updated_at = ${nowSeconds(scope)} WHERE store_id = ${scope.store.id} AND id = ${locationId}`
    if (found === 0) return null
    const held = listRows<Pick<LevelRow, 'inventory_item_id'>>(scope.database)`SELECT inventory_item_id
      FROM store_level WHERE store_id = ${scope.store.id} AND location_id = ${locationId} AND available <> 0`
    for (const { inventory_item_id: item } of held) sumLevels(scope, item)
    return listLocations(scope).find(({ id }) => id === locationId) ?? null
  })
}

function tell(scope: StoreScope, level: LevelRow | null): void {
  if (level) publish(scope, 'INVENTORY_LEVELS_UPDATE', () => inventoryLevelBody(level))
}
