import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { paths } from '../../app/paths.ts'
import { CouponSearch } from './search.ts'

export const couponRoutes = (shell: AnyRoute) => [
  createRoute({
    getParentRoute: () => shell,
    path: paths.coupons.pattern,
    validateSearch: CouponSearch,
    component: lazyPage(() => import('./coupon-list.tsx'), 'CouponList'),
  }),
]
