import { type EventKind, type EventSubject, lookKinds } from '@okaeri/contract/scenarios/event'
import { type RawBuilder, sql } from 'kysely'
import { copyRows } from '../../kernel/database/copy-in.ts'
import type { Copy } from '../../kernel/database/copying-client.ts'
import { newIds } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

export interface NewEvent {
  kind: EventKind
  /** Identifies what happened, within the merchant: recorded twice, it is written once. */
  key: string
  customerId?: string | null
  guestId?: string | null
  /** The only scenario it may start. */
  scenarioId?: string | null
  subject?: EventSubject
  occurredAt: Date
  /** Found only after its day was over: a customer it lets into a scenario waits there for a member's decision. */
  missed?: boolean
}

export interface EventRow {
  id: string
  kind: EventKind
  customer_id: string | null
  customer_name: string | null
  guest_id: string | null
  subject: EventSubject
  occurred_at: Date
}

/** Skips events with a known key. A time in the future counts as now. */
export async function insertEvents(
  scope: MerchantScope,
  events: readonly (NewEvent & { id: string })[],
): Promise<number> {
  if (events.length === 0) return 0
  const records = events.map((event) => ({
    id: event.id,
    kind: event.kind,
    key: event.key,
    customer_id: event.customerId ?? null,
    guest_id: event.customerId ? null : (event.guestId ?? null),
    scenario_id: event.scenarioId ?? null,
    subject: event.subject ?? {},
    occurred_at: event.occurredAt,
    missed: event.missed ?? false,
  }))
  const { rows } = await sql`
    insert into events (merchant_id, id, kind, key, customer_id, guest_id, scenario_id, subject, occurred_at, created_at, missed)
    select ${scope.merchantId}, r.id, r.kind, r.key, r.customer_id, r.guest_id, r.scenario_id, r.subject,
      least(r.occurred_at, ${scope.now}), ${scope.now}, r.missed
    from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as r(id uuid, kind text, key text, customer_id uuid, guest_id uuid,
      scenario_id uuid, subject jsonb, occurred_at timestamptz, missed boolean)
    order by r.id
    on conflict (merchant_id, key) do nothing returning id`.execute(scope.db)
  return rows.length
}

/** Events that happened just now and are not stored yet: where there are thousands a second, each costs the database less. */
export function copyNewEvents(scope: MerchantScope, events: readonly (NewEvent & { id: string })[]): Copy {
  const rows = copyRows(
    scope,
    'copy events (merchant_id, id, kind, key, customer_id, guest_id, subject, occurred_at, created_at) from stdin (format binary)',
  )
  for (const { id, kind, key, customerId = null, guestId = null, subject = {} } of events) {
    rows.row()
    rows.uuid(id)
    rows.text(kind)
    rows.text(key)
    rows.uuid(customerId)
    rows.uuid(customerId === null ? guestId : null)
    rows.jsonb(subject)
    rows.timestamptz(scope.now)
    rows.timestamptz(scope.now)
  }
  return { rows }
}

const occurred = {
  order_created: sql`o.processed_at`,
  order_paid: sql`coalesce(o.store_updated_at, o.processed_at)`,
  order_fulfilled: sql`coalesce(o.store_updated_at, o.processed_at)`,
  order_cancelled: sql`coalesce(o.cancelled_at, o.processed_at)`,
} satisfies Partial<Record<EventKind, RawBuilder<unknown>>>
export type OrderEventKind = keyof typeof occurred

/**
 * Events of stored orders, once per order and kind. An order without a customer belongs to the customer with its address. The number of an
 * order among the customer's orders counts by when they were placed: two that arrive at once are still the first and the second.
 */
export async function insertOrderEvents(
  scope: MerchantScope,
  kind: OrderEventKind,
  orderIds: readonly string[],
): Promise<void> {
  const { merchantId, now } = scope
  await sql`
    insert into events (merchant_id, id, kind, key, customer_id, subject, occurred_at, created_at)
    select ${merchantId}, w.event_id, ${kind}::text, ${kind}::text || ':' || o.store_order_id, coalesce(o.customer_id, (
        select c.id from customers c where c.merchant_id = ${merchantId} and c.email_key = o.email_key
        order by c.created_at, c.id limit 1)),
      jsonb_build_object('store_order_id', o.store_order_id, 'order_name', o.name, 'amount', o.current_amount, 'currency', o.currency,
        'lines', coalesce(g.lines, '[]')) || coalesce(n.nth, '{}'),
      least(${occurred[kind]}, ${now}), ${now}
    from unnest(${[...orderIds]}::uuid[], ${newIds(orderIds.length)}::uuid[]) as w (order_id, event_id)
    cross join lateral (select * from orders where merchant_id = ${merchantId} and id = w.order_id limit 1) o
    cross join lateral (
      select jsonb_agg(jsonb_build_object('store_product_id', store_product_id, 'store_variant_id', store_variant_id,
        'title', title, 'quantity', quantity) order by position) as lines
      from order_lines where merchant_id = ${merchantId} and order_id = w.order_id and position < 100
    ) g
    left join lateral (
      select jsonb_build_object('nth', count(*)) as nth from orders b
      where b.merchant_id = ${merchantId} and b.customer_id = o.customer_id and b.cancelled_at is null
        and (b.processed_at, b.store_order_id) <= (o.processed_at, o.store_order_id)
    ) n on o.customer_id is not null and o.cancelled_at is null
    order by w.event_id
    on conflict (merchant_id, key) do nothing`.execute(scope.db)
}

export interface EventFilter {
  kind?: EventKind | undefined
  customer_id?: string | undefined
}

const eventColumns = sql`e.id, e.kind, e.customer_id, c.display_name as customer_name, e.guest_id, e.subject, e.occurred_at`

/** More than this are not counted one by one. */
const MAX_COUNTED = 10_000

export async function selectEvents(
  scope: MerchantScope,
  filter: EventFilter,
  page: { limit: number; offset: number },
): Promise<{ rows: EventRow[]; total: number }> {
  const wanted = sql.join(
    [
      sql`e.merchant_id = ${scope.merchantId}`,
      ...(filter.kind ? [sql`e.kind = ${filter.kind}`] : []),
      ...(filter.customer_id ? [sql`e.customer_id = ${filter.customer_id}`] : []),
    ],
    sql` and `,
  )
  const [{ rows }, counted] = await Promise.all([
    sql<EventRow>`
      select ${eventColumns}
      from (select * from events e where ${wanted} order by e.id desc limit ${page.limit} offset ${page.offset}) e
      left join customers c on c.merchant_id = ${scope.merchantId} and c.id = e.customer_id
      order by e.id desc`.execute(scope.db),
    sql<{ total: number }>`
      select count(*)::int as total from (select from events e where ${wanted} limit ${MAX_COUNTED}) as few`.execute(
      scope.db,
    ),
  ])
  return { rows, total: counted.rows[0]?.total ?? 0 }
}

export async function selectEvent(scope: MerchantScope, id: string): Promise<EventRow | null> {
  const { rows } = await sql<EventRow>`
    select ${eventColumns} from events e left join customers c on c.merchant_id = ${scope.merchantId} and c.id = e.customer_id
    where e.merchant_id = ${scope.merchantId} and e.id = ${id}`.execute(scope.db)
  return rows[0] ?? null
}

export interface ClaimedEvent {
  id: string
  kind: EventKind
  customer_id: string | null
  guest_id: string | null
  scenario_id: string | null
  subject: EventSubject
  occurred_at: Date
  created_at: Date
  missed: boolean
}
const claimedColumns = sql`id, kind, customer_id, guest_id, scenario_id, subject, occurred_at, created_at, missed`

/** The oldest new events, locked until the transaction ends. */
export async function claimEvents(scope: MerchantScope, limit: number): Promise<ClaimedEvent[]> {
  const { rows } = await sql<ClaimedEvent>`
    select ${claimedColumns} from events where merchant_id = ${scope.merchantId} and looked_at is null
    order by id limit ${limit} for update skip locked`.execute(scope.db)
  return rows
}

export async function listEventsByIds(scope: MerchantScope, ids: readonly string[]): Promise<ClaimedEvent[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<ClaimedEvent>`
    select ${claimedColumns} from events where merchant_id = ${scope.merchantId} and id = any(${[...ids]}::uuid[])
    order by id`.execute(scope.db)
  return rows
}

/** Events of a kind that happened in that time, the last written first; those before this one. */
export async function listEventsOfKind(
  scope: MerchantScope,
  kind: EventKind,
  { from, until, before, limit }: { from: Date; until: Date; before: string | null; limit: number },
): Promise<ClaimedEvent[]> {
  const { rows } = await sql<ClaimedEvent>`
    select ${claimedColumns} from events
    where merchant_id = ${scope.merchantId} and kind = ${kind} and occurred_at >= ${from} and occurred_at < ${until}
      and ${before === null ? sql`true` : sql`id < ${before}`}
    order by id desc limit ${limit}`.execute(scope.db)
  return rows
}

/** The last event of this kind of a person that could start this scenario. */
export async function findLastEvent(
  scope: MerchantScope,
  { customerId, kind, scenarioId }: { customerId: string; kind: EventKind; scenarioId: string },
): Promise<ClaimedEvent | null> {
  const { rows } = await sql<ClaimedEvent>`
    select ${claimedColumns} from events
    where merchant_id = ${scope.merchantId} and customer_id = ${customerId} and kind = ${kind}
      and (scenario_id is null or scenario_id = ${scenarioId})
    order by id desc limit 1`.execute(scope.db)
  return rows[0] ?? null
}

export async function markEvaluated(scope: MerchantScope, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`
    update events set looked_at = ${scope.now}
    where merchant_id = ${scope.merchantId} and id = any(${[...ids]}::uuid[])`.execute(scope.db)
}

export async function moveFromGuest(scope: MerchantScope, guestId: string, customerId: string): Promise<void> {
  await sql`
    update events set customer_id = ${customerId}, guest_id = null
    where merchant_id = ${scope.merchantId} and guest_id = ${guestId}`.execute(scope.db)
}

export async function moveToCustomer(scope: MerchantScope, fromId: string, intoId: string): Promise<void> {
  await sql`
    update events set customer_id = ${intoId}
    where merchant_id = ${scope.merchantId} and customer_id = ${fromId}`.execute(scope.db)
}

/** Which products these customers looked at is removed; that something happened stays. */
export async function redactLooks(scope: MerchantScope, customerIds: readonly string[]): Promise<void> {
  await sql`
    update events set subject = '{}'
    where merchant_id = ${scope.merchantId} and customer_id = any(${[...customerIds]}::uuid[]) and kind = any(${[...lookKinds]}::text[])
      and subject <> '{}'`.execute(scope.db)
}

export async function deleteOf(scope: MerchantScope, customerId: string): Promise<void> {
  await sql`delete from events where merchant_id = ${scope.merchantId} and customer_id = ${customerId}`.execute(
    scope.db,
  )
}

/** The oldest processed events from before that time, in the order of their ids. */
export async function listOldEvents(
  scope: MerchantScope,
  before: Date,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from events
    where merchant_id = ${scope.merchantId} and id > ${after} and created_at < ${before} and looked_at is not null
    order by id limit ${limit}`.execute(scope.db)
  return rows.map(({ id }) => id)
}

export async function deleteEvents(scope: MerchantScope, ids: readonly string[]): Promise<void> {
  await sql`delete from events where merchant_id = ${scope.merchantId} and id = any(${[...ids]}::uuid[])`.execute(
    scope.db,
  )
}
