import { z } from 'zod'
import { ofOrder } from '../event-fields.ts'
import { triggerKind } from './trigger-kind.ts'

/** No scenario needs to distinguish orders after this one. */
export const MAX_NTH = 1000

const ordinalEnds: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' }
const ordinals = new Intl.PluralRules('en', { type: 'ordinal' })
/** 2nd, 11th, 23rd. */
const ordinal = (n: number): string => `${n}${ordinalEnds[ordinals.select(n)] ?? 'th'}`

export const orderCreated = triggerKind(
  'order_created',
  {},
  { ja: '注文', en: 'order placed' },
  {
    icon: 'bag',
    words: {
      name: { ja: '注文', en: 'Order placed' },
      description: { ja: '注文が入ったとき', en: 'When an order is placed' },
    },
    initial: {},
    fills: ofOrder,
    isPostPurchase: true,
    sentence: () => ({ ja: '注文が入ると始まります。', en: 'Starts when an order is placed.' }),
  },
)

export const orderPaid = triggerKind(
  'order_paid',
  {
    /** Only the customer's nth order, without cancelled ones; null or absent: every order. */
    nth: z.int('not_a_number').min(1, 'too_small').max(MAX_NTH, 'too_big').nullable().optional(),
  },
  { ja: '注文の支払い', en: 'order paid' },
  {
    icon: 'card',
    words: {
      name: { ja: '注文の支払い', en: 'Order paid' },
      description: { ja: '注文の支払いが済んだとき', en: 'When an order is paid' },
    },
    initial: {},
    fills: ofOrder,
    isPostPurchase: true,
    sentence({ nth }) {
      if (!nth) return { ja: '注文の支払いが済むと始まります。', en: 'Starts when an order is paid.' }
      if (nth === 1)
        return { ja: '初めての注文の支払いが済むと始まります。', en: 'Starts when a customer’s first order is paid.' }
      return {
        ja: `${nth}回目の注文の支払いが済むと始まります。`,
        en: `Starts when a customer’s ${ordinal(nth)} order is paid.`,
      }
    },
  },
)

export const orderFulfilled = triggerKind(
  'order_fulfilled',
  {},
  { ja: '注文の発送', en: 'order fulfilled' },
  {
    icon: 'parcel',
    words: {
      name: { ja: '注文の発送', en: 'Order fulfilled' },
      description: { ja: '注文の商品が発送されたとき', en: 'When an order is fulfilled' },
    },
    initial: {},
    fills: ofOrder,
    isPostPurchase: true,
    sentence: () => ({ ja: '注文の商品が発送されると始まります。', en: 'Starts when an order is fulfilled.' }),
  },
)

export const orderCancelled = triggerKind(
  'order_cancelled',
  {},
  { ja: '注文のキャンセル', en: 'order cancelled' },
  {
    icon: 'receipt_off',
    words: {
      name: { ja: '注文のキャンセル', en: 'Order cancelled' },
      description: { ja: '注文がキャンセルされたとき', en: 'When an order is cancelled' },
    },
    initial: {},
    fills: ofOrder,
    isPostPurchase: true,
    sentence: () => ({ ja: '注文がキャンセルされると始まります。', en: 'Starts when an order is cancelled.' }),
  },
)
