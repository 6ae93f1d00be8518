import type { SchemaField } from '@okaeri/contract/scenarios/template'
import { MAX_NTH } from '@okaeri/contract/scenarios/trigger-kinds/orders'
import {
  chain,
  checkbox,
  couponFields,
  couponIfWanted,
  endsWhenUsed,
  furtherMail,
  furtherMailFields,
  hourField,
  mail,
  mailField,
  numberField,
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
      nameJa: '何日後に配信するか',
      nameEn: 'Send after',
      suffixJa: '日後',
      suffixEn: 'days',
      descriptionJa: '0にすると、すぐに配信します。',
      descriptionEn: '0 sends immediately.',
    },
  )
const theMail = mailField('email', { nameJa: '配信するメール', nameEn: 'Email to send' })
const more = furtherMailFields('email2', 72)

const steps = (values: Values) =>
  chain(
    wait('wait', values.number('days'), 'days'),
    couponIfWanted(values),
    mail('email', values.id('email')),
    ...furtherMail(values, 'email2'),
  )

export const purchaseFollowUp: Template = {
  classname: 'PurchaseFollowUpAction',
  name_ja: '購入後のフォロー',
  name_en: 'Purchase follow-up',
  ...category,
  description_ja:
    '購入の数日後に、使い方やお礼のメールを配信します。配信が終わる前にもう一度購入しても、二重には届きません。注文がキャンセルされると配信されません。',
  description_en:
    'Sends thanks or usage tips some days after a purchase. Another order before it has finished does not send it twice. Not sent if the order is cancelled.',
  schema: [daysAfter(3), theMail, ...couponFields, ...more],
  makeFlow: (values) => ({
    trigger: { kind: 'order_paid' },
    condition: null,
    // A second order during the wait would send the same email twice.
    reentry: { mode: 'when_none_runs' },
    ends_on: ['order_cancelled', ...endsWhenUsed(values)],
    ...steps(values),
  }),
}

export const firstPurchase: Template = {
  classname: 'FirstPurchaseAction',
  name_ja: '初めての購入',
  name_en: 'First purchase',
  ...category,
  description_ja: '初めて購入した顧客に、お礼と次の買い物につながるメールを配信します。',
  description_en: 'Thanks first-time customers and gives them a reason to come back.',
  schema: [daysAfter(7), theMail, ...couponFields, ...more],
  makeFlow: (values) => ({
    trigger: { kind: 'order_paid', nth: 1 },
    condition: null,
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
  description_ja: '決めた回数の購入をした顧客に、感謝と特典のメールを配信します。',
  description_en: 'Rewards customers on their third, fifth or tenth purchase.',
  schema: [
    numberField(
      'count',
      { min: 2, max: MAX_NTH, default: 3 },
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
    trigger: { kind: 'order_paid', nth: values.number('count') },
    condition: null,
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
  description_en: 'Asks for a review some days after the order was shipped.',
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
  description_ja:
    '商品ごとのいつもの購入間隔に合わせて、使い切る頃に買い足しをご案内します。その前に購入すると配信されません。',
  description_en:
    'Reminds customers to buy again when the product should be used up, by each product’s usual purchase interval. Not sent after a purchase.',
  needs: 'product_intervals',
  schema: [
    checkbox(
      'usual_interval',
      {
        nameJa: '商品ごとの購入間隔に合わせて配信する',
        nameEn: 'Send by each product’s usual purchase interval',
        descriptionJa:
          '顧客が同じ商品をまた購入するまでの日数を、商品ごとに注文から毎晩計算します。複数の商品を購入した場合は、最も早い商品に合わせます。',
        descriptionEn:
          'How many days customers usually take to buy the same product again, worked out for each product from your orders every night. For several products, the soonest counts.',
      },
      true,
    ),
    numberField(
      'days',
      { min: 1, max: 365, default: 30 },
      {
        nameJa: '使い切るまでの日数',
        nameEn: 'Used up after',
        suffixJa: '日',
        suffixEn: 'days',
        descriptionJa: '購入間隔に合わせる場合は、間隔がまだ分からない商品に使います。',
        descriptionEn: 'When sending by product, this is used for products whose interval is not known yet.',
      },
    ),
    theMail,
    ...couponFields,
  ],
  makeFlow: (values) => ({
    trigger: { kind: 'order_paid' },
    condition: null,
    // The next purchase ends this execution and starts another.
    reentry: { mode: 'always' },
    ends_on: ['bought', 'order_cancelled', ...endsWhenUsed(values)],
    ...chain(
      values.on('usual_interval')
        ? { kind: 'usual_interval', id: 'wait', days: values.number('days') }
        : wait('wait', values.number('days'), 'days'),
      couponIfWanted(values),
      mail('email', values.id('email')),
    ),
  }),
}

export const winBack: Template = {
  classname: 'WinBackAction',
  name_ja: '休眠顧客へ',
  name_en: 'Win-back',
  category_ja: '再来店',
  category_en: 'Coming back',
  description_ja: '最後の購入から決めた日数がたった顧客に、再び購入するきっかけになるメールを配信します。',
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
    ...chain(couponIfWanted(values), mail('email', values.id('email')), ...furtherMail(values, 'email2')),
  }),
}
