-- What a segment can ask about a customer, and what keeps its members current.

-- Kept beside the sums over orders and mails: "within the last N days" is one comparison with them, not a search in orders or mails.
alter table customers add column first_order_at timestamptz;
alter table customers add column last_sent_at timestamptz;
alter table customers add column last_opened_at timestamptz;
alter table customers add column last_clicked_at timestamptz;
alter table customers add column opened_count int not null default 0;
alter table customers add column clicked_count int not null default 0;
-- Set while the friendship with the merchant's LINE account lasts.
alter table customers add column line_connected_at timestamptz;
-- ISO 3166-2 of the default address, "JP-13"; the words of the address depend on who typed them.
alter table customers add column province_code text;

-- What to ask about an order beyond its amount.
alter table orders add column tags text[] not null default '{}';
alter table orders add column discount_codes text[] not null default '{}';
alter table orders add column fulfillment_status text;
alter table order_lines add column store_variant_id bigint;
alter table products add column vendor text;
alter table products add column product_type text;
alter table products add column tags text[] not null default '{}';
alter table products add column updated_at timestamptz;

create table product_variants (
  merchant_id uuid not null,
  id uuid not null,
  store_variant_id bigint not null,
  store_product_id bigint not null,
  title text not null default '',
  sku text,
  price_amount bigint,
  -- Null: the store does not count it.
  inventory_quantity int,
  position int not null default 0,
  primary key (merchant_id, id),
  unique (merchant_id, store_variant_id)
);
create index product_variants_by_product on product_variants (merchant_id, store_product_id, position);

create table collections (
  merchant_id uuid not null,
  id uuid not null,
  store_collection_id bigint not null,
  title text not null,
  handle text,
  products_count int,
  store_updated_at timestamptz,
  deleted_at timestamptz,
  search_text text not null default '',
  primary key (merchant_id, id),
  unique (merchant_id, store_collection_id)
);
create table collection_products (
  merchant_id uuid not null,
  store_collection_id bigint not null,
  store_product_id bigint not null,
  primary key (merchant_id, store_collection_id, store_product_id)
);
create index collection_products_by_product on collection_products (merchant_id, store_product_id);

-- Begun on the way to an order. Completed when the order came.
create table checkouts (
  merchant_id uuid not null,
  id uuid not null,
  store_checkout_id bigint not null,
  token text,
  customer_id uuid,
  store_customer_id bigint,
  guest_id uuid,
  email_key text,
  total_amount bigint not null,
  currency text not null,
  -- [{store_product_id, store_variant_id, title, quantity, amount}]
  lines jsonb not null default '[]',
  recovery_url text,
  created_at timestamptz not null,
  store_updated_at timestamptz not null,
  completed_at timestamptz,
  primary key (merchant_id, id),
  unique (merchant_id, store_checkout_id)
);
create index checkouts_by_customer on checkouts (merchant_id, customer_id, created_at desc);
create index checkouts_by_created on checkouts (merchant_id, created_at desc);

create table carts (
  merchant_id uuid not null,
  id uuid not null,
  token text not null,
  customer_id uuid,
  guest_id uuid,
  -- As in checkouts.
  lines jsonb not null default '[]',
  items_count int not null default 0,
  created_at timestamptz not null,
  store_updated_at timestamptz not null,
  -- When the order made from it came.
  converted_at timestamptz,
  primary key (merchant_id, id),
  unique (merchant_id, token)
);
create index carts_by_customer on carts (merchant_id, customer_id, store_updated_at desc);
create index carts_by_guest on carts (merchant_id, guest_id);

-- Someone on the storefront who has not signed in; what they leave is theirs once they do.
create table guests (
  merchant_id uuid not null,
  id uuid not null,
  -- SHA-256 of what the browser keeps.
  token_hash bytea not null,
  customer_id uuid,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  joined_at timestamptz,
  primary key (merchant_id, id),
  unique (merchant_id, token_hash)
);
create index guests_by_customer on guests (merchant_id, customer_id);

create table favorites (
  merchant_id uuid not null,
  id uuid not null,
  customer_id uuid,
  guest_id uuid,
  store_product_id bigint not null,
  -- 0: the product, no variant in particular.
  store_variant_id bigint not null default 0,
  status text not null default 'active' check (status in ('active', 'removed')),
  created_at timestamptz not null,
  removed_at timestamptz,
  primary key (merchant_id, id),
  check ((customer_id is null) <> (guest_id is null))
);
create unique index favorites_active_customer on favorites (merchant_id, customer_id, store_product_id, store_variant_id)
  where status = 'active' and customer_id is not null;
create unique index favorites_active_guest on favorites (merchant_id, guest_id, store_product_id, store_variant_id)
  where status = 'active' and guest_id is not null;
create index favorites_by_product on favorites (merchant_id, store_product_id, created_at desc);

create table restock_requests (
  merchant_id uuid not null,
  id uuid not null,
  customer_id uuid,
  guest_id uuid,
  email text,
  email_key text,
  store_product_id bigint not null,
  store_variant_id bigint not null default 0,
  channel text not null default 'email' check (channel in ('email', 'line')),
  status text not null default 'active' check (status in ('active', 'sent', 'deleted', 'unknown')),
  source text not null default 'storefront' check (source in ('storefront', 'import')),
  created_at timestamptz not null,
  sent_at timestamptz,
  deleted_at timestamptz,
  primary key (merchant_id, id)
);
create unique index restock_requests_active on restock_requests
  (merchant_id, channel, coalesce(email_key, ''), coalesce(customer_id, guest_id, '00000000-0000-0000-0000-000000000000'), store_product_id, store_variant_id)
  where status = 'active';
create index restock_requests_by_customer on restock_requests (merchant_id, customer_id);
create index restock_requests_by_product on restock_requests (merchant_id, store_product_id, created_at desc);

-- Which metafields of customers are kept, and their values.
create table metafield_settings (
  merchant_id uuid not null,
  id uuid not null,
  name text not null,
  namespace text not null,
  key text not null,
  -- platform: defined in the store and owned there; custom: ours, filled by imports and the API.
  namespace_type text not null check (namespace_type in ('platform', 'custom')),
  -- The platform's type name ("number_integer", "list.single_line_text_field").
  value_type text not null,
  status text not null default 'waiting' check (status in ('waiting', 'filling', 'ready', 'failed')),
  error text,
  value_count int not null default 0,
  filled_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (merchant_id, id)
);
create unique index metafield_settings_key on metafield_settings (merchant_id, namespace, key) where deleted_at is null;
create table customer_metafields (
  merchant_id uuid not null,
  metafield_setting_id uuid not null,
  customer_id uuid not null,
  -- As the platform gives it, always a text.
  value text not null,
  -- The same, read by the setting's type; null where it cannot be: numbers, money, ratings, measures; true is 1.
  value_number numeric,
  -- Dates and instants (a date is its first instant in UTC).
  value_at timestamptz,
  -- Lists: each member, folded for comparing. Other texts: one member.
  value_texts text[] not null default '{}',
  updated_at timestamptz not null,
  primary key (merchant_id, metafield_setting_id, customer_id)
);
create index customer_metafields_by_customer on customer_metafields (merchant_id, customer_id);

-- Plain statistics over the orders of a customer, made anew once a day and on demand; only people who ordered have a row.
create table customer_scores (
  merchant_id uuid not null,
  customer_id uuid not null,
  -- 1 (lowest fifth) to 5.
  recency smallint not null,
  frequency smallint not null,
  monetary smallint not null,
  rfm_class text not null,
  -- Median of the days between orders: the customer's own from three orders on, else the merchant's.
  usual_interval_days int,
  next_order_on date,
  computed_at timestamptz not null,
  primary key (merchant_id, customer_id)
);

-- Members of saved segments, kept current by what changes. Decisions about whom to mail ask the conditions again.
create table segment_members (
  merchant_id uuid not null,
  segment_id uuid not null,
  customer_id uuid not null,
  entered_at timestamptz not null,
  primary key (merchant_id, segment_id, customer_id)
);
create index segment_members_by_customer on segment_members (merchant_id, customer_id);
alter table segments add column members_at timestamptz;
-- The day (merchant's zone) relative dates were last read at.
alter table segments add column members_day date;
-- Remote segments: the store's own id, text, count and when it was told.
alter table segments add column store_segment_id bigint;
alter table segments add column store_query text;
alter table segments add column store_count int;
alter table segments add column store_counted_at timestamptz;
create unique index segments_of_store on segments (merchant_id, store_segment_id) where store_segment_id is not null;

-- Customers something about whom changed since the segments were last brought up to date. Once per customer, however much happened.
create table changed_customers (
  merchant_id uuid not null,
  customer_id uuid not null,
  -- A change while the row is being worked off makes it anew.
  change_number bigint not null generated always as identity,
  changed_at timestamptz not null,
  primary key (merchant_id, customer_id)
);

create table saved_views (
  merchant_id uuid not null,
  id uuid not null,
  -- Whose it is; null: everyone's of the merchant.
  member_id uuid,
  page text not null,
  name text not null,
  search jsonb not null,
  created_at timestamptz not null,
  primary key (merchant_id, id)
);

-- Why an address is left out, provably, and who took that back.
alter table suppressions add column proof text;
alter table suppressions add column lifted_by text;
