import { locales } from '@okaeri/contract/locale'
import { errorTest, health, supportedLocales } from '@okaeri/contract/system/routes'
import { sql } from 'kysely'
import type { Routes } from '../kernel/http.ts'

/** Routes about this process rather than about a feature. */
export function systemRoutes(on: Routes): void {
  on.open(supportedLocales)(async () => ({ locales: [...locales], default: 'ja' }))
  on.open(health)(async ({ context }) => {
    await sql`select 1`.execute(context.db)
    return { ok: true, role: context.settings.role }
  })
  on.open(errorTest)(async () => {
    throw new Error('this error was asked for at /errortest')
  })
}
