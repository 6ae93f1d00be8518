import { IMPORT_KEPT_DAYS } from '@okaeri/contract/imports/import'
import { sql } from 'kysely'
import type { DueWork } from '../../kernel/work/due-merchants.ts'

// Due work here, over all merchants.

export const oldImports: DueWork = {
  name: 'old_imports',
  merchants: ({ clock }) => sql`
    select distinct merchant_id from imports
    where created_at < ${new Date(clock.now().getTime() - IMPORT_KEPT_DAYS * 86_400_000)} and status <> 'running'`,
}
