import { EXECUTIONS_COUNTED_TO } from '@okaeri/contract/scenarios/scenario'
import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

/** At a node, for one reason; counted up to {@link EXECUTIONS_COUNTED_TO}. */
export interface Outcome {
  node_id: string
  reason: string
  count: number
}

/** Skipped mails by node and reason, without tests. */
export const countSkipped = (scope: MerchantScope, scenarioId: string): Promise<Outcome[]> =>
  countByReason(scope, {
    from: sql`deliveries o`,
    where: sql`o.scenario_id = ${scenarioId} and o.status = 'skipped' and o.node_id is not null and o.reason is not null`,
    reason: sql`o.reason`,
    except: sql`exists (select from messages m where m.merchant_id = ${scope.merchantId} and m.id = o.message_id and m.for_tests)`,
  })

/** Executions that ended early, by node and reason. */
export const countEndedEarly = (scope: MerchantScope, scenarioId: string): Promise<Outcome[]> =>
  countByReason(scope, {
    from: sql`executions o`,
    where: sql`o.scenario_id = ${scenarioId} and o.status = 'done' and o.end_reason <> 'finished' and o.node_id is not null and not o.test`,
    reason: sql`o.end_reason`,
    except: sql`false`,
  })

/** Nodes and reasons are found by steps into an index, so that a million rows of one reason are not read. */
async function countByReason(
  scope: MerchantScope,
  of: {
    from: RawBuilder<unknown>
    where: RawBuilder<unknown>
    reason: RawBuilder<unknown>
    except: RawBuilder<unknown>
  },
): Promise<Outcome[]> {
  const these = sql`o.merchant_id = ${scope.merchantId} and ${of.where}`
  const { rows } = await sql<Outcome>`
    with recursive place as (
      (select o.node_id, ${of.reason} as reason from ${of.from} where ${these} order by o.node_id, ${of.reason} limit 1)
      union all
      select n.node_id, n.reason from place p cross join lateral (
        select o.node_id, ${of.reason} as reason from ${of.from} where ${these} and (o.node_id, ${of.reason}) > (p.node_id, p.reason)
        order by o.node_id, ${of.reason} limit 1
      ) n
    )
    select p.node_id, p.reason, n.count from place p cross join lateral (
      select count(*)::int as count from (
        select from ${of.from} where ${these} and o.node_id = p.node_id and ${of.reason} = p.reason and not ${of.except}
        limit ${EXECUTIONS_COUNTED_TO}
      ) few
    ) n
    where n.count > 0 order by p.node_id, n.count desc, p.reason`.execute(scope.db)
  return rows
}
