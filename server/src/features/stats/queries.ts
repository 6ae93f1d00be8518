import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { type Measure, measures, type Results } from './measure.ts'

export interface BucketRow {
  bucket: Date
  campaignId: string
  emailId: string
  counts: Results
}

const columns = sql.join(measures.map((measure) => sql.ref(measure)))
const sums: RawBuilder<unknown> = sql.join(
  measures.map((measure) => sql`coalesce(sum(${sql.ref(measure)}), 0)::bigint as ${sql.ref(measure)}`),
)

/** The rows come in the order of their key: concurrent callers take the row locks in the same order. */
export async function addToBuckets(scope: MerchantScope, rows: readonly BucketRow[]): Promise<void> {
  const values = (measure: Measure): RawBuilder<unknown> => sql`${rows.map(({ counts }) => counts[measure])}::bigint[]`
  await sql`
    insert into message_stats as s (merchant_id, bucket, campaign_id, email_id, ${columns})
    select ${scope.merchantId}, r.* from unnest(
      ${rows.map(({ bucket }) => bucket)}::timestamptz[], ${rows.map(({ campaignId }) => campaignId)}::uuid[],
      ${rows.map(({ emailId }) => emailId)}::uuid[], ${sql.join(measures.map(values))}
    ) as r
    on conflict (merchant_id, bucket, campaign_id, email_id) do update set
      ${sql.join(measures.map((measure) => sql`${sql.ref(measure)} = ${sql.ref(`s.${measure}`)} + ${sql.ref(`excluded.${measure}`)}`))}
  `.execute(scope.db)
}

export async function sumByEmail(scope: MerchantScope, ids: readonly string[]): Promise<(Results & { id: string })[]> {
  const { rows } = await sql<Results & { id: string }>`
    select email_id as id, ${sums} from message_stats
    where merchant_id = ${scope.merchantId} and email_id = any(${ids}::uuid[]) group by email_id
  `.execute(scope.db)
  return rows
}

export async function sumByCampaign(
  scope: MerchantScope,
  ids: readonly string[],
): Promise<(Results & { id: string })[]> {
  const { rows } = await sql<Results & { id: string }>`
    select campaign_id as id, ${sums} from message_stats
    where merchant_id = ${scope.merchantId} and campaign_id = any(${ids}::uuid[]) group by campaign_id
  `.execute(scope.db)
  return rows
}

/** Sets (not adds) what was sent of one message, so that counting again changes nothing. */
export async function setSent(
  scope: MerchantScope,
  message: { campaignId: string; emailId: string },
  counts: readonly { bucket: Date; sent: number }[],
): Promise<void> {
  await sql`
    insert into message_stats as s (merchant_id, bucket, campaign_id, email_id, sent)
    select ${scope.merchantId}, r.bucket, ${message.campaignId}, ${message.emailId}, r.sent
    from unnest(${counts.map(({ bucket }) => bucket)}::timestamptz[], ${counts.map(({ sent }) => sent)}::int[]) as r (bucket, sent)
    order by r.bucket
    on conflict (merchant_id, bucket, campaign_id, email_id) do update set sent = excluded.sent
    where s.sent <> excluded.sent`.execute(scope.db)
}
