import { clickLink, openPixel } from '@okaeri/contract/tracking/routes'
import { type Locale, toLocale } from '@okaeri/contract/locale'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../kernel/context.ts'
import type { Routes } from '../../kernel/http.ts'
import { html, sendPublicPage } from '../../kernel/public-page.ts'
import { type LinkToken, readLinkToken } from '../deliveries/index.ts'
import { createHitQueue, type HitQueue, STORE_WITHIN_MS } from './hit-queue.ts'
import { createLinkTargets, type LinkTargets } from './link-targets.ts'
import { networkOf } from './network.ts'

const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
const MAX_AGENT = 500
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
    // A picture all the same: a broken one in the mail helps nobody.
    if (!token || request.method !== 'GET') return sendGif(reply)
    const stored = await trackingOf(context).queue.store(hitOf(context, request, token, null))
    if (!stored) return reply.code(503).header('retry-after', '5').send()
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
      target = await targets.addressOf(token, Number(position))
    } catch (error) {
      context.log.error({ error }, 'the links of a message could not be read')
      return sendLater(request, reply)
    }
    if (target === null) return sendNoLink(request, reply)
    // Not stored within the time: the person goes on to the shop all the same, and the queue has logged the loss.
    if (request.method === 'GET') await queue.store(hitOf(context, request, token, Number(position)))
    return reply.redirect(target, 302)
  })
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
    ja: {
      title: 'このリンクは使えません',
      body: 'リンクが途中で切れているか、期限が過ぎています。メールのリンクをもう一度お試しいただくか、ショップのサイトを直接ご覧ください。',
    },
    en: {
      title: 'This link does not work',
      body: 'It may have been cut off, or it is too old. Please try the link in the mail again, or go to the shop’s site directly.',
    },
  }
  return sendBoth(request, reply, words, 404)
}

function sendLater(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const words = {
    ja: {
      title: 'しばらくしてからもう一度お試しください',
      body: '現在リンク先を確認できません。数十秒ほどしてから、このページを再読み込みしてください。',
    },
    en: {
      title: 'Please try again in a moment',
      body: 'We cannot look up this link right now. Please reload this page in half a minute.',
    },
  }
  return sendBoth(request, reply.header('retry-after', String(Math.ceil(STORE_WITHIN_MS / 1000))), words, 503)
}

/** We do not know who reads it: both languages, the browser's first. */
function sendBoth(
  request: FastifyRequest,
  reply: FastifyReply,
  words: Record<Locale, { title: string; body: string }>,
  status: number,
): FastifyReply {
  const language = toLocale(request.headers['accept-language'])
  const other: Locale = language === 'ja' ? 'en' : 'ja'
  const body = html`<p>${words[language].body}</p>
<div lang="${other}" class="soft"><p><strong>${words[other].title}</strong></p><p>${words[other].body}</p></div>`
  return sendPublicPage(
    reply,
    { language, title: words[language].title, merchantName: null, body, languages: null },
    status,
  )
}
