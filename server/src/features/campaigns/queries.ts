import type {
  CampaignChannels,
  CampaignStatus,
  TrackingParameters,
  WaitReason,
} from '@okaeri/contract/campaigns/campaign'
import type { AbResult, AbTest } from '@okaeri/contract/campaigns/ab-test'
import type { CouponTerms } from '@okaeri/contract/coupons/coupon'
import type { CanaryResult } from '@okaeri/contract/campaigns/canary'
import type { Balance } from '@okaeri/contract/deliveries/delivery'
import { type RawBuilder, sql } from 'kysely'
import { notFound } from '../../kernel/errors.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { senderOfMail } from '../channels/index.ts'

export interface CampaignRow {
  id: string
  name: string
  status: CampaignStatus
  send_type: 'scheduled' | 'immediate'
  scheduled_at: Date | null
  segment_type: 'own' | 'remote' | 'all'
  customer_segment_id: string | null
  channels: CampaignChannels
  email_id: string | null
  line_message_id: string | null
  send_to_all: boolean
  tracking_enabled: boolean
  tracking_parameters: TrackingParameters
  message_id: string | null
  test_mode: boolean
  wait_reason: WaitReason | null
  waits_until: Date | null
  late_accepted: boolean
  /** While collecting: the number of the fetch of members that is waited for. */
  collecting_number: number | null
  line_most: number | null
  canary_share: number | null
  canary_until: Date | null
  canary_result: CanaryResult | null
  brake_result: CanaryResult | null
  canary_accepted: boolean
  ab_test: AbTest | null
  ab_decides_at: Date | null
  ab_asked_at: Date | null
  ab_result: DecidedTest | null
  /** What the code of each recipient is worth. */
  coupon: CouponTerms | null
  /** Once the recipients are known; null in test mode, where no codes are made. */
  coupon_discount_id: string | null
  coupon_ends_at: Date | null
  customer_count: number | null
  reserved_at: Date | null
  undo_until: Date | null
  started_at: Date | null
  sent_at: Date | null
  final_balance: Balance | null
  created_at: Date
  updated_at: Date
}
/** `by`: the id of a member. */
export type DecidedTest = AbResult
/** With the names of what it refers to. */
export interface NamedCampaignRow extends CampaignRow {
  segment_name: string | null
  email_name: string | null
  line_message_name: string | null
  ab_email_name: string | null
  ab_member_name: string | null
  /** The frozen message's; null before there is one. */
  sender: { name: string; email: string } | null
}

export async function findCampaign(scope: MerchantScope, id: string): Promise<NamedCampaignRow | null> {
  const { rows } = await selectNamed(scope, sql`k.id = ${id}`, sql`1`, { limit: 1, offset: 0 })
  return rows[0] ?? null
}

/** 404 when there is none, or it was deleted. */
export async function getCampaignRow(scope: MerchantScope, id: string): Promise<NamedCampaignRow> {
  const row = await findCampaign(scope, id)
  if (!row) throw notFound('there is no such campaign')
  return row
}

/** Locks the campaign until the transaction ends: two transitions cannot cross. */
export async function getCampaignForUpdate(scope: MerchantScope, id: string): Promise<CampaignRow> {
  const campaign = await lockCampaign(scope, id)
  if (!campaign) throw notFound('there is no such campaign')
  return campaign
}

/** As above; null when there is none. */
export async function lockCampaign(scope: MerchantScope, id: string): Promise<CampaignRow | null> {
  const { rows } = await sql<CampaignRow>`select * from campaigns
    where merchant_id = ${scope.merchantId} and id = ${id} and status <> 'deleted' for update`.execute(scope.db)
  return rows[0] ?? null
}

/** As above for the driver: null when another process has it at this moment. */
export async function claimCampaign(scope: MerchantScope, id: string): Promise<CampaignRow | null> {
  const { rows } = await sql<CampaignRow>`select * from campaigns
    where merchant_id = ${scope.merchantId} and id = ${id} for update skip locked`.execute(scope.db)
  return rows[0] ?? null
}

/** Campaigns on their way whose next step may be due. */
export async function listDueCampaignIds(scope: MerchantScope): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from campaigns where merchant_id = ${scope.merchantId}
      and (status in ('collecting', 'reserving', 'waiting', 'sending') or (status = 'reserved' and scheduled_at <= ${scope.now})
        or (status = 'cancelled' and started_at is not null and final_balance is null))
    order by scheduled_at nulls first, id`.execute(scope.db)
  return rows.map(({ id }) => id)
}

const sortColumns = {
  created_at: sql`k.created_at`,
  updated_at: sql`k.updated_at`,
  name: sql`k.name`,
  scheduled_at: sql`k.scheduled_at`,
  sent_at: sql`k.sent_at`,
} as const

export async function selectCampaigns(
  scope: MerchantScope,
  query: {
    q?: string | undefined
    status?: CampaignStatus | undefined
    test_mode?: 'true' | 'false' | undefined
    sort: keyof typeof sortColumns
    direction: 'asc' | 'desc'
    limit: number
    offset: number
  },
): Promise<{ rows: NamedCampaignRow[]; total: number }> {
  const wanted = query.q ? `%${query.q.replace(/[\\%_]/g, '\\$&')}%` : null
  const where = sql<boolean>`(${wanted}::text is null or k.name ilike ${wanted})
    and (${query.status ?? null}::text is null or k.status = ${query.status ?? null})
    and (${query.test_mode ?? null}::boolean is null or k.test_mode = ${query.test_mode ?? null}::boolean)`
  const direction = query.direction === 'asc' ? sql`asc` : sql`desc`
  return selectNamed(scope, where, sql`${sortColumns[query.sort]} ${direction} nulls last, k.id ${direction}`, query)
}

async function selectNamed(
  scope: MerchantScope,
  where: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
  page: { limit: number; offset: number },
): Promise<{ rows: NamedCampaignRow[]; total: number }> {
  const from = sql`from campaigns k where k.merchant_id = ${scope.merchantId} and k.status <> 'deleted' and ${where}`
  const [rows, count] = await Promise.all([
    sql<NamedCampaignRow>`
      select k.*,
        (select s.name from segments s where s.merchant_id = ${scope.merchantId} and s.id = k.customer_segment_id) as segment_name,
        (select e.name from emails e where e.merchant_id = ${scope.merchantId} and e.id = k.email_id) as email_name,
        (select l.name from line_messages l where l.merchant_id = ${scope.merchantId} and l.id = k.line_message_id) as line_message_name,
        (select e.name from emails e where e.merchant_id = ${scope.merchantId} and e.id = (k.ab_test ->> 'email_id')::uuid) as ab_email_name,
        (select coalesce(nullif(m.name, ''), m.email) from members m
          where m.merchant_id = ${scope.merchantId} and m.id = (k.ab_result ->> 'by')::uuid) as ab_member_name,
        ${senderOfMail(scope.merchantId, sql`k.message_id`)} as sender
      ${from} order by ${order} limit ${page.limit} offset ${page.offset}`.execute(scope.db),
    page.limit === 1 ? null : sql<{ total: number }>`select count(*)::int as total ${from}`.execute(scope.db),
  ])
  return { rows: rows.rows, total: count?.rows[0]?.total ?? rows.rows.length }
}

export interface DraftValues {
  name: string
  send_type: 'scheduled' | 'immediate'
  scheduled_at: Date | null
  segment_type: 'own' | 'remote' | 'all'
  customer_segment_id: string | null
  channels: CampaignChannels
  email_id: string | null
  line_message_id: string | null
  send_to_all: boolean
  tracking_enabled: boolean
  tracking_parameters: TrackingParameters
  ab_test: AbTest | null
  coupon: CouponTerms | null
}

export async function insertDraft(scope: MerchantScope, id: string, draft: DraftValues): Promise<void> {
  await scope.db
    .insertInto('campaigns')
    .values({
      ...draft,
      tracking_parameters: JSON.stringify(draft.tracking_parameters),
      ab_test: draft.ab_test && JSON.stringify(draft.ab_test),
      coupon: draft.coupon && JSON.stringify(draft.coupon),
      merchant_id: scope.merchantId,
      id,
      status: 'draft',
      created_by: scope.memberId,
      created_at: scope.now,
      updated_at: scope.now,
    })
    .execute()
}

/** Writes the columns named; jsonb columns as values. */
export async function updateCampaign(
  scope: MerchantScope,
  id: string,
  change: Partial<Omit<CampaignRow, 'id' | 'created_at' | 'updated_at'>>,
): Promise<void> {
  const { tracking_parameters, final_balance, canary_result, brake_result, ab_test, ab_result, coupon, ...columns } =
    change
  await scope.db
    .updateTable('campaigns')
    .set({
      ...columns,
      ...(tracking_parameters ? { tracking_parameters: JSON.stringify(tracking_parameters) } : {}),
      ...(final_balance !== undefined ? { final_balance: final_balance && JSON.stringify(final_balance) } : {}),
      ...(brake_result !== undefined ? { brake_result: brake_result && JSON.stringify(brake_result) } : {}),
      ...(canary_result !== undefined ? { canary_result: canary_result && JSON.stringify(canary_result) } : {}),
      ...(ab_test !== undefined ? { ab_test: ab_test && JSON.stringify(ab_test) } : {}),
      ...(coupon !== undefined ? { coupon: coupon && JSON.stringify(coupon) } : {}),
      ...(ab_result !== undefined ? { ab_result: ab_result && JSON.stringify(ab_result) } : {}),
      updated_at: scope.now,
    })
    .where('merchant_id', '=', scope.merchantId)
    .where('id', '=', id)
    .execute()
}

export interface SampleRow {
  id: string
  display_name: string
  first_name: string | null
  last_name: string | null
  email: string | null
  phone: string | null
  language: string | null
  tags: string[]
}
/** One customer to show the mail as: the one asked for, else the newest of the audience who can be mailed. */
export async function findSample(
  scope: MerchantScope,
  who: { customerId: string } | { where: RawBuilder<boolean>; reason: RawBuilder<string | null> },
): Promise<SampleRow | null> {
  const where = 'customerId' in who ? sql`c.id = ${who.customerId}` : sql`(${who.where}) and (${who.reason}) is null`
  const { rows } = await sql<SampleRow>`
    select c.id, c.display_name, c.first_name, c.last_name, c.email, c.phone, c.language, c.tags
    from customers c where c.merchant_id = ${scope.merchantId} and ${where}
    order by c.created_at desc, c.id desc limit 1`.execute(scope.db)
  return rows[0] ?? null
}

/** How many of those who would be mailed have no marketing consent ("send to all"). */
export async function countWithoutConsent(
  scope: MerchantScope,
  where: RawBuilder<boolean>,
  reasonToAll: RawBuilder<string | null>,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from customers c
    where c.merchant_id = ${scope.merchantId} and (${where}) and (${reasonToAll}) is null and c.marketing_state <> 'granted'`.execute(
    scope.db,
  )
  return rows[0]?.count ?? 0
}

/** What of a customer a mail can show and some do not have. */
export type EmptyField = 'first_name' | 'last_name' | 'phone' | 'tags' | { metafieldId: string }

/** How many of the people who would be mailed have no value in each of these fields. */
export async function countWithoutValue(
  scope: MerchantScope,
  { where, reason }: { where: RawBuilder<boolean>; reason: RawBuilder<string | null> },
  fields: readonly EmptyField[],
): Promise<number[]> {
  const counts = fields.map((field) => sql`count(*) filter (where ${isEmpty(field)})::int`)
  const { rows } = await sql<{ counts: number[] }>`
    select array[${sql.join(counts)}] as counts from customers c
    where c.merchant_id = ${scope.merchantId} and (${where}) and (${reason}) is null`.execute(scope.db)
  return rows[0]?.counts ?? fields.map(() => 0)
}

function isEmpty(field: EmptyField): RawBuilder<boolean> {
  if (typeof field !== 'string')
    return sql<boolean>`not exists (
      select from customer_metafields v where v.merchant_id = c.merchant_id and v.metafield_setting_id = ${field.metafieldId}
        and v.customer_id = c.id and v.value <> '')`
  if (field === 'tags') return sql<boolean>`cardinality(c.tags) = 0`
  return sql<boolean>`btrim(coalesce(${sql.ref(`c.${field}`)}, '')) = ''`
}

export async function isStoreUnderReview(scope: MerchantScope): Promise<boolean> {
  const row = await scope.db
    .selectFrom('store_connections')
    .select('under_review')
    .where('merchant_id', '=', scope.merchantId)
    .where('status', '=', 'connected')
    .where('under_review', '=', true)
    .executeTakeFirst()
  return row !== undefined
}
