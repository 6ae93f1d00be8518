import { sql } from 'kysely'
import type { DueWork } from '../../kernel/due-merchants.ts'
import { clockKinds } from './trigger-kinds/index.ts'

// Due work here, over all merchants.

/** Scenarios with a clock trigger. */
export const scenariosOfTheClock: DueWork = {
  name: 'scenario_clocks',
  merchants: () => sql`
    select distinct merchant_id from scenarios
    where status = 'active' and trigger_kind = any(${clockKinds}::text[])`,
}
