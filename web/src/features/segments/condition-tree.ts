import type { FieldReason } from '@okaeri/contract/errors'
import {
  type Condition,
  type ConditionField,
  checkCondition,
  conditionCategories,
  findField,
  type Group,
  isOperatorOf,
  type Leaf,
  operatorsOf,
  type ValueShape,
  valueShapeOf,
} from '@okaeri/contract/segments/condition'

// Changes to a condition while it is edited. Nothing is changed in place; parts are found by their ids.

type Value = Leaf['value']

let made = 0
/** Row ids mean something only on the page, and only until it is reloaded. */
const newId = (): string => `n${++made}-${Math.random().toString(36).slice(2, 10)}`

/** An input that still waits for its value; `null` is "nothing chosen yet" for all but ranges. */
export function emptyValue(shape: ValueShape): Value {
  if (shape === 'boolean') return true
  return shape === 'number_range' || shape === 'date_range' ? ['', ''] : null
}

function leafFor(category: string, field: ConditionField, id: string): Leaf {
  const operator = operatorsOf[field.type][0]
  return {
    type: 'condition',
    id,
    category,
    name: field.name,
    operator,
    value: emptyValue(valueShapeOf(field.type, operator)),
  }
}

/** A row to begin with: the number of orders, the question asked most. */
export function newLeaf(): Leaf {
  const orders = conditionCategories[1]
  return { ...leafFor(orders.slug, orders.fields[0], newId()), operator: 'greater_or_equal', value: 1 }
}
export const newGroup = (children: Condition[] = [newLeaf()]): Group => ({
  type: 'group',
  id: newId(),
  operator: 'and',
  children,
})

/** The row asks about another field now; what was typed is kept where it still fits. */
export function withField(leaf: Leaf, category: string, name: string): Leaf {
  const field = findField({ category, name })
  if (!field) return leaf
  const before = findField(leaf)
  if (before?.type === field.type && field.type !== 'choice') return { ...leaf, category, name }
  return leafFor(category, field, leaf.id)
}

/** Another comparison of the same field; the value is kept where its shape is the same. */
export function withOperator(leaf: Leaf, operator: string): Leaf {
  const field = findField(leaf)
  if (!field || !isOperatorOf(field.type, operator)) return leaf
  const shape = valueShapeOf(field.type, operator)
  const before = isOperatorOf(field.type, leaf.operator) ? valueShapeOf(field.type, leaf.operator) : null
  return { ...leaf, operator, value: before === shape ? leaf.value : emptyValue(shape) }
}

/** The part of this id is replaced by what `change` makes of it; by nothing or by several where it says so. */
function rebuild(group: Group, id: string, change: (part: Condition) => Condition[]): Group {
  return {
    ...group,
    children: group.children.flatMap((child) => {
      if (child.id === id) return change(child)
      return [child.type === 'group' ? rebuild(child, id, change) : child]
    }),
  }
}

export const replaced = (root: Group, part: Condition): Group =>
  part.id === root.id && part.type === 'group' ? part : rebuild(root, part.id, () => [part])
export const removed = (root: Group, id: string): Group => rebuild(root, id, () => [])
export const duplicated = (root: Group, id: string): Group => rebuild(root, id, (part) => [part, copyOf(part)])
export const added = (root: Group, to: Group, part: Condition): Group =>
  replaced(root, { ...to, children: [...to.children, part] })

const copyOf = (part: Condition): Condition =>
  part.type === 'group'
    ? { ...part, id: newId(), children: part.children.map(copyOf) }
    : { ...part, id: newId(), value: structuredClone(part.value) }

export const leavesOf = (part: Condition): Leaf[] => (part.type === 'group' ? part.children.flatMap(leavesOf) : [part])
export const depthOf = (part: Condition): number =>
  part.type === 'group' ? 1 + Math.max(0, ...part.children.map(depthOf)) : 0

/** The editor's outermost part is always a group. */
export const asGroup = (condition: Condition): Group => (condition.type === 'group' ? condition : newGroup([condition]))

/** Ids of the products a condition names. */
export const productIdsOf = (condition: Condition): string[] => [
  ...new Set(
    leavesOf(condition).flatMap(({ value }) =>
      value !== null && typeof value === 'object' && 'ids' in value ? value.ids : [],
    ),
  ),
]

/** The contract's check, and what its schema refuses besides: an empty choice of products. */
export function wrongIn(condition: Condition, path = 'conditions'): Record<string, FieldReason> {
  const wrong = checkCondition(condition, path)
  const look = (part: Condition, at: string): void => {
    if (part.type === 'group')
      for (const [index, child] of part.children.entries()) look(child, `${at}.children.${index}`)
    else if (part.value !== null && typeof part.value === 'object' && 'ids' in part.value) {
      if (part.value.ids.length === 0) wrong[`${at}.value`] = 'required'
    }
  }
  look(condition, path)
  return wrong
}
