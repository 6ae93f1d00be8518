import type { EventKind, EventSubject } from '@okaeri/contract/scenarios/event'
import { sql } from 'kysely'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'

/** Failed entries without a decision. An index contains only these. */
const undecided = sql`refused_by = 'failed' and not waits and detail ->> 'dropped' is null`

export interface FailedEntries {
  count: number
  since: Date
}

/** Only scenarios that have any. */
export async function countFailedEntries(
  scope: MerchantScope,
  scenarioIds: readonly string[],
): Promise<Map<string, FailedEntries>> {
  const { rows } = await sql<FailedEntries & { id: string }>`
    select scenario_id as id, count(*)::int as count, min(at) as since from scenario_entries
    where merchant_id = ${scope.merchantId} and scenario_id = any(${[...scenarioIds]}::uuid[]) and ${undecided}
    group by scenario_id`.execute(scope.db)
  return new Map(rows.map(({ id, count, since }) => [id, { count, since }]))
}

export interface FailedEntryRow {
  id: string
  kind: EventKind
  customer_id: string | null
  customer_name: string | null
  guest_id: string | null
  subject: EventSubject
  occurred_at: Date
  failed_at: Date
}

export async function selectFailedEntries(
  scope: MerchantScope,
  scenarioId: string,
  page: { limit: number; offset: number },
): Promise<FailedEntryRow[]> {
  const { rows } = await sql<FailedEntryRow>`
    select e.id, e.kind, n.customer_id, c.display_name as customer_name, n.guest_id, e.subject, e.occurred_at, n.at as failed_at
    from (
      select * from scenario_entries
      where merchant_id = ${scope.merchantId} and scenario_id = ${scenarioId} and ${undecided}
      order by at desc, event_id desc limit ${page.limit} offset ${page.offset}
    ) n
    join events e on e.merchant_id = ${scope.merchantId} and e.id = n.event_id
    left join customers c on c.merchant_id = ${scope.merchantId} and c.id = n.customer_id
    order by n.at desc, n.event_id desc`.execute(scope.db)
  return rows
}

/** They are processed like entries released from the entry limit. Returns how many. */
export async function markToRetry(scope: TransactionScope, scenarioId: string): Promise<number> {
  const { numAffectedRows } = await sql`
    update scenario_entries set waits = true
    where merchant_id = ${scope.merchantId} and scenario_id = ${scenarioId} and ${undecided}`.execute(scope.db)
  return Number(numAffectedRows ?? 0n)
}

/** They stay out; returns how many. */
export async function markDropped(scope: TransactionScope, scenarioId: string): Promise<number> {
  const { numAffectedRows } = await sql`
    update scenario_entries set detail = coalesce(detail, '{}') || '{"dropped": true}'::jsonb
    where merchant_id = ${scope.merchantId} and scenario_id = ${scenarioId} and ${undecided}`.execute(scope.db)
  return Number(numAffectedRows ?? 0n)
}
