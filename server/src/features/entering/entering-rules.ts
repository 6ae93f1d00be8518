import type { EventSubject } from '@okaeri/contract/scenarios/event'
import type { Flow } from '@okaeri/contract/scenarios/flow/flow'
import type { Trigger } from '@okaeri/contract/scenarios/trigger'
import { createHash } from 'node:crypto'
import { AppError } from '../../kernel/errors.ts'
import type { TransactionScope } from '../../kernel/merchant-scope.ts'
import type { ClaimedEvent } from '../events/index.ts'
import { type EnteredRow, mayEnterAgain, selectChosen } from '../flows/index.ts'
import { explainCustomers, conditionsSql } from '../segments/index.ts'
import { selectNotifiedByRegistration, triggerRules } from '../triggers/index.ts'
import { selectBefore, selectPresent } from './entering-queries.ts'

/** Compared values stored for a customer whom a condition kept out. */
const MAX_PARTS = 20

/** `flow` null: it cannot be read. */
export type RunningScenario = EnteredRow & { flow: Flow | null }

/** A customer or guest whom an event may let into a scenario. */
export interface Candidate {
  event: ClaimedEvent
  scenario: RunningScenario
  /** A member let them in, so the entry limit does not hold them again. */
  isReleased: boolean
}

export const personOf = ({ customer_id, guest_id }: ClaimedEvent): string | null => customer_id ?? guest_id

/** The flow of a candidate; throws if it cannot be read. */
export function flowOf({ scenario: { id, version, flow } }: Candidate): Flow {
  if (!flow) throw new Error(`version ${version} of scenario ${id} cannot be read`)
  return flow
}

/** Whether the event meets the trigger's settings. */
export const matchesTrigger = (trigger: Trigger, subject: EventSubject): boolean =>
  triggerRules(trigger.kind).matches?.(trigger, subject) ?? true

/** Always the same for a person and a scenario, and independent between scenarios. */
export function isHeldOut(scenarioId: string, personId: string, percent: number): boolean {
  if (percent === 0) return false
  const hash = createHash('sha256').update(`${scenarioId} ${personId}`).digest().readUInt32BE(0)
  return (hash / 2 ** 32) * 100 < percent
}

/** The rule that kept someone out, with what the "Why?" page shows. */
export interface Refusal {
  rule: 'customer_known' | 'registered' | 'condition' | 'reentry' | 'brake' | 'failed'
  detail: Record<string, unknown> | null
}

/** The refused candidates, each with the first rule that refuses them. */
export async function refuse(
  scope: TransactionScope,
  candidates: readonly Candidate[],
  timezone: string,
): Promise<Map<Candidate, Refusal>> {
  const refusals = new Map<Candidate, Refusal>()
  const customerIds = [...new Set(candidates.flatMap(({ event }) => event.customer_id ?? []))]
  const present = await selectPresent(scope, customerIds)
  for (const candidate of candidates) {
    const { customer_id, guest_id } = candidate.event
    if (customer_id === null ? guest_id === null : !present.has(customer_id))
      refusals.set(candidate, { rule: 'customer_known', detail: null })
  }
  const left = (): Candidate[] => candidates.filter((candidate) => !refusals.has(candidate))
  const notified = await selectNotifiedByRegistration(
    scope,
    left().map(({ event }) => event),
  )
  for (const candidate of left())
    if (notified.has(candidate.event)) refusals.set(candidate, { rule: 'registered', detail: null })
  for (const those of Map.groupBy(left(), ({ scenario }) => scenario.id).values())
    for (const [candidate, detail] of await refusedByCondition(scope, those))
      refusals.set(candidate, { rule: 'condition', detail })
  for (const [candidate, detail] of await refusedByReentry(scope, left(), timezone))
    refusals.set(candidate, { rule: 'reentry', detail })
  return refusals
}

/** Candidates of one scenario who do not meet its condition, with the values it compared. */
async function refusedByCondition(
  scope: TransactionScope,
  candidates: readonly Candidate[],
): Promise<Map<Candidate, Record<string, unknown> | null>> {
  const scenario = candidates[0]?.scenario
  const condition = scenario?.flow?.condition
  if (!condition) return new Map()
  const customerIds = [...new Set(candidates.flatMap(({ event }) => event.customer_id ?? []))]
  try {
    const chosen = await selectChosen(scope, customerIds, await conditionsSql(scope, condition, { only: customerIds }))
    const out = candidates.filter(({ event }) => !event.customer_id || !chosen.has(event.customer_id))
    const explained = await explainCustomers(
      scope,
      condition,
      out.flatMap(({ event }) => event.customer_id ?? []),
    )
    return new Map(
      out.map((candidate) => {
        const parts = explained.get(candidate.event.customer_id ?? '')?.parts
        const failing = parts?.filter(({ holds, value }) => !holds && value !== null).slice(0, MAX_PARTS)
        return [candidate, failing ? { version: candidate.scenario.version, parts: failing } : null]
      }),
    )
  } catch (error) {
    // The condition names something deleted. Half a rule lets no one in; the scenario's page shows the problem.
    if (!(error instanceof AppError && error.reason === 'condition_invalid')) throw error
    return new Map(candidates.map((candidate) => [candidate, { unusable: error.fields ?? {} }]))
  }
}

/** Candidates whom the re-entry rule keeps out. */
async function refusedByReentry(
  scope: TransactionScope,
  candidates: readonly Candidate[],
  timezone: string,
): Promise<Map<Candidate, Record<string, unknown>>> {
  const refused = new Map<Candidate, Record<string, unknown>>()
  const asked = candidates.filter((candidate) => flowOf(candidate).reentry.mode !== 'always')
  const groups = [
    ['customers', asked.filter(({ event }) => event.customer_id !== null)],
    ['guests', asked.filter(({ event }) => event.customer_id === null)],
  ] as const
  for (const [who, those] of groups) {
    const before = await selectBefore(
      scope,
      who,
      those.map(({ event, scenario }) => ({ scenarioId: scenario.id, personId: personOf(event) ?? '' })),
    )
    for (const [index, candidate] of those.entries()) {
      const known = before[index]
      const { reentry } = flowOf(candidate)
      if (known && !mayEnterAgain(reentry, known, scope.now, timezone))
        refused.set(candidate, {
          ...reentry,
          last_entered_at: known.last_at?.toISOString() ?? null,
          execution_id: known.last_execution_id,
          is_running: known.is_open,
        })
    }
  }
  return refused
}
