import { createHash } from 'node:crypto'
import { type RateLimit, countAttempt } from '../../kernel/rate-limits.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { deleteUnasked, insertAsked, selectChecked, type AddressKind, type AddressCheck } from './queries.ts'

export interface AddressToCheck {
  kind: AddressKind
  /** For a coupon, the code. It contains nothing of a person. */
  address: string
}
export interface CheckedAddress extends AddressCheck {
  /** It is about to be looked at. */
  waits: boolean
}

const HOUR_MS = 3_600_000
/** Opening a page ten times asks a shop once. */
const KEPT_MS = HOUR_MS
/** Where a person asks again. */
const AGAIN_MS = 60_000
const FORGOTTEN_MS = 90 * 24 * HOUR_MS
const FORGOTTEN_AT_ONCE = 500

const asking: RateLimit = { name: 'ask_for_addresses', max: 60, windowSeconds: 600 }

const keyOf = ({ kind, address }: AddressToCheck): string =>
  createHash('sha256').update(`${kind} ${address}`).digest('base64url')

/** Asks for what is not known, or was looked at too long ago. Throws `rate_limited`. */
export async function askForAddresses(
  scope: MerchantScope,
  addresses: readonly AddressToCheck[],
  { again }: { again: boolean },
): Promise<void> {
  if (addresses.length === 0) return
  await countAttempt(scope.context, null, [[asking, scope.merchantId]])
  const since = new Date(scope.now.getTime() - (again ? AGAIN_MS : KEPT_MS))
  const keyed = new Map(addresses.map((one) => [keyOf(one), { ...one, key: keyOf(one) }]))
  await insertAsked(scope, [...keyed.values()], { since })
  await deleteUnasked(scope, new Date(scope.now.getTime() - FORGOTTEN_MS), FORGOTTEN_AT_ONCE)
}

/** What is known of an address; null: it was never checked. */
export async function readAddresses(
  scope: MerchantScope,
  addresses: readonly AddressToCheck[],
): Promise<(address: AddressToCheck) => CheckedAddress | null> {
  const keys = [...new Set(addresses.map(keyOf))]
  const rows = keys.length === 0 ? [] : await selectChecked(scope, keys)
  const known = new Map(rows.map(({ key, is_due: waits, ...checked }) => [key, { ...checked, waits }]))
  return (address) => known.get(keyOf(address)) ?? null
}
