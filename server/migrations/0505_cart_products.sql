-- Which products lay in the cart of a customer's browser, one row for each, for 90 days after they were last seen there.
create table cart_products (
  merchant_id uuid not null,
  customer_id uuid not null,
  store_product_id bigint not null,
  -- Pieces; 0: no longer in it.
  quantity int not null,
  first_seen_at timestamptz not null,
  seen_at timestamptz not null,
  -- When the number of pieces last changed.
  changed_at timestamptz not null,
  primary key (merchant_id, customer_id, store_product_id)
);
create index cart_products_by_product on cart_products (merchant_id, store_product_id, customer_id);
create index cart_products_by_time on cart_products (merchant_id, seen_at);
create index cart_products_by_change on cart_products (merchant_id, changed_at);

-- What lies in carts is a setting of its own, off at first.
alter table storefront_settings add column records_carts boolean not null default false;

-- Whether views are recorded is one setting, of customers; the widget's own was never asked.
update widget_settings set parts = parts - 'views' where parts ? 'views';
