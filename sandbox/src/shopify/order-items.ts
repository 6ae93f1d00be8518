import type { OrderItemRow } from './orders.ts'
import type { StoreScope } from './platform.ts'
import { listRows } from './sql.ts'

export function listItems(scope: StoreScope, orderId: number): OrderItemRow[] {
  return listRows<OrderItemRow>(
    scope.database,
    'SELECT * FROM store_order_item WHERE store_id = ? AND order_id = ? ORDER BY id',
    scope.store.id,
    orderId,
  )
}
