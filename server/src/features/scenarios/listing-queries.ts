import { EXECUTIONS_COUNTED_TO, type ScenarioStatus } from '@okaeri/contract/scenarios/scenario'
import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { isNotDeleted, type ScenarioRow, scenariosWithFlow } from '../flows/index.ts'

const sortColumns = ({ merchantId }: MerchantScope) => ({
  created_at: sql`s.created_at`,
  updated_at: sql`s.updated_at`,
  name: sql`s.name`,
  // Above the counted limit, scenarios are sorted by the count of their busiest node.
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
  const where = sql`s.merchant_id = ${scope.merchantId} and ${isNotDeleted}
    and (${wanted}::text is null or s.name ilike ${wanted})
    and (${query.status ?? null}::text is null or s.status = ${query.status ?? null})`
  const direction = query.direction === 'asc' ? sql`asc` : sql`desc`
  const [rows, count] = await Promise.all([
    sql<ScenarioRow>`select s.*, v.created_at as version_saved_at from ${scenariosWithFlow} where ${where}
      order by ${sortColumns(scope)[query.sort]} ${direction}, s.id ${direction}
      limit ${query.limit} offset ${query.offset}`.execute(scope.db),
    sql<{ total: number }>`select count(*)::int as total from scenarios s where ${where}`.execute(scope.db),
  ])
  return { rows: rows.rows, total: count.rows[0]?.total ?? 0 }
}

export async function selectActive(scope: MerchantScope): Promise<ScenarioRow[]> {
  const { rows } = await sql<ScenarioRow>`select s.*, v.created_at as version_saved_at from ${scenariosWithFlow}
    where s.merchant_id = ${scope.merchantId} and s.status = 'active' order by s.created_at, s.id`.execute(scope.db)
  return rows
}
