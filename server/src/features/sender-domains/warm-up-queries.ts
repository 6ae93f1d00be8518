import { sql } from 'kysely'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'

export interface WarmUpDay {
  day: string
  sent: number
}

/** By age. */
export async function listWarmUpDays(scope: MerchantScope, domainId: string): Promise<WarmUpDay[]> {
  const { rows } = await sql<WarmUpDay>`
    select day::text as day, sent from warm_up_days
    where merchant_id = ${scope.merchantId} and domain_id = ${domainId} order by day`.execute(scope.db)
  return rows
}

/** Since when a domain is being warmed up; null where it is not. */
export async function findWarmUp(
  scope: MerchantScope,
  domainName: string,
): Promise<{ id: string; warm_up_since: Date } | null> {
  const { rows } = await sql<{ id: string; warm_up_since: Date }>`
    select id, warm_up_since from sender_domains
    where merchant_id = ${scope.merchantId} and name = ${domainName} and warm_up_since is not null`.execute(scope.db)
  return rows[0] ?? null
}

/** The day's row, made where there is none and locked: workers that take of it at once wait for each other. */
export async function lockWarmUpDay(scope: TransactionScope, domainId: string, day: string): Promise<void> {
  await sql`insert into warm_up_days (merchant_id, domain_id, day, sent) values (${scope.merchantId}, ${domainId}, ${day}, 0)
    on conflict (merchant_id, domain_id, day) do update set sent = warm_up_days.sent`.execute(scope.db)
}

export async function addWarmUpMails(
  scope: TransactionScope,
  { domainId, day, count }: { domainId: string; day: string; count: number },
): Promise<void> {
  await sql`update warm_up_days set sent = greatest(0, sent + ${count}::int)
    where merchant_id = ${scope.merchantId} and domain_id = ${domainId} and day = ${day}`.execute(scope.db)
}

export async function markWarmUp(scope: TransactionScope, domainId: string, since: Date | null): Promise<void> {
  await sql`update sender_domains set warm_up_since = ${since}
    where merchant_id = ${scope.merchantId} and id = ${domainId}`.execute(scope.db)
  await sql`delete from warm_up_days where merchant_id = ${scope.merchantId} and domain_id = ${domainId}`.execute(
    scope.db,
  )
}
