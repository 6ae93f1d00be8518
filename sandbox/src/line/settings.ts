import { refuse } from '../http.ts'
import { execute, part } from '../sql.ts'
import { isWebhookAddress } from './account-calls.ts'
import type { AccountScope } from './platform.ts'
import { faults } from './sentinels.ts'

/** What the account's owner sets in the platform's consoles, and how its next calls fail. */
export interface AccountSettings {
  /** Messages a month; null: without a limit. */
  quota?: number | null
  used_elsewhere?: number
  webhook_url?: string | null
  webhook_active?: boolean
  redelivery?: boolean
  standby?: boolean
  chat_mode?: 'bot' | 'chat'
  break_as?: string
  break_times?: number
  /** Addresses the Login channels may lead back to; none: any of this machine. */
  callbacks?: string[]
  /** Takes back every token of the channel but the console's. */
  revoke_tokens?: boolean
  /** A public key (JWK with `kid`) for tokens by assertion. */
  assertion_key?: Record<string, unknown>
}

export const settingsSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    quota: { type: ['integer', 'null'], minimum: 0 },
    used_elsewhere: { type: 'integer', minimum: 0 },
    webhook_url: { type: ['string', 'null'], maxLength: 500 },
    webhook_active: { type: 'boolean' },
    redelivery: { type: 'boolean' },
    standby: { type: 'boolean' },
    chat_mode: { enum: ['bot', 'chat'] },
    break_as: { enum: [...faults] },
    break_times: { type: 'integer', minimum: 0, maximum: 1_000_000 },
    callbacks: { type: 'array', items: { type: 'string', maxLength: 1000 }, maxItems: 400 },
    revoke_tokens: { type: 'boolean' },
    assertion_key: { type: 'object', required: ['kty', 'kid', 'n', 'e'] },
  },
}

export function changeSettings({ database, account }: AccountScope, wanted: AccountSettings): void {
  const set = (column: string, value: string | number | null): void =>
    void execute(database)`UPDATE line_account SET ${part(column)} = ${value} WHERE id = ${account.id}`
  if (wanted.webhook_url != null && !isWebhookAddress(wanted.webhook_url))
    throw refuse(422, 'webhook_invalid', 'The webhook address begins with https:// (http:// on this machine).')
  if (wanted.quota !== undefined) set('quota', wanted.quota)
  if (wanted.used_elsewhere !== undefined) set('used_elsewhere', wanted.used_elsewhere)
  if (wanted.webhook_url !== undefined) set('webhook_url', wanted.webhook_url)
  for (const name of ['webhook_active', 'redelivery', 'standby'] as const)
    if (wanted[name] !== undefined) set(name, Number(wanted[name]))
  if (wanted.chat_mode !== undefined) set('chat_mode', wanted.chat_mode)
  if (wanted.break_as !== undefined) {
    set('break_as', wanted.break_as)
    set('break_left', wanted.break_times ?? 1)
  }
  if (wanted.callbacks !== undefined)
    execute(database)`UPDATE line_login_channel SET callbacks = ${JSON.stringify(wanted.callbacks)}
      WHERE account_id = ${account.id} OR account_id IS NULL`
  if (wanted.revoke_tokens === true)
    execute(database)`UPDATE line_channel_token SET revoked = 1 WHERE account_id = ${account.id} AND kind <> 'long'`
  if (wanted.assertion_key !== undefined)
    execute(database)`INSERT OR REPLACE INTO line_assertion_key (account_id, kid, jwk)
      VALUES (${account.id}, ${String(wanted.assertion_key['kid'])}, ${JSON.stringify(wanted.assertion_key)})`
}
