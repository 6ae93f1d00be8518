import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { type MerchantScope, merchantScope } from '../../kernel/merchant-scope.ts'

/** Bodies of one commit; the largest, 2 MB, is one by itself. Verifying and reading so much takes a few milliseconds. */
const MAX_BATCH_BYTES = 1024 * 1024
/** Per merchant. So much waits only while the database does not answer, or when unsigned calls come. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024

export interface Webhook {
  body: Buffer
  signature: string
}

/** A webhook whose caller waits for the answer. */
export interface WaitingWebhook extends Webhook {
  answer(stored: number): void
  refuse(error: unknown): void
}

export interface WebhookQueue {
  /** Returns how many events were new, once they are committed. */
  store(merchantId: string, webhook: Webhook): Promise<number>
}

/**
 * Group commit: while webhooks of a merchant are being stored, those that arrive wait together for the next commit. So they take one
 * connection, however many they are. `storeBatch` answers each caller, or throws for all that were not.
 */
export function createWebhookQueue(
  context: Context,
  storeBatch: (scope: MerchantScope, batch: readonly WaitingWebhook[]) => Promise<void>,
): WebhookQueue {
  const queues = new Map<string, { waiting: WaitingWebhook[]; bytes: number }>()

  const run = async (merchantId: string, queue: { waiting: WaitingWebhook[]; bytes: number }): Promise<void> => {
    // The other requests of this turn of the event loop come along.
    await new Promise(setImmediate)
    while (queue.waiting.length > 0) {
      const batch = takeBatch(queue)
      try {
        await storeBatch(merchantScope(context, merchantId), batch)
      } catch (error) {
        for (const { refuse } of batch) refuse(error)
      }
    }
    queues.delete(merchantId)
  }

  return {
    store: (merchantId, webhook) =>
      new Promise((answer, refuse) => {
        let queue = queues.get(merchantId)
        if (queue && queue.bytes + webhook.body.length > MAX_WAITING_BYTES)
          return refuse(new AppError('unavailable', 'database_busy', 'too many webhooks wait'))
        const isNew = !queue
        if (!queue) queues.set(merchantId, (queue = { waiting: [], bytes: 0 }))
        queue.waiting.push({ ...webhook, answer, refuse })
        queue.bytes += webhook.body.length
        if (isNew) void run(merchantId, queue)
      }),
  }
}

function takeBatch(queue: { waiting: WaitingWebhook[]; bytes: number }): WaitingWebhook[] {
  let bytes = 0
  let count = 0
  for (const { body } of queue.waiting) {
    if (count > 0 && bytes + body.length > MAX_BATCH_BYTES) break
    bytes += body.length
    count += 1
  }
  queue.bytes -= bytes
  return queue.waiting.splice(0, count)
}
