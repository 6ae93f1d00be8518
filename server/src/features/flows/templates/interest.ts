import type { Flow, FlowNode } from '@okaeri/contract/scenarios/flow/flow'
import { STEP_Y } from '@okaeri/contract/scenarios/flow/flow-places'
import { MAX_LOW_STOCK, MAX_PERCENT } from '@okaeri/contract/scenarios/trigger-kinds/products'
import type { SchemaField } from '@okaeri/contract/scenarios/template'
import {
  chain,
  couponFields,
  couponIfWanted,
  endsWhenUsed,
  furtherMail,
  furtherMailFields,
  lineField,
  mail,
  mailField,
  numberField,
  segmentField,
  type Template,
  type Values,
  wait,
} from './template.ts'

const favorites = { category_ja: 'お気に入り・再入荷', category_en: 'Favorites and restock' }
const relations = { category_ja: '関係づくり', category_en: 'Relationship' }
const theMail = mailField('email', { nameJa: '配信するメール', nameEn: 'Email to send' })

/** Spec §3: the same customer does not get it again within these days. */
export const quietDays: SchemaField = numberField(
  'quiet_days',
  { min: 1, max: 365, default: 7 },
  {
    nameJa: '同じ顧客に配信しない期間',
    nameEn: 'Do not resend to a customer within',
    suffixJa: '日間',
    suffixEn: 'days',
  },
)
const notification =
  (trigger: (values: Values) => Flow['trigger']): Template['makeFlow'] =>
  (values): Flow => ({
    trigger: trigger(values),
    condition: null,
    reentry: { mode: 'every_days', days: values.number('quiet_days') },
    ends_on: ['bought', 'favorite_removed'],
    ...chain(mail('email', values.id('email'))),
  })

export const favoriteReminder: Template = {
  classname: 'FavoriteReminderAction',
  name_ja: 'お気に入りのリマインド',
  name_en: 'Favorite reminder',
  ...favorites,
  description_ja:
    'お気に入りに入れた商品を、数日後にお知らせします。購入したり、お気に入りを解除したりすると配信されません。',
  description_en:
    'Reminds customers of a favorite a few days later. Not sent after a purchase, or if they remove the favorite.',
  schema: [
    numberField(
      'days',
      { min: 1, max: 90, default: 3 },
      {
        nameJa: '何日後に配信するか',
        nameEn: 'Send after',
        suffixJa: '日後',
        suffixEn: 'days',
      },
    ),
    theMail,
    quietDays,
  ],
  makeFlow: (values) => ({
    trigger: { kind: 'favorite_added' },
    condition: null,
    reentry: { mode: 'every_days', days: values.number('quiet_days') },
    ends_on: ['bought', 'favorite_removed'],
    ...chain(wait('wait', values.number('days'), 'days'), mail('email', values.id('email'))),
  }),
}
export const favoritePrice: Template = {
  classname: 'FavoritePriceAction',
  name_ja: 'お気に入りの値下げ',
  name_en: 'Favorite price drop',
  ...favorites,
  description_ja: 'お気に入りの商品が値下げされたことをお知らせします。',
  description_en: 'Notifies customers when the price of a favorite drops.',
  schema: [
    numberField(
      'percent',
      { min: 1, max: MAX_PERCENT, default: 5 },
      { nameJa: '値下げの割合（以上）', nameEn: 'Price drop, at least', suffixJa: '%', suffixEn: '%' },
    ),
    theMail,
    quietDays,
  ],
  makeFlow: notification((values) => ({
    kind: 'favorite_price_dropped',
    fall: { unit: 'percent', least: values.number('percent') },
  })),
}
export const favoriteStock: Template = {
  classname: 'FavoriteStockAction',
  name_ja: 'お気に入りの在庫復活',
  name_en: 'Favorite back in stock',
  ...favorites,
  description_ja: 'お気に入りの商品の在庫が戻ったことをお知らせします。',
  description_en: 'Notifies customers when a favorite is back in stock.',
  schema: [theMail, quietDays],
  makeFlow: notification(() => ({ kind: 'favorite_back_in_stock' })),
}
export const favoriteLowStock: Template = {
  classname: 'FavoriteLowStockAction',
  name_ja: 'お気に入りの残りわずか',
  name_en: 'Favorite low in stock',
  ...favorites,
  description_ja: 'お気に入りの商品の在庫が少なくなったことをお知らせします。',
  description_en: 'Notifies customers when a favorite is nearly sold out.',
  schema: [
    numberField(
      'stock',
      { min: 1, max: MAX_LOW_STOCK, default: 3 },
      { nameJa: '残りの数（以下）', nameEn: 'Left in stock, at most', suffixJa: '点', suffixEn: 'pcs' },
    ),
    theMail,
    quietDays,
  ],
  makeFlow: notification((values) => ({ kind: 'favorite_low_stock', at_most: values.number('stock') })),
}
export const restock: Template = {
  classname: 'RestockAction',
  name_ja: '再入荷のお知らせ',
  name_en: 'Restock notification',
  ...favorites,
  description_ja: '再入荷通知を申し込んだ顧客に、入荷をお知らせします。',
  description_en: 'Notifies customers who requested it that a product is back in stock.',
  schema: [theMail],
  makeFlow: (values) => ({
    trigger: { kind: 'product_restocked' },
    condition: null,
    reentry: { mode: 'always' },
    ends_on: [],
    ...chain(mail('email', values.id('email'))),
  }),
}

export const welcome: Template = {
  classname: 'WelcomeAction',
  name_ja: 'ようこそメール',
  name_en: 'Welcome',
  ...relations,
  description_ja: 'メールの受け取りに同意した顧客を迎え、お店を紹介します。',
  description_en: 'Welcomes new email subscribers and introduces your store.',
  schema: [
    numberField(
      'minutes',
      { min: 0, max: 10_080, default: 10 },
      {
        nameJa: '何分後に配信するか',
        nameEn: 'Send after',
        suffixJa: '分後',
        suffixEn: 'minutes',
      },
    ),
    theMail,
    ...couponFields,
    ...furtherMailFields('email2', 72),
  ],
  makeFlow: (values) => ({
    trigger: { kind: 'consent_given' },
    condition: null,
    // A customer who leaves and comes back is not welcomed again.
    reentry: { mode: 'once' },
    ends_on: ['unsubscribed', ...endsWhenUsed(values)],
    ...chain(
      wait('wait', values.number('minutes'), 'minutes'),
      couponIfWanted(values),
      mail('email', values.id('email')),
      ...furtherMail(values, 'email2'),
    ),
  }),
}

export const lineIfNotOpened: Template = {
  classname: 'LineIfNotOpenedAction',
  name_ja: 'メールを開封しなかった顧客へのLINE',
  name_en: 'LINE to those who did not open the email',
  ...relations,
  description_ja:
    'セグメントに入った顧客にメールを配信し、決めた時間のうちに開封しなかった顧客にだけLINEで配信します。メールが配信されなかった顧客も含みます。',
  description_en:
    'Emails customers who enter a segment, and sends a LINE message only to those who do not open the email in time, including those who could not be emailed.',
  schema: [
    segmentField('segment', { nameJa: '配信するセグメント', nameEn: 'Segment' }),
    theMail,
    numberField(
      'hours',
      { min: 1, max: 24 * 60, default: 24 },
      { nameJa: '開封を待つ時間', nameEn: 'Wait for it to be opened', suffixJa: '時間', suffixEn: 'hours' },
    ),
    lineField('email_line', {
      nameJa: '開封しなかった顧客へのLINEメッセージ',
      nameEn: 'LINE message to those who did not open it',
      required: true,
    }),
    quietDays,
  ],
  makeFlow: (values) => {
    const { start, nodes } = chain(mail('email', values.id('email')))
    const below = (rows: number) => ({ name: '', position: { x: 0, y: rows * STEP_Y } })
    return {
      trigger: { kind: 'segment_entered', segment_id: values.id('segment') },
      condition: null,
      reentry: { mode: 'every_days', days: values.number('quiet_days') },
      ends_on: [],
      start,
      nodes: [
        ...nodes.map((node) => ({ ...node, next: { next: 'opened' } }) as FlowNode),
        {
          ...below(1),
          id: 'opened',
          kind: 'wait_for_reaction',
          settings: { node_id: 'email', reaction: 'opened', amount: values.number('hours'), unit: 'hours' },
          next: { reacted: null, not_reacted: 'email_line' },
        },
        {
          ...below(2),
          id: 'email_line',
          kind: 'send_line',
          settings: { line_message_id: values.id('email_line'), tracking_parameters: null },
          next: { next: null },
        },
      ],
    }
  },
}

export const customerRank: Template = {
  classname: 'CustomerRankAction',
  name_ja: '顧客ランクの変化',
  name_en: 'Customer rank change',
  ...relations,
  description_ja: '顧客があるランク（セグメント）に入ったときに、特典やお礼のメールを配信します。',
  description_en: 'Rewards customers who reach a rank (a segment, for example an RFM class).',
  schema: [
    segmentField('segment', { nameJa: 'ランクのセグメント', nameEn: 'Segment of the rank' }),
    theMail,
    quietDays,
    ...couponFields,
  ],
  makeFlow: (values) => ({
    trigger: { kind: 'segment_entered', segment_id: values.id('segment') },
    condition: null,
    reentry: { mode: 'every_days', days: values.number('quiet_days') },
    ends_on: endsWhenUsed(values),
    ...chain(couponIfWanted(values), mail('email', values.id('email'))),
  }),
}
