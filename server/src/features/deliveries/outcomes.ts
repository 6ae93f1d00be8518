import type { ChannelName } from '@okaeri/contract/deliveries/delivery'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import type { Program } from '../stats/index.ts'
import { markOutcomes } from './queries.ts'
import { markStepsTroubled } from './scenario-steps/step-circuit-breaker.ts'

export type OutcomeKind =
  | 'opened'
  | 'machine_opened'
  | 'clicked'
  | 'machine_clicked'
  | 'unsubscribed'
  | 'bounced'
  | 'complained'

export interface Outcome {
  deliveryId: string
  kind: OutcomeKind
  at: Date
  /** Only for those that came back. */
  bounceKind?: BounceKind
}

export type BounceKind = 'hard' | 'soft' | 'full' | 'blocked'

export interface FirstOutcome {
  deliveryId: string
  kind: OutcomeKind
  /** Null for tests of an email. */
  program: Program | null
  channel: ChannelName
  contentId: string | null
  customerId: string | null
  testMode: boolean
}

/** Records later facts; returns only those that were the first of their kind for their delivery (each email counts once). */
export async function recordOutcomes(scope: MerchantScope, outcomes: readonly Outcome[]): Promise<FirstOutcome[]> {
  const first: FirstOutcome[] = []
  for (const kind of [...new Set(outcomes.map((outcome) => outcome.kind))].sort()) {
    const rows = await markOutcomes(
      scope,
      kind,
      outcomes.filter((outcome) => outcome.kind === kind),
    )
    for (const row of rows)
      first.push({
        deliveryId: row.id,
        kind,
        program: row.program,
        channel: row.channel,
        contentId: row.content_id,
        customerId: row.customer_id,
        testMode: row.test_mode,
      })
  }
  await markStepsTroubled(
    scope,
    first.flatMap(({ deliveryId, kind, program }) =>
      (kind === 'bounced' || kind === 'complained') && program?.kind === 'scenario' ? [deliveryId] : [],
    ),
  )
  return first
}
