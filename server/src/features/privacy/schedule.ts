import { eachMerchantWithDue } from '../../kernel/due-merchants.ts'
import type { Recurring } from '../../kernel/schedule.ts'
import { deleteOldProofs } from '../consent/index.ts'
import { processRequests } from './request-processing.ts'

const DAY_MS = 86_400_000

export const privacyWork: readonly Recurring[] = [
  {
    name: 'work privacy requests',
    everyMs: 1000,
    run: (context, signal) =>
      eachMerchantWithDue(context, 'privacy_requests', signal, (scope) => processRequests(scope, signal)),
  },
  {
    name: 'forget old proofs of consent',
    everyMs: DAY_MS,
    run: (context, signal) =>
      eachMerchantWithDue(context, 'old_proofs', signal, async (scope) => {
        await deleteOldProofs(scope)
        return false
      }),
  },
]
