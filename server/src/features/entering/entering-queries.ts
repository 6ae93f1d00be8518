import type { ScenarioEvent } from '@okaeri/contract/scenarios/event'
import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import { distinctRows } from '../executions/index.ts'
import type { EarlierEntries } from '../flows/index.ts'

/** Locks a merchant's entering for this process until the transaction ends; false if another process has it. */
export async function tryEntering(scope: TransactionScope): Promise<boolean> {
  const { rows } = await sql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${scope.merchantId}, 175)) as mine`.execute(scope.db)
  return rows[0]?.mine ?? false
}

/** What follows can be rolled back alone. */
export async function setSavepoint(scope: TransactionScope): Promise<void> {
  await sql`savepoint let_in`.execute(scope.db)
}
export async function releaseSavepoint(scope: TransactionScope): Promise<void> {
  await sql`release savepoint let_in`.execute(scope.db)
}
export async function rollBackToSavepoint(scope: TransactionScope): Promise<void> {
  await sql`rollback to savepoint let_in`.execute(scope.db)
}

/** The ids that belong to customers. */
export async function selectPresent(scope: MerchantScope, customerIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from customers where merchant_id = ${scope.merchantId} and id = any(${[...customerIds]}::uuid[])`.execute(
    scope.db,
  )
  return new Set(rows.map(({ id }) => id))
}

/** A customer or a guest, and a scenario. */
export interface Pair {
  scenarioId: string
  personId: string
}
/**
 * Earlier entries of these pairs, in the same order. They are read from the entries, which outlive the executions: a customer who was
 * in a scenario counts as such even if the execution was deleted. Two plain statements, so that the planner never looks rows up one by
 * one, even without statistics.
 */
export async function selectBefore(
  scope: MerchantScope,
  who: 'customers' | 'guests',
  pairs: readonly Pair[],
): Promise<EarlierEntries[]> {
  if (pairs.length === 0) return []
  const { merchantId } = scope
  const person = who === 'customers' ? sql`customer_id` : sql`guest_id`
  const { rows: entries } = await sql<{ scenario_id: string; person_id: string; execution_id: string; at: Date }>`
    select scenario_id, ${person} as person_id, execution_id, at from scenario_entries
    where merchant_id = ${merchantId} and scenario_id = any(${[...new Set(pairs.map(({ scenarioId }) => scenarioId))]}::uuid[])
      and ${person} = any(${[...new Set(pairs.map(({ personId }) => personId))]}::uuid[]) and execution_id is not null`.execute(
    scope.db,
  )
  const open = await selectOpen(
    scope,
    entries.map(({ execution_id }) => execution_id),
  )
  const before = new Map<string, EarlierEntries>()
  for (const { scenario_id, person_id, execution_id, at } of entries) {
    const key = `${scenario_id} ${person_id}`
    const known = before.get(key) ?? { last_at: null, last_execution_id: null, is_open: false }
    if (known.last_at === null || at > known.last_at) {
      known.last_at = at
      known.last_execution_id = execution_id
    }
    known.is_open ||= open.has(execution_id)
    before.set(key, known)
  }
  const never: EarlierEntries = { last_at: null, last_execution_id: null, is_open: false }
  return pairs.map(({ scenarioId, personId }) => before.get(`${scenarioId} ${personId}`) ?? never)
}

async function selectOpen(scope: MerchantScope, executionIds: readonly string[]): Promise<Set<string>> {
  if (executionIds.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    select id from executions
    where merchant_id = ${scope.merchantId} and id = any(${[...executionIds]}::uuid[])
      and status in ('running', 'paused', 'late', 'failed')`.execute(scope.db)
  return new Set(rows.map(({ id }) => id))
}

export interface EntryWrite {
  event_id: string
  scenario_id: string
  customer_id: string | null
  guest_id: string | null
  execution_id: string | null
  refused_by: string | null
  waits: boolean
  detail: Record<string, unknown> | null
}

/** Decisions about an event. A second decision, after the entry limit was lifted, replaces the first. */
export async function writeEntries(scope: TransactionScope, entries: readonly EntryWrite[]): Promise<void> {
  if (entries.length === 0) return
  const { distinct, numbers } = distinctRows(
    entries.map(({ scenario_id, refused_by, waits, detail }) => ({ scenario_id, refused_by, waits, detail })),
  )
  await sql`
    insert into scenario_entries (merchant_id, event_id, scenario_id, customer_id, guest_id, execution_id, refused_by, waits, detail, at)
    select ${scope.merchantId}, k.event_id, r.scenario_id, k.customer_id, k.guest_id, k.execution_id, r.refused_by, r.waits, r.detail,
      ${scope.now}
    from unnest(${entries.map(({ event_id: id }) => id)}::uuid[], ${entries.map(({ customer_id: id }) => id)}::uuid[],
      ${entries.map(({ guest_id: id }) => id)}::uuid[], ${entries.map(({ execution_id: id }) => id)}::uuid[], ${numbers}::int[])
      as k (event_id, customer_id, guest_id, execution_id, number)
    join ${distinct} as r (number int, scenario_id uuid, refused_by text, waits boolean, detail jsonb) on r.number = k.number
    order by k.event_id, r.scenario_id
    on conflict (merchant_id, event_id, scenario_id) do update set execution_id = excluded.execution_id,
      refused_by = excluded.refused_by, waits = excluded.waits, detail = excluded.detail, at = excluded.at`.execute(
    scope.db,
  )
}

export interface WaitingEntry {
  event_id: string
  scenario_id: string
}

/** Entries released from an entry limit, of active scenarios, in the order they came. */
export async function selectReleased(scope: TransactionScope, limit: number): Promise<WaitingEntry[]> {
  const { rows } = await sql<WaitingEntry>`
    select n.event_id, n.scenario_id from scenarios s
    cross join lateral (
      select event_id, scenario_id from scenario_entries
      where merchant_id = ${scope.merchantId} and scenario_id = s.id and waits order by event_id limit ${limit}
    ) n
    where s.merchant_id = ${scope.merchantId} and s.status = 'active' and s.braked_at is null
    order by n.event_id limit ${limit}`.execute(scope.db)
  return rows
}

/** Refuses those who wait; returns how many. */
export async function refuseWaiting(scope: TransactionScope, scenarioId: string): Promise<number> {
  const { numAffectedRows } = await sql`
    update scenario_entries set waits = false, at = ${scope.now},
      detail = coalesce(detail, '{}') || '{"dropped": true}'::jsonb
    where merchant_id = ${scope.merchantId} and scenario_id = ${scenarioId} and waits`.execute(scope.db)
  return Number(numAffectedRows ?? 0n)
}

/** How many wait for the entry limit, by scenario. */
export async function countWaiting(scope: MerchantScope, ids: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; count: number }>`
    select scenario_id as id, count(*)::int as count from scenario_entries
    where merchant_id = ${scope.merchantId} and scenario_id = any(${[...ids]}::uuid[]) and waits group by scenario_id`.execute(
    scope.db,
  )
  return new Map(rows.map(({ id, count }) => [id, count]))
}

/** Customers for whom `where` (SQL over `c`) is true, by id. */
export async function selectEveryone(scope: TransactionScope, where: RawBuilder<boolean>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select c.id from customers c where c.merchant_id = ${scope.merchantId} and ${where} order by c.id`.execute(scope.db)
  return rows.map(({ id }) => id)
}

/** Whether a segment that a member started is still entering. */
export async function isStillEntering(scope: MerchantScope, scenarioId: string): Promise<boolean> {
  const { rows } = await sql`
    select from events where merchant_id = ${scope.merchantId} and looked_at is null and scenario_id = ${scenarioId}
      and kind = 'manual' limit 1`.execute(scope.db)
  return rows.length > 0
}

export interface EntryOfEvent {
  event_id: string
  scenario_id: string
  scenario_name: string
  execution_id: string | null
  refused_by: string | null
}

/** Port: decisions about events, for their lists. */
export async function entriesOfEvents(
  scope: MerchantScope,
  eventIds: readonly string[],
): Promise<ReadonlyMap<string, ScenarioEvent['entries']>> {
  if (eventIds.length === 0) return new Map()
  const { rows } = await sql<EntryOfEvent>`
    select n.event_id, n.scenario_id, s.name as scenario_name, n.execution_id, n.refused_by
    from scenario_entries n join scenarios s on s.merchant_id = ${scope.merchantId} and s.id = n.scenario_id
    where n.merchant_id = ${scope.merchantId} and n.event_id = any(${[...eventIds]}::uuid[])
    order by n.at, n.scenario_id`.execute(scope.db)
  return new Map(
    [...Map.groupBy(rows, ({ event_id }) => event_id)].map(([id, entries]) => [
      id,
      entries.map(({ event_id: _event, ...entry }) => entry),
    ]),
  )
}

export async function moveEntriesFromGuest(scope: MerchantScope, guestId: string, customerId: string): Promise<void> {
  await sql`
    update scenario_entries set customer_id = ${customerId}, guest_id = null
    where merchant_id = ${scope.merchantId} and guest_id = ${guestId}`.execute(scope.db)
}

export async function moveEntries(scope: MerchantScope, fromId: string, intoId: string): Promise<void> {
  await sql`
    update scenario_entries set customer_id = ${intoId}
    where merchant_id = ${scope.merchantId} and customer_id = ${fromId}`.execute(scope.db)
}

export async function deleteEntriesOf(scope: MerchantScope, customerId: string): Promise<void> {
  await sql`
    delete from scenario_entries where merchant_id = ${scope.merchantId} and customer_id = ${customerId}`.execute(
    scope.db,
  )
}

/** The events that no running execution and no waiting entry needs. */
export async function selectUnneeded(scope: MerchantScope, eventIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ event_id: string; execution_id: string | null; waits: boolean }>`
    select event_id, execution_id, waits from scenario_entries
    where merchant_id = ${scope.merchantId} and event_id = any(${[...eventIds]}::uuid[]) and (waits or execution_id is not null)`.execute(
    scope.db,
  )
  const open = await selectOpen(
    scope,
    rows.flatMap(({ execution_id }) => execution_id ?? []),
  )
  const needed = new Set(
    rows.flatMap(({ event_id, execution_id, waits }) => (waits || open.has(execution_id ?? '') ? event_id : [])),
  )
  return eventIds.filter((id) => !needed.has(id))
}

/** The events that let a customer in, with the execution they started. */
export async function selectEntered(
  scope: MerchantScope,
  eventIds: readonly string[],
): Promise<{ event_id: string; execution_id: string }[]> {
  const { rows } = await sql<{ event_id: string; execution_id: string }>`
    select event_id, execution_id from scenario_entries
    where merchant_id = ${scope.merchantId} and event_id = any(${[...eventIds]}::uuid[]) and execution_id is not null`.execute(
    scope.db,
  )
  return rows
}

/** Old refusals. Entries that let someone in stay, for the re-entry rules. */
export async function deleteRefused(scope: MerchantScope, eventIds: readonly string[]): Promise<void> {
  await sql`
    delete from scenario_entries
    where merchant_id = ${scope.merchantId} and event_id = any(${[...eventIds]}::uuid[]) and execution_id is null`.execute(
    scope.db,
  )
}
