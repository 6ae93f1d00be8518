import type { Condition } from '@okaeri/contract/segments/condition'
import type { Explanation } from '@okaeri/contract/segments/condition-routes'
import { notFound } from '../../../kernel/errors.ts'
import type { MerchantScope } from '../../../kernel/merchant-scope.ts'
import { leavesWithPaths, readContext, refuseUnusable } from './condition-context.ts'
import { selectExplanations, type Comparison, isMember } from './explanation-queries.ts'
import type { SegmentRow } from '../queries.ts'

/** Why a customer is now in a segment or not. A remote segment has no parts, because the store platform decides. */
export async function explainSegment(
  scope: MerchantScope,
  segment: SegmentRow,
  customerId: string,
): Promise<Explanation> {
  if (segment.conditions) return explain(scope, segment.conditions, customerId)
  return { included: await isMember(scope, segment.id, customerId), parts: [] }
}

/** The same of conditions that are not stored. */
export async function explainConditions(
  scope: MerchantScope,
  conditions: Condition,
  customerId: string,
): Promise<Explanation> {
  await refuseUnusable(scope, conditions)
  return explain(scope, conditions, customerId)
}

/**
 * The same for several customers, in one statement; deleted customers are missing. Throws `condition_invalid` if the conditions name
 * something deleted.
 */
export async function explainCustomers(
  scope: MerchantScope,
  conditions: Condition,
  customerIds: readonly string[],
): Promise<Map<string, Explanation>> {
  if (customerIds.length === 0) return new Map()
  const leaves = [...leavesWithPaths(conditions, 'conditions')]
  const context = await readContext(scope, conditions)
  const comparisonsOf = await selectExplanations(
    scope,
    customerIds,
    leaves.map(({ leaf }) => leaf),
    context,
  )
  return new Map(
    [...comparisonsOf].map(([id, comparisons]) => {
      const answers = new Map(leaves.map(({ path }, index) => [path, comparisons[index]]))
      const parts = partsOf(conditions, 'conditions', answers)
      return [id, { included: parts[0]?.holds ?? false, parts }]
    }),
  )
}

async function explain(scope: MerchantScope, conditions: Condition, customerId: string): Promise<Explanation> {
  const explanation = (await explainCustomers(scope, conditions, [customerId])).get(customerId)
  if (!explanation) throw notFound('there is no such customer')
  return explanation
}

/** In the order of the tree, each group before its children. */
function partsOf(
  condition: Condition,
  path: string,
  answers: ReadonlyMap<string, Comparison | undefined>,
): Explanation['parts'] {
  if (condition.type === 'condition') {
    const { holds, value } = answers.get(path) ?? { holds: false, value: { kind: 'none' } }
    return [{ path, holds, value }]
  }
  const children = condition.children.map((child, index) => partsOf(child, `${path}.children.${index}`, answers))
  const holding = children.map(([child]) => child?.holds ?? false)
  const holds = {
    and: () => holding.every(Boolean),
    or: () => holding.some(Boolean),
    not: () => !holding.some(Boolean),
  }[condition.operator]()
  return [{ path, holds, value: null }, ...children.flat()]
}
