import { CouponStatus } from '@okaeri/contract/coupons/coupon'
import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { z } from 'zod'
import { lazyPage } from '../../app/lazy-page.ts'
import { paths } from '../../app/paths.ts'
import { listSearch } from '../../ui/pages/list-state.ts'

export const CouponSearch = listSearch({
  sorts: ['created_at'],
  filters: { status: CouponStatus, scenario: z.uuid(), campaign: z.uuid(), customer: z.uuid() },
})

export const couponRoutes = (shell: AnyRoute) => [
  createRoute({
    getParentRoute: () => shell,
    path: paths.coupons.pattern,
    validateSearch: CouponSearch,
    component: lazyPage(() => import('./coupon-list.tsx'), 'CouponList'),
  }),
]
