import type { Facts } from '../../kernel/events.ts'
import { job } from '../../kernel/jobs.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { getStorefrontSettings } from '../storefront-settings/index.ts'
import { deleteViewsBefore, deleteViewsOf, holdPermission, insertViews, moveViews } from './queries.ts'

/** After the last look. */
const KEPT_DAYS = 90
export const forgottenBefore = (now: Date): Date => new Date(now.getTime() - KEPT_DAYS * 86_400_000)
const AT_ONCE = 2000

/** Keeps nothing where the merchant did not turn it on, or the customer gave no permission. */
export async function recordViews(
  scope: MerchantScope,
  customerId: string,
  storeProductIds: readonly number[],
): Promise<void> {
  if (!(await getStorefrontSettings(scope)).records_behavior) return
  await scope.transaction(async (scope) => {
    if (!(await holdPermission(scope, customerId))) return
    if (await insertViews(scope, customerId, storeProductIds))
      await scope.context.publish(scope, 'customers.changed', { customerIds: [customerId] })
  })
}

/** What is older goes, some at a time. Answers whether there may be more. */
export const forgetOldViews = (scope: MerchantScope): Promise<boolean> => clear(scope, forgottenBefore(scope.now))

function clear(scope: MerchantScope, before: Date | null): Promise<boolean> {
  return scope.transaction(async (scope) => {
    const gone = await deleteViewsBefore(scope, before, AT_ONCE)
    if (gone.length > 0)
      await scope.context.publish(scope, 'customers.changed', { customerIds: [...new Set(gone)], learned: true })
    return gone.length === AT_ONCE
  })
}

/** All views of a merchant who turned it off. Turned on again meanwhile, what is there stays. */
export const clearViews = job<Record<string, never>>(
  'behavior.clear_views',
  () => 'all',
  async (scope) => {
    for (;;) {
      if ((await getStorefrontSettings(scope)).records_behavior) return
      if (!(await clear(scope, null))) return
    }
  },
)
export const clearViewsLater = (scope: MerchantScope): Promise<void> => scope.context.jobs.later(scope, clearViews, {})

/** Who takes the permission back takes back what was kept because of it. */
export async function forgetViewsOfWithdrawn(
  scope: MerchantScope,
  { kind, changes }: Pick<Facts['consent.changed'], 'kind' | 'changes'>,
): Promise<void> {
  const ids = changes.flatMap(({ customerId, to }) => (to === 'withdrawn' ? [customerId] : []))
  if (kind === 'marketing' && ids.length > 0) await deleteViewsOf(scope, ids)
}

/** A customer was deleted. */
export const forgetViews = (scope: MerchantScope, { customerId }: { customerId: string }): Promise<void> =>
  deleteViewsOf(scope, [customerId])

/** Two customers of the store were merged. */
export const mergeViews = (
  scope: MerchantScope,
  { fromId, intoId }: { fromId: string; intoId: string },
): Promise<void> => moveViews(scope, fromId, intoId)
