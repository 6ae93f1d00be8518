import type { Flow } from '@okaeri/contract/scenarios/flow/flow'
import type { MerchantScope } from '../../../kernel/merchant-scope.ts'
import { endOfWait, isAbandonment } from '../../flows/index.ts'
import { getMerchant, isOpening } from '../../merchants/index.ts'
import { findUsualIntervals } from '../../orders/index.ts'
import type { ExecutionAt, NodeKind } from '../node-kind.ts'
import { findPostponed } from '../waiting-for-hours.ts'

export const wait: NodeKind<'wait'> = {
  // When the merchant's zone changes, a job moves waits until a time of day, and it sees only committed ones. Those waits are left to
  // the step runner, whose transactions are short.
  onlyDecides: ({ wait }) => !('time' in wait),
  async advance({ scope, scenario, node, executions }) {
    const { timezone, sending_hours } = await getMerchant(scope)
    const { wait } = node.settings
    /** Its message could not leave while it slept, because the sending hours ended. Once: it may be something else that holds it. */
    const mayBePostponedAgain = ({ asleep_since: since }: ExecutionAt): boolean =>
      since !== null && !isOpening(since, sending_hours, timezone)
    const postponed = await findPostponed(
      scope,
      scenario.flow,
      executions,
      (execution) => execution.woken === 'arrived' || mayBePostponedAgain(execution),
    )
    const sleeps = ({ id, woken, test }: ExecutionAt): boolean => !test && (woken === 'arrived' || postponed.has(id))
    const usual = wait.mode === 'usual_interval' ? await usualDaysOf(scope, executions.filter(sleeps)) : null
    // Calculated once for executions with the same start and length: calendars are slow.
    const ends = new Map<string, Date>()
    const endAfter = (from: Date, usualDays: number | null): Date => {
      const key = `${from.getTime()} ${usualDays}`
      const until = ends.get(key) ?? endOfWait(wait, from, timezone, usualDays)
      ends.set(key, until)
      return until
    }
    return executions.map((execution) => {
      const { id, test } = execution
      if (test) return { to: 'next', detail: { passed_over: 'test' } }
      if (!sleeps(execution)) return { to: 'next' }
      const usualDays = usual?.get(id) ?? null
      const begins = postponed.get(id)
      const until = endAfter(begins ?? beginningOf(execution, scenario.flow), usualDays)
      const detail = {
        until: until.toISOString(),
        ...(usual && { usual_days: usualDays }),
        ...(begins && { begins: begins.toISOString() }),
      }
      return { sleepUntil: until, ...(begins && { since: begins }), detail }
    })
  },
  rehearse({ settings: { wait } }, { past, customerId, enteredAt, waitsFrom }) {
    const end = endOfWait(wait, new Date(waitsFrom), past.timezone, past.usualDays(customerId, enteredAt))
    return { to: 'next', at: end.getTime() }
  },
}

const MINUTE_MS = 60_000
/**
 * From the event, not from when a worker saw it. A basket's event is its last change; it counts as abandoned only after the trigger's
 * minutes.
 */
function beginningOf({ waits_from: since, event }: ExecutionAt, { trigger }: Flow): Date {
  const isFirst = event !== null && event.occurred_at.getTime() === since.getTime()
  return isFirst && isAbandonment(trigger) ? new Date(since.getTime() + trigger.after_minutes * MINUTE_MS) : since
}

/** By execution: the shortest usual interval of its event's products, where one is known. */
async function usualDaysOf(
  scope: MerchantScope,
  executions: readonly Pick<ExecutionAt, 'id' | 'event'>[],
): Promise<Map<string, number>> {
  const productsOf = ({ event }: Pick<ExecutionAt, 'event'>): number[] =>
    [event?.subject.store_product_id, ...(event?.subject.lines ?? []).map((line) => line.store_product_id)].filter(
      (id) => typeof id === 'number',
    )
  const known = await findUsualIntervals(scope, [...new Set(executions.flatMap(productsOf))])
  return new Map(
    executions.flatMap((execution) => {
      const days = productsOf(execution).flatMap((id) => known.get(id) ?? [])
      return days.length > 0 ? [[execution.id, Math.min(...days)] as const] : []
    }),
  )
}
