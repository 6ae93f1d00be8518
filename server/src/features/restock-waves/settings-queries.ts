import type { RestockSettings } from '@okaeri/contract/restocks/settings'
import { sql } from 'kysely'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'

const columns = sql`people_per_unit, wave_minutes, settle_minutes, asks_again, email_button, line_button, confirms_address,
  sends_receipt, sends_line_receipt, texts`

export async function selectSettings(scope: MerchantScope): Promise<RestockSettings | null> {
  const { rows } = await sql<RestockSettings>`
    select ${columns} from restock_settings where merchant_id = ${scope.merchantId}`.execute(scope.db)
  return rows[0] ?? null
}

export async function lockSettings(scope: TransactionScope): Promise<RestockSettings | null> {
  const { rows } = await sql<RestockSettings>`
    select ${columns} from restock_settings where merchant_id = ${scope.merchantId} for update`.execute(scope.db)
  return rows[0] ?? null
}

const rowOf = (scope: TransactionScope, settings: RestockSettings) => ({
  ...settings,
  texts: JSON.stringify(settings.texts),
  updated_at: scope.now,
})

/** Does nothing where there are some. */
export async function insertSettings(scope: TransactionScope, settings: RestockSettings): Promise<void> {
  await scope.db
    .insertInto('restock_settings')
    .values({ merchant_id: scope.merchantId, ...rowOf(scope, settings) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function updateSettings(scope: TransactionScope, settings: RestockSettings): Promise<void> {
  await scope.db
    .updateTable('restock_settings')
    .set(rowOf(scope, settings))
    .where('merchant_id', '=', scope.merchantId)
    .execute()
}
