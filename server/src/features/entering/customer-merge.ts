import type { Reentry } from '@okaeri/contract/scenarios/flow/flow'
import type { Facts } from '../../kernel/facts.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import {
  endExecutions,
  forgetKeptEvents,
  listUnfinished,
  reassignExecutions,
  reassignGuestExecutions,
  selectDoubled,
  markDirtyById,
  wakeByEvents,
} from '../executions/index.ts'
import { mayEnterAgain, readFlows } from '../flows/index.ts'
import { getMerchant } from '../merchants/index.ts'
import { selectRepeated } from './customer-merge-queries.ts'

/** The guest's executions become the customer's. */
export const joinExecutions = (scope: MerchantScope, { guestId, customerId }: Facts['guest.joined']): Promise<void> =>
  scope.transaction(async (scope) => {
    await endDoubled(scope, { guestId }, customerId)
    const moved = await reassignGuestExecutions(scope, guestId, customerId)
    // They may wait for something the customer did before we knew them.
    await wakeByEvents(scope, { customerId })
    await markDirtyById(scope, moved)
  })
export const mergeExecutions = (scope: MerchantScope, { fromId, intoId }: Facts['customers.merged']): Promise<void> =>
  scope.transaction(async (scope) => {
    await endDoubled(scope, { customerId: fromId }, intoId)
    await reassignExecutions(scope, fromId, intoId)
    await wakeByEvents(scope, { customerId: intoId })
  })

/**
 * Two records turn out to be one person, who must not get mails twice. In a scenario that allows one execution at a time, one of the
 * two continues; none does if the other finished so recently that the re-entry rule would not let them in.
 */
async function endDoubled(
  scope: TransactionScope,
  from: { customerId: string } | { guestId: string },
  intoId: string,
): Promise<void> {
  const endUnless = async <E extends { id: string; scenario_id: string; version: number }>(
    found: readonly E[],
    admits: (reentry: Reentry, execution: E) => boolean,
  ): Promise<void> => {
    if (found.length === 0) return
    const flows = await readFlows(
      scope,
      found.map(({ scenario_id: scenarioId, version }) => ({ scenarioId, version })),
    )
    const ending = found.filter((execution) => {
      const flow = flows(execution.scenario_id, execution.version)
      return !flow || !admits(flow.reentry, execution)
    })
    await endExecutions(
      scope,
      ending.map(({ id }) => ({ executionId: id, reason: 'customer_gone' as const })),
    )
  }
  await endUnless(await selectDoubled(scope, from, intoId), ({ mode }) => mode === 'always')
  const { timezone } = await getMerchant(scope)
  await endUnless(await selectRepeated(scope, from, intoId), (reentry, { created_at, last_at }) =>
    mayEnterAgain(reentry, { last_at, is_open: false }, created_at, timezone),
  )
}

/** The customer was deleted, so nothing continues. */
export function endExecutionsOf(scope: MerchantScope, { customerId }: Facts['customer.deleted']): Promise<void> {
  return scope.transaction(async (scope) => {
    const ids = await listUnfinished(scope, customerId)
    await forgetKeptEvents(scope, customerId)
    await endExecutions(
      scope,
      ids.map((executionId) => ({ executionId, reason: 'customer_gone' as const })),
    )
  })
}
