import { z } from 'zod'
import { type LineConnection, orNull, path } from './connection.ts'

const Bot = z.object({
  userId: z.string(),
  basicId: z.string(),
  displayName: z.string(),
  pictureUrl: z.string().optional(),
})
export type LineBot = z.infer<typeof Bot>

export const Profile = z.object({
  userId: z.string(),
  displayName: z.string(),
  pictureUrl: z.string().optional(),
  statusMessage: z.string().optional(),
  /** Absent where the person did not agree to tell it. */
  language: z.string().optional(),
})
export type LineProfile = z.infer<typeof Profile>

const Test = z.object({
  success: z.boolean(),
  statusCode: z.number(),
  /** The platform's word: OK, COULD_NOT_CONNECT, REQUEST_TIMEOUT, ERROR_STATUS_CODE, UNCLASSIFIED … */
  reason: z.string(),
  detail: z.string(),
})
export type WebhookTest = z.infer<typeof Test>

/** `unready`: not counted yet; `untold`: the platform gives no number. */
export type FriendCount = { followers: number; blocks: number } | 'unready' | 'unavailable'
const Counted = z.object({
  status: z.string(),
  followers: z.number().int().nullish(),
  blocks: z.number().int().nullish(),
})

const Followers = z.object({ userIds: z.array(z.string()), next: z.string().optional() })
const Endpoint = z.object({ endpoint: z.string(), active: z.boolean() })
const LinkToken = z.object({ linkToken: z.string() })

/** What a channel asks about itself and its friends. Every function throws {@link LineError}. */
export interface LineAccount {
  bot(token: string): Promise<LineBot>
  /** Null: no friend, blocked, or unknown to the platform. */
  findProfile(token: string, userId: string): Promise<LineProfile | null>
  /** A page of 1,000 friends' ids and where the next begins; null at the end. */
  followers(token: string, start: string | null): Promise<{ userIds: string[]; next: string | null }>
  /** Who ever added the account, and who of them blocks it, at the end of a day (`20270131`, in Japan's time). */
  countFriends(token: string, day: string): Promise<FriendCount>
  /** Null where none is set. `active`: whether the channel uses webhooks. */
  findWebhook(token: string): Promise<{ endpoint: string; active: boolean } | null>
  setWebhook(token: string, endpoint: string): Promise<void>
  /** The platform calls the address that is set, without events. */
  testWebhook(token: string): Promise<WebhookTest>
  /** For a person who begins in the chat: good for ten minutes and once. */
  linkToken(token: string, userId: string): Promise<string>
  /** The page on which the person then links: `nonce` is ours, and comes back with the event. */
  linkUrl(linkToken: string, nonce: string): string
}

export function lineAccount({ ask, tell, hosts }: LineConnection): LineAccount {
  const endpointPath = '/v2/bot/channel/webhook/endpoint'
  return {
    bot: (token) => ask({ method: 'GET', path: '/v2/bot/info', token }, Bot),
    findProfile: (token, userId) =>
      orNull(ask({ method: 'GET', path: path`/v2/bot/profile/${userId}`, token }, Profile)),
    async followers(token, start) {
      const query = new URLSearchParams({ limit: '1000', ...(start === null ? {} : { start }) }).toString()
      const page = await ask({ method: 'GET', path: `/v2/bot/followers/ids?${query}`, token }, Followers)
      return { userIds: page.userIds, next: page.next ?? null }
    },
    async countFriends(token, day) {
      const place = `/v2/bot/insight/followers?${new URLSearchParams({ date: day }).toString()}`
      const { status, followers, blocks } = await ask({ method: 'GET', path: place, token }, Counted)
      if (status === 'unready') return 'unready'
      return typeof followers === 'number' ? { followers, blocks: blocks ?? 0 } : 'unavailable'
    },
    findWebhook: (token) => orNull(ask({ method: 'GET', path: endpointPath, token }, Endpoint)),
    setWebhook: (token, endpoint) => tell({ method: 'PUT', path: endpointPath, token, json: { endpoint } }),
    testWebhook: (token) => ask({ method: 'POST', path: '/v2/bot/channel/webhook/test', token, json: {} }, Test),
    async linkToken(token, userId) {
      const place = path`/v2/bot/user/${userId}/linkToken`
      return (await ask({ method: 'POST', path: place, token }, LinkToken)).linkToken
    },
    linkUrl: (linkToken, nonce) =>
      `${hosts.accessUrl}/dialog/bot/accountLink?${new URLSearchParams({ linkToken, nonce }).toString()}`,
  }
}
