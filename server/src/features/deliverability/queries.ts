import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import { LONGEST_PAUSE_MS } from './due-queries.ts'
import { byReceiver, type Count, counts, domainOf, isRefused, type ReceiverRow } from './receiver-sql.ts'

/** What was said when a mail was refused, or came back. */
export interface AnswerRow {
  domain: string
  address: string | null
  words: string
  at: Date
  day: string | null
}
export interface Answer {
  words: string
  count: number
  at: string
}

/** The last answers that are looked at for the few that are shown. */
const ANSWERS_READ = 400

export async function findReportedCampaign(
  scope: MerchantScope,
  id: string,
): Promise<{ name: string; started_at: Date | null } | null> {
  const row = await scope.db
    .selectFrom('campaigns')
    .select(['name', 'started_at'])
    .where('merchant_id', '=', scope.merchantId)
    .where('id', '=', id)
    .where('status', '<>', 'deleted')
    .executeTakeFirst()
  return row ?? null
}

const columnsRead = sql`d.address, d.status, d.reason, d.detail, d.sent_at, d.bounced_at, d.bounce_kind, d.complained_at, d.opened_at, d.clicked_at`

/** The rows of one campaign, of a test too, as its report counts them. */
const ofCampaign = (scope: MerchantScope, campaignId: string): RawBuilder<unknown> => sql`
  from deliveries d where d.merchant_id = ${scope.merchantId} and d.campaign_id = ${campaignId} and d.channel = 'email'`

/** One statement over the campaign's rows, by an index, as the other parts of its report are. */
export async function countCampaign(scope: MerchantScope, campaignId: string): Promise<ReceiverRow[]> {
  const rows = sql`select ${columnsRead}, coalesce(d.sent_at, d.created_at) as at ${ofCampaign(scope, campaignId)}
    and d.status <> 'skipped'`
  const answer = await byReceiver({ rows, timezone: null, namesPeople: true }).execute(scope.db)
  return answer.rows
}

/** The last ones of rows `d`: words of refusals that stand in the ledger, and of mails that came back. */
async function listAnswers(
  scope: MerchantScope,
  { from, timezone, at }: { from: RawBuilder<unknown>; timezone: string | null; at: RawBuilder<unknown> },
): Promise<AnswerRow[]> {
  const { merchantId, now } = scope
  const day = timezone === null ? sql`null` : sql`to_char((${at}) at time zone ${timezone}, 'YYYY-MM-DD')`
  const { rows } = await sql<AnswerRow>`
    select domain, address, words, at, day from (
      select d.domain, d.address, d.detail as words, coalesce(b.at, d.bounced_at, case d.status when 'pending' then ${now}::timestamptz end, d.row_at) as at, d.day
      from (
        select d.id, ${domainOf(sql`d.address`)} as domain, d.address, d.detail, d.status, d.bounced_at, ${at} as row_at, ${day} as day
        ${from} and d.status in ('failed', 'pending') and ${isRefused} and d.detail is not null
        order by d.id desc limit ${ANSWERS_READ}
      ) d left join bounces b on b.merchant_id = ${merchantId} and b.delivery_id = d.id and b.way = 'refused'
      union all
      select d.domain, d.address, b.diagnostic, b.at, d.day
      from (
        select d.id, ${domainOf(sql`d.address`)} as domain, d.address, ${day} as day
        ${from} and d.bounced_at is not null and d.status <> 'failed' order by d.bounced_at desc limit ${ANSWERS_READ}
      ) d join bounces b on b.merchant_id = ${merchantId} and b.delivery_id = d.id and b.verdict <> 'complaint' and b.diagnostic is not null
    ) said order by at desc limit ${ANSWERS_READ}`.execute(scope.db)
  return rows
}

export const listCampaignAnswers = (scope: MerchantScope, campaignId: string): Promise<AnswerRow[]> =>
  listAnswers(scope, {
    from: ofCampaign(scope, campaignId),
    timezone: null,
    at: sql`coalesce(d.bounced_at, d.sent_at, d.created_at)`,
  })

export interface DueProgram {
  program_id: string
  kind: 'campaign' | 'scenario'
  active_at: Date
  counted_at: Date | null
}

/** Something of it was sent: it is counted again, but not more often than it may be. */
export async function noteActivity(
  scope: MerchantScope,
  programs: readonly Pick<DueProgram, 'program_id' | 'kind'>[],
): Promise<void> {
  const { merchantId, now } = scope
  const ids = sql`${programs.map(({ program_id }) => program_id)}::uuid[]`
  await sql`
    insert into receiver_countings (merchant_id, program_id, kind, active_at, due_at)
    select ${merchantId}, g.program_id, g.kind, ${now}, ${now}
    from unnest(${ids}, ${programs.map(({ kind }) => kind)}::text[]) as g (program_id, kind)
    order by 2 on conflict (merchant_id, program_id) do nothing`.execute(scope.db)
  await sql`
    update receiver_countings c set active_at = ${now}, due_at = k.due_at
    from (
      select program_id, greatest(${now}, coalesce(counted_at, ${now}) + pause_ms * '1 millisecond'::interval) as due_at
      from receiver_countings where merchant_id = ${merchantId} and program_id = any(${ids}) order by program_id for update
    ) k
    where c.merchant_id = ${merchantId} and c.program_id = k.program_id`.execute(scope.db)
}

/** Taken for so long; a process that dies meanwhile leaves it to the next. */
export async function claimDueProgram(scope: TransactionScope, until: Date): Promise<DueProgram | null> {
  const { merchantId, now } = scope
  const { rows } = await sql<DueProgram>`
    select program_id, kind, active_at, counted_at from receiver_countings
    where merchant_id = ${merchantId} and (due_at <= ${now} or due_at > ${new Date(now.getTime() + LONGEST_PAUSE_MS)}) order by due_at, program_id limit 1 for update skip locked`.execute(
    scope.db,
  )
  const due = rows[0] ?? null
  if (due)
    await sql`update receiver_countings set due_at = ${until}
      where merchant_id = ${merchantId} and program_id = ${due.program_id}`.execute(scope.db)
  return due
}

/** Null: never again. What was sent since it was claimed keeps its earlier time. */
export async function rescheduleProgram(
  scope: MerchantScope,
  programId: string,
  next: { claimedUntil: Date; countedAt: Date; dueAt: Date | null; pauseMs: number },
): Promise<void> {
  const { claimedUntil, countedAt, dueAt, pauseMs } = next
  const soonest = new Date(countedAt.getTime() + pauseMs)
  await sql`
    update receiver_countings set counted_at = ${countedAt}, pause_ms = ${pauseMs},
      due_at = case when due_at is distinct from ${claimedUntil} then ${soonest}::timestamptz else ${dueAt}::timestamptz end
    where merchant_id = ${scope.merchantId} and program_id = ${programId}`.execute(scope.db)
}

export interface DayRow extends ReceiverRow {
  day: string
}

const AT_OF_SCENARIO = sql`coalesce(d.sent_at, d.bounced_at, d.created_at)`

/** The people a campaign or scenario mailed since, without tests. A refused mail has no time of its own: a campaign's counts from its start. */
function rowsSince(scope: MerchantScope, { program_id, kind }: DueProgram, since: Date): RawBuilder<unknown> {
  const { merchantId } = scope
  const toPeople = sql`d.channel = 'email' and d.kind <> 'test' and not d.test_mode`
  if (kind === 'campaign')
    return sql`select d.*, coalesce(d.sent_at, d.bounced_at, greatest(d.created_at, c.started_at)) as at
      from deliveries d left join campaigns c on c.merchant_id = ${merchantId} and c.id = ${program_id}
      where d.merchant_id = ${merchantId} and d.campaign_id = ${program_id} and ${toPeople}
        and d.status in ('sent', 'failed', 'uncertain')`
  // Each part is read by an index of its own.
  return sql`select d.*, ${AT_OF_SCENARIO} as at from (
      select * from deliveries where merchant_id = ${merchantId} and scenario_id = ${program_id} and sent_at >= ${since} and status = 'sent'
      union all
      select * from deliveries where merchant_id = ${merchantId} and scenario_id = ${program_id} and status in ('failed', 'uncertain')
        and created_at >= ${since}
    ) d where ${toPeople}`
}

export async function countProgram(
  scope: MerchantScope,
  program: DueProgram,
  { since, timezone }: { since: Date; timezone: string },
): Promise<DayRow[]> {
  const answer = await byReceiver({
    rows: rowsSince(scope, program, since),
    timezone,
    namesPeople: program.kind === 'campaign',
  }).execute(scope.db)
  return answer.rows as DayRow[]
}

export const listProgramAnswers = (
  scope: MerchantScope,
  program: DueProgram,
  { since, timezone }: { since: Date; timezone: string },
): Promise<AnswerRow[]> =>
  listAnswers(scope, {
    from: sql`from (${rowsSince(scope, program, since)}) d where true`,
    timezone,
    at: sql`d.at`,
  })

/** A statement has at most 65,535 parameters. */
const ROWS_AT_ONCE = 1000
type Stored = Exclude<Count, 'waiting'>
const stored = counts.filter((count): count is Stored => count !== 'waiting')

/** In place of what was counted before, of these days. Two workers that counted the same program take turns. */
export async function setFigures(
  scope: TransactionScope,
  programId: string,
  { fromDay, rows }: { fromDay: string | null; rows: readonly (DayRow & { answers: readonly Answer[] })[] },
): Promise<void> {
  const { merchantId } = scope
  await sql`select from receiver_countings where merchant_id = ${merchantId} and program_id = ${programId} for update`.execute(
    scope.db,
  )
  await sql`delete from receiver_figures where merchant_id = ${merchantId} and program_id = ${programId}
    and (${fromDay}::date is null or day >= ${fromDay}::date)`.execute(scope.db)
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
    await scope.db
      .insertInto('receiver_figures')
      .values(
        rows.slice(at, at + ROWS_AT_ONCE).map((row) => ({
          ...(Object.fromEntries(stored.map((count) => [count, row[count]])) as Record<Stored, number>),
          merchant_id: merchantId,
          program_id: programId,
          day: row.day,
          receiver: row.receiver,
          first_sent_at: row.first_sent_at,
          last_sent_at: row.last_sent_at,
          peak_per_minute: row.peak_per_minute,
          answers: JSON.stringify(row.answers),
        })),
      )
      .execute()
}

export interface StoredRow extends Record<Stored, number> {
  day: string
  receiver: string
  first_sent_at: Date | null
  last_sent_at: Date | null
  peak_per_minute: number
  answers: Answer[]
}

/** All programs of a run of local days together, by day. */
export async function listFigures(scope: MerchantScope, span: { from: string; to: string }): Promise<StoredRow[]> {
  const { rows } = await sql<StoredRow>`
    select to_char(day, 'YYYY-MM-DD') as day, receiver, min(first_sent_at) as first_sent_at, max(last_sent_at) as last_sent_at,
      max(peak_per_minute) as peak_per_minute,
      coalesce(jsonb_agg(said) filter (where said is not null), '[]') as answers,
      ${sql.join(stored.map((count) => sql`sum(${sql.ref(count)}) filter (where nth is null or nth = 1)::int as ${sql.ref(count)}`))}
    from receiver_figures left join lateral jsonb_array_elements(answers) with ordinality as a (said, nth) on true
    where merchant_id = ${scope.merchantId} and day between ${span.from}::date and ${span.to}::date
    group by day, receiver`.execute(scope.db)
  return rows
}

export async function findLastCount(scope: MerchantScope): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select max(counted_at) as at from receiver_countings where merchant_id = ${scope.merchantId}`.execute(scope.db)
  return rows[0]?.at ?? null
}

/** Mails delivered and reported at each of a span's points that has any; from the sums of `stats`. */
export async function countComplaints(
  scope: MerchantScope,
  span: { start: Date; end: Date; marks: readonly Date[] },
): Promise<{ point: number; delivered: number; complained: number }[]> {
  const { rows } = await sql<{ point: number; delivered: number; complained: number }>`
    select width_bucket(bucket, ${[...span.marks]}::timestamptz[]) - 1 as point, greatest(sum(sent) - sum(bounced), 0)::int as delivered,
      sum(complained)::int as complained
    from message_stats where merchant_id = ${scope.merchantId} and channel = 'email' and bucket >= ${span.start} and bucket < ${span.end}
    group by 1`.execute(scope.db)
  return rows
}

export interface WarningRow {
  level: 'high' | 'over'
  warned_at: Date
}
export async function findWarning(scope: MerchantScope): Promise<WarningRow | null> {
  const row = await scope.db
    .selectFrom('complaint_warnings')
    .select(['level', 'warned_at'])
    .where('merchant_id', '=', scope.merchantId)
    .executeTakeFirst()
  return (row as WarningRow | undefined) ?? null
}

/** Returns false where another process said the same meanwhile. */
export async function noteWarning(
  scope: TransactionScope,
  level: WarningRow['level'],
  before: WarningRow | null,
): Promise<boolean> {
  const { rows } = await sql`
    insert into complaint_warnings as w (merchant_id, level, warned_at) values (${scope.merchantId}, ${level}, ${scope.now})
    on conflict (merchant_id) do update set level = excluded.level, warned_at = excluded.warned_at
    where w.level = ${before?.level ?? null}::text and w.warned_at = ${before?.warned_at ?? null}::timestamptz
    returning 1`.execute(scope.db)
  return rows.length > 0
}
