import * as contract from '@okaeri/contract/scenarios/mail-routes'
import type { Routes } from '../../kernel/http.ts'
import { listScenarioDeliveries } from '../deliveries/index.ts'
import { getScenarioRow } from '../flows/index.ts'
import { resendUncertain } from './mail.ts'

export function scenarioMailRoutes(on: Routes): void {
  on.merchant(contract.listScenarioDeliveries)(async ({ scope, params, query }) => {
    const { status, node_id: nodeId, limit, offset } = query
    const { id, name } = await getScenarioRow(scope, params.id)
    const { data, total } = await listScenarioDeliveries(scope, { id, name }, { status, nodeId, limit, offset })
    return { data, limit, offset, total }
  })
  on.merchant(contract.resendUncertainOfScenario)(async ({ scope, params, body }) => ({
    count: await resendUncertain(scope, params.id, body.uncertain_seen),
  }))
}
