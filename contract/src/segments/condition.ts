import { z } from 'zod'

/** What a field holds decides its operators and how values are compared. */
export type FieldType = 'text' | 'number' | 'boolean' | 'date' | 'tags' | 'product' | 'choice' | 'birthday'

export interface ConditionField {
  name: string
  type: FieldType
  name_ja: string
  name_en: string
  /** For `choice`. */
  choices?: readonly { value: string; name_ja: string; name_en: string }[]
  /** Shown behind a number (円, 回). */
  unit_ja?: string
  unit_en?: string
}
/** Spec §3: condition category: slug, name_ja, name_en, fields. */
export interface ConditionCategory {
  slug: string
  name_ja: string
  name_en: string
  fields: readonly ConditionField[]
}

const consentChoices = [
  { value: 'granted', name_ja: '許可', name_en: 'Granted' },
  { value: 'withdrawn', name_ja: '配信停止', name_en: 'Withdrawn' },
  { value: 'pending', name_ja: '確認待ち', name_en: 'Pending' },
  { value: 'unknown', name_ja: '未確認', name_en: 'Unknown' },
] as const

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
      { name: 'created_at', type: 'date', name_ja: '登録日', name_en: 'Created' },
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
      },
      {
        name: 'orders_amount',
        type: 'number',
        name_ja: '累計購入金額',
        name_en: 'Total spent',
        unit_ja: '円',
        unit_en: '(currency units)',
      },
      { name: 'last_order_at', type: 'date', name_ja: '最終注文日', name_en: 'Last order date' },
      { name: 'product_bought', type: 'product', name_ja: '購入した商品', name_en: 'Product bought' },
    ],
  },
  {
    slug: 'consent',
    name_ja: '配信許可',
    name_en: 'Consent',
    fields: [
      { name: 'accepts_marketing', type: 'boolean', name_ja: 'マーケティング許可', name_en: 'Marketing permission' },
      {
        name: 'accepts_transactions',
        type: 'boolean',
        name_ja: 'メール通知許可',
        name_en: 'Email notification permission',
      },
      {
        name: 'marketing_state',
        type: 'choice',
        name_ja: 'マーケティング許可の状態',
        name_en: 'Marketing permission state',
        choices: consentChoices,
      },
      { name: 'marketing_changed_at', type: 'date', name_ja: '許可状態の変更日', name_en: 'Permission changed' },
      { name: 'suppressed', type: 'boolean', name_ja: '配信除外中', name_en: 'Suppressed' },
    ],
  },
] as const satisfies readonly ConditionCategory[]

/** The operators each field type allows. */
export const operatorsOf = {
  text: ['equals', 'not_equals', 'contains', 'not_contains', 'starts_with', 'ends_with', 'is_set', 'is_not_set'],
  number: ['equals', 'not_equals', 'greater', 'greater_or_equal', 'less', 'less_or_equal', 'between'],
  boolean: ['is'],
  date: ['before', 'after', 'on', 'between', 'within_last_days', 'more_than_days_ago', 'is_set', 'is_not_set'],
  tags: ['has', 'has_not', 'is_set', 'is_not_set'],
  product: ['bought', 'not_bought'],
  choice: ['is_one_of', 'is_none_of'],
  birthday: ['month_is', 'within_next_days', 'is_set', 'is_not_set'],
} as const satisfies Record<FieldType, readonly string[]>
export type Operator = (typeof operatorsOf)[FieldType][number]

/** Deeper trees are refused: no page can show them. */
export const MAX_DEPTH = 5
export const MAX_LEAVES = 100

const LeafValue = z.union([
  z.string().max(1000, 'too_long'),
  z.number('not_a_number'),
  z.boolean(),
  z.array(z.union([z.string().max(1000, 'too_long'), z.number()])).max(500, 'too_long'),
  z.strictObject({
    ids: z.array(z.string().max(64)).min(1, 'required').max(100, 'too_long'),
    within_days: z.int('not_a_number').min(1, 'too_small').max(3650, 'too_big').nullable(),
  }),
  z.null(),
])

/** One comparison. `id` is the page's key for the row; `category` and `name` choose the field; `value`'s shape follows the operator. */
export const Leaf = z
  .strictObject({
    type: z.literal('condition'),
    id: z.string().min(1).max(64),
    category: z.string().max(50),
    name: z.string().max(50),
    operator: z.string().max(50),
    value: LeafValue.default(null),
  })
  .meta({ id: 'ConditionLeaf' })
export type Leaf = z.output<typeof Leaf>

export interface Group {
  type: 'group'
  id: string
  operator: 'and' | 'or'
  children: Condition[]
}
export type Condition = Leaf | Group

export const Condition: z.ZodType<Condition> = z
  .lazy(() =>
    z.discriminatedUnion('type', [
      Leaf,
      z.strictObject({
        type: z.literal('group'),
        id: z.string().min(1).max(64),
        operator: z.enum(['and', 'or']),
        children: z.array(Condition).max(MAX_LEAVES, 'too_long'),
      }),
    ]),
  )
  .meta({ id: 'Condition' })
