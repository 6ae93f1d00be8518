import { randomBytes } from 'node:crypto'
import { execute, findRow, listRows } from '../sql.ts'
import type { LineAnswer, LineCall, Route } from './api.ts'
import { type AccountScope, findUser, friendship, isUserId, type UserRow } from './platform.ts'
import { perMinute, hourly } from './rate-limits.ts'
import { LineRefusal } from './refusals.ts'
import { requests } from './shapes/request-shapes.ts'
import { isKnown } from './sends.ts'
import { testWebhook } from './webhooks.ts'

/** What a channel asks about itself and its friends. */

const linkTokenMs = 10 * 60_000

export const accountRoutes: readonly Route[] = [
  { method: 'GET', path: '/v2/bot/info', answer: botInfo },
  { method: 'GET', path: '/v2/bot/profile/:userId', answer: profile },
  { method: 'GET', path: '/v2/bot/followers/ids', answer: followers },
  {
    method: 'GET',
    path: '/v2/bot/channel/webhook/endpoint',
    rate: perMinute(1000),
    answer: ({ scope: { account } }) => {
      if (account.webhook_url === null) throw new LineRefusal(404, 'Not found')
      return { body: { endpoint: account.webhook_url, active: account.webhook_active === 1 } }
    },
  },
  { method: 'PUT', path: '/v2/bot/channel/webhook/endpoint', rate: perMinute(1000), answer: setWebhook },
  {
    method: 'POST',
    path: '/v2/bot/channel/webhook/test',
    rate: hourly(60),
    answer: async (call) => {
      const { endpoint } = call.body<{ endpoint?: string }>(requests.webhookTest)
      const url = endpoint ?? call.scope.account.webhook_url
      if (url === null) throw new LineRefusal(400, 'Endpoint URL is not set')
      return { body: await testWebhook(call.scope, url) }
    },
  },
  { method: 'POST', path: '/v2/bot/user/:userId/linkToken', answer: linkToken },
  { method: 'POST', path: '/v2/bot/message/markAsRead', answer: () => ({}) },
]

function botInfo({ scope: { account, publicUrl } }: LineCall): LineAnswer {
  return {
    body: {
      userId: account.bot_user_id,
      basicId: account.basic_id,
      displayName: account.name,
      pictureUrl: `${publicUrl()}/line/pictures/${account.bot_user_id}.png`,
      chatMode: account.chat_mode,
      markAsReadMode: account.chat_mode === 'bot' ? 'auto' : 'manual',
    },
  }
}

function profile({ scope, params: { userId = '' } }: LineCall): LineAnswer {
  const user = findUser(scope, userId)
  if (!user || friendship(scope, userId).state !== 'friend') throw new LineRefusal(404, 'Not found')
  return { body: presentProfile(scope, user) }
}

export function presentProfile({ publicUrl }: AccountScope, user: UserRow): Record<string, unknown> {
  return {
    displayName: user.name,
    userId: user.id,
    pictureUrl: `${publicUrl()}/line/pictures/${user.id}.png`,
    ...(user.status_message === null ? {} : { statusMessage: user.status_message }),
    ...(user.language === null ? {} : { language: user.language }),
  }
}

/** Pages of 300, or as many as asked for up to 1,000; the token of the next page is where this one ended. */
function followers({ scope, query }: LineCall): LineAnswer {
  const limit = query['limit'] === undefined ? 300 : Number(query['limit'])
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000)
    throw new LineRefusal(400, 'The value for the limit parameter is invalid')
  const rows = listRows<{ user_id: string }>(scope.database)`SELECT user_id FROM line_friendship
    WHERE account_id = ${scope.account.id} AND state = 'friend' AND user_id > ${query['start'] ?? ''}
    ORDER BY user_id LIMIT ${limit + 1}`.map(({ user_id }) => user_id)
  const userIds = rows.slice(0, limit)
  return { body: { userIds, ...(rows.length > limit ? { next: userIds.at(-1) } : {}) } }
}

/** Over TLS, unless it is on this machine, where the sandbox and Okaeri are. */
function setWebhook(call: LineCall): LineAnswer {
  const { endpoint } = call.body<{ endpoint: string }>(requests.webhookEndpoint)
  if (!isWebhookAddress(endpoint))
    throw new LineRefusal(400, 'Invalid webhook endpoint URL', [
      { message: 'invalid uri scheme', property: 'endpoint' },
    ])
  execute(call.scope.database)`UPDATE line_account SET webhook_url = ${endpoint} WHERE id = ${call.scope.account.id}`
  return {}
}
export function isWebhookAddress(address: string): boolean {
  const url = URL.parse(address)
  if (!url) return false
  return (
    url.protocol === 'https:' ||
    (url.protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname))
  )
}

function linkToken({ scope, params: { userId = '' } }: LineCall): LineAnswer {
  if (!isUserId(userId) || !isKnown(scope, userId)) throw new LineRefusal(400, "The property, 'userId', is invalid")
  if (friendship(scope, userId).state !== 'friend') throw new LineRefusal(404, 'Not found')
  const token = randomBytes(24).toString('base64url')
  execute(scope.database)`INSERT INTO line_link_token (token, account_id, user_id, expires_ms)
    VALUES (${token}, ${scope.account.id}, ${userId}, ${Date.now() + linkTokenMs})`
  return { body: { linkToken: token } }
}

/** Uses up a link token of this user; returns whether it was good. */
export function spendLinkToken(scope: AccountScope, token: string, userId: string): boolean {
  const row = findRow(scope.database)`UPDATE line_link_token SET used = 1
    WHERE token = ${token} AND account_id = ${scope.account.id} AND user_id = ${userId} AND used = 0
    AND expires_ms > ${Date.now()} RETURNING token`
  return row !== undefined
}
