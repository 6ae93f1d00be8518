import { parseArgs } from 'node:util'
import pg from 'pg'
import { migrate } from '../src/kernel/database/migrate.ts'

/** How large the one large merchant is, and who stands beside it. */
export interface WorldSize {
  customers: number
  /** Each with 500 customers, 1,500 orders and 5,000 messages. */
  smallMerchants: number
}

/** The same in every run, at every size. */
export const LARGE_MERCHANT = '01930000-0000-7000-8000-00000000b1a5'
export const smallMerchant = (index: number): string =>
  `01930000-0000-7000-8000-0000005${String(index).padStart(5, '0')}`
const SMALL = 500

/** The day the world ends at: everything in it happened in the two years before. */
export const WORLD_NOW = '2026-11-01T03:00:00Z'

/**
 * Fills an empty, migrated database: per customer three orders (few people have many), one and a half lines each, ten messages, a few
 * favorites, carts and metafields. Deterministic: the same numbers give the same rows. Written by the database itself, set by set, with
 * the secondary indexes taken away meanwhile; a million customers take some minutes.
 */
export async function makeWorld(url: string, size: WorldSize, say: (text: string) => void = () => {}): Promise<void> {
  await migrate(url)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`set synchronous_commit = off; set work_mem = '256MB'; set maintenance_work_mem = '512MB'`)
    await client.query(helpers)
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(`
      select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i
      join pg_class t on t.oid = i.indrelid join pg_namespace n on n.oid = t.relnamespace and n.nspname = 'public'
      where not exists (select from pg_constraint c where c.conindid = i.indexrelid)
        and t.relname in ('customers', 'orders', 'order_lines', 'deliveries', 'segment_members', 'customer_metafields', 'favorites', 'checkouts', 'customer_search', 'customer_mail_times')`)
    for (const { name } of indexes) await client.query(`drop index ${name}`)
    const merchants = [
      { id: LARGE_MERCHANT, customers: size.customers },
      ...Array.from({ length: size.smallMerchants }, (_, index) => ({ id: smallMerchant(index), customers: SMALL })),
    ]
    for (const [position, { id, customers }] of merchants.entries()) {
      for (const [what, statement] of Object.entries(statements)) {
        const started = performance.now()
        // Both are our own: a number and a uuid of this file.
        await client.query(
          statement.replaceAll(':merchant', `'${id}'::uuid`).replaceAll(':customers', String(customers)),
        )
        if (position === 0) say(`${what}: ${((performance.now() - started) / 1000).toFixed(1)} s`)
      }
    }
    for (const { name, definition } of indexes) {
      const started = performance.now()
      await client.query(definition)
      say(`${name}: ${((performance.now() - started) / 1000).toFixed(1)} s`)
    }
    await client.query('drop schema bench cascade')
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}

// bench.id('customer', merchant, 17): always the same uuid, ordered by the number as version 7 is by time. bench.part(17, 'x'): 0 to 1.
const helpers = `
create schema bench;
create function bench.id(kind text, merchant uuid, number bigint) returns uuid language sql immutable parallel safe as $$
  select (lpad(to_hex(1700000000000 + number), 12, '0') || '7' || substr(md5(kind || merchant || number), 1, 3)
    || '8' || substr(md5(kind || merchant || number), 4, 15))::uuid
$$;
create function bench.part(number bigint, of_what text) returns float8 language sql immutable parallel safe as $$
  select (hashtextextended(of_what, number) & 9007199254740991) / 9007199254740992.0
$$;
create function bench.pick(number bigint, of_what text, among text[]) returns text language sql immutable parallel safe as $$
  select among[1 + floor(bench.part(number, of_what) * array_length(among, 1))::int]
$$;
create function bench.at(number bigint, of_what text) returns timestamptz language sql stable parallel safe as $$
  select timestamptz '${WORLD_NOW}' - bench.part(number, of_what) * interval '730 days'
$$;
`

const families = `array['佐藤','鈴木','高橋','田中','伊藤','渡辺','山本','中村','小林','加藤','吉田','山田','佐々木','松本','井上','Smith','Brown','Tanaka']`
const given = `array['蓮','湊','陽葵','凛','結菜','大翔','葵','颯真','さくら','ケンジ','Emma','Liam','花子','太郎']`
const cities = `array['渋谷区','新宿区','横浜市','大阪市北区','名古屋市','札幌市','福岡市','神戸市','京都市','仙台市']`

const statements: Record<string, string> = {
  merchants: `
    insert into merchants (id, site_name, sender_name, sender_email, postal_address, staff_email, test_mode, plan, created_at, updated_at)
    values (:merchant, 'ベンチ商店', 'ベンチ商店', 'news@bench.test', '東京都千代田区1-1', 'staff@bench.test', false, 'standard',
      '2024-01-01', '2024-01-01')`,
  members: `
    insert into members (merchant_id, id, email, email_key, role, created_at, email_confirmed_at)
    values (:merchant, bench.id('member', :merchant, 1), 'owner@bench.test', 'owner@bench.test', 'owner', '2024-01-01', '2024-01-01')`,
  address_confirmations: `
    insert into address_confirmations (merchant_id, id, purpose, email, email_key, asked_at, expires_at, confirmed_at)
    values (:merchant, bench.id('sender', :merchant, 1), 'sender', 'news@bench.test', 'news@bench.test', '2024-01-01', '2024-01-01', '2024-01-01')`,
  products: `
    insert into products (merchant_id, id, store_product_id, title, handle, vendor, product_type, tags, total_inventory, store_updated_at, search_text)
    select :merchant, bench.id('product', :merchant, n), 7000 + n, '商品 ' || n, 'product-' || n, 'メーカー' || n % 20, '種類' || n % 12,
      array['季節' || n % 4] || case when n % 7 = 0 then array['セール'] else '{}' end, 100, '2026-01-01', '商品' || n
    from generate_series(1, 300) n`,
  collections: `
    with made as (
      insert into collections (merchant_id, id, store_collection_id, title, handle, products_count, search_text)
      select :merchant, bench.id('collection', :merchant, n), 400 + n, 'コレクション ' || n, 'collection-' || n, 15, 'コレクション' || n
      from generate_series(1, 20) n
    )
    insert into collection_products (merchant_id, store_collection_id, store_product_id)
    select :merchant, 401 + n % 20, 7000 + n from generate_series(1, 300) n`,
  suppressions: `
    insert into suppressions (merchant_id, id, address_key, reason, created_at)
    select :merchant, bench.id('suppression', :merchant, n), 'person' || n * 100 || '@example' || n * 100 % 50 || '.jp', 'hard_bounce', bench.at(n, 'bounce')
    from generate_series(1, :customers / 100) n`,
  // The square of a part: a tenth of the people place a third of the orders.
  orders: `
    insert into orders (merchant_id, id, store_order_id, customer_id, store_customer_id, name, processed_at, total_amount, current_amount, currency,
      financial_status, fulfillment_status, cancelled_at, tags, discount_codes, store_updated_at)
    select :merchant, bench.id('order', :merchant, n), 5000000 + n, bench.id('customer', :merchant, c), 1000000 + c, '#' || n,
      bench.at(n, 'order'), amount, amount, 'JPY', 'PAID', 'FULFILLED', case when n % 40 = 0 then bench.at(n, 'order') + interval '1 day' end,
      case when n % 6 = 0 then array['ギフト'] else '{}' end, case when n % 8 = 0 then array['OBK' || n % 100] else '{}' end, '2026-10-01'
    from (
      select n, 1 + floor(:customers * power(bench.part(n, 'buyer'), 2))::bigint as c, 1000 + (bench.part(n, 'amount') * 20000)::bigint as amount
      from generate_series(1, :customers::bigint * 3) n
    ) placed`,
  'order lines': `
    insert into order_lines (merchant_id, order_id, position, customer_id, store_product_id, store_variant_id, title, quantity, amount, processed_at)
    select :merchant, bench.id('order', :merchant, n), line, bench.id('customer', :merchant, 1 + floor(:customers * power(bench.part(n, 'buyer'), 2))::bigint),
      7001 + floor(300 * power(bench.part(n * 2 + line, 'product'), 2))::int, 0, '商品', 1 + (n % 3)::int, 1000, bench.at(n, 'order')
    from generate_series(1, :customers::bigint * 3) n, generate_series(0, 1) line where line = 0 or n % 2 = 0`,
  // With the sums over their orders at once: updated later, every row would leave a dead one beside it.
  customers: `
    insert into customers (merchant_id, id, store_customer_id, email, email_key, first_name, last_name, display_name, phone, language, birthday,
      address, last_address, province_code, tags, search_text, marketing_state, marketing_changed_at, notification_state, store_updated_at,
      created_at, updated_at, orders_count, orders_amount, first_order_at, last_order_at,
      email_sent_count, opened_count, clicked_count, last_sent_at, last_opened_at, last_clicked_at)
    select :merchant, bench.id('customer', :merchant, n), 1000000 + n, mail, mail, first_name, last_name, last_name || ' ' || first_name,
      '+8190' || lpad((n * 7919 % 100000000)::text, 8, '0'), case when n % 9 = 0 then 'en' else 'ja' end,
      case when n % 3 = 0 then date '1960-01-01' + (n * 37 % 16000)::int end,
      jsonb_build_object('zip', zip, 'country', 'Japan', 'province', 'JP-' || lpad(prefecture::text, 2, '0'), 'city', city, 'address1', n % 99 || '-1'),
      'Japan ' || zip || ' ' || city || ' ' || n % 99 || '-1', 'JP-' || lpad(prefecture::text, 2, '0'),
      case when n % 10 = 0 then array['VIP'] else '{}' end || case when n % 4 = 0 then array['店頭'] else '{}' end
        || case when n % 25 = 0 then array['卸'] else '{}' end,
      lower(last_name || first_name || ' ' || first_name || last_name || ' ' || mail) || ' 090' || lpad((n * 7919 % 100000000)::text, 8, '0')
        || case when n % 10 = 0 then ' vip #vip' else '' end || case when n % 4 = 0 then ' 店頭 #店頭' else '' end
        || case when n % 25 = 0 then ' 卸 #卸' else '' end,
      case when part < 0.6 then 'granted' when part < 0.7 then 'withdrawn' else 'unknown' end, bench.at(n, 'consent'),
      case when n % 5 = 0 then 'granted' else 'unknown' end, '2026-10-01', bench.at(n, 'created'), '2026-10-01',
      coalesce(o.count, 0), coalesce(o.amount, 0), o.first, o.last, 10, (bench.part(n, 'opened') * 6)::int,
      (bench.part(n, 'clicked') * 2)::int, timestamptz '${WORLD_NOW}' - interval '3 days',
      case when bench.part(n, 'opened') * 6 > 0.5 then bench.at(n, 'last opened') end,
      case when bench.part(n, 'clicked') * 2 > 0.5 then bench.at(n, 'last clicked') end
    from (
      select n, bench.part(n, 'marketing') as part, bench.pick(n, 'family', ${families}) as last_name, bench.pick(n, 'given', ${given}) as first_name,
        'person' || n || '@example' || n % 50 || '.jp' as mail, 1 + n * 31 % 47 as prefecture, bench.pick(n, 'city', ${cities}) as city,
        lpad((100 + n * 13 % 890)::text, 3, '0') || '-' || lpad((n % 10000)::text, 4, '0') as zip
      from generate_series(1, :customers::bigint) n
    ) people left join (
      select store_customer_id, count(*)::int as count, sum(current_amount) as amount, min(processed_at) as first, max(processed_at) as last
      from orders where merchant_id = :merchant and cancelled_at is null group by 1
    ) o on o.store_customer_id = 1000000 + n`,
  'words to search': `
    insert into customer_search (merchant_id, customer_id, created_at, display_name, words)
    select merchant_id, id, created_at, display_name, array_to_tsvector(array(
      select distinct right(merchant_id::text, 6) || word from unnest(string_to_array(search_text, ' ')) as word where word <> ''
    )) from customers where merchant_id = :merchant`,
  campaigns: `
    with mails as (
      insert into emails (merchant_id, id, name, subject, content, size_bytes, created_at, updated_at)
      select :merchant, bench.id('email', :merchant, n), 'メール ' || n, '件名 ' || n, '<p>本文</p>', 10, '2026-01-01', '2026-01-01' from generate_series(0, 24) n
    ), sent as (
      insert into campaigns (merchant_id, id, name, status, email_id, message_id, customer_count, sent_at, segment_type, created_at, updated_at)
      select :merchant, bench.id('campaign', :merchant, n), 'キャンペーン ' || n, 'sent', bench.id('email', :merchant, n), bench.id('message', :merchant, n),
        :customers * 2 / 5, timestamptz '${WORLD_NOW}' - (n * 29 + 3) * interval '1 day', 'all', '2024-11-01', '2026-10-01' from generate_series(0, 24) n
    )
    insert into messages (merchant_id, id, campaign_id, email_id, tracking_enabled, state, created_at)
    select :merchant, bench.id('message', :merchant, n), bench.id('campaign', :merchant, n), bench.id('email', :merchant, n), true, 'done', '2024-11-01'
    from generate_series(0, 24) n`,
  contents: `
    insert into email_contents (merchant_id, message_id, subject, preheader, from_name, from_email, html, text)
    select :merchant, bench.id('message', :merchant, n), '件名', '', 'ベンチ商店', 'news@bench.test', '<p>本文</p>', '本文' from generate_series(0, 24) n`,
  // Each person gets ten of the 25 campaigns; the rows of a campaign were written one after another.
  deliveries: `
    insert into deliveries (merchant_id, id, kind, campaign_id, customer_id, message_id, status, reason, address, attempts, created_at, sent_at, opened_at, clicked_at)
    select :merchant, bench.id('delivery', :merchant, n * 10 + k), 'campaign', bench.id('campaign', :merchant, campaign), bench.id('customer', :merchant, n),
      bench.id('message', :merchant, campaign), case when skipped then 'skipped' else 'sent' end, case when skipped then 'no_consent' end,
      'person' || n || '@example' || n % 50 || '.jp', 1, day, case when not skipped then day end,
      case when not skipped and part < 0.35 then day + part * interval '3 days' end,
      case when not skipped and part < 0.06 then day + part * interval '4 days' end
    from (
      select n, k, (n + k * 5 / 2) % 25 as campaign, bench.part(n * 10 + k, 'delivery') as part, bench.part(n, 'marketing') >= 0.6 as skipped,
        timestamptz '${WORLD_NOW}' - ((n + k * 5 / 2) % 25 * 29 + 3) * interval '1 day' as day
      from generate_series(1, :customers::bigint) n, generate_series(0, 9) k
    ) written order by campaign desc, n`,
  'when mails were sent and read': `
    insert into customer_mail_times (merchant_id, customer_id, sent, opened, clicked)
    select merchant_id, customer_id, array_agg(floor(extract(epoch from sent_at) / 60)::int order by sent_at),
      coalesce(array_agg(floor(extract(epoch from opened_at) / 60)::int order by opened_at) filter (where opened_at is not null), '{}'),
      coalesce(array_agg(floor(extract(epoch from clicked_at) / 60)::int order by clicked_at) filter (where clicked_at is not null), '{}')
    from deliveries where merchant_id = :merchant and status = 'sent' group by merchant_id, customer_id`,
  metafields: `
    with settings as (
      insert into metafield_settings (merchant_id, id, name, namespace, key, namespace_type, value_type, status, created_at, updated_at)
      values (:merchant, bench.id('metafield', :merchant, 1), 'ポイント', 'loyalty', 'points', 'platform', 'number_integer', 'ready', '2026-01-01', '2026-01-01'),
        (:merchant, bench.id('metafield', :merchant, 2), '好きな色', 'custom', 'color', 'platform', 'single_line_text_field', 'ready', '2026-01-01', '2026-01-01')
    ), points as (
      insert into customer_metafields (merchant_id, metafield_setting_id, customer_id, value, value_number, updated_at)
      select :merchant, bench.id('metafield', :merchant, 1), bench.id('customer', :merchant, n), (n % 5000)::text, n % 5000, '2026-01-01'
      from generate_series(1, :customers::bigint) n where n % 5 < 3
    )
    insert into customer_metafields (merchant_id, metafield_setting_id, customer_id, value, value_texts, updated_at)
    select :merchant, bench.id('metafield', :merchant, 2), bench.id('customer', :merchant, n), color, array[color], '2026-01-01'
    from (select n, bench.pick(n, 'color', array['赤', '青', '緑', '黒']) as color from generate_series(1, :customers::bigint) n where n % 5 < 2) liked`,
  interest: `
    with liked as (
      insert into favorites (merchant_id, id, customer_id, store_product_id, created_at)
      select :merchant, bench.id('favorite', :merchant, n), bench.id('customer', :merchant, n), 7001 + (bench.part(n, 'liked') * 299)::int, bench.at(n, 'liked')
      from generate_series(1, :customers::bigint) n where n % 4 = 0
    )
    insert into checkouts (merchant_id, id, store_checkout_id, customer_id, total_amount, currency, created_at, store_updated_at, completed_at)
    select :merchant, bench.id('checkout', :merchant, n), 9000000 + n, bench.id('customer', :merchant, n), 1000 + n % 9000, 'JPY', bench.at(n, 'checkout'),
      bench.at(n, 'checkout'), case when n % 3 = 0 then bench.at(n, 'checkout') end
    from generate_series(1, :customers::bigint) n where n % 5 = 0`,
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      url: { type: 'string' },
      customers: { type: 'string', default: '1000000' },
      'small-merchants': { type: 'string', default: '200' },
    },
  })
  if (!values.url) throw new Error('--url says which (empty) database to fill')
  await makeWorld(
    values.url,
    { customers: Number(values.customers), smallMerchants: Number(values['small-merchants']) },
    console.log,
  )
}
