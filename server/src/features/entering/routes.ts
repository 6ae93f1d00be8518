import * as contract from '@okaeri/contract/scenarios/entering-routes'
import { receiveFlowAction as flowActionEndpoint } from '@okaeri/contract/store/routes'
import type { Routes } from '../../kernel/http/http.ts'
import { receiveFlowAction } from '../triggers/index.ts'
import { dropFailedEntries, listFailedEntries, retryFailedEntries } from './failed-entries.ts'
import { dropWaitingEntries, enterSegment, releaseEntryLimit, testScenario } from './manual-start.ts'
import { explainEntry } from './why.ts'

export function enteringRoutes(on: Routes): void {
  on.open(flowActionEndpoint)(({ context, request, body }) => receiveFlowAction(context, request.headers, body))
  on.merchant(contract.testScenario)(async ({ scope, params, body }) => ({
    execution_id: await testScenario(scope, params.id, body),
  }))
  on.merchant(contract.enterSegment)(async ({ scope, params, body }) => ({
    entering: await enterSegment(scope, params.id, body.people_seen),
  }))
  on.merchant(contract.releaseEntryLimit)(async ({ scope, params }) => ({
    count: await releaseEntryLimit(scope, params.id),
  }))
  on.merchant(contract.dropWaitingEntries)(async ({ scope, params }) => ({
    count: await dropWaitingEntries(scope, params.id),
  }))
  on.merchant(contract.listFailedEntries)(({ scope, params, query }) => listFailedEntries(scope, params.id, query))
  on.merchant(contract.retryFailedEntries)(async ({ scope, params }) => ({
    count: await retryFailedEntries(scope, params.id),
  }))
  on.merchant(contract.dropFailedEntries)(async ({ scope, params }) => ({
    count: await dropFailedEntries(scope, params.id),
  }))
  on.merchant(contract.whyInScenario)(async ({ scope, params, query }) => ({
    why: await explainEntry(scope, params.id, query.customer_id),
  }))
}
