import { type Condition, type Leaf, leavesOf, referencesIn } from '@okaeri/contract/segments/condition'
import { METAFIELDS } from '@okaeri/contract/segments/condition-fields'
import type { References } from '@okaeri/contract/segments/condition-types/condition-type'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { calculateLater } from './membership/members.ts'
import { lockReferences, type ReferencingRow, selectReferencing } from './queries.ts'

const hasLeaf = (conditions: Condition | null, is: (leaf: Leaf) => boolean): boolean =>
  conditions !== null && leavesOf(conditions).some(is)

/** Whether the comparison refers to this object of that kind. */
const refersTo =
  (wanted: References['kind'], id: string) =>
  (leaf: Leaf): boolean =>
    referencesIn(leaf).some(({ kind, ids }) => kind === wanted && ids.includes(id))

/** Own segments whose conditions refer to this one. */
export async function listReferencingSegments(scope: MerchantScope, segmentId: string): Promise<ReferencingRow[]> {
  return (await selectReferencing(scope, segmentId)).filter(({ conditions }) =>
    hasLeaf(conditions, refersTo('segments', segmentId)),
  )
}

/** Segments that refer to this one, directly or through others, are calculated again: its members changed without a change of a customer. */
export async function calculateReferencingSegments(scope: MerchantScope, segmentId: string): Promise<void> {
  const seen = new Set([segmentId])
  for (const id of seen)
    for (const referencing of await listReferencingSegments(scope, id)) {
      if (seen.has(referencing.id)) continue
      seen.add(referencing.id)
      await calculateLater(scope, referencing.id)
    }
}

/** Own segments with such a comparison that contains the id. Until the caller's transaction ends no segment can add one. */
async function listUsing(scope: MerchantScope, id: string, is: (leaf: Leaf) => boolean): Promise<ReferencingRow[]> {
  if (scope.db.isTransaction) await lockReferences(scope)
  return (await selectReferencing(scope, id)).filter(({ conditions }) => hasLeaf(conditions, is))
}

/** Own segments whose conditions use a metafield. Until the caller's transaction ends no other segment can. */
export async function listSegmentsUsingMetafield(
  scope: MerchantScope,
  settingId: string,
): Promise<{ id: string; name: string }[]> {
  const segments = await listUsing(
    scope,
    settingId,
    ({ category, name }) => category === METAFIELDS && name === settingId,
  )
  return segments.map(({ id, name }) => ({ id, name }))
}

/** Own segments whose conditions refer to a scenario. Until the caller's transaction ends no other segment can. */
export async function listSegmentsReferencingScenario(
  scope: MerchantScope,
  scenarioId: string,
): Promise<{ type: 'segment'; id: string; name: string; status: ReferencingRow['status'] }[]> {
  const segments = await listUsing(scope, scenarioId, refersTo('scenarios', scenarioId))
  return segments.map(({ id, name, status }) => ({ type: 'segment', id, name, status }))
}
