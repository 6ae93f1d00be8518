import { normalizeEmail } from '@okaeri/contract/fields'
import { markHash, type Person } from '../../kernel/personal-data.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { hasErasedMarks, insertErasedMarks, selectErasedMarks } from './erasure-mark-queries.ts'

/** Stores, as HMACs, that these were erased now. */
export async function markErased(scope: MerchantScope, { storeCustomerIds, addresses }: Person): Promise<void> {
  await insertErasedMarks(scope, [
    ...storeCustomerIds.map((id) => markHash(scope, 'store', String(id))),
    ...addresses.map((address) => markHash(scope, 'address', address)),
  ])
}

/** Stores, as HMACs, that these LINE accounts were erased now. */
export const markLineErased = (scope: MerchantScope, lineUserIds: readonly string[]): Promise<void> =>
  insertErasedMarks(
    scope,
    lineUserIds.map((id) => markHash(scope, 'line', id)),
  )

/** When these LINE accounts were erased, for those that were. */
export async function findErasedLine(
  scope: MerchantScope,
  lineUserIds: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  if (lineUserIds.length === 0 || !(await hasErasedMarks(scope))) return new Map()
  const ids = new Map(lineUserIds.map((id) => [markHash(scope, 'line', id), id]))
  const marks = await selectErasedMarks(scope, [...ids.keys()])
  return new Map(marks.map(({ hash, erasedAt }) => [ids.get(hash) ?? '', erasedAt]))
}

/** Stores, as an HMAC, that the customer with this address (lower case) had opted out when they were deleted here. */
export const markOptedOut = (scope: MerchantScope, address: string): Promise<void> =>
  insertErasedMarks(scope, [markHash(scope, 'opt_out', address)])

/** Those of these addresses whose customer had opted out when they were deleted here, and when that was. */
export async function findOptedOut(
  scope: MerchantScope,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  if (addresses.length === 0 || !(await hasErasedMarks(scope))) return new Map()
  const keys = new Map(addresses.map((address) => [markHash(scope, 'opt_out', address), address]))
  const marks = await selectErasedMarks(scope, [...keys.keys()])
  return new Map(marks.map(({ hash, erasedAt }) => [keys.get(hash) ?? '', erasedAt]))
}

/** When these were erased, for those that were. */
export interface Erased {
  byStoreId: ReadonlyMap<number, Date>
  /** By address in lower case. */
  byAddress: ReadonlyMap<string, Date>
}

const NONE_ERASED: Erased = { byStoreId: new Map(), byAddress: new Map() }

/**
 * Which of these people were erased at their request, and when. Data about them from before that moment (a copy of the store, a late
 * webhook, a file) does not bring them back; what they do afterwards does.
 */
export async function findErased(
  scope: MerchantScope,
  asked: { storeIds?: readonly number[]; addresses?: readonly string[] },
): Promise<Erased> {
  const { storeIds = [], addresses = [] } = asked
  if (storeIds.length + addresses.length === 0 || !(await hasErasedMarks(scope))) return NONE_ERASED
  const ids = new Map(storeIds.map((id) => [markHash(scope, 'store', String(id)), id]))
  const keys = new Map(addresses.map((address) => [markHash(scope, 'address', address), address]))
  const byStoreId = new Map<number, Date>()
  const byAddress = new Map<string, Date>()
  for (const { hash, erasedAt } of await selectErasedMarks(scope, [...ids.keys(), ...keys.keys()])) {
    const [id, address] = [ids.get(hash), keys.get(hash)]
    if (id !== undefined) byStoreId.set(id, erasedAt)
    if (address !== undefined) byAddress.set(address, erasedAt)
  }
  return { byStoreId, byAddress }
}

/**
 * Which of these objects (orders, checkouts, the customers themselves) belong to a person who was erased after the time of the data: found
 * by the store's number, a guest's by the address. Data without a time counts as older.
 */
export async function findForgotten<T extends { storeCustomerId: number | null; email: string | null }>(
  scope: MerchantScope,
  things: readonly T[],
  momentOf: (thing: T) => Date | null,
): Promise<ReadonlySet<T>> {
  const keyOf = ({ storeCustomerId, email }: T): string | null =>
    storeCustomerId === null && email ? normalizeEmail(email) : null
  const { byStoreId, byAddress } = await findErased(scope, {
    storeIds: things.flatMap(({ storeCustomerId }) => storeCustomerId ?? []),
    addresses: things.flatMap((thing) => keyOf(thing) ?? []),
  })
  if (byStoreId.size + byAddress.size === 0) return new Set()
  return new Set(
    things.filter((thing) => {
      const erasedAt = byStoreId.get(thing.storeCustomerId ?? -1) ?? byAddress.get(keyOf(thing) ?? '')
      const moment = momentOf(thing)
      return erasedAt !== undefined && (moment === null || moment <= erasedAt)
    }),
  )
}
