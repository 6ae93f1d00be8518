import { type Condition, type Leaf, namedIn } from '@okaeri/contract/segments/condition'
import { METAFIELDS } from '@okaeri/contract/segments/condition-fields'
import type { NamedIds } from '@okaeri/contract/segments/condition-types/condition-type'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { calculateLater } from './membership/members.ts'
import { lockNaming, type NamingRow, selectNaming } from './queries.ts'

const asks = (condition: Condition, about: (leaf: Leaf) => boolean): boolean =>
  condition.type === 'group' ? condition.children.some((child) => asks(child, about)) : about(condition)

/** Whether the comparison names something of that kind. */
const names =
  (wanted: NamedIds['kind'], id: string) =>
  (leaf: Leaf): boolean =>
    namedIn(leaf).some(({ kind, ids }) => kind === wanted && ids.includes(id))

/** Own segments whose conditions refer to this one. */
export async function listReferencingSegments(scope: MerchantScope, segmentId: string): Promise<NamingRow[]> {
  return (await selectNaming(scope, segmentId)).filter(
    ({ conditions }) => conditions && asks(conditions, names('segments', segmentId)),
  )
}

/** Segments that refer to this one, directly or through others, are calculated again: its members changed without a change of a customer. */
export async function calculateReferencingSegments(scope: MerchantScope, segmentId: string): Promise<void> {
  const seen = new Set([segmentId])
  for (const id of seen)
    for (const naming of await listReferencingSegments(scope, id)) {
      if (seen.has(naming.id)) continue
      seen.add(naming.id)
      await calculateLater(scope, naming.id)
    }
}

/** Own segments with such a comparison that contains the id. Until the caller's transaction ends no segment can add one. */
async function listUsing(scope: MerchantScope, id: string, about: (leaf: Leaf) => boolean): Promise<NamingRow[]> {
  if (scope.db.isTransaction) await lockNaming(scope)
  return (await selectNaming(scope, id)).filter(({ conditions }) => conditions && asks(conditions, about))
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

/** Own segments whose conditions name a scenario. Until the caller's transaction ends no other segment can. */
export async function listSegmentsNamingScenario(
  scope: MerchantScope,
  scenarioId: string,
): Promise<{ type: 'segment'; id: string; name: string; status: NamingRow['status'] }[]> {
  const segments = await listUsing(scope, scenarioId, names('scenarios', scenarioId))
  return segments.map(({ id, name, status }) => ({ type: 'segment', id, name, status }))
}
