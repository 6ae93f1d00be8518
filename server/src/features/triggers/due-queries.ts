import { sql } from 'kysely'
import type { DueWork } from '../../kernel/work/due-merchants.ts'
import { inAnHour } from '../../kernel/work/due-merchants.ts'
import { LONGEST_MS, QUIET_MS } from './settling-queries.ts'
import { clockKinds } from './trigger-kinds/index.ts'

// Due work here, over all merchants.

/** Scenarios with a clock trigger. */
export const scenariosOfTheClock: DueWork = {
  name: 'scenario_clocks',
  merchants: () => sql`
    select distinct merchant_id from scenarios
    where status = 'active' and trigger_kind = any(${clockKinds}::text[])`,
}

const rest = sql`least(max(changed_at) + make_interval(secs => ${QUIET_MS / 1000}::int),
  min(first_at) + make_interval(secs => ${LONGEST_MS / 1000}::int))`
const isOpen = sql`round_id = '00000000-0000-0000-0000-000000000000'`

/** Goods that have not changed for a while, and rounds that were begun. */
export const goodsAtRest: DueWork = {
  name: 'settling_goods',
  merchants: ({ clock }) => sql`
    select merchant_id from settling_goods group by merchant_id, round_id
    having not bool_and(${isOpen}) or ${rest} <= ${clock.now()} or min(first_at) > ${inAnHour(clock.now())}`,
  next: () =>
    sql`select min(at) as at from (select ${rest} as at from settling_goods where ${isOpen} group by merchant_id) r`,
}
