import type { Flow } from '@okaeri/contract/scenarios/flow/flow'
import type { SchemaField } from '@okaeri/contract/scenarios/template'
import {
  chain,
  couponFields,
  couponIfWanted,
  endsWhenUsed,
  furtherMail,
  furtherMailFields,
  mail,
  mailField,
  numberField,
  type Template,
  type Values,
} from './template.ts'

export const category = { category_ja: '購入前', category_en: 'Before a purchase' }

const schema: readonly SchemaField[] = [
  numberField(
    'minutes',
    { min: 10, max: 10_080, default: 60 },
    {
      nameJa: '離れてから配信するまで',
      nameEn: 'Send after',
      suffixJa: '分後',
      suffixEn: 'minutes',
    },
  ),
  mailField('email', { nameJa: '1通目のメール', nameEn: 'First email' }),
  ...furtherMailFields('email2', 23),
  ...furtherMailFields('email3', 48),
  ...couponFields,
]
/** Up to three emails. The coupon comes before the first, so that each can show it. A purchase ends it. */
const flowOf =
  (kind: 'cart_abandoned' | 'checkout_abandoned') =>
  (values: Values): Flow => ({
    trigger: { kind, after_minutes: values.number('minutes') },
    condition: null,
    // A second abandoned basket within a day would send the same email twice.
    reentry: { mode: 'every_days', days: 1 },
    ends_on: ['bought', ...(kind === 'cart_abandoned' ? (['checkout_left'] as const) : []), ...endsWhenUsed(values)],
    ...chain(
      couponIfWanted(values),
      mail('email', values.id('email')),
      ...furtherMail(values, 'email2'),
      ...furtherMail(values, 'email3'),
    ),
  })

export const cartAbandonment: Template = {
  classname: 'CartAbandonmentAction',
  name_ja: 'カゴ落ちメール',
  name_en: 'Cart abandonment',
  ...category,
  description_ja:
    'カートに商品を入れたまま離れた顧客に、最大3通配信します。1日のうちに何度離れても、1回だけです。購入すると止まります。購入手続きに進んだ顧客には、チェックアウト離脱メールが有効なら、そちらだけが届きます。',
  description_en:
    'Up to three emails to customers who left items in the cart, once a day at most. Stops after a purchase. Customers who continued to the checkout only get the checkout email, if that scenario is active.',
  schema,
  makeFlow: flowOf('cart_abandoned'),
}

export const checkoutAbandonment: Template = {
  classname: 'CheckoutAbandonmentAction',
  name_ja: 'チェックアウト離脱メール',
  name_en: 'Checkout abandonment',
  ...category,
  description_ja:
    '購入手続きの途中で離れた顧客に、最大3通配信します。1日のうちに何度離れても、1回だけです。購入すると止まります。',
  description_en:
    'Up to three emails to customers who left during checkout, once a day at most. Stops after a purchase.',
  schema,
  makeFlow: flowOf('checkout_abandoned'),
}
