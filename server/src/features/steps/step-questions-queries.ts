import type { EventKind } from '@okaeri/contract/scenarios/event'
import { sql } from 'kysely'
import type { TransactionScope } from '../../kernel/merchant-scope.ts'

/** By execution: the first event of that kind since then. */
export async function selectHappened(
  scope: TransactionScope,
  kind: EventKind,
  executions: readonly {
    id: string
    customerId: string | null
    guestId: string | null
    exceptId: string | null
    since: Date
  }[],
): Promise<Map<string, { id: string; at: Date }>> {
  const since = sql`kind = ${kind} and occurred_at >= r.since and occurred_at <= ${scope.now} and id is distinct from r.except_id`
  const { rows } = await sql<{ execution_id: string; id: string; at: Date }>`
    select r.id as execution_id, v.id, v.occurred_at as at
    from unnest(${executions.map(({ id }) => id)}::uuid[], ${executions.map(({ customerId }) => customerId)}::uuid[],
      ${executions.map(({ guestId }) => guestId)}::uuid[], ${executions.map(({ exceptId }) => exceptId)}::uuid[],
      ${executions.map((execution) => execution.since)}::timestamptz[])
      as r (id, customer_id, guest_id, except_id, since)
    cross join lateral (
      select id, occurred_at from events
      where merchant_id = ${scope.merchantId} and customer_id = r.customer_id and ${since}
      union all
      select id, occurred_at from events
      where r.customer_id is null and merchant_id = ${scope.merchantId} and guest_id = r.guest_id and ${since}
      order by occurred_at limit 1
    ) v`.execute(scope.db)
  return new Map(rows.map(({ execution_id, id, at }) => [execution_id, { id, at }]))
}

/** Those of them with a message that has not left yet. */
export async function selectWithWaitingMessage(
  { db, merchantId }: TransactionScope,
  executions: readonly { id: string }[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct execution_id as id from deliveries
    where merchant_id = ${merchantId} and execution_id = any(${executions.map(({ id }) => id)}::uuid[]) and status = 'pending'`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

export interface SentMessage {
  /** Null: not yet, as far as is known. */
  sentAt: Date | null
  openedAt: Date | null
  clickedAt: Date | null
  /** It will not be sent. */
  isOver: boolean
}
/** By execution: its last message of that node, opened and clicked by people. */
export async function selectLastMessages(
  scope: TransactionScope,
  nodeId: string,
  executions: readonly { id: string }[],
): Promise<Map<string, SentMessage>> {
  const { rows } = await sql<SentMessage & { execution_id: string }>`
    select r.id as execution_id, d.* from unnest(${executions.map(({ id }) => id)}::uuid[]) as r (id)
    cross join lateral (
      select case when status = 'uncertain' then coalesce(sent_at, created_at) else sent_at end as "sentAt",
        opened_at as "openedAt", clicked_at as "clickedAt", status in ('skipped', 'failed') as "isOver"
      from deliveries where merchant_id = ${scope.merchantId} and execution_id = r.id and node_id = ${nodeId}
      order by round desc limit 1
    ) d`.execute(scope.db)
  return new Map(rows.map(({ execution_id, ...message }) => [execution_id, message]))
}
