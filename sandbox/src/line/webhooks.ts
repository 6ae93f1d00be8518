import { createHmac, randomBytes } from 'node:crypto'
import { type DueSender, startDueSender } from '../due-sender.ts'
import { execute, findRow, listRows } from '../sql.ts'
import { type AccountRow, type AccountScope, type LinePlatform, nowMs } from './platform.ts'
import type { Json } from './shapes/shapes.ts'

export interface WebhookRow {
  id: number
  account_id: number
  url: string
  event: string
  status: 'pending' | 'delivered' | 'failed'
  tries: number
  next_ms: number
  last_status: number | null
  last_error: string | null
}

/** The platform keeps its intervals to itself; these are an assumption. */
const pausesMs = [10_000, 60_000, 300_000, 1_800_000]
const timeoutMs = 5000
/** Events of one account that wait go together. */
const eventsPerCall = 20

export const signatureOf = (secret: string, body: string): string =>
  createHmac('sha256', secret).update(body, 'utf8').digest('base64')

/**
 * Writes an event of a user for the account's webhook, in the transaction of what it is about. It is not sent where the account has no
 * address or does not use webhooks; the event stands in the chat all the same. `said` is what the tap shows there.
 */
export function publish(
  scope: AccountScope,
  userId: string,
  event: Json & { type: string },
  { canReply = true, said = null }: { canReply?: boolean; said?: string | null } = {},
): void {
  const { database, account } = scope
  const now = nowMs(scope)
  const whole = {
    ...event,
    timestamp: now,
    mode: account.standby === 1 ? 'standby' : 'active',
    webhookEventId: eventId(now),
    deliveryContext: { isRedelivery: false },
    source: { type: 'user', userId },
    ...(canReply && account.standby === 0 ? { replyToken: newReplyToken(scope, userId) } : {}),
  }
  execute(database)`INSERT INTO line_event (account_id, user_id, body, said, at_ms)
    VALUES (${account.id}, ${userId}, ${JSON.stringify(whole)}, ${said}, ${now})`
  if (account.webhook_url === null || account.webhook_active === 0) return
  execute(database)`INSERT INTO line_webhook (account_id, url, event, status, next_ms)
    VALUES (${account.id}, ${account.webhook_url}, ${JSON.stringify(whole)}, 'pending', ${now})`
  scope.wakeWebhooks()
}

function newReplyToken({ database, account }: AccountScope, userId: string): string {
  const token = randomBytes(16).toString('hex')
  execute(database)`INSERT INTO line_reply_token (token, account_id, user_id, at_ms)
    VALUES (${token}, ${account.id}, ${userId}, ${Date.now()})`
  return token
}

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** A ULID. */
function eventId(atMs: number): string {
  let id = ''
  for (let rest = atMs; id.length < 10; rest = Math.floor(rest / 32)) id = `${crockford[rest % 32]}${id}`
  return id + [...randomBytes(16)].map((byte) => crockford[byte % 32]).join('')
}

/** Sends events again under the same ids, as the platform sometimes does. */
export function redeliver({ database, account, wakeWebhooks, clock }: AccountScope, webhookId: number): boolean {
  const copied = execute(database)`INSERT INTO line_webhook (account_id, url, event, status, tries, next_ms)
    SELECT account_id, url, event, 'pending', 1, ${clock.now().getTime()} FROM line_webhook
    WHERE account_id = ${account.id} AND id = ${webhookId}`
  if (copied > 0) wakeWebhooks()
  return copied > 0
}

export const listWebhooks = ({ database, account }: AccountScope, limit: number): WebhookRow[] =>
  listRows<WebhookRow>(database)`SELECT * FROM line_webhook WHERE account_id = ${account.id}
    ORDER BY id DESC LIMIT ${limit}`

type Sent = { status: number } | { problem: string; isTimeout: boolean }

async function post(url: string, secret: string, body: string, closing?: AbortSignal): Promise<Sent> {
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal: closing ? AbortSignal.any([timeout, closing]) : timeout,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'LineBotWebhook/2.0',
        'x-line-signature': signatureOf(secret, body),
      },
      body,
    })
    await response.arrayBuffer()
    return { status: response.status }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
    return { problem: cause, isTimeout: timeout.aborted }
  }
}

/** The call of the console's *Verify*: no events; answered in the words of the platform. */
export async function testWebhook(scope: AccountScope, url: string): Promise<Json> {
  const { bot_user_id, channel_secret } = scope.account
  const sent = await post(url, channel_secret, JSON.stringify({ destination: bot_user_id, events: [] }))
  const timestamp = scope.clock.now().toISOString()
  if ('problem' in sent) {
    const reason = sent.isTimeout ? 'REQUEST_TIMEOUT' : 'COULD_NOT_CONNECT'
    return { success: false, timestamp, statusCode: 0, reason, detail: sent.problem }
  }
  const success = sent.status >= 200 && sent.status < 300
  return {
    success,
    timestamp,
    statusCode: sent.status,
    reason: success ? 'OK' : 'ERROR_STATUS_CODE',
    detail: String(sent.status),
  }
}

/** Of each account the oldest events that are due, one call at a time, so that they come in their order unless they fail. */
export function startWebhookSender(platform: LinePlatform): DueSender {
  const { database } = platform

  async function send(account: AccountRow, closing: AbortSignal): Promise<void> {
    const due = listRows<WebhookRow>(database)`SELECT * FROM line_webhook
      WHERE account_id = ${account.id} AND status = 'pending' AND next_ms <= ${nowMs(platform)}
      ORDER BY next_ms, id LIMIT ${eventsPerCall}`
    const [first] = due
    if (!first) return
    const together = due.filter(({ url, tries }) => url === first.url && (tries === 0) === (first.tries === 0))
    const events = together.map(({ event, tries }) => ({
      ...(JSON.parse(event) as Json),
      deliveryContext: { isRedelivery: tries > 0 },
    }))
    const body = JSON.stringify({ destination: account.bot_user_id, events })
    const sent = await post(first.url, account.channel_secret, body, closing)
    if (!closing.aborted) for (const row of together) record(account, row, sent)
  }

  function record(account: AccountRow, { id, tries, url }: WebhookRow, sent: Sent): void {
    const status = 'status' in sent ? sent.status : null
    const problem =
      'problem' in sent ? sent.problem : sent.status >= 200 && sent.status < 300 ? null : `HTTP ${sent.status}`
    const pauseMs = account.redelivery === 1 ? pausesMs[tries] : undefined
    const state = problem === null ? 'delivered' : pauseMs === undefined ? 'failed' : 'pending'
    execute(database)`UPDATE line_webhook SET status = ${state}, tries = ${tries + 1},
      next_ms = ${nowMs(platform) + (pauseMs ?? 0)}, last_status = ${status}, last_error = ${problem} WHERE id = ${id}`
    if (problem !== null) platform.log(`LINE webhook to ${url}: ${problem} (try ${tries + 1})`)
  }

  return startDueSender<AccountRow>(platform.clock, {
    atOnce: 16,
    listDue: (now) => listRows<AccountRow>(database)`SELECT * FROM line_account
      WHERE id IN (SELECT account_id FROM line_webhook WHERE status = 'pending' AND next_ms <= ${now})`,
    keyOf: ({ id }) => id,
    findNextMs: (now) => {
      const next = findRow<{ at: number | null }>(database)`SELECT min(next_ms) AS at FROM line_webhook
        WHERE status = 'pending' AND next_ms > ${now}`
      return next?.at ?? null
    },
    makeAllDue: () =>
      void execute(database)`UPDATE line_webhook SET next_ms = ${nowMs(platform)}
        WHERE status = 'pending' AND next_ms > ${nowMs(platform)}`,
    send,
  })
}
