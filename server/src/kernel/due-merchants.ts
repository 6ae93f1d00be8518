import { isDatabaseAway } from './database-trouble.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { IMPORT_KEPT_DAYS } from '@okaeri/contract/imports/import'
import { type RawBuilder, sql } from 'kysely'
import type { Context } from './context.ts'
import { isFree } from './leases.ts'
import { type MerchantScope, merchantScope } from './merchant-scope.ts'

/** Redeliveries come within hours; what is older only holds people's data. */
export const WEBHOOKS_KEPT_MS = 14 * 86_400_000
/** As long as the rehearsal of a scenario looks back. */
export const EVENTS_KEPT_MS = 90 * 86_400_000
/** A year and a month: what happened a year ago can still be looked up. */
export const HISTORIES_KEPT_MS = 396 * 86_400_000
const IMPORTS_KEPT_MS = IMPORT_KEPT_DAYS * 86_400_000
/** Webhooks get lost, and some changes of metafields are not told. */
export const METAFIELDS_COMPARED_EVERY_MS = 86_400_000
/** Terms nobody got a coupon of for so long are no longer prepared for. */
export const COUPONS_IN_USE_MS = 3 * 86_400_000

const inAnHour = (now: Date): Date => new Date(now.getTime() + 3_600_000)

/**
 * The only statements across merchants (domain.md §1): which merchants have due work of a kind. They read, take no lock, and
 * answer ids alone; the work is then claimed merchant by merchant.
 */
const merchantsWith = {
  privacy_requests: ({ clock }) => sql`
    select distinct merchant_id from privacy_requests where next_attempt_at <= ${clock.now()}`,
  old_proofs: ({ clock }) => sql`
    select distinct merchant_id from consent_changes where address_hash is not null and proof_until <= ${clock.now()}`,
  released_messages: () => sql`select distinct merchant_id from messages where state = 'released'`,
  discounts: ({ clock }) => sql`
    select distinct merchant_id from discounts
    where next_step_at <= ${clock.now()} and ${isFree}`,
  coupons_in_use: ({ clock }) => sql`
    select distinct merchant_id from discounts where last_issued_at >= ${new Date(clock.now().getTime() - COUPONS_IN_USE_MS)}`,
  uncounted_messages: () => sql`select distinct merchant_id from messages where uncounted_from is not null`,
  // Whether one has run out its beats tell, which are watched.
  delivery_leases: () => sql`select distinct merchant_id from delivery_leases`,
  departure_journals: () => sql`select distinct merchant_id from departure_journals`,
  merchants: () => sql`select id as merchant_id from merchants`,
  due_campaigns: ({ clock }) => sql`
    select distinct merchant_id from campaigns
    where status in ('collecting', 'reserving', 'waiting', 'sending') or (status = 'reserved' and scheduled_at <= ${clock.now()})
      or (status = 'cancelled' and started_at is not null and final_balance is null)`,
  unjudged_hits: ({ clock }) => sql`
    select distinct merchant_id from tracking_hits where judged_at is null and occurred_at <= ${clock.now()}`,
  webhooks: ({ clock }) => sql`
    select distinct merchant_id from store_webhooks
    where processed_at is null and parked_at is null and next_attempt_at <= ${clock.now()}`,
  old_webhooks: ({ clock }) => sql`
    select distinct merchant_id from store_webhooks
    where received_at < ${new Date(clock.now().getTime() - WEBHOOKS_KEPT_MS)}
      and (processed_at is not null or parked_at is not null)`,
  // No pause is as long as an hour: a clock was put back.
  syncs: ({ clock }) => sql`
    select distinct merchant_id from sync_runs
    where status = 'running'
      and (next_step_at is null or next_step_at <= ${clock.now()} or next_step_at > ${inAnHour(clock.now())})
      and ${isFree}`,
  store_checks: ({ clock }) => sql`
    select distinct w.merchant_id from store_watches w
    join store_connections c on c.merchant_id = w.merchant_id and c.status = 'connected'
    where w.compared_until is not null and (w.next_check_at <= ${clock.now()} or w.next_sweep_at <= ${clock.now()})
      and not exists (select from sync_runs r where r.merchant_id = w.merchant_id and r.status = 'running')`,
  // By merchant, each one step into the index, for which the order is: there may be a million rows of one, which "exists" would read.
  changed_customers: () => sql`
    select m.id as merchant_id from merchants m cross join lateral (
      select 1 from changed_customers x where x.merchant_id = m.id order by x.customer_id limit 1
    ) x`,
  // Events no scenario looked at (there may be a million rows of one merchant), and people a brake let go.
  events: () => sql`
    select m.id as merchant_id from merchants m cross join lateral (
      select 1 from events e where e.merchant_id = m.id and e.looked_at is null order by e.id limit 1
    ) e
    union
    select s.merchant_id from scenarios s where s.status = 'active' and s.braked_at is null and exists (
      select from scenario_entries n where n.merchant_id = s.merchant_id and n.scenario_id = s.id and n.waits)`,
  // Scenarios the clock starts.
  scenario_clocks: () => sql`
    select distinct merchant_id from scenarios
    where status = 'active'
      and trigger_kind in ('birthday', 'metafield_date', 'days_without_order', 'cart_abandoned', 'checkout_abandoned')`,
  // The oldest event of each; ids grow with time.
  old_events: ({ clock }) => sql`
    select m.id as merchant_id from merchants m cross join lateral (
      select created_at from events where merchant_id = m.id order by id limit 1
    ) e where e.created_at < ${new Date(clock.now().getTime() - EVENTS_KEPT_MS)}`,
  // The history of the oldest execution of each; ids grow with time.
  old_histories: ({ clock }) => sql`
    select m.id as merchant_id from merchants m cross join lateral (
      select execution_id from execution_steps where merchant_id = m.id order by execution_id limit 1
    ) s where s.execution_id < (select okaeri_uuidv7(${new Date(clock.now().getTime() - HISTORIES_KEPT_MS)}))`,
  // Three in the morning there has passed since customers were scored last.
  scores: ({ clock }) => sql`
    select m.id as merchant_id from merchants m left join score_runs r on r.merchant_id = m.id
    where (r.computed_at is null or r.computed_at <
        (date_trunc('day', (${clock.now()}::timestamptz at time zone m.timezone) - interval '3 hours') + interval '3 hours')
          at time zone m.timezone)
      and exists (select from orders o where o.merchant_id = m.id)`,
  // The same of how often products are bought again.
  intervals: ({ clock }) => sql`
    select m.id as merchant_id from merchants m left join interval_runs r on r.merchant_id = m.id
    where (r.computed_at is null or r.computed_at <
        (date_trunc('day', (${clock.now()}::timestamptz at time zone m.timezone) - interval '3 hours') + interval '3 hours')
          at time zone m.timezone)
      and exists (select from orders o where o.merchant_id = m.id)`,
  // Not asked for within a day, though listed before: the first list comes with the first copy of the store.
  remote_lists: ({ clock }) => sql`
    select merchant_id from segment_following
    where remote_listed_at is not null and remote_requested_at < ${new Date(clock.now().getTime() - 86_400_000)}`,
  segment_days: ({ clock }) => sql`
    select distinct s.merchant_id from segments s join merchants m on m.id = s.merchant_id
    where s.deleted_at is null and s.origin = 'own'
      and ((s.members_at is null and s.status = 'ready') or s.members_zone <> m.timezone
        or s.members_day <> (${clock.now()}::timestamptz at time zone m.timezone)::date)`,
  // New ones wait; all are compared once a day (features/metafields/backfill.ts). Not while some are being fetched.
  metafields_to_fill: ({ clock }) => sql`
    select distinct s.merchant_id from metafield_settings s
    join store_connections c on c.merchant_id = s.merchant_id and c.status = 'connected'
    where s.deleted_at is null and s.namespace_type = 'platform'
      and not exists (select from metafield_fills f where f.merchant_id = s.merchant_id and f.status = 'running')
      and (s.status = 'waiting' or not exists (
        select from metafield_fills f
        where f.merchant_id = s.merchant_id and f.started_at > ${new Date(clock.now().getTime() - METAFIELDS_COMPARED_EVERY_MS)}
      ))`,
  metafield_fills: ({ clock }) => sql`
    select distinct merchant_id from metafield_fills
    where status = 'running'
      and (next_step_at is null or next_step_at <= ${clock.realNow()} or next_step_at > ${inAnHour(clock.realNow())})
      and ${isFree}`,
  old_imports: ({ clock }) => sql`
    select distinct merchant_id from imports
    where created_at < ${new Date(clock.now().getTime() - IMPORTS_KEPT_MS)} and status <> 'running'`,
  // By merchant, each one step into the index, to the execution that is due first: a million may sleep behind it.
  executions: ({ clock }) => sql`
    select m.id as merchant_id from merchants m cross join lateral (
      select 1 from executions x
      where x.merchant_id = m.id and x.status = 'running' and not x.held and x.wake_at <= ${clock.now()}
      order by x.wake_at limit 1
    ) x`,
  execution_effects: ({ clock }) => sql`
    select distinct merchant_id from execution_effects
    where status = 'pending' and next_attempt_at <= ${clock.now()}
      and ${isFree}`,
} satisfies Record<string, (context: Context) => RawBuilder<{ merchant_id: string }>>
type DueKind = keyof typeof merchantsWith

/** Ids of the merchants that have due work of this kind, in no order. */
async function listMerchantsWithDue(context: Context, kind: DueKind): Promise<string[]> {
  const { rows } = await merchantsWith[kind](context).execute(context.db)
  return rows.map(({ merchant_id }) => merchant_id)
}

/**
 * One turn of work for each merchant that has some; answers whether any of them did. What fails for one merchant costs the others nothing:
 * they have their turns first, then it is thrown (and so logged, and tried again with the next round). There is no other way to the
 * merchants with due work, so that none can forget it. `signal` null: before a worker begins, where there is nothing to stop.
 */
export async function eachMerchantWithDue(
  context: Context,
  kind: DueKind,
  signal: AbortSignal | null,
  work: (scope: MerchantScope) => Promise<boolean>,
): Promise<boolean> {
  let worked = false
  const failures: unknown[] = []
  for (const merchantId of await listMerchantsWithDue(context, kind)) {
    if (signal?.aborted) break
    try {
      worked = (await work(merchantScope(context, merchantId))) || worked
    } catch (error) {
      failures.push(error)
      // Nobody else's turn would come further.
      if (isDatabaseAway(error)) break
    }
  }
  throwThose(failures, kind)
  return worked
}

function throwThose(failures: readonly unknown[], kind: DueKind): void {
  if (failures.length > 1) throw new AggregateError(failures, `${kind}: ${failures.length} merchants`)
  if (failures.length > 0) throw failures[0]
}

/** How often it is looked who else has work while some merchants' turns still last. Real time. */
const LOOK_EVERY_MS = 500

/**
 * For turns that wait for something outside: each merchant's run by themselves, never two of one merchant, so many merchants at once; a
 * merchant whose turn lasts delays nobody else's next. Goes on until nobody has any, or it is aborted: what has begun is waited for. After
 * a failure nothing more is begun, and it is thrown. Answers whether any of them did something.
 */
export async function merchantsWithDueAtOnce(
  context: Context,
  kind: DueKind,
  signal: AbortSignal,
  { atOnce, turn }: { atOnce: number; turn: (merchantId: string) => Promise<boolean> },
): Promise<boolean> {
  const underway = new Map<string, Promise<void>>()
  // Whoever had the fewest comes first: with more merchants than places nobody is passed over.
  const turns = new Map<string, number>()
  const failures: unknown[] = []
  let worked = false
  const begin = async (merchantId: string): Promise<void> => {
    try {
      if (await turn(merchantId)) worked = true
      // Another process holds what is due.
      else await sleep(LOOK_EVERY_MS)
    } catch (error) {
      failures.push(error)
    }
    underway.delete(merchantId)
  }
  const had = (merchantId: string): number => turns.get(merchantId) ?? 0
  const beginDue = async (): Promise<void> => {
    const due = (await listMerchantsWithDue(context, kind)).filter((merchantId) => !underway.has(merchantId))
    for (const merchantId of due.sort((one, other) => had(one) - had(other)).slice(0, atOnce - underway.size)) {
      turns.set(merchantId, had(merchantId) + 1)
      underway.set(merchantId, begin(merchantId))
    }
  }
  do {
    if (!signal.aborted && failures.length === 0 && underway.size < atOnce)
      await beginDue().catch((error: unknown) => void failures.push(error))
    if (underway.size > 0) await Promise.race([...underway.values(), sleep(LOOK_EVERY_MS)])
  } while (underway.size > 0)
  throwThose(failures, kind)
  return worked
}
