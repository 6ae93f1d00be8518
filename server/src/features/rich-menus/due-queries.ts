import { sql } from 'kysely'
import type { DueWork } from '../../kernel/work/due-merchants.ts'

const dueAt = sql`least(look_at, compare_at, link_at)`
/** Restored data are not shown before an operator has looked, because they may be a day old. */
const isNotHeld = sql`exists (select 1 from ledger_state where held_since is null)`

export const dueLooks: DueWork = {
  name: 'rich_menu_looks',
  merchants: ({ clock }) => sql`select merchant_id from rich_menu_looks
    where ${dueAt} <= ${clock.now()} and (held_until is null or held_until <= ${clock.now()}) and ${isNotHeld}`,
  next: () =>
    sql`select min(greatest(${dueAt}, held_until)) as at from rich_menu_looks where ${dueAt} is not null and ${isNotHeld}`,
}
