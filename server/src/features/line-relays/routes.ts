import * as endpoints from '@okaeri/contract/line-relays/routes'
import type { Routes } from '../../kernel/http/http.ts'
import { addRelay, listCalls, listRelays, removeRelay, replayCall } from './relay.ts'

export function lineRelayRoutes(on: Routes): void {
  on.merchant(endpoints.listLineRelays)(async ({ scope }) => ({ relays: await listRelays(scope) }))
  on.merchant(endpoints.addLineRelay)(async ({ scope, body }) => ({ relays: await addRelay(scope, body.relay.url) }))
  on.merchant(endpoints.deleteLineRelay)(async ({ scope, params }) => ({ relays: await removeRelay(scope, params.id) }))
  on.merchant(endpoints.listLineRelayCalls)(({ scope, query }) => listCalls(scope, query))
  on.merchant(endpoints.replayLineRelayCall)(async ({ scope, params }) => ({
    call: await replayCall(scope, params.id),
  }))
}
