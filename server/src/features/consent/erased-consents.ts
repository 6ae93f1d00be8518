import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { findErased, findOptedOut } from '../customers/index.ts'
import type { ConsentSource } from './consent-rule.ts'
import { recallSuppressions, selectAddressesOf } from './personal-data-queries.ts'
import type { ChangeRow } from './queries.ts'

/**
 * These addresses (lower case) belonged to customers who were erased, or who had opted out when they were deleted, and now belong to
 * customers again. They count as withdrawn since then: an older permission, or one without a time, does not count, and a suppressed address
 * is suppressed again.
 */
export async function recognizeErased(
  scope: MerchantScope,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  const asked = [...new Set(addresses)]
  const { byAddress } = await findErased(scope, { addresses: asked })
  await recallSuppressions(scope, [...byAddress.keys()])
  const since = new Map(byAddress)
  for (const [address, at] of await findOptedOut(scope, asked)) {
    const erasedAt = since.get(address)
    if (erasedAt === undefined || erasedAt < at) since.set(address, at)
  }
  return since
}

/** Only data passed on from elsewhere may be older. A member, or the person, permits now. */
const MAY_BE_OLD: readonly ConsentSource[] = ['import', 'store', 'sync']

/** Without the permissions that were given before their holders were forgotten. */
export async function withoutForgottenPermissions(
  scope: MerchantScope,
  rows: readonly ChangeRow[],
  reported: ReadonlyMap<string, { occurredAt?: Date | null }>,
): Promise<ChangeRow[]> {
  const doubtful = rows.filter(({ to, source }) => to === 'granted' && MAY_BE_OLD.includes(source))
  if (doubtful.length === 0) return [...rows]
  const addresses = await selectAddressesOf(
    scope,
    doubtful.map(({ customerId }) => customerId),
  )
  const erased = await recognizeErased(scope, [...addresses.values()])
  if (erased.size === 0) return [...rows]
  return rows.filter((row) => {
    const erasedAt = erased.get(addresses.get(row.customerId) ?? '')
    if (erasedAt === undefined || !doubtful.includes(row)) return true
    const at = reported.get(row.customerId)?.occurredAt
    return row.source !== 'import' && at instanceof Date && at > erasedAt
  })
}

/** Customers changed: those who have an address that was left out when its holder was forgotten are left out. */
export async function recallFor(
  scope: MerchantScope,
  { customerIds }: { customerIds: readonly string[] },
): Promise<void> {
  const addresses = await selectAddressesOf(scope, customerIds)
  await recognizeErased(scope, [...addresses.values()])
}
