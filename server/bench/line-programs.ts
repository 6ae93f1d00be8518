import { NO_PARAMETERS } from '@okaeri/contract/campaigns/campaign'
import { type RawBuilder, sql } from 'kysely'
import { prepareLine } from '../src/features/channels/index.ts'
import { freezeAudience, freezeMessage, releaseMessage } from '../src/features/deliveries/index.ts'
import { campaignProgram } from '../src/features/stats/index.ts'
import { newId } from '../src/kernel/ids.ts'
import type { MerchantScope } from '../src/kernel/merchant-scope.ts'
import { addManyCustomers } from './installation.ts'
import type { LineMenuReport } from './line-menu-sink.ts'
import type { LineSinkReport } from './line-sink.ts'
import { compare, type Program, type Verdict } from './send-programs.ts'

/** The environment of processes whose platform is the stand-in: only in the sandbox may its address be a plain one. */
export const lineAt = (port: number): Record<string, string> => ({
  SANDBOX: 'on',
  LINE_API_URL: `http://127.0.0.1:${port}`,
  LINE_DATA_API_URL: `http://127.0.0.1:${port}`,
})

export const CHANNEL_SECRET = 'secret'

/** Customers who are all friends of the merchant's official account. */
export async function addManyFriends(scope: MerchantScope, count: number): Promise<void> {
  const { db, merchantId, context } = scope
  await addManyCustomers(scope, count)
  await sql`insert into line_friends (merchant_id, line_user_id, customer_id, is_friend, friend_since, changed_at, created_at, profile_read_at)
    select merchant_id, 'U' || md5(id::text), id, true, now(), now(), now(), now() from customers where merchant_id = ${merchantId}`.execute(
    db,
  )
  await sql`insert into line_accounts (merchant_id, channel_id, channel_secret, access_token, token_is_issued, updated_at)
    values (${merchantId}, '2000000001', ${context.keyring.encrypt(CHANNEL_SECRET)}, ${context.keyring.encrypt('token')}, false, now())`.execute(
    db,
  )
  await sql`analyze line_friends`.execute(db)
}

const TEXT = '新しい商品が入荷しました。'.repeat(20)

/**
 * A message frozen for all of them, or for some; it begins when it is released. A personal one is filled in for each and goes by push, another goes by
 * multicast.
 */
export async function freezeForAll(
  scope: MerchantScope,
  { isPersonal, where = sql`true` }: { isPersonal: boolean; where?: RawBuilder<boolean> },
): Promise<Program> {
  const campaignId = newId()
  const tracking = { enabled: false, parameters: NO_PARAMETERS }
  const text = isPersonal ? `{{ customer.last_name | default: 'お客' }}様 ${TEXT}` : TEXT
  const written = { id: newId(), messages: [{ type: 'text' as const, text }], quick_replies: [] }
  // Under a unit, so that it is seen whether what is asked for again names the same.
  const content = await prepareLine(scope, written, tracking, true)
  const messageId = await freezeMessage(scope, content, { program: campaignProgram(campaignId) })
  await freezeAudience(scope, { campaignId, messageId, where, sendToAll: false })
  return {
    begin: () => releaseMessage(scope, messageId),
    async isDone() {
      const { rows } = await sql<{ state: string }>`
        select state from messages where merchant_id = ${scope.merchantId} and id = ${messageId}`.execute(scope.db)
      return rows[0]?.state === 'done'
    },
    deliveries: sql<boolean>`merchant_id = ${scope.merchantId} and campaign_id = ${campaignId}`,
  }
}

export async function readReceipts(port: number): Promise<LineSinkReport> {
  return (await (await fetch(`http://127.0.0.1:${port}/receipts`)).json()) as LineSinkReport
}

export async function readMenus(port: number): Promise<LineMenuReport> {
  return (await (await fetch(`http://127.0.0.1:${port}/menus`)).json()) as LineMenuReport
}

/** Beside what holds for mail: nothing is left uncertain, and a key never came with other people. */
export async function compareReceipts(
  scope: MerchantScope,
  deliveries: Program['deliveries'],
  { receipts, changedKeys }: LineSinkReport,
): Promise<Verdict> {
  const messages = Object.entries(receipts).flatMap(([recipient, count]) =>
    Array.from({ length: count }, () => ({ recipient })),
  )
  const verdict = await compare(scope, deliveries, messages)
  if (verdict.uncertain > 0) verdict.problems.push(`uncertain within the time of their keys: ${verdict.uncertain}`)
  if (changedKeys > 0)
    verdict.problems.push(`keys that came again with other people or another content: ${changedKeys}`)
  return verdict
}
