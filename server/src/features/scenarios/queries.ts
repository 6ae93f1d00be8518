import type { Flow } from '@okaeri/contract/scenarios/flow'
import {
  EXECUTIONS_COUNTED_TO,
  type FormConditions,
  type FormValues,
  type NodeCounts,
  type ScenarioStatus,
} from '@okaeri/contract/scenarios/scenario'
import { type RawBuilder, sql } from 'kysely'
import { notFound } from '../../kernel/errors.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'

export interface ScenarioRow {
  id: string
  name: string
  status: ScenarioStatus
  mode: 'form' | 'flow'
  template: string | null
  form: FormValues | null
  /** Null where none were set, and in flow mode. */
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
  /** When its present version was saved. */
  version_saved_at: Date
  created_at: Date
  updated_at: Date
}
export interface ScenarioWithFlow extends ScenarioRow {
  flow: Flow
}

const present = sql`s.status <> 'deleted'`
/** Each scenario beside its present version. */
const withFlow = sql`scenarios s join scenario_versions v
  on v.merchant_id = s.merchant_id and v.scenario_id = s.id and v.number = s.version`

/** 404 when there is none, or it was deleted. */
export async function getScenarioRow(scope: MerchantScope, id: string): Promise<ScenarioWithFlow> {
  const { rows } = await sql<ScenarioWithFlow>`select s.*, v.created_at as version_saved_at, v.flow from ${withFlow}
    where s.merchant_id = ${scope.merchantId} and s.id = ${id} and ${present}`.execute(scope.db)
  if (!rows[0]) throw notFound('there is no such scenario')
  return rows[0]
}

/** Also of one that was deleted; null when there never was one. */
export async function findScenarioStatus(scope: MerchantScope, id: string): Promise<ScenarioStatus | null> {
  const { rows } = await sql<{ status: ScenarioStatus }>`select status from scenarios
    where merchant_id = ${scope.merchantId} and id = ${id} for share`.execute(scope.db)
  return rows[0]?.status ?? null
}

/** Locks the scenario until the transaction ends: two transitions, two saves cannot cross. */
export async function getScenarioForUpdate(scope: MerchantScope, id: string): Promise<ScenarioWithFlow> {
  const { rows } = await sql<{ id: string }>`select s.id from scenarios s
    where s.merchant_id = ${scope.merchantId} and s.id = ${id} and ${present} for update`.execute(scope.db)
  if (!rows[0]) throw notFound('there is no such scenario')
  return getScenarioRow(scope, id)
}

const sortColumns = ({ merchantId }: MerchantScope) => ({
  created_at: sql`s.created_at`,
  updated_at: sql`s.updated_at`,
  name: sql`s.name`,
  // Those with more than are counted stand by what their busiest node was passed by.
  execution_count: sql`row((select count(*) from (select from executions e
      where e.merchant_id = ${merchantId} and e.scenario_id = s.id and not e.test limit ${EXECUTIONS_COUNTED_TO}) as few),
    (select coalesce(max(c.entered), 0) from scenario_node_counts c where c.merchant_id = ${merchantId} and c.scenario_id = s.id))`,
})

export async function selectScenarios(
  scope: MerchantScope,
  query: {
    q?: string | undefined
    status?: ScenarioStatus | undefined
    sort: keyof ReturnType<typeof sortColumns>
    direction: 'asc' | 'desc'
    limit: number
    offset: number
  },
): Promise<{ rows: ScenarioRow[]; total: number }> {
  const wanted = query.q ? `%${query.q.replace(/[\\%_]/g, '\\$&')}%` : null
  const where = sql`s.merchant_id = ${scope.merchantId} and ${present}
    and (${wanted}::text is null or s.name ilike ${wanted})
    and (${query.status ?? null}::text is null or s.status = ${query.status ?? null})`
  const direction = query.direction === 'asc' ? sql`asc` : sql`desc`
  const [rows, count] = await Promise.all([
    sql<ScenarioRow>`select s.*, v.created_at as version_saved_at from ${withFlow} where ${where}
      order by ${sortColumns(scope)[query.sort]} ${direction}, s.id ${direction}
      limit ${query.limit} offset ${query.offset}`.execute(scope.db),
    sql<{ total: number }>`select count(*)::int as total from scenarios s where ${where}`.execute(scope.db),
  ])
  return { rows: rows.rows, total: count.rows[0]?.total ?? 0 }
}

export async function selectActive(scope: MerchantScope): Promise<ScenarioRow[]> {
  const { rows } = await sql<ScenarioRow>`select s.*, v.created_at as version_saved_at from ${withFlow}
    where s.merchant_id = ${scope.merchantId} and s.status = 'active' order by s.created_at, s.id`.execute(scope.db)
  return rows
}

/** The other active scenarios of the merchant, and how long all flows are once this one is active. No other is enabled before the transaction ends. */
export async function holdActive(
  scope: TransactionScope,
  one: { id: string; flow: Flow },
): Promise<{ others: number; flowBytes: number }> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`active ${scope.merchantId}`}, 0))`.execute(scope.db)
  const { rows } = await sql<{ others: number; flow_bytes: number }>`
    select count(*)::int as others,
      (coalesce(sum(octet_length(v.flow::text)), 0) + octet_length(${JSON.stringify(one.flow)}::jsonb::text))::int as flow_bytes
    from ${withFlow}
    where s.merchant_id = ${scope.merchantId} and s.status = 'active' and s.id <> ${one.id}`.execute(scope.db)
  return { others: rows[0]?.others ?? 0, flowBytes: rows[0]?.flow_bytes ?? 0 }
}

type NewScenario = Pick<
  ScenarioRow,
  'id' | 'name' | 'mode' | 'template' | 'form' | 'conditions' | 'include_all_customers' | 'priority' | 'holdout_percent'
>

/** A draft with its first version. */
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

export interface ExecutionCounts {
  executions: number
  running: number
  failed: number
  late: number
}

/** Of each `s`, up to {@link EXECUTIONS_COUNTED_TO}: a page costs the same however many there are. Tests are not counted. */
const executionsThat = (scope: MerchantScope, which: RawBuilder<unknown>): RawBuilder<number> => sql`(
  select count(*)::int from (
    select from executions e
    where e.merchant_id = ${scope.merchantId} and e.scenario_id = s.id and not e.test and ${which} limit ${EXECUTIONS_COUNTED_TO}
  ) as few)`
const stuck = (scope: MerchantScope): RawBuilder<unknown> => sql`
  ${executionsThat(scope, sql`e.status = 'failed' and e.ended_at is null`)} as failed,
  ${executionsThat(scope, sql`e.status = 'late' and e.ended_at is null`)} as late`

/** Executions of these scenarios by what they are, each number counted up to {@link EXECUTIONS_COUNTED_TO}. */
export async function countExecutions(
  scope: MerchantScope,
  ids: readonly string[],
): Promise<Map<string, ExecutionCounts>> {
  const { rows } = await sql<ExecutionCounts & { id: string }>`
    select s.id, ${executionsThat(scope, sql`true`)} as executions,
      ${executionsThat(scope, sql`e.status in ('running', 'paused') and e.ended_at is null`)} as running, ${stuck(scope)}
    from unnest(${[...ids]}::uuid[]) as s (id)`.execute(scope.db)
  return new Map(rows.map(({ id, ...counts }) => [id, counts]))
}

/** Those alone that want somebody's eyes. */
export async function countStuck(
  scope: MerchantScope,
  ids: readonly string[],
): Promise<Map<string, Pick<ExecutionCounts, 'failed' | 'late'>>> {
  const { rows } = await sql<Pick<ExecutionCounts, 'failed' | 'late'> & { id: string }>`
    select s.id, ${stuck(scope)} from unnest(${[...ids]}::uuid[]) as s (id)`.execute(scope.db)
  return new Map(rows.map(({ id, ...counts }) => [id, counts]))
}

type AtNode = Pick<NodeCounts, 'node_id' | 'entered' | 'passed' | 'failed' | 'waiting'>

/**
 * What passed each node, and what is there now, that counted up to {@link EXECUTIONS_COUNTED_TO}: a million asleep at one node are not
 * read for it. Where any are is found by steps into the index, one for each node and status.
 */
export async function countAtNodes(scope: MerchantScope, id: string): Promise<AtNode[]> {
  const open = sql`e.merchant_id = ${scope.merchantId} and e.scenario_id = ${id} and e.ended_at is null
    and e.node_id is not null`
  const { rows } = await sql<AtNode>`
    with recursive place as (
      (select e.status, e.node_id from executions e where ${open} order by e.status, e.node_id limit 1)
      union all
      select n.status, n.node_id from place p cross join lateral (
        select e.status, e.node_id from executions e where ${open} and (e.status, e.node_id) > (p.status, p.node_id)
        order by e.status, e.node_id limit 1
      ) n
    ), there as (
      select p.node_id, sum(n.count) filter (where p.status <> 'failed') as waiting, sum(n.count) filter (where p.status = 'failed') as failed
      from place p cross join lateral (
        select count(*) from (
          select from executions e where ${open} and e.status = p.status and e.node_id = p.node_id and not e.test
          limit ${EXECUTIONS_COUNTED_TO}
        ) as few
      ) n
      group by p.node_id having sum(n.count) > 0
    )
    select node_id, coalesce(c.entered, 0)::int as entered, coalesce(c.passed, 0)::int as passed,
      least(coalesce(t.failed, 0), ${EXECUTIONS_COUNTED_TO})::int as failed,
      least(coalesce(t.waiting, 0), ${EXECUTIONS_COUNTED_TO})::int as waiting
    from (select * from scenario_node_counts where merchant_id = ${scope.merchantId} and scenario_id = ${id}) c
    full join there t using (node_id)
    order by node_id`.execute(scope.db)
  return rows
}

/** Scenarios whose present flow names this id anywhere (an email, a segment), drafts too. */
export async function listScenariosNaming(
  scope: MerchantScope,
  id: string,
): Promise<{ type: 'scenario'; id: string; name: string; status: string }[]> {
  const { rows } = await sql<{ type: 'scenario'; id: string; name: string; status: string }>`
    select 'scenario' as type, s.id, s.name, s.status from ${withFlow}
    where s.merchant_id = ${scope.merchantId} and ${present} and position(${id.toLowerCase()} in lower(v.flow::text)) > 0
    order by s.created_at desc, s.id desc`.execute(scope.db)
  return rows
}

/** Of these ids the ones that are of no email and no segment the merchant has or had; in lower case. */
export async function selectUnknown(
  scope: MerchantScope,
  { emails, segments }: { emails: readonly string[]; segments: readonly string[] },
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id::text as id from unnest(${[...emails]}::uuid[]) as named (id)
    where not exists (select from emails e where e.merchant_id = ${scope.merchantId} and e.id = named.id)
    union all
    select id::text from unnest(${[...segments]}::uuid[]) as named (id)
    where not exists (select from segments s where s.merchant_id = ${scope.merchantId} and s.id = named.id)`.execute(
    scope.db,
  )
  return new Set(rows.map(({ id }) => id))
}
