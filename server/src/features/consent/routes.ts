import * as endpoints from '@okaeri/contract/consent/routes'
import type { Routes } from '../../kernel/http/http.ts'
import { addSuppression, liftSuppressionById, listSuppressions, suppressCustomers } from './suppression.ts'

export function consentRoutes(on: Routes): void {
  on.merchant(endpoints.listSuppressions)(({ scope, query }) => listSuppressions(scope, query))
  on.merchant(endpoints.addSuppression)(async ({ scope, body }) => ({ suppression: await addSuppression(scope, body) }))
  on.merchant(endpoints.suppressCustomers)(({ scope, body }) => suppressCustomers(scope, body))
  on.merchant(endpoints.liftSuppression)(async ({ scope, params, body }) => ({
    suppression: await liftSuppressionById(scope, params.id, body.reason),
  }))
}
