import { crashPoint } from '../../kernel/crash-point.ts'
import { recurring } from '../../kernel/work/due-merchants.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import type { Recurring } from '../../kernel/work/schedule.ts'
import { askForStock } from '../catalog/index.ts'
import { type AwaitedItem, listEverythingAwaited } from '../restocks/index.ts'
import { dueLooks, dueNotices, dueReturns } from './due-queries.ts'
import { selectMissed, selectVariantsAwaited, takeLook } from './look-queries.ts'
import { settleNotices } from './notice.ts'
import { openReturnsFor } from './stock-return.ts'
import { advanceReturn } from './wave.ts'

const HOUR_MS = 3_600_000
/** Products and variants looked at in one statement. */
const AT_ONCE = 500

export const restockWork: readonly Recurring[] = [
  recurring({
    name: 'tell of stock that is back',
    everyMs: 1000,
    due: dueReturns,
    async turn(scope) {
      const worked = await scope.transaction(advanceReturn)
      if (worked) crashPoint('wave_committed')
      return worked
    },
  }),
  recurring({
    name: 'see what came of restock notices',
    everyMs: 2000,
    due: dueNotices,
    turn: (scope) => scope.transaction(settleNotices),
  }),
  // Webhooks get lost. What people wait for is asked of the store now and then.
  recurring({ name: 'look at awaited stock', everyMs: 60_000, due: dueLooks, turn: checkAwaitedStock }),
]

async function checkAwaitedStock(scope: MerchantScope): Promise<boolean> {
  const isDue = await scope.transaction((scope) => takeLook(scope, new Date(scope.now.getTime() + HOUR_MS)))
  if (!isDue) return false
  for (let after: AwaitedItem | null = null; ; ) {
    const awaited: AwaitedItem[] = await listEverythingAwaited(scope, { after, limit: AT_ONCE })
    await askForStock(scope, await selectVariantsAwaited(scope, awaited), {
      since: new Date(scope.now.getTime() - HOUR_MS),
    })
    const missed = await selectMissed(scope, awaited)
    await openReturnsFor(scope, missed)
    if (awaited.length < AT_ONCE) return true
    after = awaited.at(-1) ?? null
  }
}
