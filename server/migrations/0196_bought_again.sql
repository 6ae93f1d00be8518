-- After how many days customers usually buy a product again: the median over all repeats, where there are enough of them.
create table product_intervals (
  merchant_id uuid not null,
  store_product_id bigint not null,
  days int not null,
  -- So many times it was bought again.
  repeats int not null,
  computed_at timestamptz not null,
  primary key (merchant_id, store_product_id)
);
-- When they were learned last; none: they should be.
create table interval_runs (
  merchant_id uuid not null,
  computed_at timestamptz not null,
  primary key (merchant_id)
);
