import { mailboxOf } from '@okaeri/contract/fields'
import type { FastifyReply } from 'fastify'
import type { Context } from '../../kernel/context.ts'
import { countAttempt, type RateLimit } from '../../kernel/rate-limits.ts'
import { withoutProof } from '../visitors/index.ts'

const HOUR = 3600
/** Each request may become a mail: a stranger cannot fill a mailbox, not even through many shops. */
const byAddress: RateLimit = { name: 'storefront address', max: 3, windowSeconds: HOUR }
const byAddressAndDay: RateLimit = { name: 'storefront address day', max: 6, windowSeconds: 24 * HOUR }
const byOrigin: RateLimit = { name: 'storefront origin', max: 60, windowSeconds: 600 }
/** More than the newsletter of a large shop wins in its best hour. */
const byShop: RateLimit = { name: 'storefront shop', max: 1000, windowSeconds: HOUR }

/** Counts a request made on a storefront; refuses with 429 when there were too many. The same for known and unknown addresses. */
export async function countStorefrontRequest(
  context: Context,
  reply: FastifyReply,
  { origin, shop, email, captcha }: { origin: string; shop: string; email: string; captcha: string | undefined },
): Promise<void> {
  const mailbox = mailboxOf(email)
  await countAttempt(context, reply, [
    [byAddress, mailbox],
    [byAddressAndDay, mailbox],
    ...(captcha === undefined ? withoutProof({ origin, shop: shop.trim().toLowerCase() }) : []),
    [byOrigin, origin],
    [byShop, shop.trim().toLowerCase()],
  ])
}
