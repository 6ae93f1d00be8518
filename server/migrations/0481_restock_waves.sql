-- How the merchant answers those who wait, and how the storefront asks.
create table restock_settings (
  merchant_id uuid primary key,
  people_per_unit int not null,
  wave_minutes int not null,
  settle_minutes int not null,
  asks_again boolean not null,
  -- Of the storefront.
  email_button boolean not null,
  line_button boolean not null,
  confirms_address boolean not null,
  sends_receipt boolean not null,
  texts jsonb not null,
  updated_at timestamptz not null
);

-- A return in which it is being answered, or in which it could not be; not asked again within that return.
alter table restock_requests add column answering uuid;
-- Why it was ended: bought, by the person, by a member; null: not recorded.
alter table restock_requests add column ended_by text;
alter table restock_requests add constraint restock_requests_ended_by check (ended_by in ('bought', 'person', 'member'));
alter table restock_requests add column notified_count int not null default 0;
-- The next of those who wait, in order of registration, however many wait behind them.
create index restock_requests_waiting on restock_requests (merchant_id, store_product_id, store_variant_id, channel, created_at, id)
  where status = 'active' and answering is null;
create index restock_requests_told on restock_requests (merchant_id, store_product_id, store_variant_id, channel, created_at, id)
  where status = 'sent' and answering is null;

-- A product or variant (0: the product as a whole) that is in stock again, until those who waited were told or it is sold out.
create table stock_returns (
  merchant_id uuid not null,
  id uuid not null,
  store_product_id bigint not null,
  store_variant_id bigint not null,
  began_at timestamptz not null,
  -- When something is to be done next; null: a person has to say so.
  due_at timestamptz,
  -- What it waits for instead of telling people.
  held_by text check (held_by in ('settling', 'interval', 'hours', 'test_mode', 'no_scenario', 'reading', 'stopped', 'many')),
  stopped_by uuid,
  ended_at timestamptz,
  ended_as text check (ended_as in ('all_told', 'sold_out', 'gone')),
  primary key (merchant_id, id)
);
create unique index stock_returns_open on stock_returns (merchant_id, store_product_id, store_variant_id) where ended_at is null;
create index stock_returns_of_products on stock_returns (merchant_id, store_product_id, began_at desc);
create index stock_returns_due on stock_returns (due_at) where due_at is not null;

create table restock_waves (
  merchant_id uuid not null,
  return_id uuid not null,
  number int not null,
  at timestamptz not null,
  -- Read then; null: it sells without stock.
  stock int,
  -- How many may be told.
  places int not null,
  told int not null default 0,
  bought int not null default 0,
  unreachable int not null default 0,
  is_done boolean not null default false,
  primary key (merchant_id, return_id, number)
);

-- What came of answering one registration in one return.
create table restock_notices (
  merchant_id uuid not null,
  return_id uuid not null,
  request_id uuid not null,
  wave int not null,
  customer_id uuid,
  scenario_id uuid,
  -- Of the event that may start the scenario; several registrations of one person share it.
  event_key text,
  outcome text not null check (outcome in ('under_way', 'sent', 'uncertain', 'failed', 'skipped', 'refused', 'no_customer', 'withdrawn')),
  reason text,
  at timestamptz not null,
  sent_at timestamptz,
  check_at timestamptz,
  primary key (merchant_id, return_id, request_id)
);
create index restock_notices_due on restock_notices (merchant_id, check_at) where check_at is not null;
create index restock_notices_by_event on restock_notices (merchant_id, event_key) where event_key is not null;
create index restock_notices_by_customer on restock_notices (merchant_id, customer_id) where customer_id is not null;
create index restock_requests_answering on restock_requests (merchant_id, answering) where answering is not null;

-- When the stock of what people wait for is looked at again, in case no webhook told of it.
create table restock_looks (
  merchant_id uuid primary key,
  next_at timestamptz not null
);
