import type { MerchantScope } from '../../../kernel/merchant-scope.ts'
import { suppress } from '../../consent/index.ts'
import { type Bounce, recordOutcomes } from '../../deliveries/index.ts'
import { addStats } from '../../stats/index.ts'

/** Addresses that do not exist get no more mail, with the server's words as proof; the bounce counts once per delivery. */
export async function recordBounces(scope: MerchantScope, bounces: readonly Bounce[]): Promise<void> {
  const at = scope.context.clock.now()
  for (const { address, detail } of bounces) await suppress(scope, { address, reason: 'hard_bounce', detail })
  const first = await recordOutcomes(
    scope,
    bounces.map(({ deliveryId }) => ({ deliveryId, kind: 'bounced', at, bounceKind: 'hard' })),
  )
  await addStats(
    scope,
    first
      .filter(({ testMode }) => !testMode)
      .map(({ program, channel, contentId }) => ({ at, program, channel, contentId, bounced: 1 })),
  )
}
