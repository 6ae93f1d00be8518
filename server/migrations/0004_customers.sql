create table products (
  merchant_id uuid not null,
  id uuid not null,
  store_product_id bigint not null,
  title text not null,
  handle text,
  status text not null default 'ACTIVE',
  image_url text,
  total_inventory int,
  store_updated_at timestamptz,
  deleted_at timestamptz,
  primary key (merchant_id, id),
  unique (merchant_id, store_product_id)
);

create table customers (
  merchant_id uuid not null,
  id uuid not null,
  store_customer_id bigint,
  email text,
  -- Lower case, for comparing.
  email_key text,
  first_name text,
  last_name text,
  display_name text not null default '',
  phone text,
  language text,
  birthday date,
  address jsonb,
  -- The address in one line, as conditions search it.
  last_address text not null default '',
  tags text[] not null default '{}',
  -- What people type to find someone, folded (NFKC, lower case, katakana to hiragana).
  search_text text not null default '',
  -- Projections of consent_changes; written by the consent feature through customers' functions only.
  marketing_state text not null default 'unknown' check (marketing_state in ('granted', 'withdrawn', 'unknown', 'pending')),
  marketing_changed_at timestamptz,
  notification_state text not null default 'unknown' check (notification_state in ('granted', 'withdrawn', 'unknown', 'pending')),
  notification_changed_at timestamptz,
  -- Sums over the orders, kept as orders arrive. Amounts in minor units of the merchant's currency.
  orders_count int not null default 0,
  orders_amount bigint not null default 0,
  last_order_at timestamptz,
  email_sent_count int not null default 0,
  line_sent_count int not null default 0,
  store_updated_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, id),
  unique (merchant_id, store_customer_id)
);
create index customers_by_email on customers (merchant_id, email_key);
create index customers_by_created on customers (merchant_id, created_at desc, id desc);
create index customers_by_amount on customers (merchant_id, orders_amount desc, id desc);
create index customers_by_orders on customers (merchant_id, orders_count desc, id desc);
create index customers_by_last_order on customers (merchant_id, last_order_at desc nulls last, id desc);
create index customers_by_sent on customers (merchant_id, email_sent_count desc, id desc);
create index customers_by_name on customers (merchant_id, display_name, id);

create table orders (
  merchant_id uuid not null,
  id uuid not null,
  store_order_id bigint not null,
  customer_id uuid,
  store_customer_id bigint,
  name text not null,
  email_key text,
  processed_at timestamptz not null,
  total_amount bigint not null,
  -- After refunds; what counts as revenue.
  current_amount bigint not null,
  currency text not null,
  financial_status text,
  cancelled_at timestamptz,
  landing_site text,
  store_updated_at timestamptz,
  primary key (merchant_id, id),
  unique (merchant_id, store_order_id)
);
create index orders_by_customer on orders (merchant_id, customer_id, processed_at desc);

create table order_lines (
  merchant_id uuid not null,
  order_id uuid not null,
  position int not null,
  customer_id uuid,
  store_product_id bigint,
  title text not null,
  sku text,
  quantity int not null,
  amount bigint not null,
  processed_at timestamptz not null,
  primary key (merchant_id, order_id, position)
);
create index order_lines_by_product on order_lines (merchant_id, store_product_id, customer_id, processed_at desc);
create index order_lines_by_customer on order_lines (merchant_id, customer_id);

-- Append only: how each flag came to be (domain.md §4).
create table consent_changes (
  merchant_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  kind text not null check (kind in ('marketing', 'notification')),
  channel text not null default 'email',
  from_state text not null,
  to_state text not null,
  source text not null,
  wording text,
  page text,
  delivery_id uuid,
  occurred_at timestamptz not null,
  recorded_at timestamptz not null,
  primary key (merchant_id, id)
);
create index consent_changes_by_customer on consent_changes (merchant_id, customer_id, id desc);

-- Addresses no mail goes to, whoever holds them.
create table suppressions (
  merchant_id uuid not null,
  id uuid not null,
  channel text not null default 'email',
  address_key text not null,
  reason text not null check (reason in ('hard_bounce', 'complaint', 'manual')),
  detail text,
  created_at timestamptz not null,
  lifted_at timestamptz,
  primary key (merchant_id, id)
);
create unique index suppressions_in_force on suppressions (merchant_id, channel, address_key) where lifted_at is null;
