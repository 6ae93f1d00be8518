import { sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'

export async function findVerifiedLinkHost(scope: MerchantScope, domain: string): Promise<string | null> {
  const { rows } = await sql<{ link_host: string | null }>`
    select link_host from sender_domains
    where merchant_id = ${scope.merchantId} and name = ${domain} and link_host_verified_at is not null`.execute(
    scope.db,
  )
  return rows[0]?.link_host ?? null
}

export async function isVerifiedLinkHost(scope: MerchantScope, host: string): Promise<boolean> {
  const { rows } = await sql`
    select from sender_domains
    where merchant_id = ${scope.merchantId} and link_host = ${host} and link_host_verified_at is not null limit 1`.execute(
    scope.db,
  )
  return rows.length > 0
}

/** One of the merchant's own domains, proved, has this link domain. */
export async function isProvedLinkHost(scope: MerchantScope, host: string): Promise<boolean> {
  const { rows } = await sql`
    select from sender_domains
    where merchant_id = ${scope.merchantId} and link_host = ${host} and status in ('verified', 'failing') limit 1`.execute(
    scope.db,
  )
  return rows.length > 0
}

export async function insertLinkHost(scope: TransactionScope, host: string): Promise<void> {
  await sql`insert into link_host_directory (host, merchant_id) values (${host}, ${scope.merchantId})
    on conflict do nothing`.execute(scope.db)
}

/** From now on mails may have it. */
export async function markLinkHostServed(scope: TransactionScope, host: string): Promise<void> {
  await sql`insert into link_host_directory (host, merchant_id, served_since)
    values (${host}, ${scope.merchantId}, ${scope.now})
    on conflict (host, merchant_id) do update set served_since = coalesce(link_host_directory.served_since, excluded.served_since)`.execute(
    scope.db,
  )
}

/** What was in no mail is forgotten. */
export async function deleteUnusedLinkHost(scope: TransactionScope, host: string): Promise<void> {
  await sql`delete from link_host_directory
    where host = ${host} and merchant_id = ${scope.merchantId} and served_since is null`.execute(scope.db)
}

/** The merchants whose links lead over a host, before the merchant is known. */
export async function selectMerchantsOfHost(
  context: Context,
  host: string,
): Promise<{ merchant_id: string; served_since: Date | null }[]> {
  const { rows } = await sql<{ merchant_id: string; served_since: Date | null }>`
    select merchant_id, served_since from link_host_directory where host = ${host} order by merchant_id`.execute(
    context.db,
  )
  return rows
}

/** All hosts that are, or were, in mails of so many merchants at most. */
export async function selectServedHosts(
  context: Context,
  limit: number,
): Promise<{ host: string; merchant_id: string }[]> {
  const { rows } = await sql<{ host: string; merchant_id: string }>`
    select host, merchant_id from link_host_directory where served_since is not null
    order by host, merchant_id limit ${limit}`.execute(context.db)
  return rows
}
