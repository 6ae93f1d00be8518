import type { MerchantScope } from '../../../kernel/merchant-scope.ts'
import { suppress } from '../../consent/index.ts'
import { type Bounce, recordOutcomes } from '../../deliveries/index.ts'
import { addStats } from '../../stats/index.ts'

declare module '../../../kernel/facts.ts' {
  interface Facts {
    /** Addresses that a mail server refused while mails were handed over, and that may well exist. */
    'mails.refused': { refusals: readonly Bounce[] }
  }
}

/**
 * Addresses that do not exist get no more mail, with the server's words as proof; the bounce counts once per delivery. What else was refused
 * counts up (bounces).
 */
export async function recordBounces(scope: MerchantScope, bounces: readonly Bounce[]): Promise<void> {
  const at = scope.context.clock.now()
  const hard = bounces.filter(({ isHard }) => isHard)
  for (const { address, detail } of hard) await suppress(scope, { address, reason: 'hard_bounce', detail })
  const first = await recordOutcomes(
    scope,
    hard.map(({ deliveryId }) => ({ deliveryId, kind: 'bounced', at, bounceKind: 'hard' })),
  )
  await addStats(
    scope,
    first
      .filter(({ testMode }) => !testMode)
      .map(({ program, channel, contentId }) => ({ at, program, channel, contentId, bounced: 1 })),
  )
  const refusals = bounces.filter(({ isHard }) => !isHard)
  if (refusals.length > 0) await scope.context.publish(scope, 'mails.refused', { refusals })
}
