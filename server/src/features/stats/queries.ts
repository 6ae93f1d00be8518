import type { ChannelName } from '@okaeri/contract/deliveries/delivery'
import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { type ChannelResults, type Measure, measures, type Results } from './measure.ts'

/**
 * The key of `message_stats`, where `email_id` is the content of any channel. The channel is not part of the key: the content implies it, and a
 * process from before migration 0361 uses the key without it.
 */
export interface BucketKey {
  bucket: Date
  programId: string
  channel: ChannelName
  contentId: string
  /** Empty for campaigns. */
  nodeId: string
}
export interface BucketRow extends BucketKey {
  counts: Results
}
export type NodeResults = ChannelResults & { node_id: string }

const columns = sql.join(measures.map((measure) => sql.ref(measure)))
const sums: RawBuilder<unknown> = sql.join(
  measures.map((measure) => sql`coalesce(sum(${sql.ref(measure)}), 0)::bigint as ${sql.ref(measure)}`),
)

/** The rows are in the order of their key, so that concurrent callers take the row locks in the same order. */
export async function addToBuckets(scope: MerchantScope, rows: readonly BucketRow[]): Promise<void> {
  const values = (measure: Measure): RawBuilder<unknown> => sql`${rows.map(({ counts }) => counts[measure])}::bigint[]`
  await sql`
    insert into message_stats as s (merchant_id, bucket, program_id, email_id, node_id, channel, ${columns})
    select ${scope.merchantId}, r.* from unnest(
      ${rows.map(({ bucket }) => bucket)}::timestamptz[], ${rows.map(({ programId }) => programId)}::uuid[],
      ${rows.map(({ contentId }) => contentId)}::uuid[], ${rows.map(({ nodeId }) => nodeId)}::text[],
      ${rows.map(({ channel }) => channel)}::text[], ${sql.join(measures.map(values))}
    ) as r
    on conflict (merchant_id, bucket, program_id, email_id, node_id) do update set
      ${sql.join(measures.map((measure) => sql`${sql.ref(measure)} = ${sql.ref(`s.${measure}`)} + ${sql.ref(`excluded.${measure}`)}`))}
  `.execute(scope.db)
}

/** As {@link addToBuckets}, for the sums of a scenario's nodes over all time. */
export async function addToScenarios(
  scope: MerchantScope,
  rows: readonly Pick<BucketRow, 'programId' | 'nodeId' | 'channel' | 'counts'>[],
): Promise<void> {
  if (rows.length === 0) return
  const values = (measure: Measure): RawBuilder<unknown> => sql`${rows.map(({ counts }) => counts[measure])}::bigint[]`
  await sql`
    insert into scenario_stats as s (merchant_id, scenario_id, node_id, channel, ${columns})
    select ${scope.merchantId}, r.* from unnest(
      ${rows.map(({ programId }) => programId)}::uuid[], ${rows.map(({ nodeId }) => nodeId)}::text[],
      ${rows.map(({ channel }) => channel)}::text[],
      ${sql.join(measures.map(values))}
    ) as r
    on conflict (merchant_id, scenario_id, node_id) do update set
      ${sql.join(measures.map((measure) => sql`${sql.ref(measure)} = ${sql.ref(`s.${measure}`)} + ${sql.ref(`excluded.${measure}`)}`))}
  `.execute(scope.db)
}

export async function sumByScenario(
  scope: MerchantScope,
  ids: readonly string[],
): Promise<(ChannelResults & { id: string })[]> {
  const { rows } = await sql<ChannelResults & { id: string }>`
    select scenario_id as id, channel, ${sums} from scenario_stats
    where merchant_id = ${scope.merchantId} and scenario_id = any(${ids}::uuid[]) group by scenario_id, channel
  `.execute(scope.db)
  return rows
}

/** The results of a scenario by sending node; nodes without results are missing. */
export async function sumByNode(scope: MerchantScope, scenarioId: string): Promise<NodeResults[]> {
  const { rows } = await sql<NodeResults>`
    select node_id, channel, ${columns} from scenario_stats
    where merchant_id = ${scope.merchantId} and scenario_id = ${scenarioId}
  `.execute(scope.db)
  return rows
}

export async function sumByEmail(scope: MerchantScope, ids: readonly string[]): Promise<(Results & { id: string })[]> {
  const { rows } = await sql<Results & { id: string }>`
    select email_id as id, ${sums} from message_stats
    where merchant_id = ${scope.merchantId} and email_id = any(${ids}::uuid[]) group by email_id
  `.execute(scope.db)
  return rows
}

export async function sumByProgram(
  scope: MerchantScope,
  ids: readonly string[],
): Promise<(ChannelResults & { id: string })[]> {
  const { rows } = await sql<ChannelResults & { id: string }>`
    select program_id as id, channel, ${sums} from message_stats
    where merchant_id = ${scope.merchantId} and program_id = any(${ids}::uuid[]) group by program_id, channel
  `.execute(scope.db)
  return rows
}

export interface SentRow extends BucketKey {
  sent: number
}
interface GrownNode extends Pick<BucketKey, 'programId' | 'nodeId' | 'channel'> {
  more: number
}
/**
 * Sets (does not add) the sent counts, so that counting again changes nothing. The rows are in the order of their key. Returns by how much the
 * sums of nodes grew; for this the caller must be the only one that counts these programs.
 */
export async function setSent(scope: MerchantScope, sent: readonly SentRow[]): Promise<GrownNode[]> {
  const given = sql`
    unnest(${sent.map(({ bucket }) => bucket)}::timestamptz[], ${sent.map(({ programId }) => programId)}::uuid[],
      ${sent.map(({ contentId }) => contentId)}::uuid[], ${sent.map(({ nodeId }) => nodeId)}::text[],
      ${sent.map(({ channel }) => channel)}::text[], ${sent.map((row) => row.sent)}::int[])
      with ordinality as g (bucket, program_id, email_id, node_id, channel, sent, n)`
  // Two statements: one that does both needs, on Citus, nodes on which nothing of the merchant is.
  return scope.transaction(async ({ db, merchantId }) => {
    const { rows } = await sql<GrownNode>`
      select g.program_id as "programId", g.node_id as "nodeId", g.channel, sum(g.sent - coalesce(s.sent, 0))::int as more
      from ${given} left join message_stats s on s.merchant_id = ${merchantId} and s.bucket = g.bucket
        and s.program_id = g.program_id and s.email_id = g.email_id and s.node_id = g.node_id
      group by 1, 2, 3`.execute(db)
    await sql`
      insert into message_stats as s (merchant_id, bucket, program_id, email_id, node_id, channel, sent)
      select ${merchantId}::uuid, g.bucket, g.program_id, g.email_id, g.node_id, g.channel, g.sent from ${given} order by g.n
      on conflict (merchant_id, bucket, program_id, email_id, node_id) do update set sent = excluded.sent
      where s.sent <> excluded.sent`.execute(db)
    return rows
  })
}

export async function sumSentOfNodes(
  { db, merchantId }: MerchantScope,
  { channel, since }: { channel: ChannelName; since: Date },
): Promise<number> {
  const { rows } = await sql<{ sent: number }>`
    select coalesce(sum(sent), 0)::int as sent from message_stats
    where merchant_id = ${merchantId} and bucket >= ${since} and node_id <> '' and channel = ${channel}`.execute(db)
  return rows[0]?.sent ?? 0
}
