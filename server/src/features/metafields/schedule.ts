import { eachMerchantWithDue } from '../../kernel/due-merchants.ts'
import type { Recurring } from '../../kernel/schedule.ts'
import { advanceDueFill, beginDueFill } from './backfill.ts'

/** Fetching the store's metafields, and comparing them once a day. */
export const metafieldWork: readonly Recurring[] = [
  {
    name: 'begin fetching metafields',
    everyMs: 1000,
    run: (context, signal) => eachMerchantWithDue(context, 'metafields_to_fill', signal, beginDueFill),
  },
  {
    name: 'advance fetching metafields',
    everyMs: 300,
    run: (context, signal) => eachMerchantWithDue(context, 'metafield_fills', signal, advanceDueFill),
  },
]
