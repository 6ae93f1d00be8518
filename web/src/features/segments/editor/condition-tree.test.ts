import {
  type Condition,
  categoriesWith,
  conditionCategories,
  type Group,
  isOperatorOf,
  operatorsFor,
  leavesOf,
} from '@okaeri/contract/segments/condition'
import { describe, expect, test } from 'vitest'
import {
  withPart,
  asGroup,
  depthOf,
  duplicated,
  grouped,
  finishedPart,
  leafOf,
  moved,
  newGroup,
  newLeaf,
  removed,
  replaced,
  ungrouped,
  withField,
  withOperator,
  wrongIn,
  wrongSoFar,
} from './condition-tree.ts'

const filled = () => leafOf('orders', 'orders_count', 'greater_or_equal', 1)
const idsOf = (part: Condition): string[] => [part.id, ...(part.type === 'group' ? part.children.flatMap(idsOf) : [])]
/** Rows by their ids, groups in brackets. */
const shapeOf = (part: Condition): string =>
  part.type === 'group' ? `[${part.children.map(shapeOf).join(' ')}]` : part.id
const row = (id: string) => ({ ...filled(), id })
const box = (...children: Condition[]): Group => newGroup(children)

describe('editing conditions', () => {
  test('a new row has no field: it counts as missing, not as wrong, and cannot be saved', () => {
    const fresh = newGroup()
    expect(wrongIn(fresh)).toEqual({ 'conditions.children.0.name': 'required' })
    expect(wrongSoFar(fresh, wrongIn(fresh))).toEqual({})
  })

  test('an incomplete row does not clear the count: complete ones are counted, and the number of the others is shown', () => {
    const [one, two] = [filled(), filled()]
    const root = newGroup([one, newLeaf(), newGroup([two, { ...filled(), value: null }]), newGroup()])
    const { finished, unfinished } = finishedPart(root)
    expect(unfinished).toBe(3)
    expect(finished && leavesOf(finished)).toEqual([one, two])
    expect(finished && wrongIn(finished)).toEqual({})
    expect(finishedPart(newGroup())).toEqual({ finished: null, unfinished: 1 })
  })

  test('parts are added, replaced, duplicated and removed at any depth, and nothing is changed in place', () => {
    const inner = newGroup([filled(), filled()])
    const root: Group = newGroup([filled(), inner])
    const before = JSON.stringify(root)
    const [leaf] = leavesOf(inner)
    if (!leaf) throw new Error('the group has rows')

    expect(leavesOf(withPart(root, inner, filled()))).toHaveLength(4)
    expect(leavesOf(removed(root, leaf.id))).toHaveLength(2)
    expect(leavesOf(removed(root, inner.id))).toHaveLength(1)
    expect(leavesOf(replaced(root, { ...leaf, value: 7 })).map(({ value }) => value)).toEqual([1, 7, 1])
    expect(replaced(root, { ...root, operator: 'or' }).operator).toBe('or')
    expect(JSON.stringify(root)).toBe(before)
  })

  test('a duplicated group comes after its original, with its own ids', () => {
    const inner = newGroup([filled(), filled()])
    const { root, copyId } = duplicated(newGroup([inner, filled()]), inner.id)
    expect(root.children.map(({ type }) => type)).toEqual(['group', 'group', 'condition'])
    expect(root.children[1]?.id).toBe(copyId)
    const ids = idsOf(root)
    expect(new Set(ids).size).toBe(ids.length)
    expect(depthOf(root)).toBe(2)
  })

  test('a single comparison is edited as a group of one', () => {
    const leaf = filled()
    expect(asGroup(leaf).children).toEqual([leaf])
  })

  test('grouping a row and dissolving the group changes nothing', () => {
    const root = box(row('a'), row('b'))
    const inGroup = grouped(root, 'b')
    expect(shapeOf(inGroup)).toBe('[a [b]]')
    const [, group] = inGroup.children
    expect(shapeOf(ungrouped(inGroup, group?.id ?? ''))).toBe('[a b]')
  })

  test('a row moves down step by step, into groups and out of them, and back up the same way', () => {
    let tree: Group = box(row('a'), row('b'), box(row('c')), row('d'))
    const down: string[] = []
    for (let next: Group | null = tree; next; next = moved(tree, 'a', 'down')) {
      tree = next
      down.push(shapeOf(tree))
    }
    expect(down).toEqual(['[a b [c] d]', '[b a [c] d]', '[b [a c] d]', '[b [c a] d]', '[b [c] a d]', '[b [c] d a]'])
    const up: string[] = []
    for (let next: Group | null = tree; next; next = moved(tree, 'a', 'up')) {
      tree = next
      up.push(shapeOf(tree))
    }
    expect(up).toEqual(down.toReversed())
  })

  test('a group is removed when its last row leaves', () => {
    expect(shapeOf(moved(box(row('a'), box(row('b'))), 'b', 'up') ?? box())).toBe('[a b]')
  })
})

describe('a row with another field', () => {
  const categories = categoriesWith([
    { id: '018f0000-0000-7000-8000-000000000001', name: '靴のサイズ', value_type: 'number_decimal' },
    { id: '018f0000-0000-7000-8000-000000000002', name: '会員証', value_type: 'boolean' },
    { id: '018f0000-0000-7000-8000-000000000003', name: '好きな色', value_type: 'list.single_line_text_field' },
  ])
  const fields = categories.flatMap(({ slug, fields }) => fields.map((field) => ({ category: slug, field })))

  test.each(fields)(
    '$category.$field.name takes each of its comparisons, wrong at most in its value',
    ({ category, field }) => {
      const leaf = withField(filled(), category, field.name, categories)
      expect(isOperatorOf(field.type, leaf.operator)).toBe(true)
      for (const operator of operatorsFor(field)) {
        const wrong = Object.keys(wrongIn(newGroup([withOperator(leaf, operator, categories)]), categories))
        for (const path of wrong) expect(path).toMatch(/^conditions\.children\.0\.value/)
      }
    },
  )

  test('typed values are kept if they still fit', () => {
    const email = { ...withField(filled(), 'customer', 'email', categories), value: '@example.com' }
    expect(withField(email, 'customer', 'phone', categories).value).toBe('@example.com')
    expect(withOperator(email, 'ends_with', categories).value).toBe('@example.com')
    expect(withOperator(email, 'is_set', categories).value).toBeNull()
    expect(withField(email, 'orders', 'orders_count', categories).value).toBeNull()
  })

  test('a number becomes a pair and a pair a number, and the rest of the sentence stays', () => {
    const bought = withField(filled(), 'orders', 'ordered', conditionCategories)
    const filtered = {
      ...bought,
      value: { measure: 'amount' as const, value: 3000, filter: { vendors: ['Kumo'] }, window: null },
    }
    const between = withOperator(filtered, 'between', conditionCategories)
    expect(between.value).toEqual({ ...filtered.value, value: [3000, 3000] })
    expect(withOperator(between, 'at_most', conditionCategories).value).toEqual(filtered.value)
  })

  test('end reasons of a scenario are dropped for entries', () => {
    const ended = withField(filled(), 'scenarios', 'scenario_ended', conditionCategories)
    const bought = {
      ...ended,
      value: { value: 2, scenarios: null, reasons: ['bought'], window: null },
    }
    const entered = withField(bought, 'scenarios', 'scenario_entered', conditionCategories)
    expect(wrongIn(newGroup([bought]))).toEqual({})
    expect(wrongIn(newGroup([entered]))).toEqual({})
    expect(withOperator(bought, 'between', conditionCategories).value).toEqual({ ...bought.value, value: [2, 2] })
  })

  test('while typing, a missing part is no error yet, but a wrong one is', () => {
    const range = { ...filled(), operator: 'between', value: ['', 'three'] }
    const root = newGroup([{ ...filled(), value: null }, range, newGroup([])])
    expect(wrongSoFar(root, wrongIn(root))).toEqual({ 'conditions.children.1.value.1': 'not_a_number' })
  })

  test('products without a choice are shown as missing', () => {
    const leaf = {
      ...withField(filled(), 'orders', 'product_bought', categories),
      value: { ids: [], within_days: 30 },
    }
    expect(wrongIn(newGroup([leaf]))).toEqual({ 'conditions.children.0.value.ids': 'required' })
  })
})
