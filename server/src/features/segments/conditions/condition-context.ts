import type { FieldReason } from '@okaeri/contract/errors'
import {
  type Condition,
  type ConditionCategory,
  categoriesWith,
  checkCondition,
  findField,
  type Leaf,
  leavesOf,
  referencesIn,
} from '@okaeri/contract/segments/condition'
import { invalid } from '../../../kernel/errors.ts'
import type { MerchantScope } from '../../../kernel/merchant-scope.ts'
import { readConditionSettings, selectKnown, selectReferencedSegments } from './condition-queries.ts'
import type { ConditionContext, ReferencedSegment } from '../condition-types/field-sql.ts'

declare module '../../../kernel/context.ts' {
  interface Ports {
    /** The ids that are campaigns of the merchant, deleted ones included. */
    knownCampaigns: (scope: MerchantScope, ids: readonly string[]) => Promise<ReadonlySet<string>>
    /** The ids that are scenarios of the merchant, deleted ones included. */
    knownScenarios: (scope: MerchantScope, ids: readonly string[]) => Promise<ReadonlySet<string>>
  }
}

/** How deep segments may refer to other segments. */
const MAX_SEGMENTS_DEEP = 5
/** In all, with those of the segments the condition refers to. */
const MAX_COMPARISONS = 2000

type Fields = Record<string, FieldReason>

/** Everything conditions can ask about, for the editor. */
export async function listCategories(scope: MerchantScope): Promise<readonly ConditionCategory[]> {
  return categoriesWith((await readConditionSettings(scope)).metafields)
}

/**
 * Throws 400 `condition_invalid` that lists each part that cannot be used; everything it names must be the merchant's own. `segmentId`: the
 * segment these conditions are for. They must not refer to it, directly or through other segments.
 */
export async function refuseUnusable(
  scope: MerchantScope,
  conditions: Condition,
  { segmentId }: { segmentId?: string } = {},
): Promise<void> {
  const { metafields } = await readConditionSettings(scope)
  const fields = checkCondition(conditions, 'conditions', categoriesWith(metafields))
  if (Object.keys(fields).length === 0) {
    await findUnknown(scope, conditions, fields)
    await findSegments(scope, conditions, fields, segmentId)
  }
  if (Object.keys(fields).length > 0) throw invalid(fields, 'condition_invalid')
}

/**
 * Everything needed to evaluate the conditions at the scope's now. Throws `condition_invalid` if they name a metafield or a segment that was
 * deleted since: half a rule chooses no one.
 */
export async function readContext(scope: MerchantScope, conditions: Condition): Promise<ConditionContext> {
  const { metafields, ...calendar } = await readConditionSettings(scope)
  const categories = categoriesWith(metafields)
  const fields: Fields = {}
  const segments = await findSegments(scope, conditions, fields)
  for (const [id, { conditions }] of segments)
    if (conditions) addMissing(conditions, `segments.${id}`, categories, fields)
  addMissing(conditions, 'conditions', categories, fields)
  if (Object.keys(fields).length > 0) throw invalid(fields, 'condition_invalid')
  const { executionRows } = scope.context.ports
  return { merchantId: scope.merchantId, now: scope.now, ...calendar, categories, executionRows, segments }
}

function addMissing(
  condition: Condition,
  path: string,
  categories: readonly ConditionCategory[],
  fields: Fields,
): void {
  for (const { leaf, path: at } of leavesWithPaths(condition, path))
    if (!findField(leaf, categories)) fields[`${at}.name`] = 'not_found'
}

/** The comparisons of a condition with their paths, in the order of the tree. */
export function* leavesWithPaths(condition: Condition, path: string): Generator<{ leaf: Leaf; path: string }> {
  if (condition.type === 'condition') yield { leaf: condition, path }
  else
    for (const [index, child] of condition.children.entries())
      yield* leavesWithPaths(child, `${path}.children.${index}`)
}

/** The number of comparisons: the condition's own, and those of the segments it refers to. */
export function countComparisons(conditions: Condition, segments: ConditionContext['segments']): number {
  let count = 0
  for (const leaf of leavesOf(conditions)) {
    count += 1
    for (const id of segmentIdsIn(leaf)) {
      const referenced = segments.get(id)?.conditions
      if (referenced) count += countComparisons(referenced, segments)
    }
  }
  return count
}

type ReferencesByKind = Record<
  'products' | 'variants' | 'collections' | 'campaigns' | 'scenarios',
  { id: string; path: string }[]
>

/** Products, campaigns and scenarios that the conditions refer to and the merchant does not have. */
async function findUnknown(scope: MerchantScope, conditions: Condition, fields: Fields): Promise<void> {
  const references: ReferencesByKind = { products: [], variants: [], collections: [], campaigns: [], scenarios: [] }
  const add = (kind: keyof ReferencesByKind, ids: readonly unknown[], path: string): void => {
    for (const [index, id] of ids.entries())
      references[kind].push({ id: String(id).toLowerCase(), path: `${path}.${index}` })
  }
  for (const { leaf, path } of leavesWithPaths(conditions, 'conditions'))
    for (const { kind, ids, key } of referencesIn(leaf)) if (kind !== 'segments') add(kind, ids, `${path}.value${key}`)
  for (const kind of Object.keys(references) as (keyof ReferencesByKind)[]) {
    const ids = [...new Set(references[kind].map(({ id }) => id))]
    if (ids.length === 0) continue
    const known = await findKnown(scope, kind, ids)
    for (const { id, path } of references[kind]) if (!known.has(id)) fields[path] = 'not_found'
  }
}

function findKnown(
  scope: MerchantScope,
  kind: keyof ReferencesByKind,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { knownCampaigns, knownScenarios } = scope.context.ports
  if (kind === 'campaigns') return knownCampaigns(scope, ids)
  return kind === 'scenarios' ? knownScenarios(scope, ids) : selectKnown(scope, kind, ids)
}

interface SegmentReference {
  id: string
  path: string
}
const segmentIdsIn = (leaf: Leaf): string[] =>
  referencesIn(leaf).flatMap(({ kind, ids }) => (kind === 'segments' ? ids.map((id) => String(id).toLowerCase()) : []))
const segmentReferences = (conditions: Condition, path: string): SegmentReference[] =>
  [...leavesWithPaths(conditions, path)].flatMap(({ leaf, path }) =>
    segmentIdsIn(leaf).map((id, index) => ({ id, path: `${path}.value.${index}` })),
  )

/**
 * The segments that conditions refer to, and those that these refer to, level by level. A mistake is reported at the part of the conditions that
 * leads to it: an unknown id, a cycle (also through `self`), too deep, too many.
 */
async function findSegments(
  scope: MerchantScope,
  conditions: Condition,
  fields: Fields,
  self?: string,
): Promise<Map<string, ReferencedSegment>> {
  const found = new Map<string, ReferencedSegment>()
  const first = segmentReferences(conditions, 'conditions')
  if (first.length === 0) return found
  for (let level = first, depth = 0; level.length > 0 && depth < MAX_SEGMENTS_DEEP; depth++) {
    const ids = [...new Set(level.map(({ id }) => id))].filter((id) => !found.has(id))
    const rows = await selectReferencedSegments(scope, ids)
    for (const { id, ...segment } of rows) found.set(id, segment)
    level = rows.flatMap(({ conditions }) => (conditions ? segmentReferences(conditions, '') : []))
  }
  let comparisons = leavesOf(conditions).length
  const whyNot = (id: string, trail: readonly string[]): FieldReason | null => {
    if (id === self || trail.includes(id)) return 'circular'
    if (trail.length >= MAX_SEGMENTS_DEEP) return 'too_deep'
    const segment = found.get(id)
    if (!segment) return 'not_found'
    if (!segment.conditions) return null
    comparisons += leavesOf(segment.conditions).length
    if (comparisons > MAX_COMPARISONS) return 'too_long'
    for (const reference of segmentReferences(segment.conditions, '')) {
      const reason = whyNot(reference.id, [...trail, id])
      if (reason) return reason
    }
    return null
  }
  for (const { id, path } of first) {
    const reason = whyNot(id, [])
    if (reason) fields[path] = reason
  }
  return found
}
