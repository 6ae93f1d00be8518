import { sql } from 'kysely'
import type { DueWork } from '../../kernel/due-merchants.ts'

export const dueLooks: DueWork = {
  name: 'rich_menu_looks',
  merchants: ({ clock }) => sql`select merchant_id from rich_menu_looks
    where look_at <= ${clock.now()} and (held_until is null or held_until <= ${clock.now()})`,
  next: () => sql`select min(greatest(look_at, held_until)) as at from rich_menu_looks where look_at is not null`,
}
