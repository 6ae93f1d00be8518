import type { StoreScope } from './platform.ts'
import { listRows } from '../sql.ts'
import type { OrderItemRow } from './rows.ts'

export function listItems(scope: StoreScope, orderId: number): OrderItemRow[] {
  return listRows<OrderItemRow>(
    scope.database,
    // Without a word SQLite reads the whole store in the order of ids instead of looking for the order's few.
    'SELECT * FROM store_order_item INDEXED BY store_order_item_order WHERE store_id = ? AND order_id = ? ORDER BY id',
    scope.store.id,
    orderId,
  )
}
