export {
  forgetCouponsOf,
  type IssuedCoupon,
  issueCoupons,
  mergeCoupons,
  noteUsedCoupons,
  readCoupons,
} from './coupon.ts'
export { couponHoldings } from './held-queries.ts'
export { makeCoupons } from './making.ts'
export { refillCoupons } from './refilling.ts'
export { couponRoutes } from './routes.ts'
