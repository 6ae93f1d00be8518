import { MAX_PERCENT } from '@okaeri/contract/scenarios/trigger-kinds/products'
import { MAX_LOOKS, MAX_VIEWED_DAYS } from '@okaeri/contract/scenarios/trigger-kinds/views'
import { quietDays } from './interest.ts'
import {
  chain,
  checkbox,
  couponFields,
  couponIfWanted,
  endsWhenUsed,
  mail,
  mailField,
  numberField,
  type Template,
} from './template.ts'
import { category } from './unfinished.ts'

const theMail = mailField('email', { nameJa: '配信するメール', nameEn: 'Email to send' })

export const browseAbandonment: Template = {
  classname: 'BrowseAbandonmentAction',
  name_ja: '閲覧後のフォロー',
  name_en: 'Browse abandonment',
  ...category,
  description_ja:
    '商品を閲覧したまま購入しなかった顧客に、閲覧した商品をご案内します。購入すると配信されません。商品の閲覧の記録を、顧客設定でオンにしてください。',
  description_en:
    'Reminds customers of products they viewed and did not buy. Not sent after a purchase. Record product views first, in customer settings.',
  needs: 'product_views',
  schema: [
    numberField(
      'hours',
      { min: 1, max: 720, default: 4 },
      {
        nameJa: '最後の閲覧から配信するまで',
        nameEn: 'Send after the last view',
        suffixJa: '時間後',
        suffixEn: 'hours',
      },
    ),
    numberField(
      'looks',
      { min: 1, max: MAX_LOOKS, default: 1 },
      {
        nameJa: '同じ商品を閲覧した回数（以上）',
        nameEn: 'Views of the same product, at least',
        suffixJa: '回',
        suffixEn: 'times',
        descriptionJa: '1は、1回でも閲覧した商品です。10分以内の閲覧は1回と数えます。',
        descriptionEn: '1 is any product that was viewed. Views within 10 minutes count once.',
      },
    ),
    checkbox(
      'unless_cart',
      {
        nameJa: 'カートに商品を残した顧客には配信しない',
        nameEn: 'Not to customers who left a cart',
        descriptionJa: 'カートやチェックアウトを残した顧客は、カゴ落ちメールとチェックアウト離脱メールにまかせます。',
        descriptionEn: 'Customers who left a cart or a checkout are for the cart and checkout scenarios.',
      },
      true,
    ),
    checkbox('without_sold_out', { nameJa: '売り切れの商品を含めない', nameEn: 'Without sold-out products' }, true),
    theMail,
    quietDays,
    ...couponFields,
  ],
  makeFlow: (values) => ({
    trigger: {
      kind: 'browse_abandoned',
      after_minutes: values.number('hours') * 60,
      least_looks: values.number('looks'),
      unless_cart: values.on('unless_cart'),
      leaves_out_sold_out: values.on('without_sold_out'),
    },
    condition: null,
    reentry: { mode: 'every_days', days: values.number('quiet_days') },
    ends_on: ['bought', ...endsWhenUsed(values)],
    ...chain(couponIfWanted(values), mail('email', values.id('email'))),
  }),
}

export const viewedPrice: Template = {
  classname: 'ViewedPriceAction',
  name_ja: '閲覧した商品の値下げ',
  name_en: 'Viewed product price drop',
  ...category,
  description_ja:
    '閲覧したがまだ購入していない商品が値下げされたことをお知らせします。お気に入りの商品は、お気に入りの値下げのシナリオが有効なら、そちらだけが届きます。',
  description_en:
    'Notifies customers when a product they viewed and did not buy drops in price. Favorites are left to the favorite price scenario, if that is active.',
  needs: 'product_views',
  schema: [
    numberField(
      'days',
      { min: 1, max: MAX_VIEWED_DAYS, default: 30 },
      { nameJa: '閲覧してからの日数（以内）', nameEn: 'Viewed within', suffixJa: '日', suffixEn: 'days' },
    ),
    numberField(
      'percent',
      { min: 1, max: MAX_PERCENT, default: 5 },
      { nameJa: '値下げの割合（以上）', nameEn: 'Price drop, at least', suffixJa: '%', suffixEn: '%' },
    ),
    theMail,
    quietDays,
  ],
  makeFlow: (values) => ({
    trigger: {
      kind: 'viewed_price_dropped',
      fall: { unit: 'percent', least: values.number('percent') },
      within_days: values.number('days'),
    },
    condition: null,
    reentry: { mode: 'every_days', days: values.number('quiet_days') },
    ends_on: ['bought'],
    ...chain(mail('email', values.id('email'))),
  }),
}
