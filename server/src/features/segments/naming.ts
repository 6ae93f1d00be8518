import type { Condition } from '@okaeri/contract/segments/condition'
import { METAFIELDS } from '@okaeri/contract/segments/condition-fields'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { calculateLater } from './members.ts'
import { lockNaming, type NamingRow, selectNaming } from './queries.ts'

/** Whether the conditions ask who is in the segment. */
function names(condition: Condition, segmentId: string): boolean {
  if (condition.type === 'group') return condition.children.some((child) => names(child, segmentId))
  return condition.category === 'segments' && Array.isArray(condition.value) && condition.value.includes(segmentId)
}

/** Own segments whose conditions ask who is in this one. */
export async function listNaming(scope: MerchantScope, segmentId: string): Promise<NamingRow[]> {
  return (await selectNaming(scope, segmentId)).filter(({ conditions }) => conditions && names(conditions, segmentId))
}

/** Segments that ask who is in this one, directly or by way of others, are found anew: its members changed without a customer changing. */
export async function calculateNaming(scope: MerchantScope, segmentId: string): Promise<void> {
  const seen = new Set([segmentId])
  for (const id of seen)
    for (const naming of await listNaming(scope, id)) {
      if (seen.has(naming.id)) continue
      seen.add(naming.id)
      await calculateLater(scope, naming.id)
    }
}

const asks = (condition: Condition, settingId: string): boolean =>
  condition.type === 'group'
    ? condition.children.some((child) => asks(child, settingId))
    : condition.category === METAFIELDS && condition.name === settingId

/** Own segments whose conditions ask about a metafield. None is made to ask about it until the caller's transaction ends. */
export async function listSegmentsUsingMetafield(
  scope: MerchantScope,
  settingId: string,
): Promise<{ id: string; name: string }[]> {
  if (scope.db.isTransaction) await lockNaming(scope)
  const segments = (await selectNaming(scope, settingId)).filter(
    ({ conditions }) => conditions && asks(conditions, settingId),
  )
  return segments.map(({ id, name }) => ({ id, name }))
}
