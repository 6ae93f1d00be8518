import { isOutage } from '../../../kernel/database/database-trouble.ts'
import type { Context } from '../../../kernel/context.ts'
import { merchantScope } from '../../../kernel/merchant-scope.ts'
import { findMerchantByShop, findStore } from '../../stores/index.ts'
import { insertWebhooks, type NewWebhook } from './webhook-queries.ts'

/** The limits of one statement: number of webhooks, and their total length. */
const AT_ONCE = 200
const LENGTH_AT_ONCE = 4_000_000

interface Waiting {
  webhook: Omit<NewWebhook, 'triggeredAt'> & { triggeredAt: Date | null }
  answer: (stored: boolean) => void
  refuse: (error: unknown) => void
}

/** By store. Webhooks that arrive while a statement runs wait together for the next one. */
const queues = new WeakMap<Context, Map<string, Waiting[]>>()

/**
 * Stores a webhook and answers once it is committed: false for a repetition, and for a store that is connected to no merchant here. The
 * thousands of webhooks of a sale share a few commits.
 */
export function storeWebhook(context: Context, shop: string, webhook: Waiting['webhook']): Promise<boolean> {
  const byShop = queues.get(context) ?? new Map<string, Waiting[]>()
  queues.set(context, byShop)
  return new Promise((answer, refuse) => {
    const entry = { webhook, answer, refuse }
    const waiting = byShop.get(shop)
    if (waiting) {
      waiting.push(entry)
      return
    }
    const first = [entry]
    byShop.set(shop, first)
    void empty(context, byShop, shop, first)
  })
}

async function empty(
  context: Context,
  byShop: Map<string, Waiting[]>,
  shop: string,
  waiting: Waiting[],
): Promise<void> {
  // Includes the other requests of this turn of the event loop.
  await new Promise(setImmediate)
  while (waiting.length > 0) {
    const batch = waiting.splice(0, fitting(waiting))
    try {
      const stored = await store(context, shop, batch)
      for (const { webhook, answer } of batch) answer(stored.delete(webhook.key))
    } catch (error) {
      await oneByOne(context, shop, batch, error)
    }
  }
  byShop.delete(shop)
}

function fitting(waiting: readonly Waiting[]): number {
  let length = 0
  const over = waiting.findIndex(({ webhook }, index) => {
    length += webhook.body.length
    return index > 0 && length > LENGTH_AT_ONCE
  })
  return Math.min(AT_ONCE, over === -1 ? waiting.length : over)
}

/** So that one body that cannot be stored does not block the others. */
async function oneByOne(context: Context, shop: string, batch: readonly Waiting[], error: unknown): Promise<void> {
  if (batch.length === 1 || isOutage(error)) return batch.forEach(({ refuse }) => refuse(error))
  for (const entry of batch)
    try {
      entry.answer((await store(context, shop, [entry])).size > 0)
    } catch (error) {
      entry.refuse(error)
    }
}

/** Returns the keys of the new ones. */
async function store(context: Context, shop: string, batch: readonly Waiting[]): Promise<Set<string>> {
  const merchantId = await findMerchantByShop(context, shop)
  if (!merchantId) {
    context.log.warn({ shop, topic: batch[0]?.webhook.topic }, 'a webhook of a store that belongs to no merchant')
    return new Set()
  }
  const scope = merchantScope(context, merchantId)
  const connection = await findStore(scope)
  // Webhooks of a disconnected store are useless: when it is connected again, everything is copied again.
  if (connection?.status !== 'connected' || connection.shop_domain !== shop) return new Set()
  return insertWebhooks(
    scope,
    batch.map(({ webhook }) => ({
      ...webhook,
      // A time in the future would win over all webhooks until then.
      triggeredAt: webhook.triggeredAt === null || webhook.triggeredAt > scope.now ? scope.now : webhook.triggeredAt,
    })),
  )
}
