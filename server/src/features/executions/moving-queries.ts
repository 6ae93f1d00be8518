import { EXECUTIONS_COUNTED_TO } from '@okaeri/contract/scenarios/scenario'
import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'

/** A version and node with executions that have not ended, without tests. */
export interface Place {
  version: number
  node_id: string
}

/** Executions on earlier versions, together counted up to {@link EXECUTIONS_COUNTED_TO}. */
export async function countPlaces(
  scope: MerchantScope,
  scenarioId: string,
  before: number,
): Promise<(Place & { count: number })[]> {
  const { rows } = await sql<Place & { count: number }>`
    select version, node_id, count(*)::int as count
    from (${onTheirWay(scope, scenarioId, before)} limit ${EXECUTIONS_COUNTED_TO}) few
    group by version, node_id order by version, node_id`.execute(scope.db)
  return rows
}

/** How many of those counted have passed one of their place's `nodes`, in any round. */
export async function countPassed(
  scope: MerchantScope,
  scenarioId: string,
  before: number,
  places: readonly (Place & { nodes: readonly string[] })[],
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (${onTheirWay(scope, scenarioId, before)} limit ${EXECUTIONS_COUNTED_TO}) e
    join ${placesOf(places)} on p.version = e.version and p.node_id = e.node_id
    where ${hasPassed(scope)}`.execute(scope.db)
  return rows[0]?.count ?? 0
}

const onTheirWay = (scope: MerchantScope, scenarioId: string, before: number): RawBuilder<unknown> => sql`
  select id, version, node_id from executions
  where merchant_id = ${scope.merchantId} and scenario_id = ${scenarioId} and ended_at is null and node_id is not null
    and not test and version < ${before}`

const placesOf = (places: readonly (Place & { nodes: readonly string[] })[]): RawBuilder<unknown> =>
  sql`jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as p (version int, node_id text, nodes text[])`
const hasPassed = (scope: MerchantScope): RawBuilder<boolean> => sql`(cardinality(p.nodes) > 0 and exists (
  select from execution_steps t
  where t.merchant_id = ${scope.merchantId} and t.execution_id = e.id and t.node_id = any(p.nodes)
    and t.outcome = 'next'))`

/** The next executions on earlier versions, by id. The lock keeps them from taking a step before they are moved. */
export async function lockOnTheirWay(
  scope: TransactionScope,
  at: { scenarioId: string; before: number; after: string; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    ${onTheirWay(scope, at.scenarioId, at.before)} and id > ${at.after} order by id limit ${at.limit} for update`.execute(
    scope.db,
  )
  return rows.map(({ id }) => id)
}

/**
 * Moves these locked executions to the version if they are at one of the places, with a row in their history, unless they passed one of
 * the place's `nodes`. Returns how many.
 */
export async function moveExecutionRows(
  scope: TransactionScope,
  ids: readonly string[],
  to: { version: number; places: readonly (Place & { nodes: readonly string[] })[] },
): Promise<number> {
  const { numAffectedRows } = await sql`
    with moved as (
      update executions e set version = ${to.version}, steps = e.steps + 1
      from ${placesOf(to.places)}
      where e.merchant_id = ${scope.merchantId} and e.id = any(${[...ids]}::uuid[]) and e.ended_at is null
        and e.version = p.version and e.node_id = p.node_id and not ${hasPassed(scope)}
      returning e.*
    )
    insert into execution_steps (merchant_id, execution_id, seq, round, node_id, node_kind, outcome, detail, at)
    select merchant_id, id, steps, round, node_id, '', 'version', jsonb_build_object('version', ${to.version}::int), ${scope.now}
    from moved`.execute(scope.db)
  return Number(numAffectedRows ?? 0n)
}

export async function selectPlaces(scope: TransactionScope, ids: readonly string[]): Promise<Place[]> {
  const { rows } = await sql<Place>`
    select distinct version, node_id from executions
    where merchant_id = ${scope.merchantId} and id = any(${[...ids]}::uuid[]) and node_id is not null`.execute(scope.db)
  return rows
}
