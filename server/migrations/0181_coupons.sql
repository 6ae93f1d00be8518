-- A discount of the store platform: one for each terms and last day on which its codes are valid.
create table discounts (
  merchant_id uuid not null,
  id uuid not null,
  terms_key text not null,
  -- contract: CouponTerms
  terms jsonb not null,
  -- In the merchant's zone; `ends_at` is the end of that day.
  last_day date not null,
  ends_at timestamptz not null,
  -- Null: not yet on the platform.
  store_discount_id text,
  -- The platform is making codes under this number.
  bulk_id text,
  attempts smallint not null default 0,
  -- Null: nothing is to be done.
  next_step_at timestamptz,
  -- Real time.
  lease_expires_at timestamptz,
  -- Why the platform made none the last time, and since when.
  error text,
  failed_at timestamptz,
  last_issued_at timestamptz,
  created_at timestamptz not null,
  primary key (merchant_id, id),
  unique (merchant_id, terms_key, last_day)
);
create index discounts_due on discounts (merchant_id, next_step_at) where next_step_at is not null;

-- Codes: made ahead of need, or wanted for one visit of a node; who has an execution is issued.
create table coupons (
  merchant_id uuid not null,
  id uuid not null,
  discount_id uuid not null,
  code text not null,
  status text not null check (status in ('wanted', 'made', 'used', 'failed')),
  -- The platform was asked for it under this number.
  bulk_id text,
  scenario_id uuid,
  execution_id uuid,
  node_id text,
  round smallint,
  customer_id uuid,
  error text,
  issued_at timestamptz,
  used_at timestamptz,
  created_at timestamptz not null,
  primary key (merchant_id, id),
  unique (merchant_id, code)
);
create unique index coupons_once_per_visit on coupons (merchant_id, execution_id, node_id, round) where execution_id is not null;
create index coupons_free on coupons (merchant_id, discount_id, id) where status = 'made' and execution_id is null;
create index coupons_wanted on coupons (merchant_id, discount_id, id) where status = 'wanted';
create index coupons_issued on coupons (merchant_id, issued_at desc, id desc) where execution_id is not null;
create index coupons_by_scenario on coupons (merchant_id, scenario_id, issued_at desc) where scenario_id is not null;
create index coupons_by_customer on coupons (merchant_id, customer_id) where customer_id is not null;
