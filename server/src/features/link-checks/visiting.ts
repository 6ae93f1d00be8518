import { NotVisited } from '../../integrations/webhook/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { countAttempt, type RateLimit } from '../../kernel/rate-limits.ts'

/** As many as a reader's browser would open, and fewer. */
const AT_ONCE_TO_A_HOST = 2
// For an hour: enough for the two hundred links of one mail and a few repeats, too few to scan or overload a host.
const toHost: RateLimit = { name: 'visits_to_host', max: 250, windowSeconds: 3_600 }
const ofMerchant: RateLimit = { name: 'visits_of_merchant', max: 1_500, windowSeconds: 3_600 }
const toHostOfAll: RateLimit = { name: 'visits_to_host_of_all', max: 3_000, windowSeconds: 3_600 }

interface Queue {
  running: number
  waiting: (() => void)[]
}
const queues = new Map<string, Queue>()

async function inTurn<T>(host: string, run: () => Promise<T>): Promise<T> {
  const queue = queues.get(host) ?? { running: 0, waiting: [] }
  queues.set(host, queue)
  if (queue.running >= AT_ONCE_TO_A_HOST) await new Promise<void>((go) => queue.waiting.push(go))
  else queue.running += 1
  try {
    return await run()
  } finally {
    const next = queue.waiting.shift()
    // The next one has this one's place.
    if (next) next()
    else if (--queue.running === 0) queues.delete(host)
  }
}

/** Each request, redirects too, is counted before it is made, over all processes. Throws {@link NotVisited}. */
export async function visit<T>(scope: MerchantScope, url: URL, request: () => Promise<T>): Promise<T> {
  // What we sent is not opened by us: it would count as an opening, or as a click.
  if (isOurs(scope, url)) throw new NotVisited('an address of ours')
  const host = url.hostname
  try {
    await countAttempt(scope.context, null, [
      [toHost, `${scope.merchantId} ${host}`],
      [ofMerchant, scope.merchantId],
      [toHostOfAll, host],
    ])
  } catch (error) {
    if (error instanceof AppError && error.code === 'rate_limited') throw new NotVisited('asked too often')
    throw error
  }
  return inTurn(host, request)
}

export const isOurs = ({ context }: MerchantScope, url: URL): boolean =>
  url.host === new URL(context.settings.publicUrl).host
