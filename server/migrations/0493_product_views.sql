-- Which products a customer looked at in the store, one row for each, for 90 days after the last time.
create table product_views (
  merchant_id uuid not null,
  customer_id uuid not null,
  store_product_id bigint not null,
  first_viewed_at timestamptz not null,
  viewed_at timestamptz not null,
  -- Looks a few minutes apart are one.
  views int not null,
  primary key (merchant_id, customer_id, store_product_id)
);
create index product_views_by_product on product_views (merchant_id, store_product_id, customer_id);
create index product_views_by_time on product_views (merchant_id, viewed_at);
