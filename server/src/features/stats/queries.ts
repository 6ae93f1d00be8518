import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { type Measure, measures, type Results } from './measure.ts'

export interface BucketRow {
  bucket: Date
  programId: string
  emailId: string
  /** Empty for campaigns. */
  nodeId: string
  counts: Results
}
export type NodeResults = Results & { node_id: string }

const columns = sql.join(measures.map((measure) => sql.ref(measure)))
const sums: RawBuilder<unknown> = sql.join(
  measures.map((measure) => sql`coalesce(sum(${sql.ref(measure)}), 0)::bigint as ${sql.ref(measure)}`),
)

/** The rows come in the order of their key: concurrent callers take the row locks in the same order. */
export async function addToBuckets(scope: MerchantScope, rows: readonly BucketRow[]): Promise<void> {
  const values = (measure: Measure): RawBuilder<unknown> => sql`${rows.map(({ counts }) => counts[measure])}::bigint[]`
  await sql`
    insert into message_stats as s (merchant_id, bucket, program_id, email_id, node_id, ${columns})
    select ${scope.merchantId}, r.* from unnest(
      ${rows.map(({ bucket }) => bucket)}::timestamptz[], ${rows.map(({ programId }) => programId)}::uuid[],
      ${rows.map(({ emailId }) => emailId)}::uuid[], ${rows.map(({ nodeId }) => nodeId)}::text[], ${sql.join(measures.map(values))}
    ) as r
    on conflict (merchant_id, bucket, program_id, email_id, node_id) do update set
      ${sql.join(measures.map((measure) => sql`${sql.ref(measure)} = ${sql.ref(`s.${measure}`)} + ${sql.ref(`excluded.${measure}`)}`))}
  `.execute(scope.db)
}

/** As {@link addToBuckets}, to the sums a scenario's nodes have over all time. */
export async function addToScenarios(
  scope: MerchantScope,
  rows: readonly Pick<BucketRow, 'programId' | 'nodeId' | 'counts'>[],
): Promise<void> {
  if (rows.length === 0) return
  const values = (measure: Measure): RawBuilder<unknown> => sql`${rows.map(({ counts }) => counts[measure])}::bigint[]`
  await sql`
    insert into scenario_stats as s (merchant_id, scenario_id, node_id, ${columns})
    select ${scope.merchantId}, r.* from unnest(
      ${rows.map(({ programId }) => programId)}::uuid[], ${rows.map(({ nodeId }) => nodeId)}::text[],
      ${sql.join(measures.map(values))}
    ) as r
    on conflict (merchant_id, scenario_id, node_id) do update set
      ${sql.join(measures.map((measure) => sql`${sql.ref(measure)} = ${sql.ref(`s.${measure}`)} + ${sql.ref(`excluded.${measure}`)}`))}
  `.execute(scope.db)
}

export async function sumByScenario(
  scope: MerchantScope,
  ids: readonly string[],
): Promise<(Results & { id: string })[]> {
  const { rows } = await sql<Results & { id: string }>`
    select scenario_id as id, ${sums} from scenario_stats
    where merchant_id = ${scope.merchantId} and scenario_id = any(${ids}::uuid[]) group by scenario_id
  `.execute(scope.db)
  return rows
}

export async function sumByNode(scope: MerchantScope, scenarioId: string): Promise<NodeResults[]> {
  const { rows } = await sql<NodeResults>`
    select node_id, ${columns} from scenario_stats
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
): Promise<(Results & { id: string })[]> {
  const { rows } = await sql<Results & { id: string }>`
    select program_id as id, ${sums} from message_stats
    where merchant_id = ${scope.merchantId} and program_id = any(${ids}::uuid[]) group by program_id
  `.execute(scope.db)
  return rows
}

/**
 * Sets (not adds) what was sent by one program with one email, so that counting again changes nothing. Answers by how much the sum grew;
 * for that the caller must be the only one who counts this program.
 */
export async function setSent(
  scope: MerchantScope,
  message: { programId: string; emailId: string; nodeId: string },
  counts: readonly { bucket: Date; sent: number }[],
): Promise<number> {
  const { rows } = await sql<{ more: number }>`
    with given as (
      select * from unnest(${counts.map(({ bucket }) => bucket)}::timestamptz[], ${counts.map(({ sent }) => sent)}::int[]) as r (bucket, sent)
    ), before as (
      select s.bucket, s.sent from given g join message_stats s on s.merchant_id = ${scope.merchantId} and s.bucket = g.bucket
        and s.program_id = ${message.programId} and s.email_id = ${message.emailId} and s.node_id = ${message.nodeId}
    ), written as (
      insert into message_stats as s (merchant_id, bucket, program_id, email_id, node_id, sent)
      select ${scope.merchantId}, g.bucket, ${message.programId}, ${message.emailId}, ${message.nodeId}, g.sent
      from given g order by g.bucket
      on conflict (merchant_id, bucket, program_id, email_id, node_id) do update set sent = excluded.sent
      where s.sent <> excluded.sent
    )
    select coalesce(sum(g.sent - coalesce(b.sent, 0)), 0)::int as more from given g left join before b using (bucket)
  `.execute(scope.db)
  return rows[0]?.more ?? 0
}
