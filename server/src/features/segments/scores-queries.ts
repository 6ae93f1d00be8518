import { sql } from 'kysely'
import { setLocally } from '../../kernel/local-settings.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'

/** One process at a time scores a merchant's customers; the next one waits. */
export async function lockScores(scope: MerchantScope): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${scope.merchantId}, 110))`.execute(scope.db)
}

export async function readLastScored(scope: MerchantScope): Promise<Date | null> {
  const { rows } = await sql<{ computed_at: Date }>`
    select computed_at from score_runs where merchant_id = ${scope.merchantId}`.execute(scope.db)
  return rows[0]?.computed_at ?? null
}

export interface ScoreResult {
  changed: number
  /** The first of the changed customers. */
  changedIds: string[]
}

/** One more than the number of the four quintile boundaries below this value. */
const fifth = (measure: string, column: string) =>
  sql`1 + ${sql.join(
    [1, 2, 3, 4].map((n) => sql`(${sql.ref(column)} > (${sql.ref(`f.${measure}`)})[${sql.lit(n)}])::int`),
    sql` + `,
  )}`

/**
 * Scores everyone who ordered. Each measure is divided into quintiles; equal values get equal scores. Gaps between orders
 * are counted in days of the merchant's calendar: a customer's own median from three orders on, else the merchant's median over all gaps.
 * Only changed rows are written; customers without orders lose their scores. Rows of new ones are made first: a statement that makes them
 * beside its other work needs, on Citus, nodes on which nothing of the merchant is.
 */
export async function writeScores(
  scope: TransactionScope,
  { timezone, shownIds }: { timezone: string; shownIds: number },
): Promise<ScoreResult> {
  // Converting three million dates with an explicit zone takes longer than all the rest, so the session's zone is set instead.
  await insertUnscored(scope)
  const before = await setTimezone(scope, timezone)
  const result = await scoreInItsZone(scope, shownIds)
  await setTimezone(scope, before)
  return result
}

async function insertUnscored({ db, merchantId, now }: TransactionScope): Promise<void> {
  await sql`
    insert into customer_scores (merchant_id, customer_id, recency, frequency, monetary, rfm_class, computed_at)
    select c.merchant_id, c.id, 0, 0, 0, '', ${now}::timestamptz from customers c
    where c.merchant_id = ${merchantId} and c.orders_count > 0 and c.last_order_at is not null
      and not exists (select from customer_scores s where s.merchant_id = ${merchantId} and s.customer_id = c.id)
    order by c.id`.execute(db)
}

/** Returns the previous zone. */
async function setTimezone(scope: TransactionScope, timezone: string): Promise<string> {
  const { rows } = await sql<{ before: string }>`select current_setting('timezone') as before`.execute(scope.db)
  await setLocally(scope, 'timezone', timezone)
  if (!rows[0]) throw new Error('one row is answered')
  return rows[0].before
}

/** Two orders around midnight when the clocks go back may have their days in reverse order, hence `abs`. */
async function scoreInItsZone(scope: TransactionScope, shownIds: number): Promise<ScoreResult> {
  const { db, merchantId, now } = scope
  const { rows } = await sql<ScoreResult & { scored: number; usual: number | null }>`
    with buyers as (
      select c.id, c.last_order_at, c.orders_count, c.orders_amount from customers c
      where c.merchant_id = ${merchantId} and c.orders_count > 0 and c.last_order_at is not null
    ), fifths as materialized (
      select percentile_disc(array[.2, .4, .6, .8]) within group (order by last_order_at) as recency,
        percentile_disc(array[.2, .4, .6, .8]) within group (order by orders_count) as frequency,
        percentile_disc(array[.2, .4, .6, .8]) within group (order by orders_amount) as monetary
      from buyers
    ), gaps as materialized (
      select customer_id, gap from (
        select o.customer_id,
          abs(o.processed_at::date - lag(o.processed_at::date) over (partition by o.customer_id order by o.processed_at)) as gap
        from orders o where o.merchant_id = ${merchantId} and o.cancelled_at is null and o.customer_id is not null
      ) all_gaps where gap is not null
    ), own as (
      select customer_id, percentile_cont(0.5) within group (order by gap) as days from gaps
      group by customer_id having count(*) >= 2
    ), usual as materialized (
      select percentile_cont(0.5) within group (order by gap) as days from gaps
    ), scored as (
      select b.id, b.last_order_at,
        ${fifth('recency', 'b.last_order_at')} as recency,
        ${fifth('frequency', 'b.orders_count')} as frequency,
        ${fifth('monetary', 'b.orders_amount')} as monetary,
        case when coalesce(own.days, usual.days) is not null then greatest(1, round(coalesce(own.days, usual.days)))::int end
          as usual_interval_days
      from buyers b cross join fifths f cross join usual left join own on own.customer_id = b.id
    ), named as (
      select id, recency, frequency, monetary, usual_interval_days,
        last_order_at::date + usual_interval_days as next_order_on,
        case
          when recency >= 4 then (array['new', 'promising', 'potential', 'champions', 'champions'])[(frequency + monetary + 1) / 2]
          when recency = 3 then case when frequency + monetary >= 7 then 'loyal' else 'needs_attention' end
          when frequency + monetary >= 7 then 'at_risk'
          when recency = 2 then 'hibernating'
          else 'lost'
        end as rfm_class
      from scored
    ), gone as (
      delete from customer_scores s
      where s.merchant_id = ${merchantId} and not exists (select from buyers b where b.id = s.customer_id)
      returning s.customer_id
    ), written as (
      update customer_scores s set recency = n.recency, frequency = n.frequency, monetary = n.monetary, rfm_class = n.rfm_class,
        usual_interval_days = n.usual_interval_days, next_order_on = n.next_order_on, computed_at = ${now}
      from named n
      where s.merchant_id = ${merchantId} and s.customer_id = n.id
        and (s.recency, s.frequency, s.monetary, s.rfm_class, s.usual_interval_days, s.next_order_on)
          is distinct from (n.recency::smallint, n.frequency::smallint, n.monetary::smallint, n.rfm_class, n.usual_interval_days, n.next_order_on)
      returning s.customer_id
    ), changed as (
      select customer_id from written union all select customer_id from gone
    )
    select (select count(*)::int from buyers) as scored, count(*)::int as changed,
      array(select customer_id from changed limit ${shownIds})::text[] as "changedIds",
      (select case when days is not null then greatest(1, round(days))::int end from usual) as usual
    from changed`.execute(db)
  const [result] = rows
  if (!result) throw new Error('scoring answers one row')
  await sql`
    insert into score_runs as r (merchant_id, computed_at, customer_count, usual_interval_days)
    values (${merchantId}, ${now}, ${result.scored}, ${result.usual})
    on conflict (merchant_id) do update set computed_at = excluded.computed_at, customer_count = excluded.customer_count,
      usual_interval_days = excluded.usual_interval_days`.execute(db)
  return result
}
