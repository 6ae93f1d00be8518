import { job } from '../../kernel/work/jobs.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { recount } from './value-queries.ts'

const RECOUNT_AFTER_MS = 1000

/** Counts a setting's values, so that its row is not written with each of them. */
export const recountMetafield = job<{ settingId: string }>(
  'recount_metafield',
  ({ settingId }) => settingId,
  (scope, { settingId }) => recount(scope, settingId),
)
/** Once, however many values change meanwhile. */
export const recountMetafieldLater = (scope: MerchantScope, settingId: string): Promise<void> =>
  scope.context.jobs.later(scope, recountMetafield, { settingId }, { delayMs: RECOUNT_AFTER_MS })
