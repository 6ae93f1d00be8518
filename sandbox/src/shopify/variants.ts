import type { StoreScope } from './platform.ts'
import type { VariantRow } from './products.ts'
import { listRows } from '../sql.ts'

export function listVariants(scope: StoreScope, productId: number): VariantRow[] {
  return listRows<VariantRow>(
    scope.database,
    'SELECT * FROM store_variant WHERE store_id = ? AND product_id = ? ORDER BY position',
    scope.store.id,
    productId,
  )
}
