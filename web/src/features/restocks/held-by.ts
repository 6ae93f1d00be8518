import type { OpenReturn } from '@okaeri/contract/restocks/waves'

/** Nothing is sent then, whatever the time. */
export const waitsForAPerson: readonly OpenReturn['held_by'][] = ['test_mode', 'no_scenario', 'stopped', 'many']

export type HoldsAll = 'test_mode' | 'no_scenario' | null

export const holdsAllOf = (outlook: { test_mode: boolean; scenarios: readonly unknown[] }): HoldsAll =>
  outlook.test_mode ? 'test_mode' : outlook.scenarios.length === 0 ? 'no_scenario' : null

/** What kept it back when it was last looked at may be over: then it goes on at the next look. */
export function heldByOf({ held_by: own }: Pick<OpenReturn, 'held_by'>, holdsAll: HoldsAll): OpenReturn['held_by'] {
  if (own === 'stopped' || own === 'many') return own
  return holdsAll ?? (waitsForAPerson.includes(own) ? 'interval' : own)
}
