import { lookKinds } from '@okaeri/contract/scenarios/event'
import { sql } from 'kysely'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'

// The summary that an execution keeps of the event that started it.

/** An order may have hundreds; a page names the first few. */
const KEPT_LINES = 5

/**
 * Executions keep a summary of the event that started them, without links and without data of other applications. `entered`: executions
 * of entries; tests are found by an index of their own, because no index finds executions by event alone.
 */
export async function keepEvents(
  scope: TransactionScope,
  eventIds: readonly string[],
  entered: readonly { event_id: string; execution_id: string }[],
): Promise<void> {
  const { merchantId } = scope
  await sql`
    with begun as (
      select event_id, id
      from unnest(${entered.map(({ event_id }) => event_id)}::uuid[], ${entered.map(({ execution_id }) => execution_id)}::uuid[])
        as n (event_id, id)
      union
      select x.event_id, x.id from executions x
      where x.merchant_id = ${merchantId} and x.test and x.event_id = any(${[...eventIds]}::uuid[])
    ), kept as (
      select b.id, b.event_id, jsonb_build_object('kind', v.kind, 'occurred_at', v.occurred_at, 'subject',
        v.subject - 'recovery_url' - 'properties' - 'lines' || case when v.subject ? 'lines'
          then jsonb_build_object('lines', jsonb_path_query_array(v.subject -> 'lines', ${`$[0 to ${KEPT_LINES - 1}]`}::jsonpath))
          else '{}' end) as event
      from begun b join events v on v.merchant_id = ${merchantId} and v.id = b.event_id
    )
    update executions e set kept_event = k.event
    from kept k where e.merchant_id = ${merchantId} and e.id = k.id and e.event_id = k.event_id`.execute(scope.db)
}

/** The customer is deleted, and with them the summaries of their events. */
export async function forgetKeptEvents(scope: MerchantScope, customerId: string): Promise<void> {
  await sql`update executions set kept_event = null
    where merchant_id = ${scope.merchantId} and customer_id = ${customerId} and kept_event is not null`.execute(
    scope.db,
  )
}

/** Which products these customers looked at is removed from the summaries of their events. */
export async function redactKeptLooks(scope: MerchantScope, customerIds: readonly string[]): Promise<void> {
  await sql`
    update executions set kept_event = kept_event || '{"subject": {}}'
    where merchant_id = ${scope.merchantId} and customer_id = any(${[...customerIds]}::uuid[])
      and kept_event ->> 'kind' = any(${[...lookKinds]}::text[])`.execute(scope.db)
}
