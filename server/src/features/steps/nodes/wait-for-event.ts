import { endOfLimit } from '../../flows/index.ts'
import { getMerchant } from '../../merchants/index.ts'
import type { Move, NodeKind } from '../node-kind.ts'
import { firstAfter } from '../rehearsal-past.ts'
import { selectHappened } from '../step-questions-queries.ts'
import { findPostponed } from '../waiting-for-hours.ts'

/**
 * Counts events since the previous step, also those no worker had seen: an order created and paid at once is already paid when the
 * execution comes here. The event that started it does not count, and no event counts twice. The limit does not run while a message waits for
 * the sending hours.
 */
export const waitForEvent: NodeKind<'wait_for_event'> = {
  isSameWait: (before, after) => before.event === after.event,
  async advance({ scope, scenario, node, executions }) {
    const { event, amount, unit } = node.settings
    const { timezone } = await getMerchant(scope)
    const endFrom = (at: Date): Date => endOfLimit({ amount, unit }, at, timezone)
    const endFromNow = endFrom(scope.now)
    const looked = executions.filter(({ test }) => !test)
    const postponed = await findPostponed(scope, scenario.flow, looked, ({ woken }) => woken === 'arrived')
    const since = new Map(looked.map(({ id, asleep_since, moving_since }) => [id, asleep_since ?? moving_since]))
    const happened = await selectHappened(
      scope,
      event,
      looked.map(({ id, customer_id, guest_id, event_id }) => ({
        customerId: customer_id,
        guestId: guest_id,
        id,
        exceptId: event_id,
        since: since.get(id) ?? scope.now,
      })),
    )
    return executions.map((execution): Move => {
      const found = happened.get(execution.id)
      if (execution.test) return { to: 'timed_out', detail: { passed_over: 'test' } }
      if (found)
        return {
          to: 'happened',
          happenedAt: found.at,
          detail: { event, event_id: found.id, at: found.at.toISOString() },
        }
      if (execution.woken !== 'arrived') return { to: 'timed_out', detail: { event } }
      const begins = postponed.get(execution.id)
      const until = begins ? endFrom(begins) : endFromNow
      return {
        sleepUntil: until,
        awaits: event,
        since: since.get(execution.id) ?? scope.now,
        detail: { event, until: until.toISOString(), ...(begins && { begins: begins.toISOString() }) },
      }
    })
  },
  rehearse({ settings }, { past, customerId, at, waitsFrom }) {
    const limit = endOfLimit(settings, new Date(waitsFrom), past.timezone).getTime()
    const happenedAt = firstAfter(past.happened(settings.event, customerId), at)
    return happenedAt !== null && happenedAt < limit
      ? { to: 'happened', at: happenedAt }
      : { to: 'timed_out', at: limit }
  },
}
