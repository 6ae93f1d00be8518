import type { Flow } from '@okaeri/contract/scenarios/flow/flow'
import { isPostPurchase } from '@okaeri/contract/scenarios/trigger'
import type { TransactionScope } from '../../kernel/merchant-scope.ts'
import { findSendHold } from '../deliveries/index.ts'
import { getMerchant } from '../merchants/index.ts'
import type { ExecutionAt } from './node-kind.ts'
import { selectWithWaitingMessage } from './step-questions-queries.ts'

/** When the sending hours of a scenario's messages begin; null when they may leave now. */
export async function findOpening(scope: TransactionScope, { trigger }: Pick<Flow, 'trigger'>): Promise<Date | null> {
  const merchant = await getMerchant(scope)
  const terms = { merchant, underReview: false, unconfirmed: null, isPostPurchase: isPostPurchase(trigger.kind) }
  return findSendHold({ ...terms, at: scope.now })?.until ?? null
}

/**
 * By execution of those that `mayWait`: when the sending hours begin, if a message of it waits for them. A wait after the message begins then: the next
 * message would otherwise leave at the same time. Asked of the ledger, so that a message that is not sent postpones nothing. Within the
 * hours nothing is asked.
 */
export async function findPostponed(
  scope: TransactionScope,
  flow: Pick<Flow, 'trigger'>,
  executions: readonly ExecutionAt[],
  mayWait: (execution: ExecutionAt) => boolean,
): Promise<ReadonlyMap<string, Date>> {
  const opening = await findOpening(scope, flow)
  if (!opening) return new Map()
  const asked = executions.filter((execution) => execution.may_have_sent && !execution.test && mayWait(execution))
  const waiting = asked.length === 0 ? [] : await selectWithWaitingMessage(scope, asked)
  return new Map(waiting.map((id) => [id, opening]))
}
