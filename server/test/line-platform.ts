import { createHmac, randomUUID } from 'node:crypto'
import { changeLineAccount } from '@okaeri/contract/line-accounts/routes'
import { sql } from 'kysely'
import type { TestMerchant, TestOkaeri } from './harness.ts'
import { sandbox } from './with-okaeri.ts'

/** An official account of the sandbox, as its console shows it (sandbox/src/line/README.md). */
export interface PlayedAccount {
  id: number
  name: string
  basic_id: string
  bot_user_id: string
  channel_id: string
  channel_secret: string
  access_token: string
  login_channel_id: string
  login_channel_secret: string
  foreign_login_channel: { channel_id: string; channel_secret: string }
  webhook_url: string | null
  webhook_active: boolean
}

/** A person of the sandbox, as one account sees them. */
export interface PlayedUser {
  user_id: string
  name: string
  email: string | null
  friendship: 'none' | 'friend' | 'blocked'
  sentinel: { fault: string; times: number | null } | null
}

/** What is asked of the sandbox's LINE, or done in it: `accounts.json`, `users/U…/follow.json` … */
export async function playLine<T>(what: string, body?: Record<string, unknown>): Promise<T> {
  const posted = body && {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
  const response = await fetch(`${sandbox.url}/line/${what}`, posted)
  if (!response.ok) throw new Error(`${what}: ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}

export const openLineAccount = async (name: string): Promise<PlayedAccount> =>
  (await playLine<{ account: PlayedAccount }>('accounts.json', { name })).account

/** The sandbox's first account, with its 600 people. */
export async function firstLineAccount(): Promise<PlayedAccount> {
  const { data } = await playLine<{ data: PlayedAccount[] }>('accounts.json')
  return data[0] as PlayedAccount
}

export const connectLine = (merchant: TestMerchant, account: PlayedAccount): Promise<unknown> =>
  merchant.call(changeLineAccount, {
    body: { line_account: { channel_id: account.channel_id, channel_secret: account.channel_secret } },
  })

/** Events as the platform sends them to the merchant's address, signed over these bytes. */
export function deliverLineEvents(
  okaeri: TestOkaeri,
  merchant: TestMerchant,
  account: Pick<PlayedAccount, 'channel_secret' | 'bot_user_id'>,
  events: readonly Record<string, unknown>[],
  headers: Record<string, string> = {},
): Promise<Response> {
  const body = JSON.stringify({ destination: account.bot_user_id, events })
  const signature = createHmac('sha256', account.channel_secret).update(body).digest('base64')
  return fetch(`${okaeri.url}/line/webhook/${merchant.id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-line-signature': signature, ...headers },
    body,
  })
}

/** One event of a person, as the platform tells it. */
export const lineEvent = (
  userId: string,
  type: string,
  { at = Date.now(), ...more }: { at?: number } & Record<string, unknown> = {},
): Record<string, unknown> => ({
  type,
  mode: 'active',
  timestamp: at,
  source: { type: 'user', userId },
  webhookEventId: randomUUID().replaceAll('-', '').slice(0, 26).toUpperCase(),
  deliveryContext: { isRedelivery: false },
  ...more,
})

/** These people follow the account, and are friends from then on. */
export async function befriend(
  okaeri: TestOkaeri,
  merchant: TestMerchant,
  account: PlayedAccount,
  users: readonly PlayedUser[],
): Promise<void> {
  for (const { user_id } of users) await playLine(`users/${user_id}/follow.json?account=${account.id}`, {})
  await deliverLineEvents(
    okaeri,
    merchant,
    account,
    users.map(({ user_id }) => lineEvent(user_id, 'follow')),
  )
  await okaeri.settle()
}

/** People of the sandbox who behave as people do. */
export async function ordinaryPeople(account: PlayedAccount, count: number): Promise<PlayedUser[]> {
  const { data } = await playLine<{ data: PlayedUser[] }>(`users.json?limit=700&account=${account.id}`)
  return data.filter(({ sentinel }) => sentinel === null).slice(0, count)
}

/** These customers follow the account, as the people named beside them. */
export async function befriendCustomers(
  merchant: TestMerchant,
  account: PlayedAccount,
  friends: readonly { userId: string; customerId: string }[],
): Promise<void> {
  for (const { userId } of friends) await playLine(`users/${userId}/follow.json?account=${account.id}`, {})
  const { db, now } = merchant.scope()
  await sql`
    insert into line_friends (merchant_id, line_user_id, customer_id, is_friend, friend_since, changed_at, created_at)
    select ${merchant.id}, f."userId", f."customerId", true, ${now}::timestamptz, ${now}, ${now}
    from jsonb_to_recordset(${JSON.stringify(friends)}::jsonb) as f ("userId" text, "customerId" uuid)`.execute(db)
}
