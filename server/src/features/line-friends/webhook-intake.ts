import { isSignedByLine } from '../../integrations/line/index.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, unauthorized } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { merchantScope } from '../../kernel/merchant-scope.ts'
import { storableJson } from '../../kernel/storable-json.ts'
import { findLineAccount } from '../line-accounts/index.ts'
import { insertEvents, type NewEvent } from './event-queries.ts'

type Headers = Record<string, string | string[] | undefined>

declare module '../../kernel/events.ts' {
  interface Facts {
    /** Verified, and with something that had not come before: as it came. */
    'line.received': { body: Buffer; signature: string }
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
  const raw = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
  const signature = headers['x-line-signature']
  const scope = merchantScope(context, merchantId)
  const account = await findLineAccount(scope)
  const secret = account?.channel_secret && context.keyring.decrypt(account.channel_secret)
  if (!secret || typeof signature !== 'string' || !isSignedByLine(secret, raw, signature))
    throw unauthorized('line_signature_invalid', 'the signature does not fit the body')
  const events = readEvents(raw, context.clock.realNow())
  if (events.length === 0) return { stored: 0 }
  const stored = await scope
    .transaction(async (scope) => {
      const stored = await insertEvents(scope, events)
      if (stored > 0) await context.publish(scope, 'line.received', { body: raw, signature })
      return stored
    })
    .catch((error: unknown) => {
      throw isUnstorable(error) ? new AppError('invalid', 'bad_request', 'an event cannot be stored') : error
    })
  return { stored }
}

/** JSON that PostgreSQL does not take: nested too deep (54001), or with a number too long (22003). */
const isUnstorable = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '54001' || error.code === '22003')

function readEvents(raw: Buffer, now: Date): NewEvent[] {
  const body: unknown = JSON.parse(storableJson(raw.toString('utf8')))
  const events = isObject(body) ? body['events'] : null
  if (!Array.isArray(events)) throw new AppError('invalid', 'bad_request', 'there are no events in the body')
  // Times are the platform's, which are real; the product's clock may have been moved in a sandbox. What it tells now happened now.
  return events.filter(isObject).flatMap((event) => readEvent(event, now) ?? [])
}

/** Null for what has no id or no time: it could be told apart from nothing. */
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
