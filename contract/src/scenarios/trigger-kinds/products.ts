import { ofProduct } from '../event-fields.ts'
import { triggerKind } from './trigger-kind.ts'

export const favoriteAdded = triggerKind(
  'favorite_added',
  {},
  { ja: 'お気に入りの登録', en: 'favorite added' },
  {
    words: {
      name: { ja: 'お気に入り登録', en: 'Favorite added' },
      description: { ja: '商品がお気に入りに登録されたとき', en: 'When a product is added to favorites' },
    },
    initial: {},
    fills: ofProduct,
    sentence: () => ({
      ja: '商品がお気に入りに登録されると始まります。',
      en: 'Starts when a customer adds a product to favorites.',
    }),
  },
)

export const favoritePriceDropped = triggerKind(
  'favorite_price_dropped',
  {},
  { ja: 'お気に入りの値下げ', en: 'favorite price dropped' },
  {
    words: {
      name: { ja: 'お気に入りの値下げ', en: 'Favorite price dropped' },
      description: { ja: 'お気に入りの商品が値下げされたとき', en: 'When the price of a favorite drops' },
    },
    initial: {},
    fills: ofProduct,
    sentence: () => ({
      ja: 'お気に入りの商品が値下げされると始まります。',
      en: 'Starts when the price of a customer’s favorite drops.',
    }),
  },
)

export const favoriteBackInStock = triggerKind(
  'favorite_back_in_stock',
  {},
  { ja: 'お気に入りの再入荷', en: 'favorite back in stock' },
  {
    words: {
      name: { ja: 'お気に入りの再入荷', en: 'Favorite back in stock' },
      description: { ja: 'お気に入りの商品が再入荷したとき', en: 'When a favorite is back in stock' },
    },
    initial: {},
    fills: ofProduct,
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
    words: {
      name: { ja: '再入荷通知', en: 'Product restocked' },
      description: {
        ja: '再入荷通知を申し込んだ商品が入荷したとき',
        en: 'When a product with restock requests is back in stock',
      },
    },
    initial: {},
    fills: ofProduct,
    sentence: () => ({
      ja: '再入荷通知を申し込んだ商品が入荷すると始まります。',
      en: 'Starts when a product with the customer’s restock request is back in stock.',
    }),
  },
)
