import {
  listRestocksAggregated as aggregatedEndpoint,
  deleteRestock as deleteEndpoint,
  listRestocks as listEndpoint,
} from '@okaeri/contract/restocks/routes'
import type { Routes } from '../../kernel/http.ts'
import { deleteRestock, listRestocks, listRestocksAggregated } from './restock.ts'

export function restockRoutes(on: Routes): void {
  on.merchant(listEndpoint)(({ scope, query: { product_id, customer_id, ...query } }) =>
    listRestocks(scope, { ...query, storeProductId: product_id, customerId: customer_id }),
  )
  on.merchant(aggregatedEndpoint)(({ scope, query }) => listRestocksAggregated(scope, query))
  on.merchant(deleteEndpoint)(async ({ scope, params }) => {
    await deleteRestock(scope, params.restockId)
    return undefined
  })
}
