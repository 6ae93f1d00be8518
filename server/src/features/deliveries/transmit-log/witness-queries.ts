import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../../kernel/context.ts'
import type { MerchantScope, TransactionScope } from '../../../kernel/merchant-scope.ts'
import { WAKES_NOTHING } from '../../../kernel/database/written-tables.ts'
import type { LoggedTransmit } from './transmit-log.ts'

/** Where these data are. Data put back from a dump, or copied to another server, are in another table, database or cluster. */
const home = sql<string>`(select system_identifier::text from pg_control_system()) || '/'
  || (select oid from pg_database where datname = current_database()) || '/' || to_regclass('deliveries')::oid`
/** Values that change when files of the server, or rows of the table, are put back. */
const vitals = sql<string>`${home} || '/' || pg_postmaster_start_time() || '/' || pg_relation_filenode('deliveries')`

export type SendingHoldCause = 'restored' | 'copied'
export interface LedgerState {
  home: string | null
  home_now: string
  vitals: string
  folders: Record<string, number>
  held_since: Date | null
  held_because: SendingHoldCause | null
}

/** Null in a database that is just being put back. */
export async function readLedgerState({ db }: Pick<Context, 'db'>): Promise<LedgerState | null> {
  const { rows } = await sql<LedgerState>`
    select home, ${home} as home_now, ${vitals} as vitals, folders, held_since, held_because
    from ledger_state`.execute(db)
  return rows[0] ?? null
}

/** Whether anything was ever sent by these data, for any merchant. */
export async function hasSent({ db }: Pick<Context, 'db'>): Promise<boolean> {
  const { rows } = await sql`select 1 from departure_journals limit 1`.execute(db)
  return rows.length > 0
}

/** Cheap, for pages and for what moves campaigns. */
export async function readHold({
  db,
}: Pick<Context, 'db'>): Promise<{ since: Date; because: SendingHoldCause } | null> {
  const { rows } = await sql<{ since: Date | null; because: SendingHoldCause }>`
    select held_since as since, held_because as because from ledger_state`.execute(db)
  const [row] = rows
  return row?.since ? { since: row.since, because: row.because } : null
}

/** Where the data are now, looked at; with a reason, nothing is sent from now on. Returns whether there was the row to write it to. */
export async function markEvaluated({ db }: Pick<Context, 'db'>, because: SendingHoldCause | null): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update ledger_state set home = ${home},
      held_since = coalesce(held_since, case when ${because}::text is null then null else now() end),
      held_because = coalesce(held_because, ${because})`.execute(db)
  return numAffectedRows === 1n
}

/** Never back: of two processes with one folder either may be first. */
export async function markFolder({ db }: Pick<Context, 'db'>, folderId: string, beat: number): Promise<void> {
  await sql`update ${WAKES_NOTHING} ledger_state set folders = folders || jsonb_build_object(${folderId}::text,
    greatest(coalesce((folders ->> ${folderId}::text)::bigint, 0), ${beat}::bigint))`.execute(db)
}

/** A person has looked. Customers known to have got something become uncertain at their turn, all others are sent it. */
export async function releaseHold({ db }: Pick<Context, 'db'>): Promise<void> {
  await sql`update ledger_state set held_since = null, held_because = null`.execute(db)
}

/** The part of a claim that asks whether the ledger may send at all: there is no hold, and the data was not moved since `seen` was read. */
export const maySend = (seen: string) => sql<boolean>`exists (
  select 1 from ledger_state where held_since is null and home is not null and ${vitals} = ${seen})`
export const isNotHeld = sql<boolean>`exists (select 1 from ledger_state where held_since is null)`

/** Rows older than this were of files that are gone by now. */
const JOURNALS_KEPT = "interval '90 days'"
export async function insertJournal(scope: MerchantScope, journal: { id: string; worker: string }): Promise<void> {
  const { merchantId } = scope
  await sql`insert into departure_journals (merchant_id, id, worker, used_at) values (${merchantId}, ${journal.id}, ${journal.worker}, now())
    on conflict (merchant_id, id) do nothing`.execute(scope.db)
  await sql`delete from departure_journals where merchant_id = ${merchantId} and used_at < now() - ${sql.raw(JOURNALS_KEPT)}`.execute(
    scope.db,
  )
}

/** The positions of these journals; an unknown journal has none. Null when the merchant is unknown. */
export async function readPositions(
  scope: MerchantScope,
  journalIds: readonly string[],
): Promise<Map<string, number> | null> {
  const { rows } = await sql<{ id: string | null; position: number }>`
    select j.id, j.position from merchants m
    left join departure_journals j on j.merchant_id = m.id and j.id = any(${[...journalIds]}::uuid[])
    where m.id = ${scope.merchantId}`.execute(scope.db)
  if (rows.length === 0) return null
  return new Map(rows.flatMap(({ id, position }) => (id === null ? [] : [[id, position] as const])))
}

/** The journal is as far as its file, so that it is not taken for news again. */
export async function markReconciled(
  scope: MerchantScope,
  journal: { id: string; position: number; worker: string },
): Promise<void> {
  await sql`
    insert into departure_journals (merchant_id, id, position, worker, used_at)
    values (${scope.merchantId}, ${journal.id}, ${journal.position}, ${journal.worker}, now())
    on conflict (merchant_id, id) do update set position = greatest(departure_journals.position, excluded.position)`.execute(
    scope.db,
  )
}

export async function insertUnrecorded(
  scope: MerchantScope,
  transmits: readonly LoggedTransmit[],
  /** Executions this database knows. */
  known: ReadonlySet<string>,
): Promise<void> {
  await sql`
    insert into unrecorded_departures (merchant_id, delivery_id, program_id, customer_id, node_id, execution_id, round, channel, found_at)
    select ${scope.merchantId}, u.*, ${scope.context.clock.realNow()}::timestamptz from unnest(
      ${transmits.map(({ delivery }) => delivery)}::uuid[], ${transmits.map(({ program }) => program)}::uuid[],
      ${transmits.map(({ customer }) => customer)}::uuid[], ${transmits.map(({ node }) => node)}::text[],
      ${transmits.map(({ execution }) => (execution && known.has(execution) ? execution : null))}::uuid[],
      ${transmits.map(({ round }) => round)}::smallint[], ${transmits.map(({ channel }) => channel)}::text[]) u
    on conflict (merchant_id, delivery_id) do nothing`.execute(scope.db)
}

/** Leases made from now on have numbers that none of the forgotten time had: its workers may be alive. */
export async function skipLeaseNumbers(scope: MerchantScope, upTo: number): Promise<void> {
  await sql`select setval(seq, greatest(${upTo}::bigint, nextval(seq)))
    from (select pg_get_serial_sequence('delivery_leases', 'id')::regclass as seq) s`.execute(scope.db)
}

/**
 * Whether what left as `u`, of which the database has no record, is what a row `d` would send once more. A row may have got a new id since,
 * then its person and program say so.
 */
export const leftWithoutRecord = (merchantId: string): RawBuilder<boolean> =>
  sql`(u.delivery_id = d.id or ${sentToThem(merchantId)})`
export const sentToThem = (merchantId: string): RawBuilder<boolean> => sql`(
  u.customer_id = d.customer_id and d.kind <> 'test' and ((u.program_id = d.campaign_id and not exists (
      -- Of what the campaign sends them by the other channel.
      select from deliveries o where o.merchant_id = ${merchantId} and o.campaign_id = d.campaign_id
        and o.customer_id = d.customer_id and o.channel = u.channel and o.id <> d.id))
    or (u.program_id = d.scenario_id and u.node_id = d.node_id
      and (u.execution_id is null or (u.execution_id = d.execution_id and u.round = d.round)))))`

export interface UnrecordedOf {
  program_id: string | null
  people: number
  /** What waits here and becomes uncertain once sending goes on. */
  waiting: number
}
/** By campaign and scenario, how many people got a message without a record. */
export async function countUnrecorded(scope: MerchantScope): Promise<UnrecordedOf[]> {
  const { rows } = await sql<UnrecordedOf>`
    select u.program_id, count(distinct coalesce(u.customer_id, u.delivery_id))::int as people, count(distinct d.id)::int as waiting
    from unrecorded_departures u
    left join deliveries d on d.merchant_id = ${scope.merchantId} and d.status = 'pending' and ${leftWithoutRecord(scope.merchantId)}
    where u.merchant_id = ${scope.merchantId} group by u.program_id order by u.program_id`.execute(scope.db)
  return rows
}

/** These were compared with their files at this moment. */
export async function touchJournals(scope: MerchantScope, ids: readonly string[]): Promise<void> {
  await sql`update departure_journals set used_at = now()
    where merchant_id = ${scope.merchantId} and id = any(${[...ids]}::uuid[])`.execute(scope.db)
}

/** Workers whose files were not compared since the hold: what they sent last is unknown. Both times are the database's: workers' clocks differ. */
export async function listSilentWorkers(scope: MerchantScope): Promise<string[]> {
  const { rows } = await sql<{ worker: string }>`
    select distinct j.worker from departure_journals j join ledger_state l on j.used_at < l.held_since
    where j.merchant_id = ${scope.merchantId} order by worker`.execute(scope.db)
  return rows.map(({ worker }) => worker)
}

/** What these data call unsent may have been sent: it becomes uncertain. */
export async function markUnsentUncertain(scope: TransactionScope, messageId: string): Promise<number> {
  const { numAffectedRows } = await sql`
    update deliveries set status = 'uncertain', lease_id = null, next_attempt_at = null,
      detail = 'the database was restored; it may have been sent before'
    where merchant_id = ${scope.merchantId} and message_id = ${messageId} and status in ('pending', 'sending')`.execute(
    scope.db,
  )
  return Number(numAffectedRows ?? 0n)
}

/** The same of all that scenarios still have to send. */
export async function markScenariosUncertain(scope: MerchantScope): Promise<number> {
  const { numAffectedRows } = await sql`
    update deliveries set status = 'uncertain', lease_id = null, next_attempt_at = null,
      detail = 'the database was restored; it may have been sent before'
    where merchant_id = ${scope.merchantId} and scenario_id is not null and kind = 'scenario' and status in ('pending', 'sending')`.execute(
    scope.db,
  )
  return Number(numAffectedRows ?? 0n)
}
