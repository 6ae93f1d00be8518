-- Variants whose price or stock changed a short time ago. When nothing more changes, people with such favorites get one event for all of
-- them: a price that was typed wrongly, or stock that flutters, is never told, and a bulk edit is told once.
create table settling_goods (
  merchant_id uuid not null,
  -- The changes that are told together; 000…: still open.
  round_id uuid not null default '00000000-0000-0000-0000-000000000000',
  store_variant_id bigint not null,
  store_product_id bigint not null,
  price_before bigint,
  price_after bigint,
  stock_before int,
  stock_after int,
  first_at timestamptz not null,
  changed_at timestamptz not null,
  primary key (merchant_id, round_id, store_variant_id)
);
