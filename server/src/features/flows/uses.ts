import type { ScenarioUse } from '@okaeri/contract/scenarios/scenario'
import { conflict } from '../../kernel/errors.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { listSegmentsNamingScenario } from '../segments/index.ts'
import { listScenariosNaming } from './queries.ts'

/** What asks about a scenario in its conditions, besides the scenario itself. In a transaction no segment comes to ask until it ends. */
export async function listScenarioUses(scope: MerchantScope, scenarioId: string): Promise<ScenarioUse[]> {
  // As it stands in conditions.
  const id = scenarioId.toLowerCase()
  const segments = await listSegmentsNamingScenario(scope, id)
  const scenarios = await listScenariosNaming(scope, id)
  return [...segments, ...scenarios.filter((other) => other.id !== id)]
}

export function refuseWhileUsed(uses: readonly ScenarioUse[]): void {
  if (uses.length > 0)
    throw conflict('scenario_in_use', `the scenario is used by ${uses.map(({ name }) => name).join(', ')}`)
}
