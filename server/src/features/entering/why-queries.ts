import type { ConsentKind } from '@okaeri/contract/customers/customer'
import type { ChannelName } from '@okaeri/contract/deliveries/delivery'
import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { whyNotContactable } from '../deliveries/index.ts'

export interface DecidedEntry {
  event_id: string
  execution_id: string | null
  refused_by: string | null
  waits: boolean
  detail: Record<string, unknown> | null
  at: Date
}

/** The last decision about a customer and a scenario. */
export async function findLastEntry(
  scope: MerchantScope,
  scenarioId: string,
  customerId: string,
): Promise<DecidedEntry | null> {
  const { rows } = await sql<DecidedEntry>`
    select event_id, execution_id, refused_by, waits, detail, at from scenario_entries
    where merchant_id = ${scope.merchantId} and scenario_id = ${scenarioId} and customer_id = ${customerId}
    order by at desc, event_id desc limit 1`.execute(scope.db)
  return rows[0] ?? null
}

const SHOWN = 20

export async function selectExecutionsOf(
  scope: MerchantScope,
  scenarioId: string,
  customerId: string,
): Promise<{ id: string; status: string }[]> {
  const { rows } = await sql<{ id: string; status: string }>`
    select id, status from executions
    where merchant_id = ${scope.merchantId} and customer_id = ${customerId} and scenario_id = ${scenarioId} and not test
    order by id desc limit ${SHOWN}`.execute(scope.db)
  return rows
}

/** Why a customer cannot be reached now by any of these channels; null if they can. Undefined: no such customer. */
export async function findWhyNotReachable(
  scope: MerchantScope,
  customerId: string,
  { channels, ...asked }: { channels: readonly ChannelName[]; sendToAll: boolean; kind: ConsentKind },
): Promise<string | null | undefined> {
  const whys = channels.map((channel) => whyNotContactable(scope, { channel, ...asked }))
  const [first] = whys
  const { rows } = await sql<{ why: string | null }>`
    select case when ${sql.join(
      whys.map((why) => sql`${why} is null`),
      sql` or `,
    )} then null else ${first} end as why from customers c
    where c.merchant_id = ${scope.merchantId} and c.id = ${customerId}`.execute(scope.db)
  return rows[0]?.why
}
