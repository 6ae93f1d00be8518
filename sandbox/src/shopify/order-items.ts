import type { StoreScope } from './platform.ts'
import { listRows } from '../sql.ts'
import type { OrderItemRow } from './rows.ts'

export function listItems(scope: StoreScope, orderId: number): OrderItemRow[] {
  return listRows<OrderItemRow>(scope.database)`SELECT * FROM store_order_item INDEXED BY store_order_item_order
    WHERE store_id = ${scope.store.id} AND order_id = ${orderId} ORDER BY id`
}
