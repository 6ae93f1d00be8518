import { sql } from 'kysely'
import { type PersonalDataEntry, markHash, type Person } from '../../kernel/personal-data.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

/** Proof that a mail-order seller had consent is to be kept for three years (特定商取引法). */
const PROOF_KEPT_MS = 3 * 365 * 86_400_000
/** Before the HMAC of an address in the place of the address. */
export const ERASED = 'erased:'

export const consentPersonalData: readonly PersonalDataEntry[] = [
  {
    table: 'consent_changes',
    title: { ja: '配信許可の記録', en: 'Permission history' },
    about: ({ customerIds }) => sql`t.customer_id = any(${customerIds}::uuid[])`,
    omittedColumns: ['address_hash', 'proof_until'],
    // That a person consented, when, how and to which words can still be proven to someone who names the address; who the person was
    // cannot.
    forget: {
      set: (person, scope) => sql`customer_id = ${person.anonymousId}, page = split_part(page, '?', 1),
        address_hash = ${person.addresses[0] === undefined ? null : markHash(scope, 'address', person.addresses[0])},
        proof_until = ${new Date(scope.now.getTime() + PROOF_KEPT_MS)}`,
    },
  },
  {
    table: 'suppressions',
    title: { ja: '配信除外リスト', en: 'Suppression list' },
    about: (
      { addresses, customerIds },
      { merchantId },
    ) => sql`t.address_key = any(${addresses}::text[]) and not exists (
      select from customers c where c.merchant_id = ${merchantId} and c.email_key = t.address_key
        and c.id <> all(${customerIds}::uuid[]))`,
    omittedColumns: ['added_by', 'lifted_by'],
    forget: { run: hashSuppressions },
  },
  {
    table: 'marketing_pauses',
    title: { ja: 'メールの一時休止', en: 'Pauses of marketing' },
    about: (
      { addresses, customerIds },
      { merchantId },
    ) => sql`t.address_key = any(${addresses}::text[]) and not exists (
      select from customers c where c.merchant_id = ${merchantId} and c.email_key = t.address_key
        and c.id <> all(${customerIds}::uuid[]))`,
    forget: 'delete',
  },
]

/** What is in force stays in force as an HMAC ({@link recallSuppressions}); what was lifted goes. */
async function hashSuppressions(scope: MerchantScope, { addresses, customerIds }: Person): Promise<number> {
  const hashes = addresses.map((address) => ERASED + markHash(scope, 'address', address))
  const { rows } = await sql`
    with held as (
      select s.id, s.lifted_at, h.hash, row_number() over (partition by s.channel, s.address_key order by s.lifted_at nulls first) as place,
        exists (select from suppressions e where e.merchant_id = ${scope.merchantId} and e.channel = s.channel and e.address_key = h.hash
          and e.lifted_at is null) as is_known
      from suppressions s join unnest(${addresses}::text[], ${hashes}::text[]) as h(address, hash) on h.address = s.address_key
      where s.merchant_id = ${scope.merchantId} and not exists (
        select from customers c where c.merchant_id = ${scope.merchantId} and c.email_key = s.address_key
          and c.id <> all(${customerIds}::uuid[]))
    ), gone as (
      delete from suppressions s using held
      where s.merchant_id = ${scope.merchantId} and s.id = held.id and (held.lifted_at is not null or held.is_known) returning s.id
    ), hashed as (
      update suppressions s set address_key = held.hash, detail = null, proof = null from held
      where s.merchant_id = ${scope.merchantId} and s.id = held.id and held.lifted_at is null and not held.is_known returning s.id
    )
    select id from gone union all select id from hashed
  `.execute(scope.db)
  return rows.length
}

/** Addresses that were suppressed when their customers were erased are suppressed again, now that customers have them again. */
export async function recallSuppressions(scope: MerchantScope, addressKeys: readonly string[]): Promise<void> {
  if (addressKeys.length === 0) return
  const hashes = addressKeys.map((address) => ERASED + markHash(scope, 'address', address))
  await sql`
    update suppressions s set address_key = h.address
    from unnest(${addressKeys}::text[], ${hashes}::text[]) as h(address, hash)
    where s.merchant_id = ${scope.merchantId} and s.address_key = h.hash and s.lifted_at is null
      and not exists (select from suppressions k where k.merchant_id = ${scope.merchantId} and k.channel = s.channel
        and k.address_key = h.address and k.lifted_at is null)
  `.execute(scope.db)
}

/** Proof whose time is over; returns how many rows went. */
export async function deleteOldProofs(scope: MerchantScope): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from consent_changes where merchant_id = ${scope.merchantId} and address_hash is not null and proof_until <= ${scope.now}
  `.execute(scope.db)
  return Number(numAffectedRows ?? 0n)
}

/** Addresses in lower case by customer, only if the merchant ever erased a customer. */
export async function selectAddressesOf(
  scope: MerchantScope,
  customerIds: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; emailKey: string }>`
    select id, email_key as "emailKey" from customers
    where merchant_id = ${scope.merchantId} and id = any(${customerIds}::uuid[]) and email_key is not null
      and exists (select from erased_marks m where m.merchant_id = ${scope.merchantId})
  `.execute(scope.db)
  return new Map(rows.map(({ id, emailKey }) => [id, emailKey]))
}
