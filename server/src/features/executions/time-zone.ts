import type { Flow } from '@okaeri/contract/scenarios/flow/flow'
import { nodeRules } from '@okaeri/contract/scenarios/node-kinds/index'
import type { Facts } from '../../kernel/facts.ts'
import { NIL_ID } from '../../kernel/ids.ts'
import { job } from '../../kernel/work/jobs.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { endOfWait, selectFlows } from '../flows/index.ts'
import { getMerchant } from '../merchants/index.ts'
import { listAsleepAt, listVersionsInUse, updateWakeTimes } from './execution-queries.ts'

/** Reaction to `settings.changed`: ten o'clock becomes ten o'clock in the new zone. */
export async function recalculateWaitsLater(
  scope: MerchantScope,
  { fields }: Facts['settings.changed'],
): Promise<void> {
  if (fields.includes('timezone')) await scope.context.jobs.later(scope, recalculateWaits, {})
}

const MOVED_AT_ONCE = 2000

/** Recalculates waits until a time of day from when each began. Other waits keep their length. */
export const recalculateWaits = job<Record<never, never>>(
  'move_waits_to_zone',
  () => 'all',
  async (scope) => {
    const { timezone } = await getMerchant(scope)
    for (const at of await listVersionsInUse(scope)) {
      const [found] = await selectFlows(scope, [at])
      const waits = found ? waitsUntil(found.flow) : new Map<string, never>()
      if (waits.size === 0) continue
      for (let after = NIL_ID; ; ) {
        const asleep = await listAsleepAt(scope, { ...at, nodeIds: [...waits.keys()], after, limit: MOVED_AT_ONCE })
        const times = asleep.flatMap((row) => {
          const wait = waits.get(row.node_id)
          return wait ? [{ ...row, wake_at: endOfWait(wait, row.asleep_since, timezone) }] : []
        })
        await updateWakeTimes(scope, times)
        const last = asleep.at(-1)
        if (!last || asleep.length < MOVED_AT_ONCE) break
        after = last.id
      }
    }
  },
)

const waitsUntil = ({ nodes }: Flow) =>
  new Map(
    nodes.flatMap(({ id, kind, settings }) => {
      const until = nodeRules(kind).waitsUntil?.(settings)
      return until ? [[id, until] as const] : []
    }),
  )
