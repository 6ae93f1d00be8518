import type { TriggerKind } from '@okaeri/contract/scenarios/trigger-kinds/index'
import { AppError, conflict, notFound } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { type ClaimedEvent, findLastEvent, listEventsByIds, recordEvents } from '../events/index.ts'
import { insertExecutions } from '../executions/index.ts'
import {
  clearEntryLimit,
  getScenarioForUpdate,
  getScenarioRow,
  refuseIncomplete,
  refuseUnlessAllowed,
} from '../flows/index.ts'
import { findSegment, membersSql } from '../segments/index.ts'
import { triggerRules } from '../triggers/index.ts'
import { countWaiting, isStillEntering, refuseWaiting, selectEveryone, selectPresent } from './entering-queries.ts'

/** What members start: a scenario for a segment, a test, and the answers to a reached entry limit. */

/**
 * Lets in everyone who is in the segment now; refused if the number has changed since the member saw it. A second click finds the first
 * one still entering.
 */
export function enterSegment(scope: MerchantScope, id: string, peopleSeen: number): Promise<number> {
  return scope.transaction(async (scope) => {
    const { status, flow } = await getScenarioForUpdate(scope, id)
    refuseUnlessAllowed('enter_segment', status)
    const { trigger } = flow
    if (trigger.kind !== 'manual') throw conflict('scenario_not_manual', 'it is started by events')
    const segment = trigger.segment_id === null ? null : await findSegment(scope, trigger.segment_id)
    if (!segment) {
      refuseIncomplete([{ node_id: null, problem: 'segment_gone', field: 'trigger.segment_id' }])
      return 0
    }
    if (await isStillEntering(scope, id))
      throw conflict('people_still_entering', 'the last ones are still on their way in')
    if (!(await scope.context.ports.storeIsCopied(scope, { orders: true }))) throw conflict('store_being_copied')
    const people = await selectEveryone(scope, await membersSql(scope, segment))
    if (people.length !== peopleSeen)
      throw conflict('people_changed', `there are ${people.length} people in it now, not ${peopleSeen}`)
    const at = scope.now.toISOString()
    return recordEvents(
      scope,
      people.map((customerId) => ({
        kind: 'manual',
        key: `manual:${id}:${customerId}:${at}`,
        customerId,
        scenarioId: id,
        subject: { segment_id: segment.id },
        occurredAt: scope.now,
      })),
    )
  })
}

/** Runs once, now, with the test addresses: for an event, or for a customer as if it had just happened to them. Returns the execution. */
export function testScenario(
  scope: MerchantScope,
  id: string,
  chosen: { event_id: string | null; customer_id: string | null },
): Promise<string> {
  return scope.transaction(async (scope) => {
    const scenario = await getScenarioRow(scope, id)
    refuseUnlessAllowed('test', scenario.status)
    if (scenario.flow.start === null) refuseIncomplete([{ node_id: null, problem: 'no_start', field: 'start' }])
    const event = await eventToTest(scope, scenario, chosen)
    const customerId = event?.customer_id ?? chosen.customer_id
    const executionId = newId()
    await insertExecutions(scope, [
      {
        id: executionId,
        scenario_id: id,
        version: scenario.version,
        event_id: event?.id ?? null,
        customer_id: customerId,
        guest_id: customerId ? null : (event?.guest_id ?? null),
        node_id: scenario.flow.start,
        held_out: false,
        test: true,
        late_accepted: false,
      },
    ])
    return executionId
  })
}

async function eventToTest(
  scope: MerchantScope,
  { id, trigger_kind: kind }: { id: string; trigger_kind: TriggerKind },
  { event_id: eventId, customer_id: customerId }: { event_id: string | null; customer_id: string | null },
): Promise<ClaimedEvent | null> {
  if (eventId !== null) {
    const [event] = await listEventsByIds(scope, [eventId])
    if (!event) throw notFound('there is no such event')
    return event
  }
  // Spec §4: no response received; select an event.
  if (customerId === null)
    throw new AppError('invalid', 'no_test_event', 'no response received; select an event', { event_id: 'required' })
  if (!(await selectPresent(scope, [customerId])).has(customerId)) throw notFound('there is no such customer')
  const event = await findLastEvent(scope, { customerId, kind, scenarioId: id })
  if (!event && !triggerRules(kind).namesOnlyCustomer)
    throw new AppError('invalid', 'no_test_event', 'no such thing happened to this customer; select an event', {
      event_id: 'required',
    })
  return event
}

/** Those who wait enter in the order they came; from now on the entry limit counts again. Returns how many. */
export const releaseEntryLimit = (scope: MerchantScope, id: string): Promise<number> =>
  scope.transaction(async (scope) => {
    await getScenarioForUpdate(scope, id)
    const waiting = (await countWaiting(scope, [id])).get(id) ?? 0
    if (!(await clearEntryLimit(scope, id))) throw conflict('scenario_not_braked', 'no one is held back')
    return waiting
  })

/** Those who wait stay out; from now on customers enter again. Returns how many. */
export const dropWaitingEntries = (scope: MerchantScope, id: string): Promise<number> =>
  scope.transaction(async (scope) => {
    await getScenarioForUpdate(scope, id)
    const dropped = await refuseWaiting(scope, id)
    if (!(await clearEntryLimit(scope, id))) throw conflict('scenario_not_braked', 'no one is held back')
    return dropped
  })
