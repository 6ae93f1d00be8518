import { type CodeDiscountResult, DISCOUNT_STATE } from '../../integrations/shopify/discount-operations.ts'
import { seeAddress } from '../../integrations/webhook/index.ts'
import { recurring } from '../../kernel/work/due-merchants.ts'
import { AppError, IntegrationError } from '../../kernel/errors.ts'
import { type MerchantScope, merchantScope } from '../../kernel/merchant-scope.ts'
import { getStoreClient } from '../stores/index.ts'
import type { AddressToCheck } from './address-check.ts'
import { type AddressCheck, claimAsked, updateChecked } from './queries.ts'
import { askedAddresses } from './due-queries.ts'
import { visit } from './visiting.ts'

/** Real time, for all of one address. */
const TIMEOUT_MS = 12_000
const AT_ONCE = 12
/** Longer than all of these take where they are of one host, two at a time. */
const LEASE_MS = 3 * 60_000
const MERCHANTS_AT_ONCE = 4
const USER_AGENT = 'Okaeri-LinkCheck/1'

type Seen = Omit<AddressCheck, 'checked_at'>
const NOTHING: Seen = {
  outcome: 'unknown',
  status: null,
  reason: null,
  leads_to: null,
  size_bytes: null,
  begins_at: null,
  ends_at: null,
  uses_left: null,
}
/** As much as the column holds, and more than any picture of a mail. */
const MAX_SIZE = 2_000_000_000

export const checkAddresses = recurring({
  name: 'check addresses',
  everyMs: 1000,
  due: askedAddresses,
  atOnce: MERCHANTS_AT_ONCE,
  async turn(scope) {
    const asked = await claimAsked(scope, { limit: AT_ONCE, leaseMs: LEASE_MS })
    await Promise.all(
      asked.map(async (one) => {
        const seen = await look(scope, one)
        // Time has passed since it was claimed.
        await updateChecked(merchantScope(scope.context, scope.merchantId), one.key, seen)
      }),
    )
    return asked.length > 0
  },
})

async function look(scope: MerchantScope, { kind, address }: AddressToCheck): Promise<Seen> {
  if (kind === 'coupon') return lookUpCode(scope, address)
  const { outcome, status, reason, leadsTo, sizeBytes } = await seeAddress({
    url: address,
    userAgent: USER_AGENT,
    timeoutMs: TIMEOUT_MS,
    allowPrivate: scope.context.settings.isLocalSandbox,
    measures: kind === 'picture',
    visit: (url, request) => visit(scope, url, request),
  })
  return {
    ...NOTHING,
    outcome,
    status,
    reason,
    // PostgreSQL stores no NUL, and longer addresses are not readable on the page.
    leads_to: leadsTo.replaceAll('\0', '').slice(0, 2000).toWellFormed(),
    size_bytes: sizeBytes === null ? null : Math.min(sizeBytes, MAX_SIZE),
  }
}

/** A discount code, as the store has it. */
async function lookUpCode(scope: MerchantScope, code: string): Promise<Seen> {
  try {
    const store = await getStoreClient(scope)
    const { codeDiscountNodeByCode: node } = await store.graphql<CodeDiscountResult>(DISCOUNT_STATE, { code })
    if (!node) return { ...NOTHING, outcome: 'gone' }
    const { startsAt, endsAt, usageLimit, asyncUsageCount, codesCount } = node.codeDiscount
    const isOneCode = codesCount?.count === 1
    return {
      ...NOTHING,
      outcome: 'answers',
      begins_at: dateOf(startsAt),
      ends_at: dateOf(endsAt),
      // The limit is each code's, but the count is of all codes.
      uses_left: isOneCode && typeof usageLimit === 'number' ? Math.max(0, usageLimit - (asyncUsageCount ?? 0)) : null,
    }
  } catch (error) {
    // Without a store that answers nothing is known of its codes.
    if (error instanceof IntegrationError || error instanceof AppError) return { ...NOTHING, reason: 'store' }
    throw error
  }
}

const dateOf = (text: string | null | undefined): Date | null => {
  const at = Date.parse(text ?? '')
  return Number.isNaN(at) ? null : new Date(at)
}
