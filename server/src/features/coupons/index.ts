export {
  forgetCouponsOf,
  type IssuedCoupon,
  issueCoupons,
  mergeCoupons,
  noteUsedCoupons,
  readCoupons,
} from './coupon.ts'
export { couponPersonalData } from './personal-data-queries.ts'
export { makeCoupons } from './code-creation.ts'
export { refillCoupons } from './pool-refill.ts'
