import type { ConsentKind, ConsentState } from '@okaeri/contract/customers/customer'
import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { deleteMailTimes, type MailTimes } from './mail-times-queries.ts'
import { emailKeyOf } from './derived-fields.ts'
import { indexTexts, type SearchedRow } from './list/search-queries.ts'

/** A customer of the store. `null` in `tags`, `language`, `createdAt`: this source does not have it, keep the known value. */
export interface StoreCustomer {
  storeCustomerId: number
  email: string | null
  firstName: string | null
  lastName: string | null
  phone: string | null
  language: string | null
  address: Record<string, string | null> | null
  /** ISO 3166-2 of the address, "JP-13". */
  provinceCode?: string | null
  tags: string[] | null
  createdAt: Date | null
  /** Null: only the existence is known, and nothing is overwritten. */
  updatedAt: Date | null
}

export interface CustomerRow {
  id: string
  store_customer_id: number | null
  email: string | null
  email_key: string | null
  first_name: string | null
  last_name: string | null
  display_name: string
  phone: string | null
  language: string | null
  birthday: string | null
  address: Record<string, string | null> | null
  province_code: string | null
  tags: string[]
  marketing_state: ConsentState
  notification_state: ConsentState
  orders_count: number
  orders_amount: number
  orders_other_currency: number
  last_order_at: Date | null
  line_connected_at: Date | null
  email_sent_count: number
  line_sent_count: number
  store_updated_at: Date | null
  created_at: Date
  updated_at: Date
  currency: string
}

const columns = sql.raw(
  `c.id, c.store_customer_id, c.email, c.email_key, c.first_name, c.last_name, c.display_name, c.phone, c.language, c.birthday,
   c.address, c.province_code, c.tags, c.marketing_state, c.notification_state, c.orders_count, c.orders_amount,
   c.orders_other_currency, c.last_order_at,
   c.line_connected_at, c.email_sent_count, c.line_sent_count, c.store_updated_at, c.created_at, c.updated_at, m.currency`,
)

export async function selectCustomers(scope: MerchantScope, ids: readonly string[]): Promise<CustomerRow[]> {
  const { rows } = await sql<CustomerRow>`
    select ${columns} from customers c join merchants m on m.id = ${scope.merchantId}
    where c.merchant_id = ${scope.merchantId} and c.id = any(${ids}::uuid[])
  `.execute(scope.db)
  return rows
}

/** All customers with this address (lower case), the oldest first. */
export async function selectIdsByAddress(scope: MerchantScope, addressKey: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from customers where merchant_id = ${scope.merchantId} and email_key = ${addressKey} order by created_at, id
  `.execute(scope.db)
  return rows.map(({ id }) => id)
}

export interface KnownCustomer {
  id: string
  storeCustomerId: number
  language: string | null
  /** The customer chose it, and the store does not have it yet. */
  languageUnsent: boolean
  tags: string[]
}
/** `locked`: what is read stays so until the transaction ends. */
export async function selectKnown(
  scope: MerchantScope,
  storeCustomerIds: readonly number[],
  { locked = false }: { locked?: boolean } = {},
): Promise<KnownCustomer[]> {
  const { rows } = await sql<KnownCustomer>`
    select id, store_customer_id as "storeCustomerId", language, language_unsent as "languageUnsent", tags from customers
    where merchant_id = ${scope.merchantId} and store_customer_id = any(${storeCustomerIds}::bigint[])
    ${locked ? sql`order by store_customer_id for no key update` : sql``}
  `.execute(scope.db)
  return rows
}

/** A customer added here before the store reported them becomes the store's customer of the same address. */
export async function adoptLocal(
  scope: MerchantScope,
  pairs: readonly { storeCustomerId: number; emailKey: string }[],
): Promise<void> {
  await sql`
    update customers c set store_customer_id = r.store_customer_id
    from (
      select distinct on (l.email_key) l.id, g.store_customer_id
      from jsonb_to_recordset(${JSON.stringify(
        pairs.map((pair) => ({ store_customer_id: pair.storeCustomerId, email_key: pair.emailKey })),
      )}::jsonb) as g(store_customer_id bigint, email_key text)
      join customers l on l.merchant_id = ${scope.merchantId} and l.email_key = g.email_key and l.store_customer_id is null
      order by l.email_key, l.created_at, l.id
    ) r
    where c.merchant_id = ${scope.merchantId} and c.id = r.id
  `.execute(scope.db)
}

export interface CustomerWrite extends StoreCustomer {
  id: string
  displayName: string
  searchText: string
  lastAddress: string
}

/**
 * Hundreds of customers in one statement. Data older than ours is skipped. What the source does not have (tags and language in some webhooks)
 * stays unchanged. The rows are in the order of the store's ids, so that concurrent batches do not deadlock.
 */
export async function upsertFromStore(scope: MerchantScope, rows: readonly CustomerWrite[]): Promise<void> {
  const records = rows.map((row) => ({
    id: row.id,
    store_customer_id: row.storeCustomerId,
    email: row.email,
    email_key: emailKeyOf(row.email),
    first_name: row.firstName,
    last_name: row.lastName,
    display_name: row.displayName,
    phone: row.phone,
    language: row.language,
    address: row.address,
    last_address: row.lastAddress,
    province_code: row.provinceCode ?? null,
    tags: row.tags ?? [],
    tags_known_at: row.tags ? row.updatedAt : null,
    search_text: row.searchText,
    store_updated_at: row.updatedAt,
    created_at: row.createdAt,
  }))
  await sql`
    insert into customers as c (merchant_id, id, store_customer_id, email, email_key, first_name, last_name, display_name, phone,
      language, address, last_address, province_code, tags, tags_known_at, search_text, store_updated_at, created_at, updated_at)
    select ${scope.merchantId}, r.id, r.store_customer_id, r.email, r.email_key, r.first_name, r.last_name, r.display_name, r.phone,
      r.language, r.address, r.last_address, r.province_code, r.tags, r.tags_known_at, r.search_text, r.store_updated_at,
      coalesce(r.created_at, ${scope.now}), ${scope.now}
    from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as r(id uuid, store_customer_id bigint, email text, email_key text,
      first_name text, last_name text, display_name text, phone text, language text, address jsonb, last_address text,
      province_code text, tags text[],
      tags_known_at timestamptz, search_text text, store_updated_at timestamptz, created_at timestamptz)
    order by r.store_customer_id
    on conflict (merchant_id, store_customer_id) do update set
      email = excluded.email, email_key = excluded.email_key, first_name = excluded.first_name, last_name = excluded.last_name,
      display_name = excluded.display_name, phone = excluded.phone,
      language = case when c.language_unsent then c.language else coalesce(excluded.language, c.language) end,
      address = excluded.address, last_address = excluded.last_address, province_code = excluded.province_code,
      tags = case when excluded.tags_known_at is null then c.tags else excluded.tags end,
      tags_known_at = coalesce(excluded.tags_known_at, c.tags_known_at),
      search_text = excluded.search_text, store_updated_at = excluded.store_updated_at, updated_at = excluded.updated_at
    where excluded.store_updated_at is not null
      and (c.store_updated_at is null or excluded.store_updated_at >= c.store_updated_at)
  `.execute(scope.db)
}

/** Changes of tags, compared without letter case; changes from before the last full list are in it already. */
export async function mergeTags(
  scope: MerchantScope,
  change: { id: string; added: readonly string[]; removed: readonly string[]; occurredAt: Date },
): Promise<SearchedRow | null> {
  const { rows } = await sql<SearchedRow>`
    update customers set updated_at = ${scope.now}, tags = array(
      select tag from unnest(tags) as tag
      where lower(tag) <> all(${change.removed.map((tag) => tag.toLowerCase())}::text[])
      union all
      select tag from unnest(${[...change.added]}::text[]) as tag
      where lower(tag) <> all(select lower(old) from unnest(tags) as old)
    )
    where merchant_id = ${scope.merchantId} and id = ${change.id} and (tags_known_at is null or tags_known_at <= ${change.occurredAt})
    returning id, first_name as "firstName", last_name as "lastName", email, phone, tags, search_text as "searchText"
  `.execute(scope.db)
  return rows[0] ?? null
}

export interface LocalFields {
  email: string | null
  firstName: string | null
  lastName: string | null
  phone: string | null
  language: string | null
  tags: string[]
  address: Record<string, string | null> | null
  lastAddress: string
  provinceCode: string | null
  displayName: string
  searchText: string
}

/** Until the transaction ends, no other can add a customer with this address. */
export async function lockAddress(scope: MerchantScope, emailKey: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${scope.merchantId} ${emailKey}`}, 0))`.execute(scope.db)
}

const addressJson = ({ address }: LocalFields): string | null => (address === null ? null : JSON.stringify(address))

export async function insertLocal(scope: MerchantScope, id: string, fields: LocalFields): Promise<void> {
  await sql`
    insert into customers (merchant_id, id, email, email_key, first_name, last_name, display_name, phone, language, tags,
      address, last_address, province_code, search_text, created_at, updated_at)
    values (${scope.merchantId}, ${id}, ${fields.email}, ${emailKeyOf(fields.email)}, ${fields.firstName},
      ${fields.lastName}, ${fields.displayName}, ${fields.phone}, ${fields.language}, ${fields.tags},
      ${addressJson(fields)}, ${fields.lastAddress}, ${fields.provinceCode}, ${fields.searchText}, ${scope.now}, ${scope.now})
  `.execute(scope.db)
  await indexTexts(scope, [id])
}

export async function updateLocal(scope: MerchantScope, id: string, fields: LocalFields): Promise<void> {
  await sql`
    update customers set email = ${fields.email}, email_key = ${emailKeyOf(fields.email)},
      first_name = ${fields.firstName}, last_name = ${fields.lastName}, display_name = ${fields.displayName},
      phone = ${fields.phone}, language = ${fields.language}, tags = ${fields.tags}, address = ${addressJson(fields)},
      last_address = ${fields.lastAddress}, province_code = ${fields.provinceCode}, search_text = ${fields.searchText},
      updated_at = ${scope.now}
    where merchant_id = ${scope.merchantId} and id = ${id}
  `.execute(scope.db)
  await indexTexts(scope, [id])
}

export async function writeBirthday(scope: MerchantScope, id: string, birthday: string | null): Promise<void> {
  await sql`
    update customers set birthday = ${birthday}, updated_at = ${scope.now} where merchant_id = ${scope.merchantId} and id = ${id}
  `.execute(scope.db)
}

/** Locked until the transaction ends; undefined: there is no such customer. */
export async function lockBirthday(scope: MerchantScope, id: string): Promise<string | null | undefined> {
  const { rows } = await sql<{ birthday: string | null }>`
    select birthday::text from customers where merchant_id = ${scope.merchantId} and id = ${id} for no key update
  `.execute(scope.db)
  return rows[0]?.birthday
}

export async function deleteRow(scope: MerchantScope, id: string): Promise<boolean> {
  await sql`delete from customer_search where merchant_id = ${scope.merchantId} and customer_id = ${id}`.execute(
    scope.db,
  )
  await deleteMailTimes(scope, id)
  await sql`delete from customer_conflicts where merchant_id = ${scope.merchantId} and customer_id = ${id}`.execute(
    scope.db,
  )
  const { rows } = await sql`
    delete from customers where merchant_id = ${scope.merchantId} and id = ${id} returning id
  `.execute(scope.db)
  return rows.length > 0
}

export interface ConsentFlag {
  customerId: string
  state: ConsentState
  changedAt: Date | null
}
const flagColumns = {
  marketing: { state: sql.ref('marketing_state'), at: sql.ref('marketing_changed_at') },
  notification: { state: sql.ref('notification_state'), at: sql.ref('notification_changed_at') },
} as const

/** Locked until the transaction ends, in the order of their ids. */
export async function lockFlags(
  scope: MerchantScope,
  kind: ConsentKind,
  customerIds: readonly string[],
): Promise<ConsentFlag[]> {
  const { state, at } = flagColumns[kind]
  const { rows } = await sql<ConsentFlag>`
    select id as "customerId", ${state} as state, ${at} as "changedAt" from customers
    where merchant_id = ${scope.merchantId} and id = any(${customerIds}::uuid[]) order by id for update
  `.execute(scope.db)
  return rows
}

export async function writeFlags(
  scope: MerchantScope,
  kind: ConsentKind,
  flags: readonly { customerId: string; state: ConsentState; changedAt: Date }[],
): Promise<void> {
  const { state, at } = flagColumns[kind]
  await sql`
    update customers c set ${sql.ref(`${kind}_state`)} = r.state, ${sql.ref(`${kind}_changed_at`)} = r.changed_at
    from unnest(${flags.map((flag) => flag.customerId)}::uuid[], ${flags.map((flag) => flag.state)}::text[],
      ${flags.map((flag) => flag.changedAt)}::timestamptz[]) as r(id, state, changed_at)
    where c.merchant_id = ${scope.merchantId} and c.id = r.id and (c.${state}, c.${at}) is distinct from (r.state, r.changed_at)
  `.execute(scope.db)
}

export interface OrderSums {
  customerId: string
  count: number
  /** Of the orders in the account's currency. */
  amount: number
  /** Orders in another one. */
  otherCurrency: number
  firstOrderAt: Date | null
  lastOrderAt: Date | null
}
export async function lockRows(scope: MerchantScope, ids: readonly string[]): Promise<void> {
  await sql`
    select from customers where merchant_id = ${scope.merchantId} and id = any(${ids}::uuid[]) order by id for no key update
  `.execute(scope.db)
}
export async function writeOrderSums(scope: MerchantScope, sums: readonly OrderSums[]): Promise<void> {
  await sql`
    update customers c set orders_count = r.count, orders_amount = r.amount, orders_other_currency = r.other_currency, first_order_at = r.first_order_at,
      last_order_at = r.last_order_at
    from unnest(${sums.map((sum) => sum.customerId)}::uuid[], ${sums.map((sum) => sum.count)}::int[],
      ${sums.map((sum) => sum.amount)}::bigint[], ${sums.map((sum) => sum.otherCurrency)}::int[], ${sums.map((sum) => sum.firstOrderAt)}::timestamptz[],
      ${sums.map((sum) => sum.lastOrderAt)}::timestamptz[]
    ) as r(id, count, amount, other_currency, first_order_at, last_order_at)
    where c.merchant_id = ${scope.merchantId} and c.id = r.id
      and (c.orders_count, c.orders_amount, c.orders_other_currency, c.first_order_at, c.last_order_at)
        is distinct from (r.count, r.amount, r.other_currency, r.first_order_at, r.last_order_at)
  `.execute(scope.db)
}

/** A customer's mails. The instants are those of the newest mail received, opened and clicked. */
export interface MailSums extends MailTimes {
  sent: number
  opened: number
  clicked: number
  lineSent: number
  lastSentAt: Date | null
  lastOpenedAt: Date | null
  lastClickedAt: Date | null
}
/** Returns the customers whose sums changed. */
export async function writeMailSums(scope: MerchantScope, sums: readonly MailSums[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update customers c set email_sent_count = r.sent, opened_count = r.opened, clicked_count = r.clicked, line_sent_count = r.line_sent,
      last_sent_at = r.last_sent_at, last_opened_at = r.last_opened_at, last_clicked_at = r.last_clicked_at
    from unnest(${sums.map((sum) => sum.customerId)}::uuid[], ${sums.map((sum) => sum.sent)}::int[],
      ${sums.map((sum) => sum.opened)}::int[], ${sums.map((sum) => sum.clicked)}::int[], ${sums.map((sum) => sum.lineSent)}::int[],
      ${sums.map((sum) => sum.lastSentAt)}::timestamptz[], ${sums.map((sum) => sum.lastOpenedAt)}::timestamptz[],
      ${sums.map((sum) => sum.lastClickedAt)}::timestamptz[]
    ) as r (id, sent, opened, clicked, line_sent, last_sent_at, last_opened_at, last_clicked_at)
    where c.merchant_id = ${scope.merchantId} and c.id = r.id
      and (c.email_sent_count, c.opened_count, c.clicked_count, c.line_sent_count, c.last_sent_at, c.last_opened_at, c.last_clicked_at)
        is distinct from (r.sent, r.opened, r.clicked, r.line_sent, r.last_sent_at, r.last_opened_at, r.last_clicked_at)
    returning c.id
  `.execute(scope.db)
  return rows.map(({ id }) => id)
}

/** Locks the row. Whether the customer has neither a number of the store nor an address. */
export async function lockKnownByLineOnly(scope: MerchantScope, id: string): Promise<boolean> {
  const { rows } = await sql<{ only: boolean }>`
    select store_customer_id is null and email is null and phone is null as only from customers
    where merchant_id = ${scope.merchantId} and id = ${id} for update`.execute(scope.db)
  return rows[0]?.only ?? false
}

/** Whether they exist; locks them until the transaction ends. */
export async function lockExisting(scope: MerchantScope, id: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from customers where merchant_id = ${scope.merchantId} and id = ${id} for no key update`.execute(scope.db)
  return rows.length > 0
}

/** Afterwards exactly these customers are friends, since the given times. */
export async function writeLineConnections(
  scope: MerchantScope,
  friends: readonly { customerId: string; since: Date | null }[],
): Promise<void> {
  const { merchantId, now } = scope
  await sql`update customers set line_connected_at = null, updated_at = ${now}
    where merchant_id = ${merchantId} and line_connected_at is not null`.execute(scope.db)
  await sql`
    update customers c set line_connected_at = f.since, updated_at = ${now}
    from unnest(${friends.map(({ customerId }) => customerId)}::uuid[], ${friends.map(({ since }) => since)}::timestamptz[])
      as f (customer_id, since)
    where c.merchant_id = ${merchantId} and c.id = f.customer_id`.execute(scope.db)
}

/** Returns whether it changed. */
export async function writeLineConnection(scope: MerchantScope, id: string, since: Date | null): Promise<boolean> {
  const { rows } = await sql`
    update customers set line_connected_at = ${since}, updated_at = ${scope.now}
    where merchant_id = ${scope.merchantId} and id = ${id} and line_connected_at is distinct from ${since}
    returning 1`.execute(scope.db)
  return rows.length > 0
}
