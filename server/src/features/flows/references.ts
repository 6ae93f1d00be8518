import type { FieldReason } from '@okaeri/contract/errors'
import { emailOf, type Flow } from '@okaeri/contract/scenarios/flow'
import { invalid } from '../../kernel/errors.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { selectUnknown } from './queries.ts'

/** A flow may only name the merchant's own emails and segments. A deleted one is a problem the merchant can correct, not an error here. */
export async function refuseForeignReferences(scope: MerchantScope, flow: Flow): Promise<void> {
  const emails = flow.nodes.flatMap((node) => emailOf(node) ?? [])
  const segments = 'segment_id' in flow.trigger && flow.trigger.segment_id ? [flow.trigger.segment_id] : []
  const unknown = await selectUnknown(scope, { emails, segments })
  const wrong: Record<string, FieldReason> = {}
  for (const [index, node] of flow.nodes.entries())
    if (unknown.has(emailOf(node)?.toLowerCase() ?? '')) wrong[`flow.nodes.${index}.settings.email_id`] = 'not_found'
  for (const id of segments) if (unknown.has(id.toLowerCase())) wrong['flow.trigger.segment_id'] = 'not_found'
  if (Object.keys(wrong).length > 0) throw invalid(wrong)
}
