import type { Reason } from '@okaeri/contract/errors'
import { scenarioAllows, type ScenarioStatus, type ScenarioVerb } from '@okaeri/contract/scenarios/scenario'
import { conflict } from '../../kernel/errors.ts'

const refusals: Partial<Record<ScenarioVerb, Reason>> = {
  enable: 'scenario_is_active',
  stop: 'scenario_not_active',
  delete: 'scenario_is_active',
  enter_segment: 'scenario_not_active',
}
/** The page disables the button by the same rule. */
export function refuseUnlessAllowed(verb: ScenarioVerb, status: ScenarioStatus): void {
  if (!scenarioAllows(verb, status))
    throw conflict(refusals[verb] ?? 'scenario_not_active', `a scenario that is ${status} does not allow this`)
}
