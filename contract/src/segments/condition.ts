import { z } from 'zod'
import type { FieldReason } from '../errors.ts'
import { hasControlCharacters } from '../fields.ts'

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
  /** For `number`: the largest value a condition takes; the smallest is 0. */
  max?: number
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
        max: 1_000_000,
      },
      {
        name: 'orders_amount',
        type: 'number',
        name_ja: '累計購入金額',
        name_en: 'Total spent',
        unit_ja: '円',
        unit_en: '(currency units)',
        // In major units (円, not minor ones); past this a number loses its last digits.
        max: 1_000_000_000_000,
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

/** Groups within groups: the outermost is the first. Deeper trees are refused: no page can show them. */
export const MAX_DEPTH = 5
export const MAX_LEAVES = 100
/** Days a relative date can reach back; a birthday is at most a leap year ahead. */
const MAX_DAYS_BACK = 3650
const MAX_DAYS_AHEAD = 366
/** Years a date may name; outside them zones have no whole-minute offsets, and no store has customers. */
const FIRST_YEAR = 1900
const LAST_YEAR = 2199

const LeafValue = z.union([
  z.string().max(1000, 'too_long'),
  z.number('not_a_number'),
  z.boolean(),
  z.array(z.union([z.string().max(1000, 'too_long'), z.number()])).max(500, 'too_long'),
  z.strictObject({
    /** Products of ours (`Product.id`); any of them counts. */
    ids: z.array(z.string().max(64)).min(1, 'required').max(100, 'too_long'),
    /** Null: at any time. */
    within_days: z.int('not_a_number').min(1, 'too_small').max(MAX_DAYS_BACK, 'too_big').nullable(),
  }),
  z.null(),
])

/** The page's own key for a row; it means nothing here. */
const RowId = z.string().regex(/^[\w.:-]{1,64}$/, 'invalid')

/** One comparison. `category` and `name` choose the field; what `value` holds is told by {@link valueShapeOf}. */
export const Leaf = z
  .strictObject({
    type: z.literal('condition', 'not_allowed'),
    id: RowId,
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

const groupOf = (child: z.ZodType<Condition>) =>
  z.strictObject({
    type: z.literal('group'),
    id: RowId,
    operator: z.enum(['and', 'or']),
    children: z.array(child).max(MAX_LEAVES, 'too_long'),
  })
// Unrolled, not recursive: a body nested ten thousand deep is refused at the sixth level instead of exhausting the stack.
const nested = (depth: number): z.ZodType<Condition> =>
  z.discriminatedUnion('type', depth === 0 ? [Leaf] : [Leaf, groupOf(nested(depth - 1))], 'not_allowed')

export const Condition: z.ZodType<Condition> = nested(MAX_DEPTH).meta({ id: 'Condition' })

/** What the value of a comparison is; the page chooses its input by it. */
export type ValueShape =
  | 'none'
  | 'text'
  | 'number'
  /** `[from, to]`, both included. */
  | 'number_range'
  | 'boolean'
  /** `YYYY-MM-DD`, a day in the merchant's zone. */
  | 'date'
  /** `[from, to]`, both days included. */
  | 'date_range'
  /** Whole days; 0 is today. */
  | 'days'
  /** 1–12. */
  | 'month'
  /** A list of the field's choices. */
  | 'choices'
  /** A list of tags; any of them counts. */
  | 'tags'
  /** `{ids, within_days}`. */
  | 'products'

/** Shape of the value for a field type and one of its operators. */
export function valueShapeOf(type: FieldType, operator: Operator): ValueShape {
  if (operator === 'is_set' || operator === 'is_not_set') return 'none'
  switch (type) {
    case 'text':
      return 'text'
    case 'number':
      return operator === 'between' ? 'number_range' : 'number'
    case 'boolean':
      return 'boolean'
    case 'date':
      if (operator === 'between') return 'date_range'
      return operator === 'within_last_days' || operator === 'more_than_days_ago' ? 'days' : 'date'
    case 'tags':
      return 'tags'
    case 'product':
      return 'products'
    case 'choice':
      return 'choices'
    case 'birthday':
      return operator === 'month_is' ? 'month' : 'days'
  }
}

/** Names of all fields conditions can ask about. */
export type FieldName = (typeof conditionCategories)[number]['fields'][number]['name']

/** The field a comparison names, or null when there is none of that name in that category. */
export function findField(leaf: Pick<Leaf, 'category' | 'name'>): (ConditionField & { name: FieldName }) | null {
  const category = conditionCategories.find(({ slug }) => slug === leaf.category)
  return category?.fields.find(({ name }) => name === leaf.name) ?? null
}

export const isOperatorOf = (type: FieldType, operator: string): operator is Operator =>
  (operatorsOf[type] as readonly string[]).includes(operator)

/**
 * What is wrong with a condition, by path (`conditions.children.0.value`); empty when it can be used. The server refuses by it
 * and the editor marks its rows by it. Spec §5: condition values accept numbers only where the field is a number.
 */
export function checkCondition(condition: Condition, path = 'conditions'): Record<string, FieldReason> {
  const wrong: Record<string, FieldReason> = {}
  let leaves = 0
  const check = (part: Condition, at: string, depth: number): void => {
    if (part.type === 'condition') {
      leaves += 1
      checkLeaf(part, at, wrong)
    } else if (depth > MAX_DEPTH) wrong[`${at}.type`] = 'not_allowed'
    else if (part.children.length === 0) wrong[`${at}.children`] = 'required'
    else for (const [index, child] of part.children.entries()) check(child, `${at}.children.${index}`, depth + 1)
  }
  check(condition, path, 1)
  if (leaves > MAX_LEAVES) wrong[path] = 'too_long'
  return wrong
}

function checkLeaf(leaf: Leaf, at: string, wrong: Record<string, FieldReason>): void {
  const field = findField(leaf)
  if (!field) wrong[`${at}.name`] = 'unknown_field'
  else if (!isOperatorOf(field.type, leaf.operator)) wrong[`${at}.operator`] = 'not_allowed'
  else
    for (const [key, reason] of checkValue(field, valueShapeOf(field.type, leaf.operator), leaf.value))
      wrong[`${at}.value${key}`] = reason
}

type Wrong = [key: string, reason: FieldReason][]
const one = (reason: FieldReason | null, key = ''): Wrong => (reason ? [[key, reason]] : [])

function checkValue(field: ConditionField, shape: ValueShape, value: Leaf['value']): Wrong {
  if (shape === 'none') return one(value === null ? null : 'not_allowed')
  if (value === null || value === '') return one('required')
  switch (shape) {
    case 'text':
      return one(whyNotText(value))
    case 'number':
      return one(whyNotNumber(value, field.max))
    case 'number_range':
      return checkRange(value, (item) => whyNotNumber(item, field.max))
    case 'boolean':
      return one(typeof value === 'boolean' ? null : 'not_a_boolean')
    case 'date':
      return one(whyNotDate(value))
    case 'date_range':
      return checkRange(value, whyNotDate)
    case 'days':
      return one(whyNotWhole(value, 0, field.type === 'birthday' ? MAX_DAYS_AHEAD : MAX_DAYS_BACK))
    case 'month':
      return one(whyNotWhole(value, 1, 12))
    case 'choices':
      return checkList(value, (item) => (field.choices?.some((choice) => choice.value === item) ? null : 'not_allowed'))
    case 'tags':
      return checkList(value, whyNotText)
    case 'products':
      if (typeof value !== 'object' || Array.isArray(value)) return one('not_an_object')
      return value.ids.flatMap((id, index) => one(z.uuid().safeParse(id).success ? null : 'not_an_id', `.ids.${index}`))
  }
}

const whyNotText = (value: unknown): FieldReason | null => {
  if (typeof value !== 'string') return 'not_a_text'
  if (value.trim() === '') return 'required'
  if (hasControlCharacters(value)) return 'control_characters'
  return value.isWellFormed() ? null : 'invalid'
}

function whyNotNumber(value: unknown, max = Number.MAX_SAFE_INTEGER): FieldReason | null {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'not_a_number'
  if (value < 0) return 'too_small'
  return value > max ? 'too_big' : null
}

function whyNotWhole(value: unknown, min: number, max: number): FieldReason | null {
  if (!Number.isInteger(value)) return 'not_a_number'
  if ((value as number) < min) return 'too_small'
  return (value as number) > max ? 'too_big' : null
}

function whyNotDate(value: unknown): FieldReason | null {
  if (typeof value !== 'string' || !z.iso.date().safeParse(value).success) return 'not_a_date'
  const year = Number(value.slice(0, 4))
  if (year < FIRST_YEAR) return 'too_small'
  return year > LAST_YEAR ? 'too_big' : null
}

function checkRange(value: Leaf['value'], whyNot: (item: unknown) => FieldReason | null): Wrong {
  if (!Array.isArray(value)) return one('not_a_list')
  const [from, to] = value
  if (from === undefined || to === undefined || value.length !== 2) return one('invalid')
  const wrong = value.flatMap((item, index) => one(whyNot(item), `.${index}`))
  return wrong.length === 0 && from > to ? one('too_small', '.1') : wrong
}

function checkList(value: Leaf['value'], whyNot: (item: unknown) => FieldReason | null): Wrong {
  if (!Array.isArray(value)) return one('not_a_list')
  if (value.length === 0) return one('required')
  return value.flatMap((item, index) => one(whyNot(item), `.${index}`))
}
