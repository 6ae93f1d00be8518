import * as endpoints from '@okaeri/contract/consent/routes'
import { sendDownload } from '../../kernel/download.ts'
import type { Routes } from '../../kernel/http.ts'
import { proofPage, proofTable } from './proof.ts'
import { addSuppression, liftSuppressionById, listSuppressions, suppressCustomers } from './suppression.ts'

export function consentRoutes(on: Routes): void {
  on.merchant(endpoints.listSuppressions)(({ scope, query }) => listSuppressions(scope, query))
  on.merchant(endpoints.addSuppression)(async ({ scope, body }) => ({ suppression: await addSuppression(scope, body) }))
  on.merchant(endpoints.suppressCustomers)(({ scope, body }) => suppressCustomers(scope, body))
  on.merchant(endpoints.liftSuppression)(async ({ scope, params, body }) => ({
    suppression: await liftSuppressionById(scope, params.id, body.reason),
  }))
  on.merchant(endpoints.downloadConsentProof)(async ({ scope, query, reply }) =>
    sendDownload(reply, await proofTable(scope, { customerId: null, language: query.lang })),
  )
  on.merchant(endpoints.downloadCustomerProof)(async ({ scope, params, query, reply }) => {
    const asked = { customerId: params.id, language: query.lang }
    return sendDownload(reply, await (query.format === 'html' ? proofPage(scope, asked) : proofTable(scope, asked)))
  })
}
