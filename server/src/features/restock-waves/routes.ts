import * as endpoints from '@okaeri/contract/restocks/wave-routes'
import type { Routes } from '../../kernel/http/http.ts'
import { continueMany, continueWaves, listNotices, readOutlook, readRestockProduct, stopWaves } from './outlook.ts'
import { changeRestockSettings, readRestockSettings } from './settings.ts'

export function restockWaveRoutes(on: Routes): void {
  on.merchant(endpoints.getRestockOutlook)(async ({ scope }) => ({ outlook: await readOutlook(scope) }))
  on.merchant(endpoints.continueRestocks)(async ({ scope, body }) => ({
    returns: await continueMany(scope, body.returns),
  }))
  on.merchant(endpoints.getRestockProduct)(async ({ scope, params }) => ({
    product: await readRestockProduct(scope, params.productId),
  }))
  on.merchant(endpoints.stopRestockWaves)(async ({ scope, params }) => ({
    returns: await stopWaves(scope, params.productId),
  }))
  on.merchant(endpoints.continueRestockWaves)(async ({ scope, params, body }) => ({
    returns: await continueWaves(scope, params.productId, body.people),
  }))
  on.merchant(endpoints.listRestockNotices)(({ scope, params, query }) =>
    listNotices(scope, { returnId: params.returnId, wave: params.number }, query),
  )
  on.merchant(endpoints.getRestockSettings)(async ({ scope }) => ({
    restock_settings: await readRestockSettings(scope),
  }))
  on.merchant(endpoints.changeRestockSettings)(async ({ scope, body }) => ({
    restock_settings: await changeRestockSettings(scope, body.restock_settings),
  }))
}
