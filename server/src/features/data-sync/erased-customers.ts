import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { recognizeErased } from '../consent/index.ts'
import { hasErasureMarks, type CopiedCustomer, emailKeyOf, findForgotten } from '../customers/index.ts'

/** Removes customers erased after the store last changed them, and consents from before the erasure of their customer. */
export async function leaveOutForgotten(scope: MerchantScope, copied: Map<number, CopiedCustomer>): Promise<void> {
  if (!(await hasErasureMarks(scope))) return
  for (const { storeCustomerId } of await findForgotten(scope, [...copied.values()], ({ updatedAt }) => updatedAt))
    copied.delete(storeCustomerId)
  const erased = await recognizeErased(
    scope,
    [...copied.values()].flatMap(({ email }) => emailKeyOf(email) ?? []),
  )
  if (erased.size === 0) return
  for (const customer of copied.values()) {
    const erasedAt = erased.get(emailKeyOf(customer.email) ?? '')
    const at = customer.marketing?.changedAt ?? null
    if (erasedAt && customer.marketing?.state !== 'withdrawn' && (at === null || at <= erasedAt))
      copied.set(customer.storeCustomerId, { ...customer, marketing: null })
  }
}
