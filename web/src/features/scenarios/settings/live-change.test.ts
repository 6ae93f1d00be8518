import type { SchemaField } from '@okaeri/contract/scenarios/template'
import { NO_CONDITIONS } from '@okaeri/contract/scenarios/scenario'
import { expect, test } from 'vitest'
import { type ChangedPart, liveChange, type ScenarioValues } from './live-change.ts'

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
