import type { Flow } from '@okaeri/contract/scenarios/flow/flow'
import type { FormConditions, FormValues, Scenario } from '@okaeri/contract/scenarios/scenario'
import type { SchemaField } from '@okaeri/contract/scenarios/template'

export interface ScenarioValues extends Record<string, unknown> {
  name: string
  form: FormValues
  conditions: FormConditions
  include_all_customers: boolean
  priority: Scenario['priority']
  holdout_percent: number | string
}

/** What customers notice, when it changes; the name is the merchant's own. */
const settings = ['conditions', 'include_all_customers', 'priority', 'holdout_percent'] as const
/** Read again for each message, whatever version an execution runs on. */
const readWhenSending: readonly string[] = ['include_all_customers', 'priority']
export type ChangedPart = SchemaField | (typeof settings)[number]

/** Parts of a flow that customers notice; where steps lie on the canvas, and what they are called there, they do not. */
export function changedPartsOf(began: Flow, flow: Flow): ('start' | 'steps')[] {
  const start = ({ trigger, condition, reentry, ends_on }: Flow) =>
    JSON.stringify([trigger, condition, reentry, ends_on])
  const steps = ({ start: first, nodes }: Flow) =>
    JSON.stringify([
      first,
      nodes.map(({ id, kind, settings, next }) => JSON.stringify([id, kind, settings, next])).toSorted(),
    ])
  return [
    ...(start(began) === start(flow) ? [] : ['start' as const]),
    ...(steps(began) === steps(flow) ? [] : ['steps' as const]),
  ]
}

/** What was changed of an active scenario; null: nothing that reaches customers. */
export function liveChange(began: ScenarioValues, values: ScenarioValues, schema: readonly SchemaField[]) {
  const differs = (before: unknown, after: unknown): boolean => JSON.stringify(before) !== JSON.stringify(after)
  const parts: ChangedPart[] = [
    ...schema.filter(({ slug }) => differs(began.form[slug], values.form[slug])),
    ...settings.filter((each) => differs(began[each], values[each])),
  ]
  if (parts.length === 0) return null
  return { parts, reachesRunning: parts.some((part) => typeof part === 'string' && readWhenSending.includes(part)) }
}
