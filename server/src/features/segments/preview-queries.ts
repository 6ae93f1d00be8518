import type { TargetCounts } from '@okaeri/contract/segments/segment'
import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { whyNotContactable } from '../deliveries/index.ts'

export interface ChosenCounts extends Omit<TargetCounts, 'customer_percentage'> {
  /** The newest of the chosen customers. */
  firstIds: string[]
}

/** The chosen customers of one kind. */
interface Kind {
  reason: 'no_consent' | 'paused' | 'no_address' | 'suppressed' | null
  granted: boolean
  line: boolean
  people: number
}

/**
 * The chosen customers, counted by the reason why they cannot be mailed: grouping is faster than a sum per reason over a million rows. Each
 * address gets one mail, so its other customers are duplicates (`isDuplicateAddress` of deliveries says which). The newest customers are in
 * the same statement, so that both are consistent. Everything it reads of a customer, except for conditions, is in the index
 * `customers_to_choose`.
 */
export async function countChosen(
  scope: MerchantScope,
  where: RawBuilder<boolean>,
  { sendToAll, firstIds }: { sendToAll: boolean; firstIds: number },
): Promise<ChosenCounts> {
  const { merchantId } = scope
  const newest =
    firstIds > 0
      ? sql`array(select id from chosen order by created_at desc, id desc limit ${firstIds})::text[]`
      : sql`'{}'::text[]`
  const { rows } = await sql<{ kinds: Kind[]; addresses: number; firstIds: string[] }>`
    with chosen as materialized (
      select c.id, c.created_at, c.email_key, c.marketing_state = 'granted' as granted, c.line_connected_at is not null as line,
        ${whyNotContactable(scope, { channel: 'email', sendToAll, ofMany: true })} as reason
      from customers c where c.merchant_id = ${merchantId} and ${where}
    )
    select coalesce((
        select jsonb_agg(to_jsonb(kind)) from (
          select reason, granted, line, count(*)::int as people from chosen group by reason, granted, line
        ) kind
      ), '[]') as kinds,
      (select count(*)::int from (select from chosen where reason is null group by email_key) mailed) as addresses,
      ${newest} as "firstIds"`.execute(scope.db)
  const row = rows[0]
  if (!row) throw new Error('a count answers one row')
  const people = (is: (kind: Kind) => boolean): number =>
    row.kinds.filter(is).reduce((sum, kind) => sum + kind.people, 0)
  return {
    total: people(() => true),
    with_address: people(({ reason }) => reason !== 'no_address'),
    with_consent: people(({ granted }) => granted),
    reachable: row.addresses,
    reachable_by_line: people(({ line }) => line),
    no_consent: people(({ reason }) => reason === 'no_consent'),
    paused: people(({ reason }) => reason === 'paused'),
    no_address: people(({ reason }) => reason === 'no_address'),
    suppressed: people(({ reason }) => reason === 'suppressed'),
    duplicate_address: people(({ reason }) => reason === null) - row.addresses,
    firstIds: row.firstIds,
  }
}

export async function countCustomers(scope: MerchantScope): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from customers where merchant_id = ${scope.merchantId}`.execute(scope.db)
  return rows[0]?.total ?? 0
}
