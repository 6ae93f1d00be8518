-- What of a variant sells online, as the store last answered: summed over the locations that sell there. Null: not asked yet.
alter table product_variants add column online_quantity int;
-- It is sold whether there is any or not: the store does not count it, or goes on selling at nothing.
alter table product_variants add column sells_without_stock boolean not null default false;
alter table product_variants add column online_read_at timestamptz;

-- Variants (or items of the inventory) whose stock may have changed: the store is asked for many at once.
create table stock_looks (
  merchant_id uuid not null,
  of text not null check (of in ('variant', 'item')),
  store_id bigint not null,
  asked_at timestamptz not null,
  due_at timestamptz not null,
  attempts int not null default 0,
  lease_expires_at timestamptz,
  primary key (merchant_id, of, store_id)
);
create index stock_looks_due on stock_looks (merchant_id, due_at);
