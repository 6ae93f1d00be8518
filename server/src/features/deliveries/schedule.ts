import { eachMerchantWithDue } from '../../kernel/due-merchants.ts'
import type { Recurring } from '../../kernel/schedule.ts'
import { countScenarios } from './counting.ts'
import { recoverLeases } from './recovering.ts'
import { sendReleased } from './sending.ts'
import { markFolderAlive } from './witness.ts'

/** Sending, and taking over from workers that died. */
export const deliveryWork: readonly Recurring[] = [
  {
    name: 'send released messages',
    everyMs: 500,
    // In turn, so that one large merchant does not keep the others waiting.
    run: (context, signal) =>
      eachMerchantWithDue(context, 'released_messages', signal, ({ merchantId }) =>
        sendReleased(context, merchantId, signal),
      ),
  },
  {
    name: 'recover expired leases',
    everyMs: 1000,
    run: (context, signal) =>
      eachMerchantWithDue(context, 'delivery_leases', signal, ({ merchantId }) => recoverLeases(context, merchantId)),
  },
  {
    name: 'mark the folder of the transmit log',
    everyMs: 30_000,
    async run(context) {
      await markFolderAlive(context)
      return false
    },
  },
  countScenarios,
]
