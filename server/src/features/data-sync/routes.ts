import { getSync as getSyncEndpoint, startSync as startSyncEndpoint } from '@okaeri/contract/customers/routes'
import { receiveStoreWebhook } from '@okaeri/contract/store/routes'
import type { Routes } from '../../kernel/http/http.ts'
import { receiveWebhook } from './webhooks/webhook-intake.ts'
import { getSync, startSync } from './sync.ts'

export function dataSyncRoutes(on: Routes): void {
  on.merchant(getSyncEndpoint)(async ({ scope }) => ({ sync: await getSync(scope) }))
  on.merchant(startSyncEndpoint)(async ({ scope }) => ({ sync: await startSync(scope) }))
  on.open(receiveStoreWebhook)(({ context, request, body }) => receiveWebhook(context, request.headers, body))
}
