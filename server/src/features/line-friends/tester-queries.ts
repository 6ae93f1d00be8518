import type { LineFriend } from '@okaeri/contract/line-friends/friend'
import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'

const CHOICES = 20

async function select({ db, merchantId }: MerchantScope, where: RawBuilder<boolean>, limit: number | null) {
  const { rows } = await sql<LineFriend>`
    select f.line_user_id, f.display_name, f.is_friend, f.customer_id, c.display_name as customer_name
    from line_friends f left join customers c on c.merchant_id = ${merchantId} and c.id = f.customer_id
    where f.merchant_id = ${merchantId} and ${where}
    order by f.display_name, f.line_user_id limit ${limit}`.execute(db)
  return rows
}

/** Some of those whose name on LINE, or as a customer, holds the text. */
export function selectFriends(scope: MerchantScope, text: string): Promise<LineFriend[]> {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  return select(
    scope,
    sql`f.is_friend and (${text === ''} or f.display_name ilike ${pattern} or c.display_name ilike ${pattern})`,
    CHOICES,
  )
}

/** Those too who are no friends any more. */
export const selectTesters = (scope: MerchantScope): Promise<LineFriend[]> => select(scope, sql`f.is_tester`, null)

/** Two who add one at once do so one after the other. */
export async function lockTesters(scope: TransactionScope): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`line testers ${scope.merchantId}`}, 0))`.execute(scope.db)
}

/** Only a friend becomes one. Returns whether they are there. */
export async function markTester(scope: MerchantScope, lineUserId: string, isTester: boolean): Promise<boolean> {
  const { rows } = await sql`
    update line_friends set is_tester = ${isTester}
    where merchant_id = ${scope.merchantId} and line_user_id = ${lineUserId} and (is_friend or not ${isTester})
    returning 1`.execute(scope.db)
  return rows.length > 0
}
