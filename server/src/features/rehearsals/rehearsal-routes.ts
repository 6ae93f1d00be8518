import * as contract from '@okaeri/contract/scenarios/rehearsal'
import type { Routes } from '../../kernel/http/http.ts'
import { getRehearsal, rehearseScenario } from './rehearsal.ts'

export function rehearsalRoutes(on: Routes): void {
  on.merchant(contract.rehearseScenario)(async ({ scope, params, body }) => ({
    rehearsal: await rehearseScenario(scope, params.id, body),
  }))
  on.merchant(contract.getRehearsal)(async ({ scope, params }) => ({ rehearsal: await getRehearsal(scope, params.id) }))
}
