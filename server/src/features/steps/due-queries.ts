import { sql } from 'kysely'
import { amongAll, type DueWork } from '../../kernel/work/due-merchants.ts'
import { isFree } from '../../kernel/work/leases.ts'

// Due work here, over all merchants.

/** One index step per merchant to its first due execution: a million may sleep behind it. */
export const dueExecutions: DueWork = {
  name: 'executions',
  merchants: ({ clock }, among = amongAll) => sql`
    select m.id as merchant_id from merchants m cross join lateral (
      select 1 from executions x
      where x.merchant_id = m.id and x.status = 'running' and not x.held and x.wake_at <= ${clock.now()}
        and ${among('x.merchant_id')}
      order by x.wake_at limit 1
    ) x`,
  next: () => sql`
    select min(x.wake_at) as at from merchants m cross join lateral (
      select wake_at from executions x where x.merchant_id = m.id and x.status = 'running' and not x.held
      order by x.wake_at limit 1
    ) x`,
}

export const dueEffects: DueWork = {
  name: 'execution_effects',
  merchants: ({ clock }) => sql`
    select distinct merchant_id from execution_effects
    where status = 'pending' and next_attempt_at <= ${clock.now()}
      and ${isFree}`,
  next: () => sql`select min(next_attempt_at) as at from execution_effects where status = 'pending'`,
}
