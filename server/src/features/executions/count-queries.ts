import { EXECUTIONS_COUNTED_TO, type NodeCounts } from '@okaeri/contract/scenarios/scenario'
import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

export interface ExecutionCounts {
  executions: number
  running: number
  failed: number
  late: number
}

/** For each `s`, counted up to {@link EXECUTIONS_COUNTED_TO}, so that a page costs the same however many there are. Without tests. */
const executionsThat = (scope: MerchantScope, which: RawBuilder<unknown>): RawBuilder<number> => sql`(
  select count(*)::int from (
    select from executions e
    where e.merchant_id = ${scope.merchantId} and e.scenario_id = s.id and not e.test and ${which} limit ${EXECUTIONS_COUNTED_TO}
  ) as few)`
const stuck = (scope: MerchantScope): RawBuilder<unknown> => sql`
  ${executionsThat(scope, sql`e.status = 'failed' and e.ended_at is null`)} as failed,
  ${executionsThat(scope, sql`e.status = 'late' and e.ended_at is null`)} as late`

/** Executions of these scenarios by status, each counted up to {@link EXECUTIONS_COUNTED_TO}. */
export async function countExecutions(
  scope: MerchantScope,
  ids: readonly string[],
): Promise<Map<string, ExecutionCounts>> {
  const { rows } = await sql<ExecutionCounts & { id: string }>`
    select s.id, ${executionsThat(scope, sql`true`)} as executions,
      ${executionsThat(scope, sql`e.status in ('running', 'paused', 'late') and e.ended_at is null`)} as running, ${stuck(scope)}
    from unnest(${[...ids]}::uuid[]) as s (id)`.execute(scope.db)
  return new Map(rows.map(({ id, ...counts }) => [id, counts]))
}

/** Only those that need a member's attention. */
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
 * Figures of each node, and the executions there now, counted up to {@link EXECUTIONS_COUNTED_TO}: a million asleep at one node are not
 * read. Nodes with executions are found by steps into the index, one per node and status.
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
