import { listReceiverPaces } from '@okaeri/contract/receiver-paces/routes'
import type { Routes } from '../../../kernel/http/http.ts'
import { readPaces } from './pacing.ts'

export function receiverPaceRoutes(on: Routes): void {
  on.merchant(listReceiverPaces)(async ({ scope }) => ({ receiver_paces: await readPaces(scope) }))
}
