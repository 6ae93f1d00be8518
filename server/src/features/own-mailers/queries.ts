import type { MailerKind } from '@okaeri/contract/own-mailers/mailer'
import { sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

export interface OwnMailerRow {
  id: string
  kind: MailerKind
  host: string
  port: number
  security: 'tls' | 'starttls'
  username: string
  /** Encrypted. */
  password: string
  connections: number
  returns_to_us: boolean
  feedback_key: string | null
  tested_at: Date | null
}
const columns = [
  'id',
  'kind',
  'host',
  'port',
  'security',
  'username',
  'password',
  'connections',
  'returns_to_us',
  'feedback_key',
  'tested_at',
] as const

export async function findMailerRow(
  scope: MerchantScope,
  { lock = false }: { lock?: boolean } = {},
): Promise<OwnMailerRow | null> {
  const query = scope.db.selectFrom('own_mailers').select(columns).where('merchant_id', '=', scope.merchantId)
  const row = await (lock ? query.forUpdate() : query).executeTakeFirst()
  return (row as OwnMailerRow | undefined) ?? null
}

export async function writeMailer(scope: MerchantScope, row: OwnMailerRow): Promise<void> {
  const values = { ...row, updated_at: scope.now }
  await scope.db
    .insertInto('own_mailers')
    .values({ merchant_id: scope.merchantId, ...values })
    .onConflict((conflict) => conflict.column('merchant_id').doUpdateSet(values))
    .execute()
}

/** Of just this account: one that was changed meanwhile was not tested. */
export async function markTested(scope: MerchantScope, id: string): Promise<void> {
  await scope.db
    .updateTable('own_mailers')
    .set({ tested_at: scope.now })
    .where('merchant_id', '=', scope.merchantId)
    .where('id', '=', id)
    .execute()
}

export async function listMerchantsWithMailers(context: Context): Promise<string[]> {
  const { rows } = await sql<{ merchant_id: string }>`select merchant_id from own_mailers`.execute(context.db)
  return rows.map(({ merchant_id }) => merchant_id)
}

export async function deleteMailer(scope: MerchantScope): Promise<void> {
  await scope.db.deleteFrom('own_mailers').where('merchant_id', '=', scope.merchantId).execute()
}
