import { isSignedByLine } from '../../integrations/line/index.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, unauthorized } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { storableJson } from '../../kernel/storable-json.ts'
import { findLineAccount, markWebhookArrives } from '../line-accounts/index.ts'
import { insertEvents, type NewEvent } from './event-queries.ts'
import { createWebhookQueue, type WaitingWebhook, type WebhookQueue } from './webhook-queue.ts'

type Headers = Record<string, string | string[] | undefined>

declare module '../../kernel/facts.ts' {
  interface Facts {
    /** Verified webhooks, each with something that had not come before: as they came. */
    'line.received': { came: readonly { body: Buffer; signature: string }[] }
  }
}

const MAX_ID = 100
const MAX_TYPE = 50
/** The platform's clock is right to the second; what claims to be from later would hold off all that follows. */
const AHEAD_MS = 300_000

/**
 * Verifies what came over its bytes and stores its events; everything else happens later. One answer for a merchant that is unknown, one
 * without LINE and a wrong signature: who asks learns nothing.
 */
export async function receiveLineWebhook(
  context: Context,
  merchantId: string,
  { headers, body }: { headers: Headers; body: unknown },
): Promise<{ stored: number }> {
  const signature = headers['x-line-signature']
  if (typeof signature !== 'string') throw notSigned()
  const raw = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
  return { stored: await queueOf(context).store(merchantId, { body: raw, signature }) }
}

/** One for each process. */
const queues = new WeakMap<Context, WebhookQueue>()
function queueOf(context: Context): WebhookQueue {
  let queue = queues.get(context)
  if (!queue) queues.set(context, (queue = createWebhookQueue(context, storeBatch)))
  return queue
}

const notSigned = (): AppError => unauthorized('line_signature_invalid', 'the signature does not fit the body')

async function storeBatch(scope: MerchantScope, batch: readonly WaitingWebhook[]): Promise<void> {
  const account = await findLineAccount(scope)
  const secret = account?.channel_secret && scope.context.keyring.decrypt(account.channel_secret)
  const read: ReadWebhook[] = []
  for (const webhook of batch) {
    try {
      if (!secret || !isSignedByLine(secret, webhook.body, webhook.signature)) throw notSigned()
      read.push({ webhook, events: readEvents(webhook.body, scope.context.clock.realNow()) })
    } catch (error) {
      // JSON that can be read, but is nested too deep to be written.
      webhook.refuse(error instanceof RangeError ? new AppError('invalid', 'bad_request', 'nested too deep') : error)
    }
  }
  if (account?.channel_id && read.length > 0 && !account.webhook_arrives)
    await markWebhookArrives(scope, true, account.channel_id)
  await storeTogether(scope, read)
}

interface ReadWebhook {
  webhook: WaitingWebhook
  events: NewEvent[]
}

/** The callers are answered once it is committed. */
async function storeTogether(scope: MerchantScope, read: readonly ReadWebhook[]): Promise<void> {
  const events = read.flatMap(({ events }) => events)
  const stored =
    events.length === 0
      ? new Set<string>()
      : await scope.transaction(async (scope) => {
          const stored = new Set(await insertEvents(scope, events))
          const came = read
            .filter(({ events }) => events.some(({ id }) => stored.has(id)))
            .map(({ webhook }) => webhook)
          if (came.length > 0) await scope.context.publish(scope, 'line.received', { came })
          return stored
        })
  for (const { webhook, events } of read) webhook.answer(events.filter(({ id }) => stored.has(id)).length)
}

function readEvents(raw: Buffer, now: Date): NewEvent[] {
  const body: unknown = JSON.parse(storableJson(raw.toString('utf8')))
  const events = isObject(body) ? body['events'] : null
  if (!Array.isArray(events)) throw new AppError('invalid', 'bad_request', 'there are no events in the body')
  // Times are the platform's, which are real; the product's clock may have been moved in a sandbox. What it tells now happened now.
  return events.filter(isObject).flatMap((event) => readEvent(event, now) ?? [])
}

/** Null for an event without id or time: it cannot be recognized if it comes again. */
function readEvent(event: Record<string, unknown>, now: Date): NewEvent | null {
  const { webhookEventId: eventId, type, timestamp, source } = event
  if (typeof eventId !== 'string' || eventId === '' || eventId.length > MAX_ID) return null
  if (typeof type !== 'string' || type === '' || type.length > MAX_TYPE) return null
  if (typeof timestamp !== 'number' || !Number.isSafeInteger(timestamp) || timestamp < 0) return null
  const happenedAt = new Date(Math.min(timestamp, now.getTime() + AHEAD_MS))
  const userId = isObject(source) && source['type'] === 'user' ? source['userId'] : null
  const lineUserId = typeof userId === 'string' && userId.length <= MAX_ID ? userId : null
  return { id: newId(), eventId, lineUserId, type, body: JSON.stringify(event), happenedAt }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
