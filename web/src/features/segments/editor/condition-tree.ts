import type { FieldReason } from '@okaeri/contract/errors'
import {
  type Condition,
  type ConditionCategory,
  type ConditionField,
  checkCondition,
  conditionCategories,
  findField,
  type Group,
  type Leaf,
  type LeafValue,
  type Operator,
  operatorsFor,
  valueShapeOf,
} from '@okaeri/contract/segments/condition'
import { editedTypes } from '../condition-types/index.ts'

// Changes to a condition while it is edited. Nothing is changed in place; parts are found by their ids.

type Categories = readonly ConditionCategory[]

let made = 0
/** Row ids have a meaning only on the page, until it is reloaded. */
const newId = (): string => `n${++made}-${Math.random().toString(36).slice(2, 10)}`

const emptyValue = (field: ConditionField, operator: Operator): LeafValue =>
  valueShapeOf(field.type, operator) === 'none' ? null : (editedTypes[field.type].empty?.(operator) ?? null)

function leafFor(category: string, field: ConditionField, id: string): Leaf {
  const operator = operatorsFor(field)[0] ?? 'is_set'
  return { type: 'condition', id, category, name: field.name, operator, value: emptyValue(field, operator) }
}

/** A row without a field: it is not counted or saved until a field is chosen. */
export const newLeaf = (): Leaf => ({
  type: 'condition',
  id: newId(),
  category: '',
  name: '',
  operator: '',
  value: null,
})
export const leafOf = (category: string, name: string, operator: string, value: LeafValue): Leaf => ({
  type: 'condition',
  id: newId(),
  category,
  name,
  operator,
  value,
})
/** No field is chosen yet. */
export const isBlank = ({ name }: Leaf): boolean => name === ''
export const newGroup = (children: Condition[] = [newLeaf()]): Group => ({
  type: 'group',
  id: newId(),
  operator: 'and',
  children,
})

/** Changes the field of a row; the value is kept if it still fits. */
export function withField(leaf: Leaf, category: string, name: string, categories: Categories): Leaf {
  const field = findField({ category, name }, categories)
  if (!field) return leaf
  const before = findField(leaf, categories)
  const fits = before?.type === field.type && operatorsFor(field).some((operator) => operator === leaf.operator)
  if (fits && !editedTypes[field.type].ofOneField) return { ...leaf, category, name }
  return leafFor(category, field, leaf.id)
}

/** Changes the operator; the value is kept if its shape is the same. */
export function withOperator(leaf: Leaf, wanted: string, categories: Categories): Leaf {
  const field = findField(leaf, categories)
  const operator = field && operatorsFor(field).find((each) => each === wanted)
  if (!field || !operator) return leaf
  const before = operatorsFor(field).find((each) => each === leaf.operator)
  const shape = valueShapeOf(field.type, operator)
  if (!before || valueShapeOf(field.type, before) !== shape)
    return { ...leaf, operator, value: emptyValue(field, operator) }
  return { ...leaf, operator, value: withPair(leaf.value, operator === 'between') }
}

/** In sentences about orders, mails and scenarios the number becomes a pair for `between`; the rest of the value stays. */
function withPair(value: LeafValue, wantsPair: boolean): LeafValue {
  if (value === null || typeof value !== 'object' || Array.isArray(value) || !('value' in value)) return value
  const { value: number } = value
  if (Array.isArray(number) === wantsPair) return value
  return { ...value, value: Array.isArray(number) ? number[0] : ([number, number] as [number, number]) }
}

/** Replaces the part with this id by the result of `change`: none, one or several parts. */
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
export const withPart = (root: Group, to: Group, part: Condition): Group =>
  replaced(root, { ...to, children: [...to.children, part] })

/** The copy comes after its original; `copyId` is the id of its first row. */
export function duplicated(root: Group, id: string): { root: Group; copyId: string } {
  let copyId = id
  const next = rebuild(root, id, (part) => {
    const copy = copyOf(part)
    copyId = copy.id
    return [part, copy]
  })
  return { root: next, copyId }
}

/** Puts the row into a new group. */
export function grouped(root: Group, id: string): Group {
  const parent = parentOf(root, id)
  const operator = parent?.operator === 'and' ? 'or' : 'and'
  return rebuild(root, id, (part) => [{ ...newGroup([part]), operator }])
}
/** Replaces a group by its parts. */
export const ungrouped = (root: Group, id: string): Group =>
  rebuild(root, id, (part) => (part.type === 'group' ? part.children : [part]))

export function parentOf(root: Group, id: string): Group | null {
  for (const child of root.children) {
    if (child.id === id) return root
    const found = child.type === 'group' ? parentOf(child, id) : null
    if (found) return found
  }
  return null
}

/**
 * One step up or down as on the page: past the neighbor, into it if it is a group, and out of the group at its end. An empty group is removed.
 * Null if it cannot move further.
 */
export function moved(root: Group, id: string, way: 'up' | 'down'): Group | null {
  const parent = parentOf(root, id)
  const at = parent?.children.findIndex((child) => child.id === id) ?? -1
  const part = parent?.children[at]
  if (!parent || !part) return null
  const neighbour = parent.children[way === 'up' ? at - 1 : at + 1]
  if (neighbour?.type === 'group') {
    const inside = way === 'up' ? [...neighbour.children, part] : [part, ...neighbour.children]
    return replaced(removed(root, id), { ...neighbour, children: inside })
  }
  if (neighbour) {
    const without = parent.children.filter((child) => child.id !== id)
    return replaced(root, { ...parent, children: without.toSpliced(way === 'up' ? at - 1 : at + 1, 0, part) })
  }
  if (parent.id === root.id) return null
  return rebuild(root, parent.id, () => {
    const left = { ...parent, children: parent.children.filter((child) => child.id !== id) }
    const rest = left.children.length > 0 ? [left] : []
    return way === 'up' ? [part, ...rest] : [...rest, part]
  })
}

const copyOf = (part: Condition): Condition =>
  part.type === 'group'
    ? { ...part, id: newId(), children: part.children.map(copyOf) }
    : { ...part, id: newId(), value: structuredClone(part.value) }

export const depthOf = (part: Condition): number =>
  part.type === 'group' ? 1 + Math.max(0, ...part.children.map(depthOf)) : 0

/** The editor's outermost part is always a group. */
export const asGroup = (condition: Condition): Group => (condition.type === 'group' ? condition : newGroup([condition]))

/** The errors of the conditions by path. A row without a field counts as incomplete, not as deleted. */
export function wrongIn(
  condition: Condition,
  categories: Categories = conditionCategories,
): Record<string, FieldReason> {
  const wrong = checkCondition(condition, 'conditions', categories)
  for (const [path, reason] of Object.entries(wrong))
    if (reason === 'unknown_field' && isEmptyAt(condition, path)) wrong[path] = 'required'
  return wrong
}
const valueAt = (condition: Condition, path: string): unknown =>
  path
    .split('.')
    .slice(1)
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | null | undefined)?.[key], condition)
const isEmptyAt = (condition: Condition, path: string): boolean => {
  const value = valueAt(condition, path)
  return value === '' || value === null || value === undefined
}

/**
 * The conditions without incomplete rows, and the number of those rows: the count uses the others. Null if no row is complete. Groups without a
 * complete row are removed too.
 */
export function finishedPart(
  condition: Group,
  categories: Categories = conditionCategories,
): { finished: Group | null; unfinished: number } {
  let unfinished = 0
  const keep = (part: Condition): Condition[] => {
    if (part.type === 'condition') {
      if (Object.keys(checkCondition(part, 'conditions', categories)).length === 0) return [part]
      unfinished += 1
      return []
    }
    const children = part.children.flatMap(keep)
    return children.length > 0 ? [{ ...part, children }] : []
  }
  const [finished] = keep(condition)
  return { finished: finished?.type === 'group' ? finished : null, unfinished }
}

/** The errors to show while typing: wrong values, but not missing ones. */
export function wrongSoFar(condition: Condition, wrong: Record<string, FieldReason>): Record<string, FieldReason> {
  const there = (path: string): boolean => !isEmptyAt(condition, path)
  return Object.fromEntries(
    Object.entries(wrong).filter(
      ([path, reason]) => reason !== 'required' && there(path) && !path.endsWith('.children'),
    ),
  )
}
