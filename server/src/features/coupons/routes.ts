import { listDiscounts } from '@okaeri/contract/coupons/routes'
import type { Routes } from '../../kernel/http.ts'
import { listCoupons } from './coupon.ts'

export function couponRoutes(on: Routes): void {
  on.merchant(listDiscounts)(({ scope, query }) => listCoupons(scope, query))
}
