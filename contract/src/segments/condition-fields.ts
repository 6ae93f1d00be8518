import { isMetafieldType, metafieldKindOf, metafieldUnitOf } from '../metafields/value-type.ts'
import type { EndReason } from '../scenarios/execution-status.ts'
import { prefectures } from './condition-places.ts'
import {
  conditionTypeOf,
  conditionTypes,
  type FieldType,
  type Operator,
  type ValueShape,
} from './condition-types/index.ts'
import type { FieldTraits } from './condition-types/condition-type.ts'
import { MAX_AMOUNT, MAX_COUNT } from './condition-types/value-checks.ts'

export interface ConditionField extends FieldTraits {
  type: FieldType
}
/** Spec §3: condition category: slug, name_ja, name_en, fields. */
export interface ConditionCategory {
  slug: string
  name_ja: string
  name_en: string
  fields: readonly ConditionField[]
}

const consentChoices = [
  { value: 'granted', name_ja: '許可', name_en: 'Subscribed' },
  { value: 'withdrawn', name_ja: '配信停止', name_en: 'Unsubscribed' },
  { value: 'pending', name_ja: '確認待ち', name_en: 'Pending' },
  { value: 'unknown', name_ja: '未確認', name_en: 'Never subscribed' },
] as const

/** Classes of customers by recency, frequency and money. The server's segments/README.md maps scores to classes. */
export const rfmClasses = [
  { value: 'champions', name_ja: '最優良顧客', name_en: 'Champions' },
  { value: 'loyal', name_ja: '優良顧客', name_en: 'Loyal' },
  { value: 'potential', name_ja: '育成中の顧客', name_en: 'Potential' },
  { value: 'new', name_ja: '新規顧客', name_en: 'New' },
  { value: 'promising', name_ja: '見込み顧客', name_en: 'Promising' },
  { value: 'needs_attention', name_ja: '要フォロー顧客', name_en: 'Needs attention' },
  { value: 'at_risk', name_ja: '離反のおそれがある優良顧客', name_en: 'At risk' },
  { value: 'hibernating', name_ja: '休眠顧客', name_en: 'Hibernating' },
  { value: 'lost', name_ja: '離反顧客', name_en: 'Lost' },
] as const

/** Why a customer's execution of a scenario ended, for the reasons that leave them a customer. */
const endReasonChoices = [
  { value: 'finished', name_ja: '最後まで進んだ', name_en: 'Completed' },
  { value: 'bought', name_ja: '購入した', name_en: 'Purchased' },
  { value: 'checkout_left', name_ja: '購入手続きに進んで離れた', name_en: 'Left during the checkout' },
  { value: 'order_cancelled', name_ja: '注文がキャンセルされた', name_en: 'Order cancelled' },
  { value: 'coupon_used', name_ja: 'クーポンを使った', name_en: 'Coupon used' },
  { value: 'unsubscribed', name_ja: '配信を停止した', name_en: 'Unsubscribed' },
  { value: 'late_skipped', name_ja: '遅れたため配信されなかった', name_en: 'Late and not sent' },
  { value: 'out_of_stock', name_ja: '再び売り切れた', name_en: 'Sold out again' },
  { value: 'stopped', name_ja: 'シナリオが削除された', name_en: 'Scenario deleted' },
] as const satisfies readonly { value: EndReason; name_ja: string; name_en: string }[]

const score = { type: 'number', min: 1, max: 5, optional: true } as const
const money = { type: 'number', unit_ja: '円', unit_en: '(currency units)', max: MAX_AMOUNT, money: true } as const
const days = { type: 'number', unit_ja: '日', unit_en: 'days', min: -36_500, max: 36_500, optional: true } as const

export const conditionCategories = [
  {
    slug: 'customer',
    name_ja: '顧客',
    name_en: 'Customer',
    fields: [
      { name: 'email', type: 'text', name_ja: 'メールアドレス', name_en: 'Email' },
      { name: 'display_name', type: 'text', name_ja: '表示名', name_en: 'Display name' },
      { name: 'first_name', type: 'text', name_ja: '名', name_en: 'First name' },
      { name: 'last_name', type: 'text', name_ja: '姓', name_en: 'Last name' },
      { name: 'phone', type: 'text', name_ja: '電話番号', name_en: 'Phone' },
      { name: 'tags', type: 'tags', name_ja: 'タグ', name_en: 'Tags' },
      { name: 'last_address', type: 'text', name_ja: '住所', name_en: 'Address' },
      { name: 'id', type: 'text', name_ja: '顧客ID', name_en: 'Customer ID' },
      { name: 'birthday', type: 'birthday', name_ja: '誕生日', name_en: 'Birthday' },
      { name: 'created_at', type: 'date', name_ja: '登録日', name_en: 'Date registered' },
    ],
  },
  {
    slug: 'orders',
    name_ja: '注文',
    name_en: 'Orders',
    fields: [
      {
        name: 'orders_count',
        type: 'number',
        name_ja: '注文回数',
        name_en: 'Number of orders',
        unit_ja: '回',
        unit_en: 'orders',
        max: MAX_COUNT,
      },
      { name: 'orders_amount', name_ja: '累計購入金額', name_en: 'Total amount spent', ...money },
      { name: 'average_amount', name_ja: '平均購入金額', name_en: 'Average order amount', ...money, optional: true },
      { name: 'first_order_at', type: 'date', name_ja: '初回注文日', name_en: 'First order date' },
      { name: 'last_order_at', type: 'date', name_ja: '最終注文日', name_en: 'Last order date' },
      { name: 'ordered', type: 'ordered', name_ja: '購入履歴', name_en: 'Purchases' },
      { name: 'product_bought', type: 'product', name_ja: '購入した商品', name_en: 'Product bought' },
    ],
  },
  {
    slug: 'address',
    name_ja: '住所',
    name_en: 'Address',
    fields: [
      {
        name: 'prefecture',
        type: 'choice',
        name_ja: '都道府県',
        name_en: 'Prefecture',
        choices: prefectures,
        optional: true,
      },
      { name: 'city', type: 'text', name_ja: '市区町村', name_en: 'City' },
      { name: 'postal_code', type: 'postal_code', name_ja: '郵便番号', name_en: 'Postal code' },
      { name: 'country', type: 'text', name_ja: '国', name_en: 'Country' },
    ],
  },
  {
    slug: 'consent',
    name_ja: '配信許可',
    name_en: 'Permission',
    fields: [
      {
        name: 'accepts_marketing',
        type: 'boolean',
        says: 'given',
        name_ja: 'マーケティング許可',
        name_en: 'Marketing permission',
      },
      {
        name: 'accepts_transactions',
        type: 'boolean',
        says: 'given',
        name_ja: 'メール通知許可',
        name_en: 'Email notification permission',
      },
      {
        name: 'marketing_state',
        type: 'choice',
        name_ja: 'マーケティング許可のステータス',
        name_en: 'Marketing permission status',
        choices: consentChoices,
      },
      {
        name: 'marketing_changed_at',
        type: 'date',
        name_ja: 'マーケティング許可の変更日',
        name_en: 'Date the marketing permission changed',
      },
      {
        name: 'notification_state',
        type: 'choice',
        name_ja: 'メール通知許可のステータス',
        name_en: 'Notification permission status',
        choices: consentChoices,
      },
      {
        name: 'notification_changed_at',
        type: 'date',
        name_ja: 'メール通知許可の変更日',
        name_en: 'Date the notification permission changed',
      },
      { name: 'suppressed', type: 'boolean', says: 'state', name_ja: '配信除外中', name_en: 'Suppressed' },
      { name: 'line_connected', type: 'boolean', says: 'given', name_ja: 'LINE連携', name_en: 'LINE connected' },
      { name: 'line_connected_at', type: 'date', name_ja: 'LINE友だち追加日', name_en: 'LINE friend since' },
      { name: 'line_blocked', type: 'boolean', says: 'state', name_ja: 'LINEでブロック中', name_en: 'LINE blocked' },
    ],
  },
  {
    slug: 'emails',
    name_ja: 'メールへの反応',
    name_en: 'Email activity',
    fields: [
      { name: 'emails_received', type: 'mails', name_ja: 'メールの受信', name_en: 'Emails received' },
      { name: 'emails_opened', type: 'mails', name_ja: 'メールの開封', name_en: 'Emails opened' },
      { name: 'emails_clicked', type: 'mails', name_ja: 'メールのクリック', name_en: 'Emails clicked' },
      { name: 'last_sent_at', type: 'date', name_ja: '最後に受信した日', name_en: 'Date of the last email received' },
      { name: 'last_opened_at', type: 'date', name_ja: '最後に開封した日', name_en: 'Date of the last email opened' },
      {
        name: 'last_clicked_at',
        type: 'date',
        name_ja: '最後にクリックした日',
        name_en: 'Date of the last email clicked',
      },
    ],
  },
  {
    slug: 'line',
    name_ja: 'LINEへの反応',
    name_en: 'LINE activity',
    fields: [
      { name: 'line_received', type: 'mails', name_ja: 'LINEメッセージの受信', name_en: 'LINE messages received' },
      { name: 'line_clicked', type: 'mails', name_ja: 'LINEメッセージのクリック', name_en: 'LINE messages clicked' },
    ],
  },
  {
    slug: 'checkouts',
    name_ja: 'カート・チェックアウト',
    name_en: 'Carts and checkouts',
    fields: [
      {
        name: 'checkout_unfinished',
        type: 'things',
        name_ja: '未完了のチェックアウト',
        name_en: 'Unfinished checkout',
        has_amount: true,
      },
      {
        name: 'checkout_completed',
        type: 'things',
        name_ja: '完了したチェックアウト',
        name_en: 'Completed checkout',
        has_amount: true,
      },
      { name: 'cart_unfinished', type: 'things', name_ja: '購入前のカート', name_en: 'Unfinished cart' },
      { name: 'cart_completed', type: 'things', name_ja: '購入に至ったカート', name_en: 'Completed cart' },
    ],
  },
  {
    slug: 'interests',
    name_ja: '閲覧・お気に入り・再入荷通知',
    name_en: 'Views, favorites and restock',
    fields: [
      { name: 'viewed', type: 'things', name_ja: '閲覧した商品', name_en: 'Viewed product' },
      { name: 'in_cart', type: 'things', name_ja: '今カートに入っている商品', name_en: 'Product in cart now' },
      { name: 'cart_seen', type: 'things', name_ja: 'カートに入れた商品', name_en: 'Product put into the cart' },
      { name: 'favorite', type: 'things', name_ja: 'お気に入り', name_en: 'Favorite' },
      {
        name: 'restock_waiting',
        type: 'things',
        name_ja: '再入荷通知の申込み（通知前）',
        name_en: 'Waiting for restock',
      },
      {
        name: 'restock_notified',
        type: 'things',
        name_ja: '再入荷通知の申込み（通知済み）',
        name_en: 'Notified of restock',
      },
    ],
  },
  {
    slug: 'scenarios',
    name_ja: 'シナリオ',
    name_en: 'Scenarios',
    fields: [
      { name: 'scenario_now', type: 'in_scenario', name_ja: '現在のシナリオ', name_en: 'Scenario now' },
      { name: 'scenario_entered', type: 'scenarios', name_ja: 'シナリオへの参加', name_en: 'Scenario entered' },
      {
        name: 'scenario_ended',
        type: 'scenarios',
        name_ja: 'シナリオの終了',
        name_en: 'Scenario ended',
        choices: endReasonChoices,
      },
    ],
  },
  {
    slug: 'scores',
    name_ja: 'RFM・購入間隔',
    name_en: 'RFM and purchase interval',
    fields: [
      {
        name: 'rfm_class',
        type: 'choice',
        name_ja: 'RFMの区分',
        name_en: 'RFM class',
        choices: rfmClasses,
        optional: true,
      },
      { name: 'rfm_recency', name_ja: '最新性（R）', name_en: 'Recency (R)', ...score },
      { name: 'rfm_frequency', name_ja: '購入頻度（F）', name_en: 'Frequency (F)', ...score },
      { name: 'rfm_monetary', name_ja: '購入金額（M）', name_en: 'Monetary (M)', ...score },
      {
        name: 'days_to_next_order',
        name_ja: '次の注文までの目安日数',
        name_en: 'Days until the expected next order',
        ...days,
      },
    ],
  },
  {
    slug: 'segments',
    name_ja: 'セグメント',
    name_en: 'Segments',
    fields: [{ name: 'member', type: 'segment', name_ja: 'ほかのセグメント', name_en: 'Other segment' }],
  },
] as const satisfies readonly ConditionCategory[]

/** Names of the fields every merchant has; a metafield's is the id of its setting. */
export type FieldName = (typeof conditionCategories)[number]['fields'][number]['name']

/** Names of the fields of one type. */
export type FieldNameOf<T extends FieldType> = Extract<
  (typeof conditionCategories)[number]['fields'][number],
  { type: T }
>['name']

/** Whether fields of this type have this operator. */
export const isOperatorOf = (type: FieldType, operator: string): operator is Operator =>
  Object.hasOwn(conditionTypes[type].operators, operator)

/** The operators of this field; `is_set` and `is_not_set` only if the value may be missing. */
export function operatorsFor(field: Pick<ConditionField, 'type' | 'optional'>): readonly Operator[] {
  const { operators, alwaysThere } = conditionTypeOf(field.type)
  const all = Object.keys(operators) as Operator[]
  if (field.optional || !alwaysThere) return all
  return all.filter((operator) => operator !== 'is_set' && operator !== 'is_not_set')
}

/** Shape of the value for a field type and one of its operators. */
export const valueShapeOf = (type: FieldType, operator: Operator): ValueShape =>
  conditionTypeOf(type).operators[operator] as ValueShape

/** The category of the merchant's own fields. */
export const METAFIELDS = 'metafields'

/** The parts of a metafield setting that conditions need. */
export interface MetafieldOfConditions {
  id: string
  name: string
  /** The platform's type name ("number_integer", "list.single_line_text_field"). */
  value_type: string
}

const fieldTypeOf = { text: 'text', number: 'number', boolean: 'boolean', date: 'date', list: 'tags' } as const

/** A metafield as a condition field, by the type of its values. An unknown type counts as text. */
export function fieldOfMetafield({ id, name, value_type }: MetafieldOfConditions): ConditionField {
  const known = isMetafieldType(value_type) ? value_type : 'single_line_text_field'
  const type = fieldTypeOf[metafieldKindOf(known)]
  const unit = metafieldUnitOf(known)
  return {
    name: id,
    name_ja: name,
    name_en: name,
    type,
    optional: true,
    ...(known === 'date' ? { whole_days: true } : {}),
    ...(unit === null ? {} : { unit_ja: unit, unit_en: unit }),
    ...(type === 'number' ? { min: -MAX_AMOUNT, max: MAX_AMOUNT } : {}),
  }
}

/** Everything a merchant's conditions can ask about: the common fields, and their own metafields. */
export const categoriesWith = (metafields: readonly MetafieldOfConditions[]): readonly ConditionCategory[] =>
  metafields.length === 0
    ? conditionCategories
    : [
        ...conditionCategories,
        {
          slug: METAFIELDS,
          name_ja: 'メタフィールド',
          name_en: 'Metafields',
          fields: metafields.map(fieldOfMetafield),
        },
      ]

/** The field a comparison names; null if that category has no such field. */
export function findField(
  named: { category: string; name: string },
  categories: readonly ConditionCategory[] = conditionCategories,
): ConditionField | null {
  const category = categories.find(({ slug }) => slug === named.category)
  return category?.fields.find(({ name }) => name === named.name) ?? null
}
