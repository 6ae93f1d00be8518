import { mailboxOf } from '@okaeri/contract/fields'
import type { FastifyReply } from 'fastify'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { countAttempt, type RateLimit } from '../../kernel/rate-limits.ts'
import { countForm } from '../visitors/index.ts'
import type { Addressee } from './addressee.ts'

const HOUR = 3600
/** Each request may become a mail: a stranger cannot fill a mailbox, not even through many shops. */
const byAddress: RateLimit = { name: 'storefront address', max: 3, windowSeconds: HOUR }
const byAddressAndDay: RateLimit = { name: 'storefront address day', max: 6, windowSeconds: 24 * HOUR }
const byOrigin: RateLimit = { name: 'storefront origin', max: 60, windowSeconds: 600 }
/** More than the newsletter of a large shop wins in its best hour. */
const byShop: RateLimit = { name: 'storefront shop', max: 1000, windowSeconds: HOUR }

/** Each leaves a row of the record for good, and is sent to the store. Taking something back always works, so this holds for both. */
const byLink: RateLimit = { name: 'chosen by link', max: 20, windowSeconds: HOUR }

/** Counts what the owner of a mailbox asks for by a link; refuses with 429 what no person presses. */
export async function countChoice({ scope, addressKey }: Pick<Addressee, 'scope' | 'addressKey'>): Promise<void> {
  await countAttempt(scope.context, null, [[byLink, `${scope.merchantId} ${addressKey}`]])
}

export interface StorefrontRequest {
  origin: string
  email: string
  captcha: string | undefined
}

/**
 * Counts a request made on a storefront; refuses with 429 when there were too many. The same for known and unknown addresses. `check` throws where
 * something else is wrong with it; what it answers is answered.
 */
export function countStorefrontRequest<T>(
  { context, merchantId }: MerchantScope,
  reply: FastifyReply,
  { origin, email, captcha }: StorefrontRequest,
  check: () => Promise<T>,
): Promise<T> {
  const mailbox = mailboxOf(email)
  return countForm(context, reply, {
    own: [[byOrigin, origin]],
    origin,
    merchantId,
    isProved: captcha !== undefined,
    check,
    ofAddress: [
      [byAddress, mailbox],
      [byAddressAndDay, mailbox],
    ],
    ofShop: [[byShop, merchantId]],
  })
}
