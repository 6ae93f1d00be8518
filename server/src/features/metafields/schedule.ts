import { listMerchantsWithDue } from '../../kernel/due-merchants.ts'
import { merchantScope } from '../../kernel/merchant-scope.ts'
import type { Recurring } from '../../kernel/schedule.ts'
import { advanceDueFill, beginDueFill } from './filling.ts'

/** Fetching the store's metafields, and comparing them once a day. */
export const metafieldWork: readonly Recurring[] = [
  {
    name: 'begin fetching metafields',
    everyMs: 1000,
    async run(context) {
      let worked = false
      for (const merchantId of await listMerchantsWithDue(context, 'metafields_to_fill'))
        worked = (await beginDueFill(merchantScope(context, merchantId))) || worked
      return worked
    },
  },
  {
    name: 'advance fetching metafields',
    everyMs: 300,
    async run(context) {
      let worked = false
      for (const merchantId of await listMerchantsWithDue(context, 'metafield_fills'))
        worked = (await advanceDueFill(merchantScope(context, merchantId))) || worked
      return worked
    },
  },
]
