import { z } from 'zod'
import { ofProduct } from '../event-fields.ts'
import { moneyText } from '../flow/phrases.ts'
import { triggerKind } from './trigger-kind.ts'

export const favoriteAdded = triggerKind(
  'favorite_added',
  {},
  { ja: 'お気に入りの登録', en: 'favorite added' },
  {
    icon: 'heart',
    words: {
      name: { ja: 'お気に入り登録', en: 'Favorite added' },
      description: { ja: '商品がお気に入りに登録されたとき', en: 'When a product is added to favorites' },
    },
    initial: {},
    fills: ofProduct,
    isNotification: true,
    sentence: () => ({
      ja: '商品がお気に入りに登録されると始まります。',
      en: 'Starts when a customer adds a product to favorites.',
    }),
  },
)

/** Goods whose prices or stock changed within a short time are one event for a person, with all of them. */
export const ofGoods = [...ofProduct, 'items', 'lines', 'subtotal'] as const

export const MAX_PERCENT = 99
/** Minor units. */
export const MAX_FALL = 100_000_000
/** How much less it must cost than before: percent, or an amount in minor units; null or absent: anything. */
export const PriceFall = z.discriminatedUnion('unit', [
  z.strictObject({
    unit: z.literal('percent'),
    least: z.int('not_a_number').min(1, 'too_small').max(MAX_PERCENT, 'too_big'),
  }),
  z.strictObject({
    unit: z.literal('amount'),
    least: z.int('not_a_number').min(1, 'too_small').max(MAX_FALL, 'too_big'),
  }),
])
export type PriceFall = z.output<typeof PriceFall>

export const favoritePriceDropped = triggerKind(
  'favorite_price_dropped',
  { fall: PriceFall.nullable().optional() },
  { ja: 'お気に入りの値下げ', en: 'favorite price dropped' },
  {
    icon: 'discount',
    words: {
      name: { ja: 'お気に入りの値下げ', en: 'Favorite price dropped' },
      description: { ja: 'お気に入りの商品が値下げされたとき', en: 'When the price of a favorite drops' },
    },
    initial: {},
    fills: ofGoods,
    isNotification: true,
    sentence({ fall }, saying) {
      if (!fall)
        return {
          ja: 'お気に入りの商品が値下げされると始まります。',
          en: 'Starts when the price of a customer’s favorite drops.',
        }
      const least = fall.unit === 'percent' ? `${fall.least}%` : moneyText(fall.least, saying)
      return {
        ja: `お気に入りの商品が${least}以上値下げされると始まります。`,
        en: `Starts when the price of a customer’s favorite drops by ${least} or more.`,
      }
    },
  },
)

export const MAX_LOW_STOCK = 999
/** Its stock fell to this number or below, and is not sold out. */
export const favoriteLowStock = triggerKind(
  'favorite_low_stock',
  { at_most: z.int('not_a_number').min(1, 'too_small').max(MAX_LOW_STOCK, 'too_big') },
  { ja: 'お気に入りの残りわずか', en: 'favorite low in stock' },
  {
    icon: 'stack',
    words: {
      name: { ja: 'お気に入りの残りわずか', en: 'Favorite low in stock' },
      description: { ja: 'お気に入りの商品の在庫が少なくなったとき', en: 'When a favorite is nearly sold out' },
    },
    initial: { at_most: 3 },
    fills: ofGoods,
    isNotification: true,
    onlyStarts: true,
    sentence: ({ at_most }) => ({
      ja: `お気に入りの商品の在庫が${at_most}点以下になると始まります。`,
      en: `Starts when ${at_most} or fewer of a customer’s favorite are left.`,
    }),
  },
)

export const favoriteBackInStock = triggerKind(
  'favorite_back_in_stock',
  {},
  { ja: 'お気に入りの再入荷', en: 'favorite back in stock' },
  {
    icon: 'bell',
    words: {
      name: { ja: 'お気に入りの再入荷', en: 'Favorite back in stock' },
      description: { ja: 'お気に入りの商品が再入荷したとき', en: 'When a favorite is back in stock' },
    },
    initial: {},
    fills: ofGoods,
    isNotification: true,
    sentence: () => ({
      ja: 'お気に入りの商品が再入荷すると始まります。',
      en: 'Starts when a customer’s favorite is back in stock.',
    }),
  },
)

export const productRestocked = triggerKind(
  'product_restocked',
  {},
  { ja: '申し込んだ商品の再入荷', en: 'product restocked' },
  {
    icon: 'refresh',
    words: {
      name: { ja: '再入荷通知', en: 'Product restocked' },
      description: {
        ja: '再入荷通知を申し込んだ商品が入荷したとき',
        en: 'When a product with restock requests is back in stock',
      },
    },
    initial: {},
    fills: [...ofProduct, 'cancel_url'],
    isNotification: true,
    sentence: () => ({
      ja: '再入荷通知を申し込んだ商品が入荷すると始まります。',
      en: 'Starts when a product with the customer’s restock request is back in stock.',
    }),
  },
)
