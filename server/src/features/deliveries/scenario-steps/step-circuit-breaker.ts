import { problemsOf } from '@okaeri/contract/campaigns/canary'
import {
  STEP_CIRCUIT_BREAKER_DAYS,
  STEP_CIRCUIT_BREAKER_MIN_EMAILS,
} from '@okaeri/contract/scenarios/step-circuit-breaker'
import { type MerchantScope, merchantScope, type TransactionScope } from '../../../kernel/merchant-scope.ts'
import {
  claimTroubledStep,
  expireHeldOfStep,
  markMessagesOfStep,
  markStepHeld,
  markStepReleased,
  noteTrouble,
  resultOfStep,
  type Step,
} from './step-circuit-breaker-queries.ts'

declare module '../../../kernel/facts.ts' {
  interface Facts {
    /** Too much went wrong with a step's emails: they are held back. */
    'step.held': Step
  }
}

/** A scenario's step sends emails without end and without a member watching: those of the last days are compared with the limits of campaigns. */

/** Bounces come by many at once. */
const LOOK_AFTER_MS = 5 * 60_000
const DAY_MS = 86_400_000

/** These went wrong. */
export const markStepsTroubled = (scope: MerchantScope, deliveryIds: readonly string[]): Promise<void> =>
  deliveryIds.length === 0
    ? Promise.resolve()
    : noteTrouble(scope, deliveryIds, new Date(scope.now.getTime() + LOOK_AFTER_MS))

/** Reaction to `mails.refused`. */
export const markRefusedStepsTroubled = (
  scope: MerchantScope,
  { refusals }: { refusals: readonly { deliveryId: string }[] },
): Promise<void> =>
  markStepsTroubled(
    scope,
    refusals.map(({ deliveryId }) => deliveryId),
  )

/** One step that is due. Returns whether there was one. */
export const checkTroubledStep = ({ context, merchantId }: MerchantScope): Promise<boolean> =>
  merchantScope(context, merchantId).transaction(async (scope) => {
    const step = await claimTroubledStep(scope)
    if (!step) return false
    if (step.isHeld) return true
    const days = scope.now.getTime() - STEP_CIRCUIT_BREAKER_DAYS * DAY_MS
    const result = await resultOfStep(scope, step, new Date(Math.max(days, step.looksFrom?.getTime() ?? 0)))
    if (result.tried < STEP_CIRCUIT_BREAKER_MIN_EMAILS || problemsOf(result).length === 0) return true
    await markStepHeld(scope, step, result)
    const { scenarioId, nodeId } = step
    await scope.context.publish(scope, 'step.held', { scenarioId, nodeId })
    return true
  })

/**
 * A person looked and lets it go on. What was to go out before `wantedFrom` is too late, as after a scenario was stopped. `held`: the scenario is
 * stopped just then, so its messages wait for that. Returns whether it was held.
 */
export async function releaseStep(
  scope: TransactionScope,
  step: Step,
  { wantedFrom, held }: { wantedFrom: Date; held: boolean },
): Promise<boolean> {
  if (!(await markStepReleased(scope, step))) return false
  if (held) return true
  await expireHeldOfStep(scope, step, wantedFrom)
  await markMessagesOfStep(scope, step, { from: 'held', to: 'released' })
  return true
}
