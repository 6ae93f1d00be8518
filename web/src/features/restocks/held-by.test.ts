import { expect, test } from 'vitest'
import { heldByOf, holdsAllOf } from './held-by.ts'

test('in test mode, or without an active scenario, no plan made before is promised', () => {
  expect(heldByOf({ held_by: 'settling' }, holdsAllOf({ test_mode: true, scenarios: [] }))).toBe('test_mode')
  expect(heldByOf({ held_by: 'interval' }, holdsAllOf({ test_mode: false, scenarios: [] }))).toBe('no_scenario')
})

test('out of test mode again, the page does not go on saying that no one is notified', () => {
  const holdsAll = holdsAllOf({ test_mode: false, scenarios: ['one'] })
  expect(heldByOf({ held_by: 'test_mode' }, holdsAll)).toBe('interval')
  expect(heldByOf({ held_by: 'settling' }, holdsAll)).toBe('settling')
})

test('what a person has to decide stays what is shown', () => {
  expect(heldByOf({ held_by: 'stopped' }, 'test_mode')).toBe('stopped')
  expect(heldByOf({ held_by: 'many' }, null)).toBe('many')
})
