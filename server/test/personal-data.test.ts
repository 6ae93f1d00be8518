import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { eraseCustomer, listPrivacyRequests } from '@okaeri/contract/privacy/routes'
import { okaeri, withOkaeri } from './with-okaeri.ts'
import { personalDataInventory } from '../src/app/personal-data-inventory.ts'
import { newId } from '../src/kernel/ids.ts'
import { type PersonalDataEntry, selectPersonalData, type Person } from '../src/kernel/personal-data.ts'
import { rowsOf } from './every-endpoint.ts'
import { addMail } from './fixtures.ts'
import type { TestMerchant } from './harness.ts'

withOkaeri()

const holding = personalDataInventory.tables.filter((entry): entry is PersonalDataEntry => 'about' in entry)

test('every table says what it holds of people, or why it holds none', async () => {
  const rows = await okaeri.query<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'migrations'`
  const listed = personalDataInventory.tables.map(({ table }) => table as string)
  expect([...listed].sort()).toEqual(rows.map(({ name }) => name).sort())
  for (const entry of personalDataInventory.tables)
    if ('reason' in entry) expect(entry.reason, entry.table).not.toBe('')
    else expect([entry.title.ja, entry.title.en], entry.table).not.toContain('')
})

test('a column that names a customer, an address or a phone stands in a table that says what becomes of it', async () => {
  const rows = await okaeri.query<{ name: string; column: string }>`
    select table_name as name, column_name as column from information_schema.columns
    where table_schema = 'public' and (column_name ~ '(^|_)(customer_id|guest_id|email_key|address_key|user_agent)$' or column_name in
      ('email', 'address', 'phone', 'birthday', 'first_name', 'last_name', 'payload'))`
  const ownAccount = new Set([
    'address_confirmations',
    'members',
    'sessions',
    'sign_in_directory',
    'merchants',
    'senders',
  ])
  const known = new Set(holding.map(({ table }) => table as string))
  expect(rows.filter(({ name }) => !known.has(name) && !ownAccount.has(name))).toEqual([])
})

/** Everything by which a person could be found again. */
interface Planted {
  person: Person
  marks: string[]
}

/** A person in every table that can hold one, as the product would have written it. */
async function plant(merchant: TestMerchant, seed: number): Promise<Planted> {
  const { db, jobs } = okaeri.context
  const m = merchant.id
  const now = okaeri.clock.now()
  const scope = merchant.scope()
  const email = `mark${seed}.person@example.jp`
  const phone = `+81801234${seed}`
  const number = 7_770_001_110_000 + seed
  const names = { first: `消太郎${seed}`, last: `印田${seed}` }
  const [customer, guest, order, guestOrder, delivery, pending, test, message, segment, setting, restock] = Array.from(
    { length: 11 },
    newId,
  ) as [string, string, string, string, string, string, string, string, string, string, string]
  const campaign = newId()
  await sql`insert into customers (merchant_id, id, store_customer_id, email, email_key, first_name, last_name, display_name, phone,
      address, last_address, search_text, note, birthday, orders_count, orders_amount, created_at, updated_at)
    values (${m}, ${customer}, ${number}, ${email}, ${email}, ${names.first}, ${names.last}, ${`${names.last} ${names.first}`}, ${phone},
      ${JSON.stringify({ address1: `神宮前${seed}` })}::jsonb, ${`東京都 神宮前${seed}`}, ${`${email} ${names.last}${names.first}`},
      ${`${names.last}様は常連`}, '1990-01-01', 1, 1000, ${now}, ${now})`.execute(db)
  await sql`insert into customer_search (merchant_id, customer_id, created_at, display_name, words)
    values (${m}, ${customer}, ${now}, ${`${names.last} ${names.first}`}, array_to_tsvector(array[${`x${email}`}])) on conflict do nothing`.execute(
    db,
  )
  await sql`insert into customer_mail_times (merchant_id, customer_id, sent, opened, clicked)
    values (${m}, ${customer}, '{29000000}', '{}', '{}')`.execute(db)
  await sql`insert into customer_conflicts (merchant_id, id, customer_id, field, used_value, unused_value, used_from, used_at, occurred_at)
    values (${m}, ${newId()}, ${customer}, 'email', ${email}, 'x@example.jp', 'store', ${now}, ${now})`.execute(db)
  await sql`insert into customer_tag_changes (merchant_id, id, add_tags, remove_tags, total, remaining, created_at)
    values (${m}, ${newId()}, '{VIP}', '{}', 1, array[${customer}::uuid], ${now})`.execute(db)
  await sql`insert into saved_views (merchant_id, id, page, name, search, created_at)
    values (${m}, ${newId()}, 'customers', ${email}, ${JSON.stringify({ q: email, sort: 'name' })}::jsonb, ${now})`.execute(
    db,
  )
  await sql`insert into guests (merchant_id, id, token_hash, customer_id, created_at, last_seen_at)
    values (${m}, ${guest}, ${Buffer.from(email)}, ${customer}, ${now}, ${now})`.execute(db)
  for (const holder of [
    { customer, guest: null, product: 1 },
    { customer: null, guest, product: 2 },
  ])
    await sql`insert into favorites (merchant_id, id, customer_id, guest_id, store_product_id, created_at)
      values (${m}, ${newId()}, ${holder.customer}, ${holder.guest}, ${holder.product}, ${now})`.execute(db)
  await sql`insert into restock_requests (merchant_id, id, customer_id, email, email_key, store_product_id, created_at) values
    (${m}, ${restock}, ${customer}, null, null, 1, ${now}), (${m}, ${newId()}, null, ${email}, ${email}, 2, ${now})`.execute(
    db,
  )
  await sql`insert into restock_notices (merchant_id, return_id, request_id, wave, customer_id, outcome, at)
    values (${m}, ${newId()}, ${restock}, 1, ${customer}, 'sent', ${now})`.execute(db)
  const lineUser = `U${String(number).padStart(32, '0')}`
  await sql`insert into line_friends (merchant_id, line_user_id, customer_id, is_friend, display_name, changed_at, created_at)
    values (${m}, ${lineUser}, ${customer}, true, ${email}, ${now}, ${now})`.execute(db)
  await sql`insert into rich_menu_links (merchant_id, line_user_id, line_menu_id) values (${m}, ${lineUser}, 'menu')`.execute(
    db,
  )
  await sql`insert into line_link_changes (merchant_id, id, customer_id, line_user_id, is_linked, occurred_at)
    values (${m}, ${newId()}, ${customer}, ${lineUser}, true, ${now})`.execute(db)
  await sql`insert into line_logins (merchant_id, id, customer_id, step, line_user_id, display_name, expires_at)
    values (${m}, ${newId()}, ${customer}, 'returned', ${lineUser}, ${email}, ${now})`.execute(db)
  await sql`insert into line_relay_calls (merchant_id, id, relay_id, body, signature, received_at)
    values (${m}, ${newId()}, ${newId()}, ${Buffer.from(`{"userId":"${lineUser}"}`)}, 'x', ${now})`.execute(db)
  await sql`insert into line_events (merchant_id, id, event_id, line_user_id, type, event, happened_at, received_at, processed_at)
    values (${m}, ${newId()}, ${lineUser}, ${lineUser}, 'message', ${JSON.stringify({ text: email })}::jsonb, ${now}, ${now}, ${now})`.execute(
    db,
  )
  await sql`insert into orders (merchant_id, id, store_order_id, customer_id, store_customer_id, name, email_key, processed_at,
      total_amount, current_amount, currency, landing_site, checkout_token, cart_token)
    values (${m}, ${order}, ${number + 1}, ${customer}, ${number}, '#1001', ${email}, ${now}, 1000, 1000, 'JPY', ${`/?e=${email}`}, ${`c${customer}`}, ${`k${customer}`}),
      (${m}, ${guestOrder}, ${number + 2}, null, null, '#1002', ${email}, ${now}, 500, 500, 'JPY', null, null, null)`.execute(
    db,
  )
  await sql`insert into order_lines (merchant_id, order_id, position, customer_id, store_product_id, title, quantity, amount, processed_at)
    values (${m}, ${order}, 0, ${customer}, 1, '煎茶', 1, 1000, ${now})`.execute(db)
  const line = JSON.stringify([{ store_product_id: 1, title: '煎茶', quantity: 1, amount: 1000 }])
  await sql`insert into checkouts (merchant_id, id, store_checkout_id, token, cart_token, customer_id, store_customer_id, email_key, total_amount, currency,
      lines, recovery_url, created_at, store_updated_at)
    values (${m}, ${newId()}, ${number + 3}, ${`c${customer}`}, ${`k${customer}`}, ${customer}, ${number}, ${email}, 1000, 'JPY', ${line}::jsonb,
      ${`https://shop.test/?e=${email}`}, ${now}, ${now})`.execute(db)
  await sql`insert into carts (merchant_id, id, token, customer_id, guest_id, lines, created_at, store_updated_at)
    values (${m}, ${newId()}, ${`k${customer}`}, ${customer}, null, ${line}::jsonb, ${now}, ${now}), (${m}, ${newId()}, ${`g${guest}`}, null, ${guest}, ${line}::jsonb, ${now}, ${now})`.execute(
    db,
  )
  await sql`insert into messages (merchant_id, id, campaign_id, tracking_enabled, state, created_at)
    values (${m}, ${message}, ${campaign}, true, 'held', ${now})`.execute(db)
  await addMail(merchant.scope(), { messageId: message, subject: '新茶', html: '<p>新茶</p>' })
  await sql`insert into deliveries (merchant_id, id, kind, campaign_id, customer_id, message_id, status, detail, address, created_at, sent_at, opened_at) values
      (${m}, ${delivery}, 'campaign', ${campaign}, ${customer}, ${message}, 'sent', ${`550 <${email}>`}, ${email}, ${now}, ${now}, ${now}),
      (${m}, ${pending}, 'campaign', ${newId()}, ${customer}, ${message}, 'pending', null, null, ${now}, null, null),
      (${m}, ${test}, 'test', null, null, ${message}, 'sent', null, ${email.toUpperCase()}, ${now}, ${now}, null)`.execute(
    db,
  )
  const samples = JSON.stringify({
    samples: [{ customer_id: customer, customer_name: email, entered_at: now, mails: [] }],
  })
  await sql`insert into scenario_rehearsals (merchant_id, scenario_id, number, status, flow, from_at, until_at, result, asked_at)
    values (${m}, ${newId()}, 1, 'done', '{}', ${now}, ${now}, ${samples}::jsonb, ${now})`.execute(db)
  const discount = newId()
  await sql`insert into discounts (merchant_id, id, terms_key, terms, last_day, ends_at, created_at)
    values (${m}, ${discount}, ${discount}, '{"ratio_percent": 10}', ${now}, ${now}, ${now})`.execute(db)
  await sql`insert into coupons (merchant_id, id, discount_id, code, status, execution_id, customer_id, error, issued_at, created_at)
    values (${m}, ${newId()}, ${discount}, ${`OBK${discount}`}, 'failed', ${newId()}, ${customer}, ${`no ${email}`}, ${now}, ${now})`.execute(
    db,
  )
  await sql`update deliveries set variables = ${JSON.stringify({ event: { recovery_url: `https://shop.test/?e=${email}` } })}::jsonb
    where merchant_id = ${m} and id = ${delivery}`.execute(db)
  await sql`update deliveries set filled_subject = ${`${email}様へ`} where merchant_id = ${m} and id = any(${[delivery, test]}::uuid[])`.execute(
    db,
  )
  await sql`insert into tracking_hits (merchant_id, id, delivery_id, kind, occurred_at, user_agent, network, verdict, judged_at)
    values (${m}, ${newId()}, ${delivery}, 'open', ${now}, ${`Mail/${seed} ${email}`}, '203.0.113.0', 'human', ${now})`.execute(
    db,
  )
  await sql`insert into conversions (merchant_id, order_id, delivery_id, campaign_id, customer_id, credited_by, amount, currency, ordered_at)
    values (${m}, ${order}, ${delivery}, ${campaign}, ${customer}, 'click', 1000, 'JPY', ${now})`.execute(db)
  await sql`insert into message_stats (merchant_id, bucket, program_id, email_id, sent, opened, orders, revenue)
    values (${m}, ${now}, ${campaign}, ${newId()}, 1, 1, 1, 1000)`.execute(db)
  await sql`insert into consent_changes (merchant_id, id, customer_id, kind, from_state, to_state, source, wording, page, occurred_at, recorded_at)
    values (${m}, ${newId()}, ${customer}, 'marketing', 'unknown', 'granted', 'page', '受け取ります', ${`https://shop.test/join?email=${email}`}, ${now}, ${now})`.execute(
    db,
  )
  await sql`insert into bounces (merchant_id, id, delivery_id, address_key, verdict, way, matched_by, server, diagnostic, evidence, at)
    values (${m}, ${newId()}, ${delivery}, ${email}, 'soft', 'smtp', 'return_path', ${`mx.${seed}.test`}, ${`550 <${email}>`}, ${`To: ${email}`}, ${now})`.execute(
    db,
  )
  await sql`insert into suppressions (merchant_id, id, address_key, reason, detail, proof, created_at)
    values (${m}, ${newId()}, ${email}, 'complaint', ${`from ${email}`}, ${email}, ${now})`.execute(db)
  await sql`insert into marketing_pauses (merchant_id, address_key, until, created_at)
    values (${m}, ${email}, ${new Date(now.getTime() + 86_400_000)}, ${now})`.execute(db)
  await sql`insert into birthday_entries (merchant_id, customer_id, changes, changed_at)
    values (${m}, ${customer}, 1, ${now})`.execute(db)
  await sql`insert into product_views (merchant_id, customer_id, store_product_id, first_viewed_at, viewed_at, views)
    values (${m}, ${customer}, ${number}, ${now}, ${now}, 1)`.execute(db)
  await sql`insert into cart_products (merchant_id, customer_id, store_product_id, quantity, first_seen_at, seen_at, changed_at)
    values (${m}, ${customer}, ${number}, 2, ${now}, ${now}, ${now})`.execute(db)
  const conditions = {
    type: 'condition',
    id: 'c',
    category: 'customer',
    name: 'email',
    operator: 'equals',
    value: email.toUpperCase(),
  }
  await sql`insert into segments (merchant_id, id, name, conditions, status, store_query, created_at, updated_at)
    values (${m}, ${segment}, '一人だけ', ${JSON.stringify({ type: 'group', id: 'g', operator: 'and', children: [conditions] })}::jsonb, 'ready', ${`email = '${email}'`}, ${now}, ${now})`.execute(
    db,
  )
  await sql`insert into segment_members (merchant_id, segment_id, customer_id, entered_at) values (${m}, ${segment}, ${customer}, ${now})`.execute(
    db,
  )
  await sql`insert into remote_segment_members (merchant_id, segment_id, store_customer_id) values (${m}, ${segment}, ${number})`.execute(
    db,
  )
  await sql`insert into customer_scores (merchant_id, customer_id, recency, frequency, monetary, rfm_class, computed_at)
    values (${m}, ${customer}, 5, 5, 5, 'best', ${now})`.execute(db)
  await sql`insert into changed_customers (merchant_id, customer_id, changed_at) values (${m}, ${customer}, ${now})`.execute(
    db,
  )
  await sql`insert into metafield_settings (merchant_id, id, name, namespace, key, namespace_type, value_type, created_at, updated_at)
    values (${m}, ${setting}, 'あだ名', 'custom', ${`nick${seed}`}, 'custom', 'single_line_text_field', ${now}, ${now})`.execute(
    db,
  )
  await sql`insert into unreadable_birthdays (merchant_id, customer_id, value) values (${m}, ${customer}, ${`born as ${names.first}`})`.execute(
    db,
  )
  await sql`insert into customer_metafields (merchant_id, metafield_setting_id, customer_id, value, value_texts, updated_at)
    values (${m}, ${setting}, ${customer}, ${names.first}, array[${names.first}], ${now})`.execute(db)
  const payload = { id: number, email, phone, first_name: names.first, default_address: { address1: `神宮前${seed}` } }
  const webhooks = [
    { topic: 'customers/update', subject: `customer:${number}`, payload, processed: now },
    {
      topic: 'orders/create',
      subject: `order:${number + 1}`,
      payload: { id: number + 1, name: '#1001', email, customer: payload, line_items: [] },
      processed: now,
    },
  ]
  for (const { topic, subject, payload: body, processed } of webhooks)
    await sql`insert into store_webhooks (merchant_id, event_id, topic, subject, payload, triggered_at, received_at, processed_at, next_attempt_at)
      values (${m}, ${newId()}, ${topic}, ${subject}, ${JSON.stringify(body)}::jsonb, ${now}, ${now}, ${processed}, ${now})`.execute(
      db,
    )
  const importId = newId()
  await sql`insert into imports (merchant_id, id, app, status, file_name, size_bytes, encoding, delimiter, line_ending, has_header, options, created_at, updated_at)
    values (${m}, ${importId}, 'customers', 'done', 'people.csv', 1, 'utf-8', ',', 'lf', true, '{}', ${now}, ${now})`.execute(
    db,
  )
  await sql`insert into import_errors (merchant_id, import_id, line, reason, cells, email_key, store_customer_id)
    values (${m}, ${importId}, 2, 'not_an_email', ${JSON.stringify([email, names.last])}::jsonb, ${email}, ${number})`.execute(
    db,
  )
  await sql`insert into import_points (merchant_id, import_id, customer_id, points) values (${m}, ${importId}, ${customer}, 5)`.execute(
    db,
  )
  const execution = newId()
  await sql`insert into scenarios (merchant_id, id, name, status, mode, conditions, version, trigger_kind, created_at, updated_at)
    values (${m}, ${execution}, 'お礼', 'active', 'form', ${JSON.stringify({ condition: conditions })}::jsonb, 1, 'order_paid', ${now}, ${now})`.execute(
    db,
  )
  await sql`insert into scenario_versions (merchant_id, scenario_id, number, flow, created_at)
    values (${m}, ${execution}, 1, ${JSON.stringify({ nodes: [], start: null, note: email })}::jsonb, ${now})`.execute(
    db,
  )
  await sql`insert into executions (merchant_id, id, scenario_id, version, customer_id, status, node_id, asleep, wake_at, last_error_detail, created_at, kept_event)
    values (${m}, ${execution}, ${execution}, 1, ${customer}, 'running', 'w', true, ${new Date(now.getTime() + 9e9)}, ${`550 ${email}`}, ${now},
      ${JSON.stringify({ kind: 'order_paid', subject: { order_name: `${names.last}の注文` } })}::jsonb)`.execute(db)
  await sql`insert into execution_steps (merchant_id, execution_id, seq, round, node_id, node_kind, outcome, detail, at)
    values (${m}, ${execution}, 1, 1, 'n', 'add_note', 'next', ${JSON.stringify({ text: names.last })}::jsonb, ${now})`.execute(
    db,
  )
  await sql`insert into execution_effects (merchant_id, id, execution_id, node_id, round, kind, payload, status, next_attempt_at, answer, created_at)
    values (${m}, ${newId()}, ${execution}, 'c', 1, 'webhook', '{}', 'done', ${now}, ${`thanks ${email}`}, ${now})`.execute(
    db,
  )
  await sql`insert into events (merchant_id, id, kind, key, customer_id, subject, occurred_at, created_at, looked_at)
    values (${m}, ${execution}, 'order_paid', ${`order_paid:${number}`}, ${customer}, '{"order_name":"#1001"}', ${now}, ${now}, ${now})`.execute(
    db,
  )
  await sql`insert into scenario_entries (merchant_id, event_id, scenario_id, customer_id, execution_id, at)
    values (${m}, ${execution}, ${execution}, ${customer}, ${execution}, ${now})`.execute(db)
  await sql`insert into unrecorded_departures (merchant_id, delivery_id, program_id, customer_id, found_at)
    values (${m}, ${execution}, ${execution}, ${customer}, ${now})`.execute(db)
  const requestId = newId()
  await sql`insert into privacy_requests (merchant_id, id, kind, source, event_key, status, customer_id, received_at, due_at, done_at)
    values (${m}, ${requestId}, 'data_request', 'store', ${requestId}, 'done', ${customer}, ${now}, ${now}, ${now})`.execute(
    db,
  )
  await sql`insert into privacy_files (merchant_id, id, sealed, size_bytes, created_at, expires_at)
    values (${m}, ${requestId}, ${okaeri.context.keyring.encrypt('x')}, 1, ${now}, ${new Date(now.getTime() + 86_400_000)})`.execute(
    db,
  )
  await scope.transaction((scope) =>
    jobs.later(
      scope,
      { name: 'push_consent', key: () => customer, run: async () => {} },
      { customerId: customer },
      { delayMs: 3_600_000 },
    ),
  )
  const person: Person = {
    customerIds: [customer],
    storeCustomerIds: [number],
    addresses: [email],
    phones: [phone],
    names: [`${names.last} ${names.first}`],
    guestIds: [guest],
    storeOrderIds: [],
    anonymousId: newId(),
  }
  return { person, marks: [customer, guest, String(number), email, phone, names.first, names.last, `神宮前${seed}`] }
}

/** Where in the whole database, the queue's tables included, one of these texts stands, but for the rows of one merchant. */
async function placesOf(marks: readonly string[], but: TestMerchant): Promise<string[]> {
  const { db } = okaeri.context
  const { rows: columns } = await sql<{ schema: string; table: string; column: string; type: string }>`
    select c.table_schema as schema, c.table_name as table, c.column_name as column, c.data_type as type
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema in ('public', 'pgboss') and t.table_type = 'BASE TABLE'
      and (c.data_type in ('text', 'character varying', 'jsonb', 'json', 'uuid', 'bytea', 'bigint', 'ARRAY', 'tsvector', 'numeric'))`.execute(
    db,
  )
  const found: string[] = []
  for (const { schema, table, column, type } of columns) {
    const value = type === 'bytea' ? sql`encode(${sql.ref(column)}, 'escape')` : sql`${sql.ref(column)}::text`
    const { rows } = await sql<{ mark: string }>`
      select distinct mark from ${sql.table(`${schema}.${table}`)} t, unnest(${[...marks]}::text[]) as mark
      where strpos(to_jsonb(t)::text, ${but.id}) = 0 and ${type === 'bigint' || type === 'numeric' ? sql`${value} = mark` : sql`strpos(lower(${value}), lower(mark)) > 0`}`.execute(
      db,
    )
    for (const { mark } of rows) found.push(`${schema}.${table}.${column}: ${mark}`)
  }
  return found
}

/** What the merchant's reports are made of. */
async function sumsOf({ id }: TestMerchant): Promise<unknown> {
  const rows = await okaeri.query`
    select (select sum(current_amount) from orders where merchant_id = ${id}) as revenue,
      (select count(*) from orders where merchant_id = ${id}) as orders,
      (select sum(amount) from order_lines where merchant_id = ${id}) as lines,
      (select sum(amount) from conversions where merchant_id = ${id}) as credited,
      (select count(*) from deliveries where merchant_id = ${id}) as deliveries,
      (select count(*) from deliveries where merchant_id = ${id} and status = 'sent') as sent,
      (select count(*) from deliveries where merchant_id = ${id} and opened_at is not null) as opened,
      (select count(*) from tracking_hits where merchant_id = ${id}) as hits,
      (select sum(revenue) from message_stats where merchant_id = ${id}) as stats,
      (select sum(total_amount) from checkouts where merchant_id = ${id}) as checkouts,
      (select count(*) from favorites where merchant_id = ${id} and status = 'active') as favorites,
      (select count(*) from restock_requests where merchant_id = ${id}) as restocks,
      (select count(*) from consent_changes where merchant_id = ${id} and wording is not null) as proofs,
      (select count(*) from suppressions where merchant_id = ${id} and lifted_at is null) as suppressed`
  return rows[0]
}

const heldOf = async (merchant: TestMerchant, { person }: Planted): Promise<string[]> =>
  (
    await Promise.all(
      holding.map(async (entry) => [entry.table, await selectPersonalData(merchant.scope(), entry, person)]),
    )
  )
    .map((entry) => JSON.stringify(entry))
    .sort()

describe('two people of one merchant and one of another are in every table', () => {
  let merchant: TestMerchant
  let neighbour: TestMerchant
  let redacted: Planted
  let other: Planted
  beforeAll(async () => {
    merchant = await okaeri.merchant()
    neighbour = await okaeri.merchant()
    redacted = await plant(merchant, 5101)
    other = await plant(merchant, 6202)
    await plant(neighbour, 5101)
  })

  test('each table that can hold someone holds them', async () => {
    const empty: string[] = []
    for (const entry of holding)
      if ((await selectPersonalData(merchant.scope(), entry, redacted.person)).length === 0) empty.push(entry.table)
    // Texts that mention a person are not exported as theirs.
    expect(empty.sort()).toEqual(['erased_marks', 'saved_views', 'scenario_versions', 'segments'])
  })

  test('one is erased: nothing names them any more, the sums are as before, no one else is touched', async () => {
    // What segments do of themselves is done before.
    await okaeri.settle()
    await okaeri.query`insert into changed_customers (merchant_id, customer_id, changed_at)
      values (${merchant.id}, ${redacted.person.customerIds[0]}, ${okaeri.clock.now()})`
    const [sums, theirs, neighbours] = [
      await sumsOf(merchant),
      await heldOf(merchant, other),
      await rowsOf(okaeri, neighbour.id),
    ]
    expect((await placesOf(redacted.marks, neighbour)).length).toBeGreaterThan(40)
    await merchant.call(eraseCustomer, {
      params: { id: redacted.person.customerIds[0] ?? '' },
      body: { confirm: true },
    })
    await okaeri.settle()
    const {
      data: [request],
    } = await merchant.call(listPrivacyRequests, { query: {} })
    expect(request).toMatchObject({ kind: 'customer_redact', source: 'member', status: 'done', customer: null })
    expect(request?.outcome.length).toBeGreaterThan(15)

    expect(await placesOf(redacted.marks, neighbour)).toEqual([])
    expect(await sumsOf(merchant)).toEqual(sums)
    expect(await heldOf(merchant, other)).toEqual(theirs)
    expect(await rowsOf(okaeri, neighbour.id)).toEqual(neighbours)
  })

  test('ten minutes later the record itself names no one, and doing it again changes nothing', async () => {
    okaeri.advance(11 * 60_000)
    await okaeri.settle()
    const rows = await okaeri.query<{ sealed: string | null; next: Date | null }>`
      select sealed, next_attempt_at as next from privacy_requests where merchant_id = ${merchant.id} and kind = 'customer_redact'`
    expect(rows).toEqual([{ sealed: null, next: null }])
  })
})
