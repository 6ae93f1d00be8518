import type { Flow } from '@okaeri/contract/scenarios/flow/flow'
import type { SchemaField } from '@okaeri/contract/scenarios/template'
import { NO_CONDITIONS } from '@okaeri/contract/scenarios/scenario'
import { expect, test } from 'vitest'
import { type ChangedPart, changedPartsOf, liveChange, type ScenarioValues } from './live-change.ts'

const days: SchemaField = {
  slug: 'days',
  type: 'number',
  nameJa: '日数',
  nameEn: 'Days',
  suffixJa: '',
  suffixEn: '',
  descriptionJa: '',
  descriptionEn: '',
  depends: null,
  min: 0,
  max: null,
  required: true,
  default: 3,
}
const began: ScenarioValues = {
  name: 'Follow-up',
  form: { days: 3 },
  conditions: NO_CONDITIONS,
  include_all_customers: false,
  priority: 'normal',
  holdout_percent: 0,
}
const changed = (change: Partial<ScenarioValues>) => liveChange(began, { ...began, ...change }, [days])
const named = (part: ChangedPart) => (typeof part === 'string' ? part : part.slug)

test('a new name reaches no customer, so there is nothing to ask', () => {
  expect(changed({ name: 'Thanks' })).toBeNull()
})

test('what was changed is named: fields of the template, conditions and settings', () => {
  const found = changed({ form: { days: 5 }, holdout_percent: 10 })
  expect(found?.parts.map(named)).toEqual(['days', 'holdout_percent'])
  expect(found?.reachesRunning).toBe(false)
})

test('settings read at each message apply to running executions too', () => {
  expect(changed({ include_all_customers: true })?.reachesRunning).toBe(true)
  expect(changed({ priority: 'always' })?.reachesRunning).toBe(true)
})

test('of a flow, the start and the steps are named; where steps lie and what they are called there reach no customer', () => {
  const step = (change: object = {}) => ({
    id: 'w',
    kind: 'wait' as const,
    name: '',
    position: { x: 0, y: 0 },
    settings: { wait: { mode: 'for' as const, amount: 1, unit: 'days' as const } },
    next: { next: null },
    ...change,
  })
  const flow = (change: Partial<Flow> = {}): Flow => ({
    trigger: { kind: 'order_paid' },
    condition: null,
    reentry: { mode: 'always' },
    ends_on: [],
    start: 'w',
    nodes: [step() as Flow['nodes'][number]],
    ...change,
  })
  const moved = step({ name: '一日待つ', position: { x: 40, y: 80 } }) as Flow['nodes'][number]
  const longer = step({ settings: { wait: { mode: 'for', amount: 2, unit: 'days' } } }) as Flow['nodes'][number]
  expect(changedPartsOf(flow(), flow({ nodes: [moved] }))).toEqual([])
  expect(changedPartsOf(flow(), flow({ nodes: [longer] }))).toEqual(['steps'])
  expect(changedPartsOf(flow(), flow({ reentry: { mode: 'once' } }))).toEqual(['start'])
  expect(changedPartsOf(flow(), flow({ reentry: { mode: 'once' }, start: null, nodes: [] }))).toEqual([
    'start',
    'steps',
  ])
})
