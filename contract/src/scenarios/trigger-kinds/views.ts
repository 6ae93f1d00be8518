import { z } from 'zod'
import { minutesOf, moneyText } from '../flow/phrases.ts'
import { MAX_CART_MINUTES, MIN_CART_MINUTES } from './baskets.ts'
import { ofGoods, PriceFall } from './products.ts'
import { triggerKind } from './trigger-kind.ts'

/** As long as views are kept. */
export const MAX_VIEWED_DAYS = 90
export const MAX_LOOKS = 20

/** A customer looked at products and neither bought nor came back to look since. Of these products those that they did not buy, the last one first. */
export const browseAbandoned = triggerKind(
  'browse_abandoned',
  {
    after_minutes: z.int('not_a_number').min(MIN_CART_MINUTES, 'too_small').max(MAX_CART_MINUTES, 'too_big'),
    /** Only products they looked at so often; 1: any. Looks within ten minutes are one. */
    least_looks: z.int('not_a_number').min(1, 'too_small').max(MAX_LOOKS, 'too_big'),
    /** Not for who left a cart or a checkout: that is for the scenarios of carts. */
    unless_cart: z.boolean('not_a_boolean'),
    leaves_out_sold_out: z.boolean('not_a_boolean'),
  },
  { ja: '閲覧後の離脱', en: 'browse abandoned' },
  {
    icon: 'eye_off',
    words: {
      name: { ja: '閲覧後の離脱', en: 'Browse abandoned' },
      description: {
        ja: '商品を閲覧したまま、購入がないとき',
        en: 'When products are viewed without an order',
      },
    },
    initial: { after_minutes: 240, least_looks: 1, unless_cart: true, leaves_out_sold_out: true },
    fills: ofGoods,
    sentence({ after_minutes, least_looks, unless_cart }, { language }) {
      const after = minutesOf(after_minutes, language)
      const cart = unless_cart
        ? { ja: 'カートに商品を残した顧客は除きます。', en: ' Not for customers who left a cart.' }
        : { ja: '', en: '' }
      return {
        ja: `${least_looks > 1 ? `同じ商品を${least_looks}回以上` : '商品を'}閲覧してから${after}、購入がないと始まります。${cart.ja}`,
        en: `Starts ${after} after ${least_looks > 1 ? `a product was viewed ${least_looks} times or more` : 'products were viewed'} without an order.${cart.en}`,
      }
    },
  },
)

/** Of products the customer looked at within these days, and did not buy since. */
export const viewedPriceDropped = triggerKind(
  'viewed_price_dropped',
  {
    fall: PriceFall.nullable().optional(),
    within_days: z.int('not_a_number').min(1, 'too_small').max(MAX_VIEWED_DAYS, 'too_big'),
  },
  { ja: '閲覧した商品の値下げ', en: 'viewed product’s price dropped' },
  {
    icon: 'eye_discount',
    words: {
      name: { ja: '閲覧した商品の値下げ', en: 'Viewed product’s price dropped' },
      description: {
        ja: '閲覧したがまだ購入していない商品が値下げされたとき',
        en: 'When a product that the customer viewed and did not buy drops in price',
      },
    },
    initial: { within_days: 30 },
    fills: ofGoods,
    onlyStarts: true,
    sentence({ fall, within_days }, saying) {
      const least = fall && (fall.unit === 'percent' ? `${fall.least}%` : moneyText(fall.least, saying))
      return {
        ja: `過去${within_days}日間に閲覧し、購入していない商品が${least ? `${least}以上` : ''}値下げされると始まります。`,
        en: `Starts when a product that the customer viewed in the last ${within_days === 1 ? 'day' : `${within_days} days`} and did not buy drops in price${least ? ` by ${least} or more` : ''}.`,
      }
    },
  },
)
