import * as contract from '@okaeri/contract/behavior/routes'
import type { Routes } from '../../kernel/http.ts'
import { recordViews } from './view.ts'

export function behaviorRoutes(on: Routes): void {
  on.visitor(contract.recordViews)(async ({ scope, visitor: { holder }, body }) => {
    if ('customerId' in holder) await recordViews(scope, holder.customerId, body.product_ids)
    return undefined
  })
}
