import { consentKindOf } from '@okaeri/contract/scenarios/trigger'
import type { WhyInScenario } from '@okaeri/contract/scenarios/entering-routes'
import { channelOfKind, type Flow } from '@okaeri/contract/scenarios/flow/flow'
import type { z } from 'zod'
import { AppError, notFound } from '../../kernel/errors.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { findLastEvent, listEventsByIds } from '../events/index.ts'
import { getScenarioRow, mayEnterAgain, type ScenarioWithFlow, selectTimezone } from '../flows/index.ts'
import { explainCustomers } from '../segments/index.ts'
import { countRegisteredFavorites, selectNotifiedByRegistration } from '../triggers/index.ts'
import { selectBefore } from './entering-queries.ts'
import { isHeldOut, matchesTrigger } from './entering-rules.ts'
import { type DecidedEntry, findLastEntry, findWhyNotReachable, selectExecutionsOf } from './why-queries.ts'

type Why = z.output<typeof WhyInScenario>
type Rule = Why['rules'][number]
type RuleName = Rule['rule']

/** Checked in this order for an event. The first rule that refuses is the last one checked. */
const askedOfEvents: readonly RuleName[] = ['customer_known', 'registered', 'condition', 'reentry', 'brake']

/**
 * Why a customer is or is not in a scenario. If an event of theirs was processed: the decision then, with its values and time. For
 * rules not checked then, or without an event: the decision as it would be now (`at` null).
 */
export async function explainEntry(scope: MerchantScope, scenarioId: string, customerId: string): Promise<Why> {
  const scenario = await getScenarioRow(scope, scenarioId)
  const channels = [...new Set(scenario.flow.nodes.flatMap(({ kind }) => channelOfKind(kind) ?? []))]
  const notReachable = await findWhyNotReachable(scope, customerId, {
    channels: channels.length === 0 ? ['email'] : channels,
    sendToAll: scenario.include_all_customers,
    kind: consentKindOf(scenario.flow.trigger.kind),
  })
  if (notReachable === undefined) throw notFound('there is no such customer')
  const entry = await findLastEntry(scope, scenarioId, customerId)
  const executions = await selectExecutionsOf(scope, scenarioId, customerId)
  const late = executions.filter(({ status }) => status === 'late').map(({ id }) => id)
  const asked = await Promise.all(
    askedOfEvents
      // Of other kinds there is nothing to say.
      .filter((rule) => rule !== 'registered' || scenario.flow.trigger.kind === 'favorite_back_in_stock')
      .map(
        async (rule) => decidedThen(rule, entry) ?? now(rule, ...(await decideNow(scope, rule, scenario, customerId))),
      ),
  )
  const isHeld = isHeldOut(scenarioId, customerId, scenario.holdout_percent)
  return {
    in: executions.some(({ status }) => ['running', 'paused', 'late', 'failed'].includes(status)),
    execution_ids: executions.map(({ id }) => id),
    rules: [
      {
        rule: 'status',
        admits: scenario.status === 'active',
        at: (scenario.status === 'active' ? scenario.enabled_at : scenario.stopped_at)?.toISOString() ?? null,
        detail: { status: scenario.status },
      },
      await eventRule(scope, scenario, customerId, entry),
      ...asked,
      ...(entry?.refused_by === 'failed'
        ? [{ rule: entry.refused_by, admits: false, at: entry.at.toISOString(), detail: entry.detail } as const]
        : []),
      typeof entry?.detail?.['held_out'] === 'boolean'
        ? { rule: 'holdout', admits: !entry.detail['held_out'], at: entry.at.toISOString(), detail: null }
        : now('holdout', !isHeld, { percent: scenario.holdout_percent }),
      now('consent', notReachable === null, notReachable === null ? null : { because: notReachable }),
      now('late', late.length === 0, late.length === 0 ? null : { execution_ids: late }),
    ],
  }
}

const now = (rule: RuleName, admits: boolean, detail: Rule['detail']): Rule => ({ rule, admits, at: null, detail })

/** Null: not checked then. */
function decidedThen(rule: RuleName, entry: DecidedEntry | null): Rule | null {
  if (!entry) return null
  const at = entry.at.toISOString()
  if (entry.refused_by === rule)
    return { rule, admits: false, at, detail: { ...entry.detail, ...(rule === 'brake' && { waits: entry.waits }) } }
  const wasAsked =
    entry.refused_by === null || askedOfEvents.indexOf(rule) < askedOfEvents.indexOf(entry.refused_by as RuleName)
  return wasAsked ? { rule, admits: true, at, detail: null } : null
}

async function decideNow(
  scope: MerchantScope,
  rule: RuleName,
  { id, flow, braked_at }: ScenarioWithFlow,
  customerId: string,
): Promise<[boolean, Rule['detail']]> {
  if (rule === 'condition') return explainCondition(scope, flow, customerId)
  if (rule === 'registered') return explainRegistered(scope, { id, flow }, customerId)
  if (rule === 'brake') return [braked_at === null, braked_at && { since: braked_at.toISOString() }]
  if (rule !== 'reentry') return [true, null]
  const [before] = await selectBefore(scope, 'customers', [{ scenarioId: id, personId: customerId }])
  if (!before) return [true, null]
  const timezone = await selectTimezone(scope)
  return [
    mayEnterAgain(flow.reentry, before, scope.now, timezone),
    { ...flow.reentry, last_entered_at: before.last_at?.toISOString() ?? null, is_running: before.is_open },
  ]
}

/** By what came back last; before anything did, by the favorites. */
async function explainRegistered(
  scope: MerchantScope,
  { id, flow }: Pick<ScenarioWithFlow, 'id' | 'flow'>,
  customerId: string,
): Promise<[boolean, Rule['detail']]> {
  const event = await findLastEvent(scope, { customerId, kind: flow.trigger.kind, scenarioId: id })
  if (event) return [(await selectNotifiedByRegistration(scope, [event])).size === 0, null]
  const counts = await countRegisteredFavorites(scope, customerId)
  return [counts.registered === 0 || counts.registered < counts.favorites, counts]
}

async function explainCondition(
  scope: MerchantScope,
  { condition }: Flow,
  customerId: string,
): Promise<[boolean, Rule['detail']]> {
  if (!condition) return [true, null]
  try {
    const explanation = (await explainCustomers(scope, condition, [customerId])).get(customerId)
    return [explanation?.included ?? false, { parts: explanation?.parts ?? [] }]
  } catch (error) {
    if (!(error instanceof AppError && error.reason === 'condition_invalid')) throw error
    return [false, { unusable: error.fields ?? {} }]
  }
}

/** The event that was decided about, or else the last one that could have started it. */
async function eventRule(
  scope: MerchantScope,
  { id, flow, enabled_at }: ScenarioWithFlow,
  customerId: string,
  entry: DecidedEntry | null,
): Promise<Rule> {
  const { kind } = flow.trigger
  const event = entry
    ? (await listEventsByIds(scope, [entry.event_id]))[0]
    : await findLastEvent(scope, { customerId, kind, scenarioId: id })
  const at = event?.occurred_at.toISOString() ?? entry?.at.toISOString() ?? null
  if (!event) return { rule: 'event', admits: entry !== null, at, detail: { kind } }
  const isMeant =
    entry !== null || (matchesTrigger(flow.trigger, event.subject) && !(enabled_at && event.created_at < enabled_at))
  const { nth } = event.subject
  const detail = { kind: event.kind, event_id: event.id, ...(nth !== undefined && { nth }) }
  return { rule: 'event', admits: isMeant, at, detail }
}
