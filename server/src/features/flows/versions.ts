import { EndsOn, type Flow, Reentry } from '@okaeri/contract/scenarios/flow/flow'
import { Trigger } from '@okaeri/contract/scenarios/trigger'
import { z } from 'zod'
import type { Context } from '../../kernel/context.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { selectFlows, selectUnknownFlows } from './queries.ts'

/**
 * A saved version never changes, so this many characters are kept in memory; the least recently used go first. A database put back from
 * a backup gives the same number to another version, so it is asked each time when the version was written.
 */
const KEPT_CHARACTERS = 20_000_000
interface Kept {
  flow: Flow
  createdAt: Date
  characters: number
}
const kept = new WeakMap<Context, Map<string, Kept>>()

/** The parts of a flow that entering and early ends need. */
const Readable = z.object({ trigger: Trigger, reentry: Reentry, ends_on: z.array(EndsOn) })

export interface Version {
  scenarioId: string
  version: number
}

/** The flows of these rows, as stored; each is parsed and prepared once. */
export async function flowsOf<T>(
  scope: MerchantScope,
  rows: readonly { scenario_id: string; version: number }[],
  make: (flow: Flow) => T,
): Promise<(row: { scenario_id: string; version: number }) => T | null> {
  const key = (scenarioId: string, version: number): string => `${scenarioId} ${version}`
  const versions = new Map(
    rows.map(({ scenario_id: scenarioId, version }) => [key(scenarioId, version), { scenarioId, version }]),
  )
  const made = new Map(
    (await selectFlows(scope, [...versions.values()])).map(({ scenario_id, number, flow }) => [
      key(scenario_id, number),
      make(flow),
    ]),
  )
  return ({ scenario_id, version }) => made.get(key(scenario_id, version)) ?? null
}

/** The flows of these versions. The answer gives null for a missing or unreadable one. */
export async function readFlows(
  scope: MerchantScope,
  versions: readonly Version[],
): Promise<(scenarioId: string, version: number) => Flow | null> {
  const cache = kept.get(scope.context) ?? new Map<string, Kept>()
  kept.set(scope.context, cache)
  const keyOf = (scenarioId: string, version: number): string => `${scope.merchantId} ${scenarioId} ${version}`
  const found = new Map<string, Kept>()
  const wanted = new Map(
    versions.map(({ scenarioId, version }) => {
      const key = keyOf(scenarioId, version)
      return [key, { scenarioId, version, knownAs: cache.get(key)?.createdAt ?? null }]
    }),
  )
  if (wanted.size > 0)
    for (const { scenario_id, number, created_at: createdAt, flow } of await selectUnknownFlows(scope, [
      ...wanted.values(),
    ])) {
      const key = keyOf(scenario_id, number)
      const known = cache.get(key)
      if (flow === null) {
        if (known) found.set(key, known)
      } else if (Readable.safeParse(flow).success)
        found.set(key, { flow, createdAt, characters: JSON.stringify(flow).length })
    }
  for (const [key, one] of found) {
    cache.delete(key)
    cache.set(key, one)
  }
  let characters = 0
  for (const one of cache.values()) characters += one.characters
  for (const [key, one] of cache) {
    if (characters <= KEPT_CHARACTERS) break
    cache.delete(key)
    characters -= one.characters
  }
  return (scenarioId, version) => found.get(keyOf(scenarioId, version))?.flow ?? null
}
