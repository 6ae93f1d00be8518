import { CouponTerms, INITIAL_TERMS } from '../../coupons/coupon.ts'
import { alike, couponText, doing } from '../flow/phrases.ts'
import { nodeKind } from './node-kind.ts'

export const issueCoupon = nodeKind('issue_coupon', { coupon: CouponTerms }, ['next'], {
  icon: 'ticket',
  words: {
    name: { ja: 'クーポンを発行する', en: 'Issue coupon' },
    description: {
      ja: '顧客ごとのクーポンコードを発行します。',
      en: 'Issues a unique discount code for each customer.',
    },
  },
  initial: {
    coupon: INITIAL_TERMS,
  },
  summary: ({ coupon }, saying) => alike(couponText(coupon, saying)),
  timelineLabel: { ja: 'シナリオがクーポンを発行：', en: 'Coupon issued by scenario: ' },
  clause({ coupon }, saying) {
    const terms = couponText(coupon, saying)
    return { ja: doing(`クーポン（${terms}）を`, '発行し', '発行します'), en: `issues a coupon (${terms})` }
  },
})
