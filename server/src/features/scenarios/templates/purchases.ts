import type { Condition } from '@okaeri/contract/segments/condition'
import type { SchemaField } from '@okaeri/contract/scenarios/template'
import {
  chain,
  couponFields,
  couponIfWanted,
  endsWhenUsed,
  hourField,
  mail,
  mailField,
  numberField,
  secondMail,
  secondMailFields,
  type Template,
  timeAt,
  type Values,
  wait,
} from './template.ts'

const category = { category_ja: '購入後', category_en: 'After a purchase' }

const daysAfter = (initial: number): SchemaField =>
  numberField(
    'days',
    { min: 0, max: 365, default: initial },
    {
      nameJa: '何日後に送るか',
      nameEn: 'Days after',
      suffixJa: '日後',
      suffixEn: 'days',
      descriptionJa: '0にすると、すぐに送ります。',
      descriptionEn: '0 sends at once.',
    },
  )
const theMail = mailField('email', { nameJa: '送るメール', nameEn: 'Mail to send' })
const more = secondMailFields('email2', '2通目のメール', 'Second mail', 72)

/** Asked when the order is looked at: it is counted already. */
const ordersSoFar = (count: number): Condition => ({
  type: 'condition',
  id: 'orders',
  category: 'orders',
  name: 'orders_count',
  operator: 'equals',
  value: count,
})
const steps = (values: Values) =>
  chain(
    wait('wait', values.number('days'), 'days'),
    couponIfWanted(values),
    mail('email', values.id('email')),
    ...secondMail(values, 'email2'),
  )

export const purchaseFollowUp: Template = {
  classname: 'PurchaseFollowUpAction',
  name_ja: '購入後のフォロー',
  name_en: 'Purchase follow-up',
  ...category,
  description_ja: '購入の数日後に、使い方やお礼のメールを送ります。注文が取り消されたら送りません。',
  description_en: 'Some days after each purchase: thanks, or how to use it. Not sent once the order is cancelled.',
  schema: [daysAfter(3), theMail, ...couponFields, ...more],
  makeFlow: (values) => ({
    trigger: { kind: 'order_paid' },
    condition: null,
    reentry: { mode: 'always' },
    ends_on: ['order_cancelled', ...endsWhenUsed(values)],
    ...steps(values),
  }),
}

export const firstPurchase: Template = {
  classname: 'FirstPurchaseAction',
  name_ja: '初めての購入',
  name_en: 'First purchase',
  ...category,
  description_ja: '初めて購入したお客様に、お礼と次の買い物のきっかけを送ります。',
  description_en: 'Thanks whoever bought for the first time, and gives a reason to come back.',
  schema: [daysAfter(7), theMail, ...couponFields, ...more],
  makeFlow: (values) => ({
    trigger: { kind: 'order_paid' },
    condition: ordersSoFar(1),
    reentry: { mode: 'once' },
    ends_on: ['order_cancelled', ...endsWhenUsed(values)],
    ...steps(values),
  }),
}

export const nthPurchase: Template = {
  classname: 'NthPurchaseAction',
  name_ja: 'N回目の購入',
  name_en: 'Nth purchase',
  ...category,
  description_ja: '決めた回数の購入をしたお客様に、感謝の特典を送ります。',
  description_en: 'Rewards whoever made their third, fifth or tenth purchase.',
  schema: [
    numberField(
      'count',
      { min: 2, max: 1000, default: 3 },
      {
        nameJa: '購入回数',
        nameEn: 'Number of purchases',
        suffixJa: '回目',
        suffixEn: 'purchases',
      },
    ),
    daysAfter(1),
    theMail,
    ...couponFields,
    ...more,
  ],
  makeFlow: (values) => ({
    trigger: { kind: 'order_paid' },
    condition: ordersSoFar(values.number('count')),
    reentry: { mode: 'once' },
    ends_on: ['order_cancelled', ...endsWhenUsed(values)],
    ...steps(values),
  }),
}

export const reviewRequest: Template = {
  classname: 'ReviewRequestAction',
  name_ja: 'レビューのお願い',
  name_en: 'Review request',
  ...category,
  description_ja: '発送の数日後、商品が届いた頃にレビューをお願いします。',
  description_en: 'Asks for a review some days after the order was shipped, when it has arrived.',
  schema: [daysAfter(10), theMail],
  makeFlow: (values) => ({
    trigger: { kind: 'order_fulfilled' },
    condition: null,
    reentry: { mode: 'every_days', days: 30 },
    ends_on: ['order_cancelled'],
    ...chain(wait('wait', values.number('days'), 'days'), mail('email', values.id('email'))),
  }),
}

export const replenishment: Template = {
  classname: 'ReplenishmentAction',
  name_ja: '買い足しのご案内',
  name_en: 'Replenishment',
  ...category,
  description_ja: '使い切る頃に、買い足しをご案内します。その前に購入されたら送りません。',
  description_en: 'Reminds when the goods should be used up. Not sent to whoever bought again before.',
  schema: [
    numberField(
      'days',
      { min: 1, max: 365, default: 30 },
      {
        nameJa: '使い切るまでの日数',
        nameEn: 'Used up after',
        suffixJa: '日',
        suffixEn: 'days',
        descriptionJa: '商品の通常の購入間隔を入れてください。',
        descriptionEn: 'The usual time between two purchases of your goods.',
      },
    ),
    theMail,
    ...couponFields,
  ],
  makeFlow: (values) => ({
    trigger: { kind: 'order_paid' },
    condition: null,
    // The next purchase ends it and begins it anew.
    reentry: { mode: 'always' },
    ends_on: ['bought', 'order_cancelled', ...endsWhenUsed(values)],
    ...chain(wait('wait', values.number('days'), 'days'), couponIfWanted(values), mail('email', values.id('email'))),
  }),
}

export const winBack: Template = {
  classname: 'WinBackAction',
  name_ja: '休眠のお客様へ',
  name_en: 'Win-back',
  category_ja: '再来店',
  category_en: 'Coming back',
  description_ja: '最後の購入から決めた日数がたったお客様に、もう一度のきっかけを送ります。',
  description_en: 'Gives customers who have not bought for so many days a reason to come back.',
  schema: [
    numberField(
      'days',
      { min: 7, max: 365, default: 90 },
      {
        nameJa: '最後の購入からの日数',
        nameEn: 'Days since the last purchase',
        suffixJa: '日',
        suffixEn: 'days',
      },
    ),
    hourField(18),
    theMail,
    ...couponFields,
    ...more,
  ],
  makeFlow: (values) => ({
    trigger: { kind: 'days_without_order', days: values.number('days'), time: timeAt(values.number('hour')) },
    condition: null,
    reentry: { mode: 'when_none_runs' },
    ends_on: ['bought', ...endsWhenUsed(values)],
    ...chain(couponIfWanted(values), mail('email', values.id('email')), ...secondMail(values, 'email2')),
  }),
}
