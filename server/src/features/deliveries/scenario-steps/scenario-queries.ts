import type { ChannelName, SkipReason } from '@okaeri/contract/deliveries/delivery'
import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope, TransactionScope } from '../../../kernel/merchant-scope.ts'
import { deleteUnrecorded } from '../queries.ts'
import { isOfHeldStep } from './step-circuit-breaker-queries.ts'
import type { RecipientVariables } from '../../email-rendering/index.ts'

/** Held while the scenario is stopped, or while the step is held. */
const stateOf = (merchantId: string, held: boolean): RawBuilder<string> =>
  held ? sql`'held'` : sql`case when ${isOfHeldStep(merchantId)} then 'held' else 'released' end`

/** What makes two messages of a scenario differ. */
export interface MessageKey {
  scenarioId: string
  nodeId: string
  version: number
  fingerprint: string
}
export interface ScenarioMessageRow {
  id: string
  channel: ChannelName
  uses_event: boolean
  uses_coupon: boolean
  test_mode: boolean
  for_tests: boolean
}

export async function findScenarioMessage(scope: MerchantScope, key: MessageKey): Promise<ScenarioMessageRow | null> {
  const row = await scope.db
    .selectFrom('messages')
    .select(['id', 'channel', 'uses_event', 'uses_coupon', 'test_mode', 'for_tests'])
    .where('merchant_id', '=', scope.merchantId)
    .where('scenario_id', '=', key.scenarioId)
    .where('node_id', '=', key.nodeId)
    .where('version', '=', key.version)
    .where('fingerprint', '=', key.fingerprint)
    .executeTakeFirst()
  return (row as ScenarioMessageRow | undefined) ?? null
}

/**
 * Locks the message, so that it is not set `done` until the transaction ends, and reopens it where it was. Many may lock it at once; only the one
 * that reopens it locks it alone. (Two that find it just done may wait for each other: the engine tries a deadlock again.)
 */
export async function reopenMessage(
  scope: TransactionScope,
  messageId: string,
  /** Its scenario was stopped meanwhile: it waits. */
  { held = false } = {},
): Promise<void> {
  const { merchantId, now } = scope
  const reopen = () =>
    sql`update messages set state = ${stateOf(merchantId, held)}, uncounted_from = coalesce(uncounted_from, ${now})
      where merchant_id = ${merchantId} and id = ${messageId} and state = 'done'`.execute(scope.db)
  await reopen()
  const { rows } = await sql<{ state: string }>`
    select state from messages where merchant_id = ${merchantId} and id = ${messageId} for share`.execute(scope.db)
  if (rows[0]?.state === 'done') await reopen()
}

export interface NewScenarioDelivery {
  id: string
  executionId: string
  customerId: string | null
  round: number
  variables: RecipientVariables | null
  /** Not to be sent, for this reason. */
  skip: SkipReason | null
}

/**
 * One row for each visit of the node; of a visit that has one already nothing is written, and its id is returned. Consent, suppression
 * and address are checked when the rows are claimed, so that a wait for the sending hours counts too.
 */
export async function insertScenarioRows(
  scope: MerchantScope,
  mail: {
    scenarioId: string
    nodeId: string
    message: ScenarioMessageRow
    address: RawBuilder<string | null>
    ignoresConsent: boolean
  },
  rows: readonly NewScenarioDelivery[],
): Promise<Map<string, string>> {
  const { merchantId, now } = scope
  const { message } = mail
  const kind = message.for_tests ? 'test' : 'scenario'
  const written = await sql<WrittenRow>`
    insert into deliveries (merchant_id, id, kind, channel, scenario_id, execution_id, node_id, round, customer_id, message_id,
      status, reason, address, test_mode, ignores_consent, variables, created_at)
    select ${merchantId}::uuid, g.id, ${kind}, ${message.channel}::text, ${mail.scenarioId}::uuid, g.execution_id, ${mail.nodeId}, g.round,
      g.customer_id, ${message.id}::uuid, case when g.skip is null then 'pending' else 'skipped' end, g.skip, ${mail.address},
      ${message.test_mode || message.for_tests}::boolean, ${mail.ignoresConsent}::boolean, g.variables::jsonb, ${now}::timestamptz
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ executionId }) => executionId)}::uuid[],
        ${rows.map(({ customerId }) => customerId)}::uuid[], ${rows.map(({ round }) => round)}::int[],
        ${rows.map(({ variables }) => variables && JSON.stringify(variables))}::text[], ${rows.map(({ skip }) => skip)}::text[])
        as g (id, execution_id, customer_id, round, variables, skip)
      left join customers c on c.merchant_id = ${merchantId} and c.id = g.customer_id
    on conflict (merchant_id, execution_id, node_id, round) where execution_id is not null do nothing
    returning id, execution_id, round`.execute(scope.db)
  const ids = new Map(written.rows.map((row) => [visitOf(row), row.id]))
  const others = rows.filter(({ executionId, round }) => !ids.has(visitOf({ execution_id: executionId, round })))
  for (const row of others.length > 0 ? await listRowsOf(scope, mail.nodeId, others) : []) ids.set(visitOf(row), row.id)
  return ids
}

interface WrittenRow {
  id: string
  execution_id: string
  round: number
}
const visitOf = ({ execution_id, round }: Pick<WrittenRow, 'execution_id' | 'round'>): string =>
  `${execution_id} ${round}`

async function listRowsOf(
  { db, merchantId }: MerchantScope,
  nodeId: string,
  visits: readonly Pick<NewScenarioDelivery, 'executionId' | 'round'>[],
): Promise<WrittenRow[]> {
  const { rows } = await sql<WrittenRow>`
    select d.id, d.execution_id, d.round
    from unnest(${visits.map(({ executionId }) => executionId)}::uuid[], ${visits.map(({ round }) => round)}::int[])
      as g (execution_id, round)
    join deliveries d on d.execution_id = g.execution_id and d.round = g.round
    where d.merchant_id = ${merchantId} and d.node_id = ${nodeId}`.execute(db)
  return rows
}

/**
 * Puts rows of a scenario whose fate is unknown back to pending, because a person asked; returns how many. `held`: the scenario is
 * stopped, so they wait, and so does what waited already.
 */
export async function requeueUncertain(
  scope: TransactionScope,
  scenarioId: string,
  { held = false } = {},
): Promise<number> {
  const { merchantId, now } = scope
  await deleteUnrecorded(scope, scenarioId)
  const { rows } = await sql<{ message_id: string }>`
    update deliveries set status = 'pending', reason = null, detail = null, attempts = 0, next_attempt_at = ${now}, lease_id = null,
      first_tried_at = null, batch_id = null
    where merchant_id = ${merchantId} and scenario_id = ${scenarioId} and status = 'uncertain' and kind = 'scenario'
    returning message_id`.execute(scope.db)
  const messageIds = [...new Set(rows.map(({ message_id }) => message_id))]
  await sql`update messages set state = ${stateOf(merchantId, held)}, uncounted_from = coalesce(uncounted_from, ${now})
    where merchant_id = ${merchantId} and id = any(${messageIds}::uuid[])`.execute(scope.db)
  return rows.length
}

export async function countUncertain(scope: MerchantScope, scenarioId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from deliveries
    where merchant_id = ${scope.merchantId} and scenario_id = ${scenarioId} and status = 'uncertain' and kind = 'scenario'`.execute(
    scope.db,
  )
  return rows[0]?.count ?? 0
}

/** The scenario's messages that are released are held, or the other way round; those of a held step stay so. */
export async function markScenarioMessages(
  scope: MerchantScope,
  scenarioId: string,
  change: { from: 'held' | 'released'; to: 'held' | 'released' | 'done' },
): Promise<void> {
  await sql`update messages set state = ${change.to}
    where merchant_id = ${scope.merchantId} and scenario_id = ${scenarioId} and state = ${change.from} and not for_tests
      and (${change.to !== 'released'} or not ${isOfHeldStep(scope.merchantId)})`.execute(scope.db)
}

/** What its held messages, those of held steps aside, still have to send since before then. What a person asked for again counts from when they asked. */
export async function expireHeld(scope: MerchantScope, scenarioId: string, before: Date): Promise<void> {
  const { merchantId } = scope
  await sql`update deliveries d set status = 'skipped', reason = 'expired', next_attempt_at = null
    from messages
    where messages.merchant_id = ${merchantId} and messages.scenario_id = ${scenarioId} and messages.state = 'held'
      and not ${isOfHeldStep(merchantId)} and d.merchant_id = ${merchantId}
      and d.message_id = messages.id and d.status = 'pending' and coalesce(d.next_attempt_at, d.created_at) < ${before}`.execute(
    scope.db,
  )
}

export async function skipPendingOfScenario(scope: MerchantScope, scenarioId: string): Promise<void> {
  await sql`update deliveries set status = 'skipped', reason = 'cancelled'
    where merchant_id = ${scope.merchantId} and scenario_id = ${scenarioId} and status = 'pending'`.execute(scope.db)
}

/**
 * Of executions that ended before their last node: what waits for its hour. What a worker holds is marked: its answer is stored all the
 * same, but it is not tried again (lease-queries.ts).
 */
export async function skipPendingOfExecutions(scope: MerchantScope, executionIds: readonly string[]): Promise<void> {
  const { merchantId } = scope
  // In the order workers take them. One that is being claimed is waited for, and found `sending`.
  await sql`
    with those as (
      select id from deliveries where merchant_id = ${merchantId} and execution_id = any(${[...executionIds]}::uuid[])
        and status in ('pending', 'sending') order by id for update
    )
    update deliveries d set reason = 'cancelled', next_attempt_at = null,
      status = case when d.status = 'pending' then 'skipped' else d.status end
    from those where d.merchant_id = ${merchantId} and d.id = those.id and d.status in ('pending', 'sending')`.execute(
    scope.db,
  )
}

/** Executions of these customers with a mail that has not left yet and was not withdrawn. */
export async function listExecutionsWithWaitingMessages(
  scope: MerchantScope,
  customerIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct execution_id as id from deliveries
    where merchant_id = ${scope.merchantId} and customer_id = any(${[...customerIds]}::uuid[]) and status in ('pending', 'sending')
      and execution_id is not null and kind = 'scenario' and reason is distinct from 'cancelled'`.execute(scope.db)
  return rows.map(({ id }) => id)
}

/** Scenarios with sent messages that are not in the sums, each with the time from which they may be missing. */
export async function listUncountedScenarios(scope: MerchantScope): Promise<{ scenario_id: string; from: Date }[]> {
  const { rows } = await sql<{ scenario_id: string; from: Date }>`
    select scenario_id, min(uncounted_from) as "from" from messages
    where merchant_id = ${scope.merchantId} and scenario_id is not null and uncounted_from is not null
    group by scenario_id order by scenario_id`.execute(scope.db)
  return rows
}

/** Only one process counts a scenario at a time; returns whether this one may. */
export async function claimCounting(scope: TransactionScope, scenarioId: string): Promise<boolean> {
  const { rows } = await sql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`counting ${scope.merchantId} ${scenarioId}`}, 180)) as mine`.execute(
    scope.db,
  )
  return rows[0]?.mine ?? false
}

/** Messages of the scenario that are done and not counted to their end; held so that none is taken up again meanwhile. */
export async function claimDoneMessages(scope: TransactionScope, scenarioId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from messages where merchant_id = ${scope.merchantId} and scenario_id = ${scenarioId}
      and uncounted_from is not null and state = 'done' for update skip locked`.execute(scope.db)
  return rows.map(({ id }) => id)
}

export interface SentOfNode {
  node_id: string
  channel: ChannelName
  content_id: string
  bucket: Date
  sent: number
}
/** What was sent since the beginning of that quarter of an hour, by node, channel and content; tests aside. */
export async function countSentOfScenario(scope: MerchantScope, scenarioId: string, from: Date): Promise<SentOfNode[]> {
  const { rows } = await sql<SentOfNode>`
    select d.node_id, d.channel, m.email_id as content_id, date_bin('15 minutes', d.sent_at, timestamptz '2000-01-01') as bucket, count(*)::int as sent
    from deliveries d join messages m on m.merchant_id = ${scope.merchantId} and m.id = d.message_id
    where d.merchant_id = ${scope.merchantId} and d.scenario_id = ${scenarioId} and d.status = 'sent' and d.kind = 'scenario'
      and not d.test_mode and d.sent_at >= date_bin('15 minutes', ${from}, timestamptz '2000-01-01')
    group by 1, 2, 3, 4 order by 1, 2, 3, 4`.execute(scope.db)
  return rows
}

export async function listSentTo(scope: MerchantScope, scenarioId: string, from: Date): Promise<string[]> {
  const { rows } = await sql<{ customer_id: string }>`
    select distinct customer_id from deliveries
    where merchant_id = ${scope.merchantId} and scenario_id = ${scenarioId} and sent_at >= ${from}
      and kind = 'scenario' and not test_mode and customer_id is not null`.execute(scope.db)
  return rows.map(({ customer_id }) => customer_id)
}

/** These deliveries of a scenario's message turned out to have been sent some time ago: it is counted again from then. */
export async function countAgainFrom(
  scope: MerchantScope,
  messageId: string,
  sent: readonly { sentAt: Date | null }[],
): Promise<void> {
  const times = sent.flatMap(({ sentAt }) => (sentAt ? [sentAt.getTime()] : []))
  if (times.length === 0) return
  await sql`update messages set uncounted_from = least(uncounted_from, ${new Date(Math.min(...times))})
    where merchant_id = ${scope.merchantId} and id = ${messageId} and scenario_id is not null`.execute(scope.db)
}

/** The done ones are counted to their end; of the others what comes is. */
export async function markCounted(
  scope: MerchantScope,
  scenarioId: string,
  counted: { done: readonly string[]; until: Date },
): Promise<void> {
  const { merchantId } = scope
  await sql`update messages set uncounted_from = null
    where merchant_id = ${merchantId} and id = any(${[...counted.done]}::uuid[])`.execute(scope.db)
  await sql`update messages set uncounted_from = ${counted.until}
    where merchant_id = ${merchantId} and scenario_id = ${scenarioId} and uncounted_from < ${counted.until}
      and state <> 'done'`.execute(scope.db)
}
