import { execute, findRow, listRows, transaction } from '../sql.ts'
import { findAccepted, type LineAnswer, type LineCall, type Route } from './api.ts'
import { type AccountScope, findUser, friendship, isUserId, monthStart, nowMs } from './platform.ts'
import { perSecond } from './rate-limits.ts'
import { LineRefusal } from './refusals.ts'
import { requests } from './shapes/request-shapes.ts'
import type { Json } from './shapes/shapes.ts'

/** Units of aggregation an account may use in a month. */
const unitsPerMonth = 1000
/** A reply token is good for a minute after the event (of the machine's clock: people read slowly, tests move far). */
const replyTokenMs = 60_000

interface Send {
  kind: 'push' | 'multicast' | 'reply'
  to: string[]
  messages: Json[]
  unit: string | null
}

export const sendRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/v2/bot/message/push',
    takesRetryKey: true,
    answer: (call) => {
      const { to, messages, customAggregationUnits } = call.body<Pushed>(requests.push)
      return accept(call, { kind: 'push', to: [to], messages, unit: customAggregationUnits?.[0] ?? null })
    },
  },
  {
    method: 'POST',
    path: '/v2/bot/message/multicast',
    rate: perSecond(200),
    takesRetryKey: true,
    answer: (call) => {
      const { to, messages, customAggregationUnits } = call.body<Multicast>(requests.multicast)
      return accept(call, {
        kind: 'multicast',
        to: [...new Set(to)],
        messages,
        unit: customAggregationUnits?.[0] ?? null,
      })
    },
  },
  { method: 'POST', path: '/v2/bot/message/reply', answer: reply },
  ...['push', 'multicast', 'reply', 'narrowcast', 'broadcast'].map(
    (kind): Route => ({
      method: 'POST',
      path: `/v2/bot/message/validate/${kind}`,
      answer: (call) => {
        call.body(requests.validate)
        return {}
      },
    }),
  ),
  {
    method: 'GET',
    path: '/v2/bot/message/quota',
    answer: ({ scope: { account } }) => ({
      body: account.quota === null ? { type: 'none' } : { type: 'limited', value: account.quota },
    }),
  },
  {
    method: 'GET',
    path: '/v2/bot/message/quota/consumption',
    answer: ({ scope }) => ({ body: { totalUsage: usedThisMonth(scope) } }),
  },
  {
    method: 'GET',
    path: '/v2/bot/message/aggregation/info',
    answer: ({ scope }) => ({ body: { numOfCustomAggregationUnits: unitsOf(scope).length } }),
  },
  {
    method: 'GET',
    path: '/v2/bot/message/aggregation/list',
    answer: ({ scope }) => ({ body: { customAggregationUnits: unitsOf(scope) } }),
  },
  ...(['push', 'multicast', 'reply'] as const).map(
    (kind): Route => ({
      method: 'GET',
      path: `/v2/bot/message/delivery/${kind}`,
      answer: ({ scope, query }) => ({
        body: { status: 'ready', success: sentOnDay(scope, kind, query['date'] ?? '') },
      }),
    }),
  ),
]
interface Pushed {
  to: string
  messages: Json[]
  customAggregationUnits?: string[]
}
type Multicast = Omit<Pushed, 'to'> & { to: string[] }

/** Takes a message in, wholly or not at all: the checks, the quota, the retry key and the receipts are one transaction. */
function accept(call: LineCall, send: Send): LineAnswer {
  const { scope, requestId, retryKey } = call
  return transaction(scope.database, () => {
    const accepted = findAccepted(call)
    if (accepted) {
      const sent = accepted.sent === null ? {} : { sentMessages: JSON.parse(accepted.sent) as unknown }
      const headers = { 'x-line-accepted-request-id': accepted.request_id }
      throw new LineRefusal(409, 'The retry key is already accepted', undefined, { body: sent, headers })
    }
    const friends = friendsAmong(scope, send)
    const { quota } = scope.account
    if (quota !== null && usedThisMonth(scope) + friends.length > quota)
      throw new LineRefusal(429, 'You have reached your monthly limit.')
    const units = send.unit === null ? [] : unitsOf(scope)
    if (send.unit !== null && !units.includes(send.unit) && units.length >= unitsPerMonth)
      throw new LineRefusal(400, 'The number of custom aggregation units has reached its limit')
    const sentMessages = store(scope, send, { requestId, friends })
    if (retryKey !== null)
      execute(scope.database)`INSERT OR REPLACE INTO line_retry_key (account_id, key, request_id, sent, at_ms)
        VALUES (${scope.account.id}, ${retryKey}, ${requestId},
        ${send.kind === 'push' ? JSON.stringify(sentMessages) : null}, ${nowMs(scope)})`
    return { body: send.kind === 'multicast' ? {} : { sentMessages } }
  })
}

/** One bad id fails the whole; who is no friend, or has blocked the account, receives nothing and does not count. */
function friendsAmong(scope: AccountScope, { to }: Send): string[] {
  for (const id of to)
    if (!isUserId(id))
      throw new LineRefusal(400, "The property, 'to', in the request body is invalid (line: -, column: -)")
  if (to.some((id) => !isKnown(scope, id))) throw new LineRefusal(400, 'Failed to send messages')
  return to.filter((id) => friendship(scope, id).state === 'friend')
}

export const isKnown = (scope: AccountScope, userId: string): boolean => findUser(scope, userId) !== undefined

/** Writes what was said and who heard it; returns the ids of the messages. */
function store(
  { database, account, clock }: AccountScope,
  { kind, messages, unit }: Send,
  { requestId, friends }: { requestId: string; friends: string[] },
): { id: string; quoteToken?: string }[] {
  const now = clock.now().getTime()
  const row = findRow<{ id: number }>(database)`INSERT INTO line_send (account_id, request_id, kind, messages, unit,
    counted, at_ms) VALUES (${account.id}, ${requestId}, ${kind}, ${JSON.stringify(messages)}, ${unit},
    ${kind === 'reply' ? 0 : friends.length}, ${now}) RETURNING id`
  const sendId = row?.id ?? 0
  for (const friend of friends)
    execute(database)`INSERT INTO line_receipt (user_id, send_id, account_id)
      VALUES (${friend}, ${sendId}, ${account.id})`
  return messages.map((message, index) => ({
    id: messageId(sendId, index),
    ...(message['type'] === 'text' || message['type'] === 'sticker' ? { quoteToken: `q${sendId}-${index}` } : {}),
  }))
}
/** Eighteen digits, as the platform's. */
const messageId = (sendId: number, index: number): string =>
  String(461_230_000_000_000_000n + BigInt(sendId * 5 + index))

function reply(call: LineCall): LineAnswer {
  const { scope, requestId } = call
  const { replyToken, messages } = call.body<{ replyToken: string; messages: Json[] }>(requests.reply)
  return transaction(scope.database, () => {
    const token = findRow<{ user_id: string }>(scope.database)`UPDATE line_reply_token SET used = 1
      WHERE token = ${replyToken} AND account_id = ${scope.account.id} AND used = 0
      AND at_ms > ${Date.now() - replyTokenMs} RETURNING user_id`
    if (!token) throw new LineRefusal(400, 'Invalid reply token')
    const send: Send = { kind: 'reply', to: [token.user_id], messages, unit: null }
    const sentMessages = store(scope, send, { requestId, friends: friendsAmong(scope, send) })
    return { body: { sentMessages } }
  })
}

/** Recipients of this month, Japan's, and what was sent by hand. */
export function usedThisMonth(scope: AccountScope): number {
  const row = findRow<{ used: number | null }>(scope.database)`SELECT sum(counted) AS used FROM line_send
    WHERE account_id = ${scope.account.id} AND at_ms >= ${monthStart(nowMs(scope))}`
  return (row?.used ?? 0) + scope.account.used_elsewhere
}

function unitsOf(scope: AccountScope): string[] {
  return listRows<{ unit: string }>(scope.database)`SELECT DISTINCT unit FROM line_send
    WHERE account_id = ${scope.account.id} AND at_ms >= ${monthStart(nowMs(scope))} AND unit IS NOT NULL ORDER BY unit`.map(
    ({ unit }) => unit,
  )
}

function sentOnDay({ database, account }: AccountScope, kind: Send['kind'], day: string): number {
  if (!/^\d{8}$/.test(day)) throw new LineRefusal(400, 'The value for the date parameter is invalid')
  const row = findRow<{ count: number }>(database)`SELECT count(*) AS count FROM line_send
    JOIN line_receipt ON send_id = line_send.id
    WHERE line_send.account_id = ${account.id} AND kind = ${kind}
    AND strftime('%Y%m%d', (at_ms + 32400000) / 1000, 'unixepoch') = ${day}`
  return row?.count ?? 0
}
