import type { RestockChannel } from '@okaeri/contract/restocks/channel'
import type { Flow } from '@okaeri/contract/scenarios/flow/flow'
import type { FormConditions, FormValues, ScenarioStatus } from '@okaeri/contract/scenarios/scenario'
import type { Trigger } from '@okaeri/contract/scenarios/trigger'
import { type RawBuilder, sql } from 'kysely'
import { notFound } from '../../kernel/errors.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'

export interface RunningScenarioRow {
  id: string
  name: string
  status: ScenarioStatus
  include_all_customers: boolean
  priority: 'normal' | 'always'
}

/** `locked`: none of them can be enabled or stopped until the transaction ends. */
export async function selectScenariosOf(
  scope: TransactionScope,
  scenarioIds: readonly string[],
  { locked = false } = {},
): Promise<RunningScenarioRow[]> {
  const { rows } = await sql<RunningScenarioRow>`
    select id, name, status, include_all_customers, priority from scenarios
    where merchant_id = ${scope.merchantId} and id = any(${[...scenarioIds]}::uuid[])
    order by id ${locked ? sql`for share` : sql``}`.execute(scope.db)
  return rows
}

export async function selectFlows(
  scope: MerchantScope,
  versions: readonly { scenarioId: string; version: number }[],
): Promise<{ scenario_id: string; number: number; flow: Flow }[]> {
  const { rows } = await sql<{ scenario_id: string; number: number; flow: Flow }>`
    select v.scenario_id, v.number, v.flow
    from unnest(${versions.map(({ scenarioId }) => scenarioId)}::uuid[], ${versions.map(({ version }) => version)}::int[])
      as wanted (scenario_id, number)
    join scenario_versions v on v.merchant_id = ${scope.merchantId} and v.scenario_id = wanted.scenario_id
      and v.number = wanted.number`.execute(scope.db)
  return rows
}

/** Of these versions, when each was written, and the flow where it is not the one written at `knownAs`. */
export async function selectUnknownFlows(
  scope: MerchantScope,
  versions: readonly { scenarioId: string; version: number; knownAs: Date | null }[],
): Promise<{ scenario_id: string; number: number; created_at: Date; flow: Flow | null }[]> {
  const { rows } = await sql<{ scenario_id: string; number: number; created_at: Date; flow: Flow | null }>`
    select v.scenario_id, v.number, v.created_at,
      case when date_trunc('milliseconds', v.created_at) is distinct from wanted.known_as then v.flow end as flow
    from unnest(${versions.map(({ scenarioId }) => scenarioId)}::uuid[], ${versions.map(({ version }) => version)}::int[],
        ${versions.map(({ knownAs }) => knownAs)}::timestamptz[]) as wanted (scenario_id, number, known_as)
    join scenario_versions v on v.merchant_id = ${scope.merchantId} and v.scenario_id = wanted.scenario_id
      and v.number = wanted.number`.execute(scope.db)
  return rows
}

/** The customers for whom the condition (SQL over `c`) is true. */
export async function selectChosen(
  scope: TransactionScope,
  customerIds: readonly string[],
  where: RawBuilder<boolean>,
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select c.id from customers c
    where c.merchant_id = ${scope.merchantId} and c.id = any(${[...customerIds]}::uuid[]) and (${where})`.execute(
    scope.db,
  )
  return new Set(rows.map(({ id }) => id))
}

export type EnteredRow = RunningScenarioRow &
  Pick<
    ScenarioRow,
    'version' | 'trigger_kind' | 'holdout_percent' | 'entries_hour' | 'entries_in_hour' | 'braked_at' | 'enabled_at'
  >

/** Active scenarios, without their flows. */
export async function selectRunning(scope: MerchantScope): Promise<EnteredRow[]> {
  const { rows } = await sql<EnteredRow>`
    select id, name, status, include_all_customers, priority, version, trigger_kind, holdout_percent, entries_hour, entries_in_hour,
      braked_at, enabled_at
    from scenarios where merchant_id = ${scope.merchantId} and status = 'active' order by created_at, id`.execute(
    scope.db,
  )
  return rows
}

/** The channels by which active scenarios answer restock registrations. */
export async function selectAnsweringChannels(scope: MerchantScope): Promise<RestockChannel[]> {
  const { rows } = await sql<{ email: boolean; line: boolean }>`
    select coalesce(bool_or(jsonb_path_exists(v.flow, '$.nodes[*] ? (@.kind == "send_email")')), false) as email,
      coalesce(bool_or(jsonb_path_exists(v.flow, '$.nodes[*] ? (@.kind == "send_line")')), false) as line
    from scenarios s
    join scenario_versions v on v.merchant_id = ${scope.merchantId} and v.scenario_id = s.id and v.number = s.version
    where s.merchant_id = ${scope.merchantId} and s.status = 'active' and s.trigger_kind = 'product_restocked'`.execute(
    scope.db,
  )
  const { email = false, line = false } = rows[0] ?? {}
  return [...(email ? (['email'] as const) : []), ...(line ? (['line'] as const) : [])]
}

/** Active scenarios of a trigger, the first enabled first. */
export async function selectActiveOf(
  scope: MerchantScope,
  kind: Trigger['kind'],
): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from scenarios where merchant_id = ${scope.merchantId} and status = 'active' and trigger_kind = ${kind}
    order by enabled_at nulls last, created_at, id`.execute(scope.db)
  return rows
}

export async function selectTimezone(scope: MerchantScope): Promise<string> {
  const { rows } = await sql<{
    timezone: string
  }>`select timezone from merchants where id = ${scope.merchantId}`.execute(scope.db)
  if (!rows[0]) throw new Error(`no merchant ${scope.merchantId}`)
  return rows[0].timezone
}

export interface EntryLimitState {
  id: string
  entries_hour: Date | null
  entries_in_hour: number
  braked_at: Date | null
}

/** In the order of ids, and last in the transaction: other transactions wait for these rows. */
export async function updateEntryLimits(scope: TransactionScope, states: readonly EntryLimitState[]): Promise<void> {
  if (states.length === 0) return
  await sql`
    update scenarios s set entries_hour = r.entries_hour, entries_in_hour = r.entries_in_hour,
      braked_at = coalesce(s.braked_at, r.braked_at)
    from (
      select x.* from jsonb_to_recordset(${JSON.stringify(states)}::jsonb) as x (id uuid, entries_hour timestamptz,
        entries_in_hour int, braked_at timestamptz)
      join scenarios k on k.merchant_id = ${scope.merchantId} and k.id = x.id order by x.id for update of k
    ) r
    where s.merchant_id = ${scope.merchantId} and s.id = r.id`.execute(scope.db)
}

/** The entry limit is set for scenarios with unprocessed events from before that time. */
export async function limitEntriesOfWaiting(scope: MerchantScope, before: Date): Promise<void> {
  const { merchantId, now } = scope
  await sql`
    update scenarios set braked_at = ${now}
    where merchant_id = ${merchantId} and status = 'active' and braked_at is null and trigger_kind in (
      select kind from events where merchant_id = ${merchantId} and looked_at is null and created_at < ${before})`.execute(
    scope.db,
  )
}

/** A member let them in: the hour starts again. Returns false if the limit was not reached. */
export async function clearEntryLimit(scope: TransactionScope, scenarioId: string): Promise<boolean> {
  const { rows } = await sql`
    update scenarios set braked_at = null, entries_hour = null, entries_in_hour = 0
    where merchant_id = ${scope.merchantId} and id = ${scenarioId} and braked_at is not null returning id`.execute(
    scope.db,
  )
  return rows.length > 0
}

export interface ScenarioRow {
  id: string
  name: string
  status: ScenarioStatus
  mode: 'form' | 'flow'
  template: string | null
  form: FormValues | null
  /** Null if none were set, and in flow mode. */
  conditions: FormConditions | null
  include_all_customers: boolean
  priority: 'normal' | 'always'
  holdout_percent: number
  version: number
  trigger_kind: Flow['trigger']['kind']
  entries_hour: Date | null
  entries_in_hour: number
  braked_at: Date | null
  enabled_at: Date | null
  stopped_at: Date | null
  /** When the current version was saved. */
  version_saved_at: Date
  created_at: Date
  updated_at: Date
}
export interface ScenarioWithFlow extends ScenarioRow {
  flow: Flow
}

export const isNotDeleted = sql`s.status <> 'deleted'`
/** Each scenario with its current version. */
export const scenariosWithFlow = sql`scenarios s join scenario_versions v
  on v.merchant_id = s.merchant_id and v.scenario_id = s.id and v.number = s.version`

/** Throws 404 if there is none or it was deleted. */
export async function getScenarioRow(scope: MerchantScope, id: string): Promise<ScenarioWithFlow> {
  const { rows } =
    await sql<ScenarioWithFlow>`select s.*, v.created_at as version_saved_at, v.flow from ${scenariosWithFlow}
    where s.merchant_id = ${scope.merchantId} and s.id = ${id} and ${isNotDeleted}`.execute(scope.db)
  if (!rows[0]) throw notFound('there is no such scenario')
  return rows[0]
}

/** Also of a deleted one: what it sent is still named. */
export async function findScenarioName(scope: MerchantScope, id: string): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    select name from scenarios where merchant_id = ${scope.merchantId} and id = ${id}`.execute(scope.db)
  return rows[0]?.name ?? null
}

/** Also for a deleted one; null if it never existed. */
export async function findScenarioStatus(scope: MerchantScope, id: string): Promise<ScenarioStatus | null> {
  const { rows } = await sql<{ status: ScenarioStatus }>`select status from scenarios
    where merchant_id = ${scope.merchantId} and id = ${id} for share`.execute(scope.db)
  return rows[0]?.status ?? null
}

/** Locks the scenario until the transaction ends, so that two transitions or saves run one after the other. */
export async function getScenarioForUpdate(scope: MerchantScope, id: string): Promise<ScenarioWithFlow> {
  const { rows } = await sql<{ id: string }>`select s.id from scenarios s
    where s.merchant_id = ${scope.merchantId} and s.id = ${id} and ${isNotDeleted} for update`.execute(scope.db)
  if (!rows[0]) throw notFound('there is no such scenario')
  return getScenarioRow(scope, id)
}

/**
 * The merchant's other active scenarios, and the size of all flows once this one is active. Keeps others from being enabled until the
 * transaction ends.
 */
export async function holdActive(
  scope: TransactionScope,
  one: { id: string; flow: Flow },
): Promise<{ others: number; flowBytes: number }> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`active ${scope.merchantId}`}, 0))`.execute(scope.db)
  const { rows } = await sql<{ others: number; flow_bytes: number }>`
    select count(*)::int as others,
      (coalesce(sum(octet_length(v.flow::text)), 0) + octet_length(${JSON.stringify(one.flow)}::jsonb::text))::int as flow_bytes
    from ${scenariosWithFlow}
    where s.merchant_id = ${scope.merchantId} and s.status = 'active' and s.id <> ${one.id}`.execute(scope.db)
  return { others: rows[0]?.others ?? 0, flowBytes: rows[0]?.flow_bytes ?? 0 }
}

type NewScenario = Pick<
  ScenarioRow,
  'id' | 'name' | 'mode' | 'template' | 'form' | 'conditions' | 'include_all_customers' | 'priority' | 'holdout_percent'
>

/** Inserts a draft with its first version. */
export async function insertScenario(scope: MerchantScope, row: NewScenario, flow: Flow): Promise<void> {
  await scope.db
    .insertInto('scenarios')
    .values({
      ...row,
      form: row.form === null ? null : JSON.stringify(row.form),
      conditions: row.conditions === null ? null : JSON.stringify(row.conditions),
      merchant_id: scope.merchantId,
      status: 'draft',
      version: 1,
      trigger_kind: flow.trigger.kind,
      created_at: scope.now,
      updated_at: scope.now,
    })
    .execute()
  await insertVersion(scope, row.id, 1, flow)
}

export async function insertVersion(
  scope: MerchantScope,
  scenarioId: string,
  number: number,
  flow: Flow,
): Promise<void> {
  await scope.db
    .insertInto('scenario_versions')
    .values({
      merchant_id: scope.merchantId,
      scenario_id: scenarioId,
      number,
      flow: JSON.stringify(flow),
      created_at: scope.now,
    })
    .execute()
}

export type ScenarioChange = Partial<Omit<ScenarioRow, 'id' | 'created_at' | 'updated_at'>>

export async function updateScenario(scope: MerchantScope, id: string, change: ScenarioChange): Promise<void> {
  const { form, conditions, ...rest } = change
  await scope.db
    .updateTable('scenarios')
    .set({
      ...rest,
      ...(form !== undefined && { form: form === null ? null : JSON.stringify(form) }),
      ...(conditions !== undefined && { conditions: conditions === null ? null : JSON.stringify(conditions) }),
      updated_at: scope.now,
    })
    .where('merchant_id', '=', scope.merchantId)
    .where('id', '=', id)
    .execute()
}

/** Scenarios, drafts too, whose current flow contains this id (an email or a segment). */
export async function listScenariosNaming(
  scope: MerchantScope,
  id: string,
): Promise<{ type: 'scenario'; id: string; name: string; status: string }[]> {
  const { rows } = await sql<{ type: 'scenario'; id: string; name: string; status: string }>`
    select 'scenario' as type, s.id, s.name, s.status from ${scenariosWithFlow}
    where s.merchant_id = ${scope.merchantId} and ${isNotDeleted} and position(${id.toLowerCase()} in lower(v.flow::text)) > 0
    order by s.created_at desc, s.id desc`.execute(scope.db)
  return rows
}

/** The ids that belong to no email or segment of the merchant, deleted ones included; in lower case. */
export async function selectUnknown(
  scope: MerchantScope,
  { emails, lineMessages, segments }: Record<'emails' | 'lineMessages' | 'segments', readonly string[]>,
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id::text as id from unnest(${[...emails]}::uuid[]) as named (id)
    where not exists (select from emails e where e.merchant_id = ${scope.merchantId} and e.id = named.id)
    union all
    select id::text from unnest(${[...lineMessages]}::uuid[]) as named (id)
    where not exists (select from line_messages l where l.merchant_id = ${scope.merchantId} and l.id = named.id)
    union all
    select id::text from unnest(${[...segments]}::uuid[]) as named (id)
    where not exists (select from segments s where s.merchant_id = ${scope.merchantId} and s.id = named.id)`.execute(
    scope.db,
  )
  return new Set(rows.map(({ id }) => id))
}

/** The current version of a scenario; null if it was deleted. */
export async function findPresentVersion(scope: MerchantScope, scenarioId: string): Promise<number | null> {
  const { rows } = await sql<{ version: number }>`
    select version from scenarios where merchant_id = ${scope.merchantId} and id = ${scenarioId} and status <> 'deleted'`.execute(
    scope.db,
  )
  return rows[0]?.version ?? null
}
