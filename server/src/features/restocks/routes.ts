import { toLocale } from '@okaeri/contract/locale'
import {
  listRestocksAggregated as aggregatedEndpoint,
  deleteRestock as deleteEndpoint,
  downloadRestocks as downloadEndpoint,
  listRestocks as listEndpoint,
} from '@okaeri/contract/restocks/routes'
import { sendDownload } from '../../kernel/http/download.ts'
import type { Routes } from '../../kernel/http/http.ts'
import { downloadRestocks } from './download.ts'
import { deleteRestock, listRestocks, listRestocksAggregated } from './restock.ts'

export function restockRoutes(on: Routes): void {
  on.merchant(listEndpoint)(({ scope, query: { product_id, customer_id, ...query } }) =>
    listRestocks(scope, { ...query, storeProductId: product_id, customerId: customer_id }),
  )
  on.merchant(downloadEndpoint)(async ({ scope, query, request, reply }) => {
    const language = query.lang ?? toLocale(request.headers['accept-language'])
    const { product_id: storeProductId, status } = query
    return sendDownload(reply, await downloadRestocks(scope, { storeProductId, status }, language))
  })
  on.merchant(aggregatedEndpoint)(({ scope, query }) => listRestocksAggregated(scope, query))
  on.merchant(deleteEndpoint)(async ({ scope, params }) => {
    await deleteRestock(scope, params.restockId)
    return undefined
  })
}
