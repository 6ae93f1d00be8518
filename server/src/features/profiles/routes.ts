import * as endpoints from '@okaeri/contract/customers/routes'
import type { Routes } from '../../kernel/http/http.ts'
import { getCustomerView } from '../customers/index.ts'
import { listCustomerOrders } from '../orders/index.ts'
import { getProfile } from './profile.ts'
import { getTimeline } from './timeline.ts'

export function profileRoutes(on: Routes): void {
  on.merchant(endpoints.getCustomer)(({ scope, params }) => getProfile(scope, params.id))
  on.merchant(endpoints.getTimeline)(({ scope, params, query }) => getTimeline(scope, params.id, query))
  on.merchant(endpoints.listCustomerOrders)(async ({ scope, params, query }) => {
    await getCustomerView(scope, params.id)
    return listCustomerOrders(scope, params.id, query)
  })
}
