// Search parameters of the pages of this feature.

import { CouponStatus } from '@okaeri/contract/coupons/coupon'
import { z } from 'zod'
import { listSearch } from '../../ui/pages/list-state.ts'

export const CouponSearch = listSearch({
  sorts: ['created_at'],
  filters: { status: CouponStatus, scenario: z.uuid(), campaign: z.uuid(), customer: z.uuid() },
})
