import * as endpoints from '@okaeri/contract/scenarios/event'
import type { Routes } from '../../kernel/http/http.ts'
import { getEvent, listEvents } from './event.ts'

export function eventRoutes(on: Routes): void {
  on.merchant(endpoints.listEvents)(({ scope, query }) => listEvents(scope, query))
  on.merchant(endpoints.getEvent)(async ({ scope, params }) => ({ event: await getEvent(scope, params.id) }))
}
