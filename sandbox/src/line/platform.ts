import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { SandboxClock } from '../clock.ts'
import { findRow } from '../sql.ts'

/** What every part of the played LINE platform shares. */
export interface LinePlatform {
  database: DatabaseSync
  clock: SandboxClock
  /** Origin the sandbox is reached at, without a trailing slash. */
  publicUrl: () => string
  /** How late a slow answer is. */
  slowMs: number
  log: (line: string) => void
  /** Wakes the webhook sender after webhooks were written. Replaced when the sender starts. */
  wakeWebhooks: () => void
}

export interface AccountRow {
  id: number
  provider: string
  channel_id: string
  channel_secret: string
  bot_user_id: string
  basic_id: string
  name: string
  webhook_url: string | null
  webhook_active: number
  /** Whether webhooks that were not answered 2xx are sent again. */
  redelivery: number
  chat_mode: 'bot' | 'chat'
  /** Messages of a month; null: without a limit. */
  quota: number | null
  /** Sent this month from elsewhere, as by hand in the account's manager. */
  used_elsewhere: number
  default_menu: string | null
  break_as: string | null
  break_left: number
  /** Events arrive as for a channel in standby: they are not to be answered. */
  standby: number
}

export interface UserRow {
  id: string
  number: number
  name: string
  language: string | null
  status_message: string | null
  email: string | null
  store_customer_id: number | null
  /** `sentinel`: calls that name it fail in a way of their own. */
  kind: 'person' | 'sentinel'
}

export type FriendState = 'friend' | 'blocked' | 'none'

/** A platform and one of its official accounts. */
export interface AccountScope extends LinePlatform {
  account: AccountRow
}

export const nowMs = (platform: LinePlatform): number => platform.clock.now().getTime()

/** The same at every first start. */
export const madeFrom = (text: string, length = 32): string =>
  createHash('sha256').update(text).digest('hex').slice(0, length)

export const isUserId = (id: string): boolean => /^U[0-9a-f]{32}$/.test(id)

export const findUser = (platform: LinePlatform, id: string): UserRow | undefined =>
  findRow<UserRow>(platform.database)`SELECT * FROM line_user WHERE id = ${id}`

export const findAccount = (platform: LinePlatform, id: number): AccountRow | undefined =>
  findRow<AccountRow>(platform.database)`SELECT * FROM line_account WHERE id = ${id}`

export function friendship(
  scope: AccountScope,
  userId: string,
): { state: FriendState; since_ms: number; menu_id: string | null } {
  const row = findRow<{ state: FriendState; since_ms: number; menu_id: string | null }>(scope.database)`SELECT state,
    since_ms, menu_id FROM line_friendship WHERE account_id = ${scope.account.id} AND user_id = ${userId}`
  return row ?? { state: 'none', since_ms: 0, menu_id: null }
}

/**
 * People have an id of their own at each provider. All official accounts here are of one, which knows them by `line_user.id`; a Login
 * channel of another provider knows the same person by another id.
 */
export const idAtProvider = (userId: string, provider: string): string =>
  provider === firstProvider ? userId : `U${madeFrom(`${provider}/${userId}`)}`
export const firstProvider = 'okaeri-provider'

const japanMs = 9 * 3_600_000
/** When the month of the quota began: the platform counts by Japan's months. */
export function monthStart(atMs: number): number {
  const local = new Date(atMs + japanMs)
  return Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), 1) - japanMs
}
/** `20270131`, as the platform writes the days of its figures. */
export const dayOf = (atMs: number): string => new Date(atMs + japanMs).toISOString().slice(0, 10).replaceAll('-', '')
export const startOfDay = (day: string): number =>
  Date.UTC(Number(day.slice(0, 4)), Number(day.slice(4, 6)) - 1, Number(day.slice(6, 8))) - japanMs
