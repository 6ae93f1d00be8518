import { sql } from 'kysely'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'

/** Locks a merchant's clock triggers for this process until the transaction ends; false if another process has them. */
export async function tryLockClock(scope: TransactionScope): Promise<boolean> {
  const { rows } = await sql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${scope.merchantId}, 176)) as mine`.execute(scope.db)
  return rows[0]?.mine ?? false
}

export interface ClockRow {
  scenario_id: string
  /** Null: never looked at. */
  version: number | null
  looked_day: string | null
  looked_until: Date | null
  /** Since when this flow runs. */
  since: Date
}

/**
 * For the active scenarios. Before its first look, a scenario counts as looked at when it was enabled, or when its flow was saved if that was
 * later.
 */
export async function selectClocks(scope: MerchantScope): Promise<Map<string, ClockRow>> {
  const { rows } = await sql<ClockRow>`
    select s.id as scenario_id, c.version, to_char(c.looked_day, 'YYYY-MM-DD') as looked_day,
      case when c.scenario_id is null then greatest(s.enabled_at, v.created_at) else c.looked_until end as looked_until,
      greatest(s.enabled_at, v.created_at) as since
    from scenarios s
    join scenario_versions v on v.merchant_id = s.merchant_id and v.scenario_id = s.id and v.number = s.version
    left join scenario_clocks c on c.merchant_id = s.merchant_id and c.scenario_id = s.id
    where s.merchant_id = ${scope.merchantId} and s.status = 'active'`.execute(scope.db)
  return new Map(rows.map((row) => [row.scenario_id, row]))
}

export async function upsertClock(
  scope: MerchantScope,
  clock: { scenarioId: string; version: number; lookedDay?: string; lookedUntil?: Date },
): Promise<void> {
  await sql`
    insert into scenario_clocks (merchant_id, scenario_id, version, looked_day, looked_until)
    values (${scope.merchantId}, ${clock.scenarioId}, ${clock.version}, ${clock.lookedDay ?? null}, ${clock.lookedUntil ?? null})
    on conflict (merchant_id, scenario_id) do update set version = excluded.version, looked_day = excluded.looked_day,
      looked_until = excluded.looked_until`.execute(scope.db)
}
