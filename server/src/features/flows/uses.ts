import type { ScenarioUse } from '@okaeri/contract/scenarios/scenario'
import { conflict } from '../../kernel/errors.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { listSegmentsReferencingScenario } from '../segments/index.ts'
import { listScenariosNaming } from './queries.ts'

/** The segments and other scenarios whose conditions use this scenario. In a transaction, no new segment can use it until that ends. */
export async function listScenarioUses(scope: MerchantScope, scenarioId: string): Promise<ScenarioUse[]> {
  // Conditions have ids in lower case.
  const id = scenarioId.toLowerCase()
  const segments = await listSegmentsReferencingScenario(scope, id)
  const scenarios = await listScenariosNaming(scope, id)
  return [...segments, ...scenarios.filter((other) => other.id !== id)]
}

export function refuseWhileUsed(uses: readonly ScenarioUse[]): void {
  if (uses.length > 0)
    throw conflict('scenario_in_use', `the scenario is used by ${uses.map(({ name }) => name).join(', ')}`)
}
