import type { DomainRecord, SenderDomainStatus } from '@okaeri/contract/sender-domains/domain'
import { sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'

export interface DomainRow {
  id: string
  name: string
  token: string
  status: SenderDomainStatus
  records: DomainRecord[]
  gone_checks: number
  verified_at: Date | null
  failing_since: Date | null
  warned_at: Date | null
  checked_at: Date | null
  next_check_at: Date
  warm_up_since: Date | null
  link_host: string | null
  link_host_since: Date | null
  link_host_verified_at: Date | null
  created_at: Date
}

export interface KeyRow {
  domain_id: string
  selector: string
  state: 'active' | 'next' | 'former'
  public_key: string
  /** Encrypted; null once it signs no more. */
  private_key: string | null
  created_at: Date
  published_until: Date | null
}

const domainColumns = sql`id, name, token, status, records, gone_checks, verified_at, failing_since, warned_at, checked_at, next_check_at,
  warm_up_since, link_host, link_host_since, link_host_verified_at, created_at`
const keyColumns = sql`domain_id, selector, state, public_key, private_key, created_at, published_until`

export async function selectDomains(scope: MerchantScope): Promise<DomainRow[]> {
  const { rows } = await sql<DomainRow>`
    select ${domainColumns} from sender_domains where merchant_id = ${scope.merchantId} order by created_at, id`.execute(
    scope.db,
  )
  return rows
}

export async function findDomain(scope: MerchantScope, id: string): Promise<DomainRow | null> {
  const { rows } = await sql<DomainRow>`
    select ${domainColumns} from sender_domains where merchant_id = ${scope.merchantId} and id = ${id}`.execute(
    scope.db,
  )
  return rows[0] ?? null
}

export async function findDomainForUpdate(scope: TransactionScope, id: string): Promise<DomainRow | null> {
  const { rows } = await sql<DomainRow>`
    select ${domainColumns} from sender_domains where merchant_id = ${scope.merchantId} and id = ${id} for update`.execute(
    scope.db,
  )
  return rows[0] ?? null
}

export async function findDomainByName(scope: MerchantScope, name: string): Promise<DomainRow | null> {
  const { rows } = await sql<DomainRow>`
    select ${domainColumns} from sender_domains where merchant_id = ${scope.merchantId} and name = ${name}`.execute(
    scope.db,
  )
  return rows[0] ?? null
}

/** Two members who add at once wait for each other, so that the number holds. */
export async function lockDomains(scope: TransactionScope): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`sender domains ${scope.merchantId}`}, 0))`.execute(
    scope.db,
  )
}

export async function insertDomain(
  scope: TransactionScope,
  domain: Pick<DomainRow, 'id' | 'name' | 'token' | 'next_check_at'>,
): Promise<void> {
  await scope.db
    .insertInto('sender_domains')
    .values({ ...domain, merchant_id: scope.merchantId, created_at: scope.now })
    .execute()
}

export async function updateDomain(
  scope: TransactionScope,
  id: string,
  { records, ...change }: Partial<Omit<DomainRow, 'id' | 'name' | 'token' | 'created_at'>>,
): Promise<void> {
  await scope.db
    .updateTable('sender_domains')
    .set({ ...change, ...(records ? { records: JSON.stringify(records) } : {}) })
    .where('merchant_id', '=', scope.merchantId)
    .where('id', '=', id)
    .execute()
}

/** With its keys. */
export async function deleteDomain(scope: TransactionScope, id: string): Promise<void> {
  await sql`delete from warm_up_days where merchant_id = ${scope.merchantId} and domain_id = ${id}`.execute(scope.db)
  await sql`delete from sender_domain_keys where merchant_id = ${scope.merchantId} and domain_id = ${id}`.execute(
    scope.db,
  )
  await sql`delete from sender_domains where merchant_id = ${scope.merchantId} and id = ${id}`.execute(scope.db)
}

/** For one domain, or for all; the oldest first. */
export async function selectKeys(scope: MerchantScope, domainId: string | null = null): Promise<KeyRow[]> {
  const { rows } = await sql<KeyRow>`
    select ${keyColumns} from sender_domain_keys
    where merchant_id = ${scope.merchantId} and domain_id = coalesce(${domainId}::uuid, domain_id)
    order by created_at, selector`.execute(scope.db)
  return rows
}

export async function insertKey(
  scope: TransactionScope,
  key: Pick<KeyRow, 'domain_id' | 'selector' | 'state' | 'public_key' | 'private_key'>,
): Promise<void> {
  await scope.db
    .insertInto('sender_domain_keys')
    .values({ ...key, merchant_id: scope.merchantId, created_at: scope.now })
    .execute()
}

/** The next key signs from now on. What the former one signed is verified by its record as long as that stays; its private half is of no more use. */
export async function promoteKey(scope: TransactionScope, domainId: string, publishedUntil: Date): Promise<void> {
  await sql`
    update sender_domain_keys set state = 'former', private_key = null, published_until = ${publishedUntil}
    where merchant_id = ${scope.merchantId} and domain_id = ${domainId} and state = 'active'`.execute(scope.db)
  await sql`
    update sender_domain_keys set state = 'active'
    where merchant_id = ${scope.merchantId} and domain_id = ${domainId} and state = 'next'`.execute(scope.db)
}

export async function deleteFormerKeys(scope: TransactionScope, domainId: string): Promise<void> {
  await sql`
    delete from sender_domain_keys
    where merchant_id = ${scope.merchantId} and domain_id = ${domainId} and published_until <= ${scope.now}`.execute(
    scope.db,
  )
}

/** Takes one domain that is due; it is due again at `until`, unless a result is recorded before. */
export async function claimDueDomain(scope: MerchantScope, late: Date, until: Date): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    with due as (
      select id from sender_domains
      where merchant_id = ${scope.merchantId} and (next_check_at <= ${scope.now} or next_check_at > ${late})
      order by next_check_at limit 1 for update skip locked
    )
    update sender_domains d set next_check_at = ${until} from due where d.merchant_id = ${scope.merchantId} and d.id = due.id
    returning d.id`.execute(scope.db)
  return rows[0]?.id ?? null
}

/** The key that signs mail of this domain, while its record is known to be there. */
export async function findSigningKey(
  scope: MerchantScope,
  name: string,
): Promise<{ selector: string; private_key: string } | null> {
  const { rows } = await sql<{ selector: string; private_key: string }>`
    select k.selector, k.private_key
    from sender_domains d
    join sender_domain_keys k on k.merchant_id = ${scope.merchantId} and k.domain_id = d.id and k.state = 'active'
    where d.merchant_id = ${scope.merchantId} and d.name = ${name} and d.status in ('verified', 'failing')`.execute(
    scope.db,
  )
  return rows[0] ?? null
}

export async function listMerchantsWithKeys(context: Context): Promise<string[]> {
  const { rows } = await sql<{ merchant_id: string }>`
    select distinct merchant_id from sender_domain_keys where private_key is not null`.execute(context.db)
  return rows.map(({ merchant_id }) => merchant_id)
}

export async function updatePrivateKey(
  scope: TransactionScope,
  { domain_id: domainId, selector }: KeyRow,
  privateKey: string,
): Promise<void> {
  await sql`
    update sender_domain_keys set private_key = ${privateKey}
    where merchant_id = ${scope.merchantId} and domain_id = ${domainId} and selector = ${selector}`.execute(scope.db)
}
