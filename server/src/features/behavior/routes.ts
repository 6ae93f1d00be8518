import * as contract from '@okaeri/contract/behavior/routes'
import type { Routes } from '../../kernel/http/http.ts'
import { recordBehavior } from './recording.ts'

export function behaviorRoutes(on: Routes): void {
  on.visitor(contract.recordBehavior)(async ({ scope, visitor: { holder }, body: { views, cart } }) => {
    if (!('customerId' in holder) || (views.length === 0 && !cart)) return undefined
    const { merchantId, now } = scope
    await recordBehavior(scope.context, {
      merchantId,
      customerId: holder.customerId,
      views: views
        .filter(([, secondsAgo]) => secondsAgo <= contract.KEPT_SECONDS_AGO)
        .map(([storeProductId, secondsAgo]) => ({
          storeProductId,
          at: new Date(now.getTime() - Math.max(0, secondsAgo) * 1000),
        })),
      cart: cart && cart.map(([storeProductId, quantity]) => ({ storeProductId, quantity })),
      at: now,
    })
    return undefined
  })
}
