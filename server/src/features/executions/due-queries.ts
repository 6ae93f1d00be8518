import { sql } from 'kysely'
import { amongAll, type DueWork } from '../../kernel/work/due-merchants.ts'

// Due work here, over all merchants.

/** A year and a month, so that what happened a year ago can still be looked up. */
export const HISTORIES_KEPT_MS = 396 * 86_400_000

/** The history of the oldest execution of each merchant; ids grow with time. */
export const oldHistories: DueWork = {
  name: 'old_histories',
  merchants: ({ clock }, among = amongAll) => sql`
    select m.id as merchant_id from merchants m cross join lateral (
      select execution_id from execution_steps where merchant_id = m.id and ${among('merchant_id')} order by execution_id limit 1
    ) s where s.execution_id < (select okaeri_uuidv7(${new Date(clock.now().getTime() - HISTORIES_KEPT_MS)}))`,
}
