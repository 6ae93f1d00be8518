import type { FieldReason } from '@okaeri/contract/errors'
import {
  type Condition,
  type ConditionCategory,
  categoriesWith,
  checkCondition,
  findField,
  type Leaf,
  namedIn,
} from '@okaeri/contract/segments/condition'
import { invalid } from '../../../kernel/errors.ts'
import type { MerchantScope } from '../../../kernel/merchant-scope.ts'
import { readConditionSettings, selectKnown, selectNamedSegments } from './condition-queries.ts'
import type { ConditionContext, NamedSegment } from '../condition-types/field-sql.ts'

declare module '../../../kernel/context.ts' {
  interface Ports {
    /** The ids that are campaigns of the merchant, deleted ones included. */
    campaignsNamed: (scope: MerchantScope, ids: readonly string[]) => Promise<ReadonlySet<string>>
    /** The ids that are scenarios of the merchant, deleted ones included. */
    scenariosNamed: (scope: MerchantScope, ids: readonly string[]) => Promise<ReadonlySet<string>>
  }
}

/** How deep segments may refer to other segments. */
const MAX_SEGMENTS_DEEP = 5
/** In all, with those of the segments the condition names. */
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
  const { scenariosFound } = scope.context.ports
  return { merchantId: scope.merchantId, now: scope.now, ...calendar, categories, scenariosFound, segments }
}

function addMissing(
  condition: Condition,
  path: string,
  categories: readonly ConditionCategory[],
  fields: Fields,
): void {
  for (const { leaf, path: at } of leavesOf(condition, path))
    if (!findField(leaf, categories)) fields[`${at}.name`] = 'not_found'
}

/** The comparisons of a condition with their paths, in the order of the tree. */
export function* leavesOf(condition: Condition, path: string): Generator<{ leaf: Leaf; path: string }> {
  if (condition.type === 'condition') yield { leaf: condition, path }
  else for (const [index, child] of condition.children.entries()) yield* leavesOf(child, `${path}.children.${index}`)
}

/** The number of comparisons: the condition's own, and those of the segments it names. */
export function countComparisons(conditions: Condition, segments: ConditionContext['segments']): number {
  let count = 0
  for (const { leaf } of leavesOf(conditions, '')) {
    count += 1
    for (const id of segmentIdsIn(leaf)) {
      const named = segments.get(id)?.conditions
      if (named) count += countComparisons(named, segments)
    }
  }
  return count
}

type NamedIds = Record<
  'products' | 'variants' | 'collections' | 'campaigns' | 'scenarios',
  { id: string; path: string }[]
>

/** Products, campaigns and scenarios that the conditions name and the merchant does not have. */
async function findUnknown(scope: MerchantScope, conditions: Condition, fields: Fields): Promise<void> {
  const named: NamedIds = { products: [], variants: [], collections: [], campaigns: [], scenarios: [] }
  const add = (kind: keyof NamedIds, ids: readonly unknown[], path: string): void => {
    for (const [index, id] of ids.entries())
      named[kind].push({ id: String(id).toLowerCase(), path: `${path}.${index}` })
  }
  for (const { leaf, path } of leavesOf(conditions, 'conditions'))
    for (const { kind, ids, key } of namedIn(leaf)) if (kind !== 'segments') add(kind, ids, `${path}.value${key}`)
  for (const kind of Object.keys(named) as (keyof NamedIds)[]) {
    const ids = [...new Set(named[kind].map(({ id }) => id))]
    if (ids.length === 0) continue
    const known = await findKnown(scope, kind, ids)
    for (const { id, path } of named[kind]) if (!known.has(id)) fields[path] = 'not_found'
  }
}

function findKnown(scope: MerchantScope, kind: keyof NamedIds, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { campaignsNamed, scenariosNamed } = scope.context.ports
  if (kind === 'campaigns') return campaignsNamed(scope, ids)
  return kind === 'scenarios' ? scenariosNamed(scope, ids) : selectKnown(scope, kind, ids)
}

interface Naming {
  id: string
  path: string
}
const segmentIdsIn = (leaf: Leaf): string[] =>
  namedIn(leaf).flatMap(({ kind, ids }) => (kind === 'segments' ? ids.map((id) => String(id).toLowerCase()) : []))
const segmentsNamed = (conditions: Condition, path: string): Naming[] =>
  [...leavesOf(conditions, path)].flatMap(({ leaf, path }) =>
    segmentIdsIn(leaf).map((id, index) => ({ id, path: `${path}.value.${index}` })),
  )

/**
 * The segments that conditions name, and those that these name, level by level. A mistake is reported at the part of the conditions that
 * leads to it: an unknown id, a cycle (also through `self`), too deep, too many.
 */
async function findSegments(
  scope: MerchantScope,
  conditions: Condition,
  fields: Fields,
  self?: string,
): Promise<Map<string, NamedSegment>> {
  const found = new Map<string, NamedSegment>()
  const first = segmentsNamed(conditions, 'conditions')
  if (first.length === 0) return found
  for (let level = first, depth = 0; level.length > 0 && depth < MAX_SEGMENTS_DEEP; depth++) {
    const ids = [...new Set(level.map(({ id }) => id))].filter((id) => !found.has(id))
    const rows = await selectNamedSegments(scope, ids)
    for (const { id, ...segment } of rows) found.set(id, segment)
    level = rows.flatMap(({ conditions }) => (conditions ? segmentsNamed(conditions, '') : []))
  }
  let comparisons = [...leavesOf(conditions, '')].length
  const whyNot = (id: string, trail: readonly string[]): FieldReason | null => {
    if (id === self || trail.includes(id)) return 'circular'
    if (trail.length >= MAX_SEGMENTS_DEEP) return 'too_deep'
    const segment = found.get(id)
    if (!segment) return 'not_found'
    if (!segment.conditions) return null
    comparisons += [...leavesOf(segment.conditions, '')].length
    if (comparisons > MAX_COMPARISONS) return 'too_long'
    for (const named of segmentsNamed(segment.conditions, '')) {
      const reason = whyNot(named.id, [...trail, id])
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
