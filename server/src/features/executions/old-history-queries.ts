import { sql } from 'kysely'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'

/** Executions with a history that began before that time, by id (which is by time), and whether they also ended before it. */
export async function listOldHistories(
  scope: MerchantScope,
  before: Date,
  { after, limit }: { after: string; limit: number },
): Promise<{ id: string; is_over: boolean }[]> {
  const { rows } = await sql<{ id: string; is_over: boolean }>`
    with old as materialized (
      select distinct execution_id as id from execution_steps
      where merchant_id = ${scope.merchantId} and execution_id > ${after} and execution_id < (select okaeri_uuidv7(${before}))
      order by execution_id limit ${limit}
    )
    select old.id, e.id is null or (e.ended_at is not null and e.ended_at < ${before}) as is_over
    from old left join executions e on e.merchant_id = ${scope.merchantId} and e.id = old.id
    order by old.id`.execute(scope.db)
  return rows
}

/** The histories and effects of these executions. */
export async function deleteHistories(scope: TransactionScope, executionIds: readonly string[]): Promise<void> {
  const theirs = sql`merchant_id = ${scope.merchantId} and execution_id = any(${[...executionIds]}::uuid[])`
  await sql`delete from execution_effects where ${theirs}`.execute(scope.db)
  await sql`delete from execution_steps where ${theirs}`.execute(scope.db)
}
