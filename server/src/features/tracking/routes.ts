import { clickLink, openPixel } from '@okaeri/contract/tracking/routes'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../kernel/context.ts'
import { RETRY_AFTER_SECONDS, type Routes } from '../../kernel/http/http.ts'
import { sendInBoth, sendTryLater } from '../../kernel/http/public-page.ts'
import { type LinkToken, readLinkToken } from '../deliveries/index.ts'
import { createHitQueue, type HitQueue } from './hit-queue.ts'
import { createLinkTargets, type LinkTargets } from './link-targets.ts'
import { networkOf } from './network.ts'

const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
const MAX_AGENT = 500
const RETRY_AFTER = String(RETRY_AFTER_SECONDS)
const POSITION = /^\d{1,4}$/

/** One queue and one memory of links for each process. */
const tracking = new WeakMap<Context, { queue: HitQueue; targets: LinkTargets }>()
function trackingOf(context: Context): { queue: HitQueue; targets: LinkTargets } {
  let made = tracking.get(context)
  if (!made) tracking.set(context, (made = { queue: createHitQueue(context), targets: createLinkTargets(context) }))
  return made
}

export function trackingRoutes(on: Routes): void {
  on.lean(openPixel)(async ({ params, context, request, reply }) => {
    const token = params.token.endsWith('.gif') ? readLinkToken(context.keyring, params.token.slice(0, -4)) : null
    // Still a picture, because a broken one in the mail helps no one.
    if (!token || request.method !== 'GET') return sendGif(reply)
    const stored = await trackingOf(context).queue.store(hitOf(context, request, token, null))
    if (!stored) return reply.code(503).header('retry-after', RETRY_AFTER).send()
    return sendGif(reply)
  })

  on.lean(clickLink)(async ({ params, context, request, reply }) => {
    const dash = params.token.lastIndexOf('-')
    const position = params.token.slice(dash + 1)
    const token = POSITION.test(position) ? readLinkToken(context.keyring, params.token.slice(0, dash)) : null
    if (!token) return sendNoLink(request, reply)
    const { queue, targets } = trackingOf(context)
    let target: string | null
    try {
      target = await targets.addressOf(token, Number(position), productOf(request))
    } catch (error) {
      context.log.error({ error }, 'the links of a message could not be read')
      return sendTryLater(reply.header('retry-after', RETRY_AFTER), request.headers['accept-language'])
    }
    if (target === null) return sendNoLink(request, reply)
    // If it is not stored in time, the person is redirected all the same, and the queue logs the loss.
    if (request.method === 'GET') await queue.store(hitOf(context, request, token, Number(position)))
    return reply.redirect(target, 302)
  })
}

/** Which product of those a rule chose; what mail programs make of a link is no reason to refuse it. */
function productOf({ query }: FastifyRequest): number | null {
  const { p } = (query ?? {}) as { p?: unknown }
  return typeof p === 'string' && /^\d{1,15}$/.test(p) ? Number(p) : null
}

function hitOf(context: Context, request: FastifyRequest, token: LinkToken, linkPosition: number | null) {
  return {
    merchantId: token.merchantId,
    deliveryId: token.deliveryId,
    kind: linkPosition === null ? ('open' as const) : ('click' as const),
    linkPosition,
    at: context.clock.now(),
    userAgent: (request.headers['user-agent'] ?? '').slice(0, MAX_AGENT),
    network: networkOf(request.ip),
  }
}

const sendGif = (reply: FastifyReply): FastifyReply =>
  reply
    .headers({ 'cache-control': 'no-store, private', 'cross-origin-resource-policy': 'cross-origin' })
    .type('image/gif')
    .send(GIF)

function sendNoLink(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const words = {
    title: { ja: 'このリンクは使えません', en: 'This link does not work' },
    body: {
      ja: 'リンクが途中で切れているか、期限が過ぎています。メールのリンクをもう一度開くか、ストアのサイトを直接ご覧ください。',
      en: 'The link may be incomplete or expired. Try the link in the email again, or visit the store’s website.',
    },
  }
  return sendInBoth(reply, request.headers['accept-language'], words, 404)
}
