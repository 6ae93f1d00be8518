import {
  type Condition,
  conditionCategories,
  type Group,
  isOperatorOf,
  operatorsOf,
} from '@okaeri/contract/segments/condition'
import { describe, expect, test } from 'vitest'
import {
  added,
  asGroup,
  depthOf,
  duplicated,
  leavesOf,
  newGroup,
  newLeaf,
  productIdsOf,
  removed,
  replaced,
  withField,
  withOperator,
  wrongIn,
} from './condition-tree.ts'

const idsOf = (part: Condition): string[] => [part.id, ...(part.type === 'group' ? part.children.flatMap(idsOf) : [])]

describe('editing conditions', () => {
  test('a new row can be counted at once', () => {
    expect(wrongIn(newGroup())).toEqual({})
  })

  test('parts are added, replaced, duplicated and removed wherever they are, and nothing is changed in place', () => {
    const inner = newGroup([newLeaf(), newLeaf()])
    const root: Group = newGroup([newLeaf(), inner])
    const before = JSON.stringify(root)
    const [leaf] = leavesOf(inner)
    if (!leaf) throw new Error('the group has rows')

    expect(leavesOf(added(root, inner, newLeaf()))).toHaveLength(4)
    expect(leavesOf(removed(root, leaf.id))).toHaveLength(2)
    expect(leavesOf(removed(root, inner.id))).toHaveLength(1)
    expect(leavesOf(replaced(root, { ...leaf, value: 7 })).map(({ value }) => value)).toEqual([1, 7, 1])
    expect(replaced(root, { ...root, operator: 'or' }).operator).toBe('or')
    expect(JSON.stringify(root)).toBe(before)
  })

  test('a duplicated group stands after its original, with ids of its own', () => {
    const inner = newGroup([newLeaf(), newLeaf()])
    const root = duplicated(newGroup([inner, newLeaf()]), inner.id)
    expect(root.children.map(({ type }) => type)).toEqual(['group', 'group', 'condition'])
    const ids = idsOf(root)
    expect(new Set(ids).size).toBe(ids.length)
    expect(depthOf(root)).toBe(2)
  })

  test('a single comparison is edited as a group of one', () => {
    const leaf = newLeaf()
    expect(asGroup(leaf).children).toEqual([leaf])
  })
})

describe('a row that asks about something else', () => {
  const fields = conditionCategories.flatMap(({ slug, fields }) => fields.map((field) => ({ category: slug, field })))

  test.each(fields)(
    '$category.$field.name takes each of its comparisons, wrong at most in its value',
    ({ category, field }) => {
      const leaf = withField(newLeaf(), category, field.name)
      expect(isOperatorOf(field.type, leaf.operator)).toBe(true)
      for (const operator of operatorsOf[field.type]) {
        const wrong = Object.keys(wrongIn(newGroup([withOperator(leaf, operator)])))
        for (const path of wrong) expect(path).toMatch(/^conditions\.children\.0\.value/)
      }
    },
  )

  test('what was typed is kept where it still fits', () => {
    const email = { ...withField(newLeaf(), 'customer', 'email'), value: '@example.com' }
    expect(withField(email, 'customer', 'phone').value).toBe('@example.com')
    expect(withOperator(email, 'ends_with').value).toBe('@example.com')
    expect(withOperator(email, 'is_set').value).toBeNull()
    expect(withField(email, 'orders', 'orders_count').value).toBeNull()
  })

  test('products without a choice are told as missing', () => {
    const leaf = { ...withField(newLeaf(), 'orders', 'product_bought'), value: { ids: [], within_days: 30 } }
    expect(wrongIn(newGroup([leaf]))).toEqual({ 'conditions.children.0.value': 'required' })
    expect(productIdsOf(newGroup([leaf]))).toEqual([])
  })
})
