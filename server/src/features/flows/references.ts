import type { FieldReason } from '@okaeri/contract/errors'
import { emailOf, type Flow, lineMessageOf } from '@okaeri/contract/scenarios/flow/flow'
import { invalid } from '../../kernel/errors.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { selectUnknown } from './queries.ts'

/** A flow may only name the merchant's own emails, LINE messages and segments. A deleted one is a problem the merchant can correct, not an error here. */
export async function refuseForeignReferences(scope: MerchantScope, flow: Flow): Promise<void> {
  const emails = flow.nodes.flatMap((node) => emailOf(node) ?? [])
  const lineMessages = flow.nodes.flatMap((node) => lineMessageOf(node) ?? [])
  const segments = 'segment_id' in flow.trigger && flow.trigger.segment_id ? [flow.trigger.segment_id] : []
  const unknown = await selectUnknown(scope, { emails, lineMessages, segments })
  const wrong: Record<string, FieldReason> = {}
  const isUnknown = (id: string | null): boolean => unknown.has(id?.toLowerCase() ?? '')
  for (const [index, node] of flow.nodes.entries()) {
    if (isUnknown(emailOf(node))) wrong[`flow.nodes.${index}.settings.email_id`] = 'not_found'
    if (isUnknown(lineMessageOf(node))) wrong[`flow.nodes.${index}.settings.line_message_id`] = 'not_found'
  }
  for (const id of segments) if (isUnknown(id)) wrong['flow.trigger.segment_id'] = 'not_found'
  if (Object.keys(wrong).length > 0) throw invalid(wrong)
}
