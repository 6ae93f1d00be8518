import { z } from 'zod'
import { ofOrder } from '../event-fields.ts'
import { always, triggerKind } from './trigger-kind.ts'

/** Who orders more often than this is not told apart. */
export const MAX_NTH = 1000

const ordinalEnds: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' }
const ordinals = new Intl.PluralRules('en', { type: 'ordinal' })
/** 2nd, 11th, 23rd. */
const ordinal = (n: number): string => `${n}${ordinalEnds[ordinals.select(n)] ?? 'th'}`

export const orderCreated = triggerKind(
  'order_created',
  {},
  { ja: '注文', en: 'order created' },
  {
    words: {
      name_ja: '注文',
      name_en: 'Order created',
      description_ja: '注文が入ったとき',
      description_en: 'When an order comes in',
    },
    initial: {},
    fills: ofOrder,
    isPostPurchase: true,
    sentence: always({ ja: '注文が入ると始まります。', en: 'Starts when an order comes in.' }),
  },
)

export const orderPaid = triggerKind(
  'order_paid',
  {
    /** Only the customer's first, second, … order, cancelled ones not counted; null or absent: each. */
    nth: z.int('not_a_number').min(1, 'too_small').max(MAX_NTH, 'too_big').nullable().optional(),
  },
  { ja: '注文の支払い', en: 'order paid' },
  {
    words: {
      name_ja: '注文の支払い',
      name_en: 'Order paid',
      description_ja: '注文の支払いが済んだとき',
      description_en: 'When an order is paid',
    },
    initial: {},
    fills: ofOrder,
    isPostPurchase: true,
    sentence({ nth }, { language }) {
      const ja = language === 'ja'
      if (!nth) return ja ? '注文の支払いが済むと始まります。' : 'Starts when an order is paid.'
      if (ja) return `${nth === 1 ? '初めて' : `${nth}回目`}の注文の支払いが済むと始まります。`
      return `Starts when a customer’s ${nth === 1 ? 'first' : ordinal(nth)} order is paid.`
    },
  },
)

export const orderFulfilled = triggerKind(
  'order_fulfilled',
  {},
  { ja: '注文の発送', en: 'order fulfilled' },
  {
    words: {
      name_ja: '注文の発送',
      name_en: 'Order fulfilled',
      description_ja: '注文の商品が発送されたとき',
      description_en: 'When an order is fulfilled',
    },
    initial: {},
    fills: ofOrder,
    isPostPurchase: true,
    sentence: always({ ja: '注文の商品が発送されると始まります。', en: 'Starts when an order is fulfilled.' }),
  },
)

export const orderCancelled = triggerKind(
  'order_cancelled',
  {},
  { ja: '注文のキャンセル', en: 'order cancelled' },
  {
    words: {
      name_ja: '注文のキャンセル',
      name_en: 'Order cancelled',
      description_ja: '注文がキャンセルされたとき',
      description_en: 'When an order is cancelled',
    },
    initial: {},
    fills: ofOrder,
    isPostPurchase: true,
    sentence: always({ ja: '注文がキャンセルされると始まります。', en: 'Starts when an order is cancelled.' }),
  },
)
