import type { ConsentKind } from '@okaeri/contract/customers/customer'
import type { ChannelName, SkipReason } from '@okaeri/contract/deliveries/delivery'
import type { Flow } from '@okaeri/contract/scenarios/flow/flow'
import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import { whyNotContactable } from '../deliveries/index.ts'
import type { PastEvent, Span } from '../triggers/index.ts'

/** By customer: how many orders they had made before the span. */
export async function countOrdersBefore(scope: MerchantScope, at: Date): Promise<Map<string, number>> {
  const { rows } = await sql<{ customerId: string; count: number }>`
    select customer_id as "customerId", count(*)::int as count from orders
    where merchant_id = ${scope.merchantId} and customer_id is not null and cancelled_at is null and processed_at < ${at}
    group by customer_id`.execute(scope.db)
  return new Map(rows.map(({ customerId, count }) => [customerId, count]))
}

/** By order of the span: the shortest usual interval of its products. */
export async function selectUsualDays(
  scope: MerchantScope,
  { from, until }: Span,
): Promise<(PastEvent & { days: number })[]> {
  const { merchantId } = scope
  const { rows } = await sql<PastEvent & { days: number }>`
    select l.customer_id as "customerId", (extract(epoch from l.processed_at) * 1000)::float8 as at, min(i.days) as days
    from product_intervals i
    join order_lines l on l.merchant_id = ${merchantId} and l.store_product_id = i.store_product_id
    where i.merchant_id = ${merchantId} and l.customer_id is not null
      and l.processed_at >= ${from} and l.processed_at < ${until}
    group by l.customer_id, l.processed_at`.execute(scope.db)
  return rows
}

/** The customers for whom `where` (over `c`) is true. */
export async function selectWho(scope: TransactionScope, where: RawBuilder<boolean>): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select c.id from customers c where c.merchant_id = ${scope.merchantId} and ${where}`.execute(scope.db)
  return new Set(rows.map(({ id }) => id))
}

/** Of every customer, why they cannot be reached by that channel as they are now; null for those who can. */
export async function selectWhyNot(
  scope: TransactionScope,
  asked: { channel: ChannelName; sendToAll: boolean; kind: ConsentKind },
): Promise<Map<string, SkipReason | null>> {
  const { rows } = await sql<{ id: string; why: SkipReason | null }>`
    select c.id, ${whyNotContactable(scope, { ...asked, ofMany: true })} as why from customers c
    where c.merchant_id = ${scope.merchantId}`.execute(scope.db)
  return new Map(rows.map(({ id, why }) => [id, why]))
}

export interface RehearsalRow {
  number: number
  status: 'running' | 'done' | 'failed'
  flow: Flow
  from_at: Date
  until_at: Date
  progress_percent: number
  result: StoredResult | null
  asked_at: Date
}
/** As stored: samples by id, times as text. */
export interface StoredResult {
  events: number
  entered: number
  kept_out: Record<string, number>
  mails: number
  line_messages: number
  without_message: Record<string, number>
  people: number
  per_day: ({ day: string } & Sent)[]
  busiest_day: ({ day: string } & Sent) | null
  most_to_one: number
  by_node: ({ node_id: string; entered: number; stuck: number } & Sent)[]
  samples: { customer_id: string; entered_at: string; messages: { node_id: string; at: string }[] }[]
}
interface Sent {
  mails: number
  line_messages: number
}

export async function findRehearsal(scope: MerchantScope, scenarioId: string): Promise<RehearsalRow | null> {
  const { rows } = await sql<RehearsalRow>`select * from scenario_rehearsals
    where merchant_id = ${scope.merchantId} and scenario_id = ${scenarioId}`.execute(scope.db)
  return rows[0] ?? null
}

export async function beginRehearsal(
  scope: MerchantScope,
  scenarioId: string,
  { flow, from, until }: { flow: Flow } & Span,
): Promise<number> {
  const { rows } = await sql<{ number: number }>`
    insert into scenario_rehearsals as r (merchant_id, scenario_id, number, status, flow, from_at, until_at, asked_at)
    values (${scope.merchantId}, ${scenarioId}, 1, 'running', ${JSON.stringify(flow)}::jsonb, ${from}, ${until}, ${scope.now})
    on conflict (merchant_id, scenario_id) do update set number = r.number + 1, status = 'running', flow = excluded.flow,
      from_at = excluded.from_at, until_at = excluded.until_at, progress_percent = 0, result = null, asked_at = excluded.asked_at
    returning number`.execute(scope.db)
  return rows[0]?.number ?? 0
}

/** Returns false if another rehearsal was started meanwhile. */
export async function updateRehearsal(
  scope: MerchantScope,
  { scenarioId, number }: { scenarioId: string; number: number },
  change: { progress: number } | { result: StoredResult } | { failed: true },
): Promise<boolean> {
  const set =
    'progress' in change
      ? sql`progress_percent = ${change.progress}`
      : 'result' in change
        ? sql`status = 'done', progress_percent = 100, result = ${JSON.stringify(change.result)}::jsonb`
        : sql`status = 'failed'`
  const { rows } = await sql`update scenario_rehearsals set ${set}
    where merchant_id = ${scope.merchantId} and scenario_id = ${scenarioId} and number = ${number} returning number`.execute(
    scope.db,
  )
  return rows.length > 0
}

export async function selectNames(scope: MerchantScope, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; display_name: string }>`
    select id, display_name from customers where merchant_id = ${scope.merchantId} and id = any(${[...ids]}::uuid[])`.execute(
    scope.db,
  )
  return new Map(rows.map(({ id, display_name }) => [id, display_name]))
}
