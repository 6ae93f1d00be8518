import { recurring } from '../../kernel/work/due-merchants.ts'
import type { Recurring } from '../../kernel/work/schedule.ts'
import { countScenarios } from './sending/scenario-counts.ts'
import { heldLeases, releasedMessages, troubledSteps } from './due-queries.ts'
import { recoverLeases } from './sending/recovery.ts'
import { checkTroubledStep } from './scenario-steps/step-circuit-breaker.ts'
import { sendReleased } from './sending/sending.ts'
import { markFolderAlive } from './transmit-log/witness.ts'

/** Sending, and taking over from workers that died. */
export const deliveryWork: readonly Recurring[] = [
  recurring({
    name: 'send released messages',
    everyMs: 500,
    due: releasedMessages,
    // In turn, so that one large merchant does not keep the others waiting.
    turn: ({ context, merchantId }, signal) => sendReleased(context, merchantId, signal),
  }),
  recurring({
    name: 'recover expired leases',
    everyMs: 1000,
    due: heldLeases,
    watches: true,
    turn: ({ context, merchantId }) => recoverLeases(context, merchantId),
  }),
  recurring({
    name: 'look at steps whose emails go wrong',
    everyMs: 60_000,
    due: troubledSteps,
    turn: checkTroubledStep,
  }),
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
