import { listMerchantsWithDue } from '../../kernel/due-merchants.ts'
import { merchantScope } from '../../kernel/merchant-scope.ts'
import type { Recurring } from '../../kernel/schedule.ts'
import { deleteOldProofs } from '../consent/index.ts'
import { workRequests } from './working.ts'

const DAY_MS = 86_400_000

export const privacyWork: readonly Recurring[] = [
  {
    name: 'work privacy requests',
    everyMs: 1000,
    async run(context, signal) {
      let worked = false
      for (const merchantId of await listMerchantsWithDue(context, 'privacy_requests')) {
        if (signal.aborted) break
        worked = (await workRequests(merchantScope(context, merchantId), signal)) || worked
      }
      return worked
    },
  },
  {
    name: 'forget old proofs of consent',
    everyMs: DAY_MS,
    async run(context) {
      for (const merchantId of await listMerchantsWithDue(context, 'old_proofs'))
        await deleteOldProofs(merchantScope(context, merchantId))
      return false
    },
  },
]
