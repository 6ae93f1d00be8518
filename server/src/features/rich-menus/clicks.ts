import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../kernel/context.ts'
import { RETRY_AFTER_SECONDS } from '../../kernel/http/http.ts'
import { sendInBoth, sendTryLater } from '../../kernel/http/public-page.ts'
import { createThrottledReport } from '../../kernel/throttled-report.ts'
import { isAgentOfMachine } from '../tracking/index.ts'
import { addClicks, type ClickCount, findTarget, type TrackedArea } from './click-queries.ts'
import { readTrackedLink } from './tracked-link.ts'

/** A person waits at most this long for the click to be counted. */
const COUNT_WITHIN_MS = 2000
/** Targets never change; so many are remembered. */
const MAX_TARGETS = 10_000

interface Following {
  count: (area: TrackedArea, isMachine: boolean) => Promise<void>
  targetOf: (area: TrackedArea) => Promise<string | null>
}
/** One for each process. */
const following = new WeakMap<Context, Following>()
function followingOf(context: Context): Following {
  let made = following.get(context)
  if (!made) following.set(context, (made = { count: createClickCount(context), targetOf: createTargets(context) }))
  return made
}

/** A link of a menu: it is counted, and the person led on, only to what the merchant's menu says. */
export async function followMenuLink(
  context: Context,
  { token, request, reply }: { token: string; request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  const language = request.headers['accept-language']
  const area = readTrackedLink(context.keyring, token)
  let target: string | null
  try {
    target = area && (await followingOf(context).targetOf(area))
  } catch (error) {
    context.log.error({ error }, 'the link of a rich menu could not be read')
    return sendTryLater(reply.header('retry-after', String(RETRY_AFTER_SECONDS)), language)
  }
  if (!area || target === null) return sendInBoth(reply, language, noLink, 404)
  if (request.method === 'GET') {
    const isMachine = isAgentOfMachine(request.headers['user-agent'] ?? '')
    const counted = followingOf(context).count(area, isMachine)
    // While the database is away no click waits: those that did would stay in memory until it is back.
    if (!context.database.isAway) await Promise.race([counted, sleep(COUNT_WITHIN_MS, undefined, { ref: false })])
  }
  return reply.redirect(target, 302)
}

const noLink = {
  title: { ja: 'このリンクは使えません', en: 'This link does not work' },
  body: {
    ja: 'リンクが途中で切れている可能性があります。メニューをもう一度開くか、ストアのサイトを直接ご覧ください。',
    en: 'The link may be incomplete. Open the menu again, or visit the store’s website.',
  },
}

function createTargets(context: Context): (area: TrackedArea) => Promise<string | null> {
  const known = new Map<string, string>()
  return async (area) => {
    const key = keyOf(area)
    const target = known.get(key) ?? (await findTarget(context.db, area))
    if (target === null) return null
    if (known.size >= MAX_TARGETS) known.clear()
    known.set(key, target)
    return URL.parse(target)?.href ?? null
  }
}

/**
 * Clicks that come while a statement is on its way, or the database is away, are added up and wait together for the next one. A statement
 * that failed is not repeated, since it may have counted: clicks are lost rather than counted twice.
 */
function createClickCount(context: Context): Following['count'] {
  const lost = createThrottledReport((clicks) => context.log.error({ clicks }, 'clicks on rich menus are lost'))
  let before: Promise<void> = Promise.resolve()
  let next: { clicks: Map<string, ClickCount>; stored: Promise<void> } | null = null

  const store = async (clicks: readonly ClickCount[]): Promise<void> => {
    try {
      await addClicks(context.db, context.clock.now(), clicks)
    } catch (error) {
      context.log.error({ error }, 'clicks on rich menus could not be counted')
      lost.add(clicks.reduce((sum, { human, machine }) => sum + human + machine, 0))
    }
  }
  return (area, isMachine) => {
    if (!next) {
      const clicks = new Map<string, ClickCount>()
      const stored = before
        .then(() => context.database.whenBack(new AbortController().signal))
        .then(() => {
          next = null
          return store([...clicks.values()])
        })
      before = stored
      next = { clicks, stored }
    }
    const click = next.clicks.get(keyOf(area)) ?? { ...area, human: 0, machine: 0 }
    click[isMachine ? 'machine' : 'human'] += 1
    next.clicks.set(keyOf(area), click)
    return next.stored
  }
}

const keyOf = ({ merchantId, menuId, tab, area }: TrackedArea): string => `${merchantId} ${menuId} ${tab} ${area}`
