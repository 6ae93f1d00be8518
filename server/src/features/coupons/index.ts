export {
  forgetCouponsOf,
  type IssuedCoupon,
  issueCoupons,
  mergeCoupons,
  noteUsedCoupons,
  readCoupons,
  renewCodes,
  type WrittenCoupon,
  writtenCoupon,
} from './coupon.ts'
export {
  discountOfCampaign,
  forgetCampaignCoupons,
  madeForRecipients,
  readCampaignSums,
  retryCampaignCoupons,
  sampleCoupon,
  secondsToMake,
  stopCampaignCoupons,
  wantForRecipients,
  findCouponObstacle,
} from './recipients.ts'
export { couponPersonalData } from './personal-data-queries.ts'
export { makeCoupons } from './code-creation.ts'
export { refillCoupons } from './pool-refill.ts'
export { failingCodes, noteStoreChange } from './store-changes.ts'
export { listCouponTroubles } from './trouble-queries.ts'
