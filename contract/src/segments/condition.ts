import { z } from 'zod'
import type { FieldReason } from '../errors.ts'
import {
  type ConditionCategory,
  type ConditionField,
  conditionCategories,
  findField,
  operatorsFor,
} from './condition-fields.ts'
import type { References } from './condition-types/condition-type.ts'
import { conditionTypeOf, type LeafValue, type Operator } from './condition-types/index.ts'
import { one, type ValueErrors } from './condition-types/value-checks.ts'

export {
  categoriesWith,
  type ConditionCategory,
  type ConditionField,
  conditionCategories,
  type FieldName,
  type FieldNameOf,
  findField,
  isOperatorOf,
  operatorsFor,
  valueShapeOf,
} from './condition-fields.ts'
export type { FieldType, LeafValue, Operator, ValueShape } from './condition-types/index.ts'
export type { MailsValue } from './condition-types/mails.ts'
export { type OrderedValue, type OrderFilter, orderFilterKeys } from './condition-types/ordered.ts'
export { postalKey } from './condition-types/postal-code.ts'
export type { ProductsValue } from './condition-types/product.ts'
export type { InScenarioValue, ScenariosValue } from './condition-types/scenarios.ts'
export type { ThingsValue } from './condition-types/things.ts'
export type { Window } from './condition-types/window.ts'

/** Levels of nested groups, with the outermost as the first. Deeper trees are refused, because no page can show them. */
export const MAX_DEPTH = 10
export const MAX_LEAVES = 200

/** The page's own key for a row; without meaning here. */
const RowId = z.string().regex(/^[\w.:-]{1,64}$/, 'invalid')

/**
 * One comparison. `category` and `name` identify the field. `value` may be anything here: {@link valueShapeOf} gives its shape, and
 * {@link checkCondition}, which knows the field, checks it.
 */
export const Leaf = z
  .strictObject({
    type: z.literal('condition', 'not_allowed'),
    id: RowId,
    category: z.string().max(50),
    name: z.string().max(50),
    operator: z.string().max(50),
    value: (z.unknown() as z.ZodType<LeafValue>).default(null).meta({
      description:
        'Depends on the field and the operator: null, a text, a number, true or false, a day (YYYY-MM-DD), a list of these, or an object (segments/condition-types)',
    }),
  })
  .meta({ id: 'ConditionLeaf' })
export type Leaf = z.output<typeof Leaf>

export interface Group {
  type: 'group'
  id: string
  /** `not`: none of the children is true. */
  operator: 'and' | 'or' | 'not'
  children: Condition[]
}
export type Condition = Leaf | Group

const groupOf = (child: z.ZodType<Condition>) =>
  z.strictObject({
    type: z.literal('group'),
    id: RowId,
    operator: z.enum(['and', 'or', 'not']),
    children: z.array(child).max(MAX_LEAVES, 'too_long'),
  })
// Unrolled, not recursive: a body nested ten thousand deep is refused at the eleventh level instead of exhausting the stack.
const nested = (depth: number): z.ZodType<Condition> =>
  z.discriminatedUnion('type', depth === 0 ? [Leaf] : [Leaf, groupOf(nested(depth - 1))], {
    error: ({ input }) =>
      depth === 0 && (input as { type?: unknown } | null)?.type === 'group' ? 'nested_too_deep' : 'not_allowed',
  })

export const Condition: z.ZodType<Condition> = nested(MAX_DEPTH).meta({ id: 'Condition' })

/** Only this many errors are listed. */
const MAX_WRONG = 100

/**
 * The errors of a condition by path (`conditions.children.0.value`); empty if it is valid. The server refuses by it, and the editor marks its
 * rows. Spec §5: condition values accept numbers only if the field is a number. `categories` are those of the merchant
 * ({@link categoriesWith}).
 */
export function checkCondition(
  condition: Condition,
  path = 'conditions',
  categories: readonly ConditionCategory[] = conditionCategories,
): Record<string, FieldReason> {
  const wrong: Record<string, FieldReason> = {}
  let leaves = 0
  let left = MAX_WRONG
  const say = (at: string, reason: FieldReason): void => {
    if (left-- > 0) wrong[at] = reason
  }
  const check = (part: Condition, at: string, depth: number): void => {
    if (part.type === 'condition') {
      leaves += 1
      for (const [key, reason] of checkLeaf(part, categories)) say(`${at}${key}`, reason)
    } else if (depth > MAX_DEPTH) say(`${at}.type`, 'nested_too_deep')
    else if (part.children.length === 0) say(`${at}.children`, 'required')
    else for (const [index, child] of part.children.entries()) check(child, `${at}.children.${index}`, depth + 1)
  }
  check(condition, path, 1)
  if (leaves > MAX_LEAVES) wrong[path] = 'too_long'
  return wrong
}

function checkLeaf(leaf: Leaf, categories: readonly ConditionCategory[]): ValueErrors {
  const field = findField(leaf, categories)
  if (!field) return [['.name', 'unknown_field']]
  const operator = operatorsFor(field).find((each): each is Operator => each === leaf.operator)
  if (!operator) return [['.operator', 'not_allowed']]
  return checkValue(field, operator, leaf.value).map(([key, reason]) => [`.value${key}`, reason])
}

function checkValue(field: ConditionField, operator: Operator, value: unknown): ValueErrors {
  const { operators, check } = conditionTypeOf(field.type)
  const isMissing = value === null || value === undefined
  if (operators[operator] === 'none') return one(isMissing ? null : 'not_allowed')
  return isMissing || value === '' ? one('required') : check(value, field, operator)
}

/** The comparisons of a condition, in the order of the tree. */
export const leavesOf = (condition: Condition): Leaf[] =>
  condition.type === 'condition' ? [condition] : condition.children.flatMap(leavesOf)

/** The ids in a comparison: of products, campaigns, scenarios, segments. */
export function referencesIn(leaf: Pick<Leaf, 'category' | 'name' | 'value'>): References[] {
  const field = findField(leaf)
  return (field && conditionTypeOf(field.type).references?.(leaf.value)) ?? []
}

/** The amounts of money typed into a condition, in major units of the merchant's currency. Those of metafields have a currency of their own. */
export const amountsIn = (condition: Condition): number[] =>
  leavesOf(condition).flatMap((leaf) => {
    const field = findField(leaf)
    const amounts = (field && conditionTypeOf(field.type).amounts?.(leaf.value, field)) ?? []
    return amounts.filter((amount) => typeof amount === 'number')
  })
