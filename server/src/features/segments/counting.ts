import { job } from '../../kernel/jobs.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { whoIsChosen } from './choosing.ts'
import { countMembers, findSegment, markCalculating, markCounted } from './queries.ts'

/** Spec §4: the result of a count arrives later. */
export const countSegment = job('segments.count', ({ segmentId }: { segmentId: string }) => segmentId, count)

export async function countLater(scope: MerchantScope, segmentId: string): Promise<void> {
  await markCalculating(scope, segmentId)
  await scope.context.jobs.later(scope, countSegment, { segmentId })
}

async function count(scope: MerchantScope, { segmentId }: { segmentId: string }): Promise<void> {
  const segment = await findSegment(scope, segmentId)
  if (!segment || segment.status === 'ready') return
  try {
    await markCounted(scope, segment, await countMembers(scope, await whoIsChosen(scope, segment.conditions)))
  } catch (error) {
    await markCounted(scope, segment, 'failed')
    throw error
  }
}
