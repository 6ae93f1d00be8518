import * as contract from '@okaeri/contract/scenarios/mail-routes'
import type { Routes } from '../../kernel/http/http.ts'
import { listScenarioDeliveries } from '../deliveries/index.ts'
import { getScenarioRow } from '../flows/index.ts'
import { resendUncertain } from './mail.ts'

export function scenarioMailRoutes(on: Routes): void {
  on.merchant(contract.listScenarioDeliveries)(async ({ scope, params, query }) => {
    const { status, channel, node_id: nodeId, limit, offset } = query
    const { id, name } = await getScenarioRow(scope, params.id)
    const wanted = { status, channel, nodeId, limit, offset }
    const { data, total } = await listScenarioDeliveries(scope, { id, name }, wanted)
    return { data, limit, offset, total }
  })
  on.merchant(contract.resendUncertainOfScenario)(async ({ scope, params, body }) => ({
    count: await resendUncertain(scope, params.id, body.uncertain_seen),
  }))
}
