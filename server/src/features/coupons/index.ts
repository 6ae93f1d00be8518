export {
  forgetCouponsOf,
  type IssuedCoupon,
  issueCoupons,
  mergeCoupons,
  noteUsedCoupons,
  readCoupons,
} from './coupon.ts'
export { couponPersonalData } from './personal-data-queries.ts'
export { makeCoupons } from './making.ts'
export { refillCoupons } from './refilling.ts'
export { couponRoutes } from './routes.ts'
