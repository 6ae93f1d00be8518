import type { Facts } from '../../kernel/facts.ts'
import { job } from '../../kernel/work/jobs.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { getStorefrontSettings } from '../storefront-settings/index.ts'
import { mayKeepLooks } from './permission.ts'
import { deleteBefore, deleteOf, emptyCartsOf, type Kind, moveCarts, moveViews } from './queries.ts'

/** After the last look, or after it was last seen in the cart. */
const KEPT_DAYS = 90
export const forgottenBefore = (now: Date): Date => new Date(now.getTime() - KEPT_DAYS * 86_400_000)
const AT_ONCE = 2000

/** What is older goes, some at a time. Returns whether there may be more. */
export async function forgetOld(scope: MerchantScope): Promise<boolean> {
  const before = forgottenBefore(scope.now)
  const more = [await clear(scope, 'views', before), await clear(scope, 'carts', before)]
  return more.includes(true)
}

function clear(scope: MerchantScope, kind: Kind, before: Date | null): Promise<boolean> {
  return scope.transaction(async (scope) => {
    const gone = await deleteBefore(scope, kind, { before, limit: AT_ONCE })
    if (gone.length > 0)
      await scope.context.publish(scope, 'customers.changed', { customerIds: [...new Set(gone)], learned: true })
    return gone.length === AT_ONCE
  })
}

const settingOf = { views: 'records_behavior', carts: 'records_carts' } as const

/** All of a merchant who turned it off. Turned on again meanwhile, what is there stays. */
async function clearAll(scope: MerchantScope, kind: Kind): Promise<void> {
  for (;;) {
    if ((await getStorefrontSettings(scope))[settingOf[kind]]) return
    if (!(await clear(scope, kind, null))) return
  }
}
export const clearViews = job<Record<string, never>>(
  'behavior.clear_views',
  () => 'all',
  (scope) => clearAll(scope, 'views'),
)
export const clearCarts = job<Record<string, never>>(
  'behavior.clear_carts',
  () => 'all',
  (scope) => clearAll(scope, 'carts'),
)
export const clearBehaviorLater = (scope: MerchantScope, { what }: Facts['behavior.switched_off']): Promise<void> =>
  scope.context.jobs.later(scope, what === 'views' ? clearViews : clearCarts, {})

/** Who takes the permission back takes back what was kept because of it. */
export async function forgetBehaviorOfWithdrawn(
  scope: MerchantScope,
  { kind, changes }: Pick<Facts['consent.changed'], 'kind' | 'changes'>,
): Promise<void> {
  const ids = changes.flatMap(({ customerId, to }) => (to === 'granted' ? [] : [customerId]))
  if (kind === 'marketing' && ids.length > 0) await deleteOf(scope, ids)
}

/** A customer was deleted. */
export const forgetBehavior = (scope: MerchantScope, { customerId }: { customerId: string }): Promise<void> =>
  deleteOf(scope, [customerId])

/** Two customers of the store were merged. Where the one who stays gives no permission, nothing of either stays. */
export async function mergeBehavior(
  scope: MerchantScope,
  { fromId, intoId }: { fromId: string; intoId: string },
): Promise<void> {
  if (!(await mayKeepLooks(scope, intoId))) return deleteOf(scope, [fromId, intoId])
  await moveViews(scope, fromId, intoId)
  await moveCarts(scope, fromId, intoId)
}

/** What was ordered lies in no cart; the page says so only when it is looked at again. */
export async function emptyOrderedCarts(scope: MerchantScope, { orderIds }: Facts['orders.created']): Promise<void> {
  const customerIds = await emptyCartsOf(scope, orderIds)
  if (customerIds.length > 0) await scope.context.publish(scope, 'customers.changed', { customerIds })
}
