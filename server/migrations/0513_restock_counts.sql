-- What the registrations of each product add up to. Written by the work that sums up `restock_changes` alone, so that nobody who registers
-- waits for the row of a product that many wait for.
create table restock_counts (
  merchant_id uuid not null,
  store_product_id bigint not null,
  active_count int not null,
  sent_count int not null,
  deleted_count int not null,
  -- Imported with a state that is not known here.
  unknown_count int not null,
  first_at timestamptz not null,
  latest_at timestamptz not null,
  primary key (merchant_id, store_product_id)
);

-- What happened to registrations since. Lists read both.
create table restock_changes (
  merchant_id uuid not null,
  id uuid not null,
  store_product_id bigint not null,
  active int not null,
  sent int not null,
  deleted int not null,
  unknown int not null,
  -- Null: a registration was deleted, so the first and the latest have to be looked up.
  first_at timestamptz,
  latest_at timestamptz,
  primary key (merchant_id, id)
);

-- Merchants whose registrations are counted anew, once: a worker of the version before, which runs on beside this one for a while, writes no
-- changes.
create table restock_recounts (
  merchant_id uuid primary key,
  due_at timestamptz not null
);

insert into restock_counts (merchant_id, store_product_id, active_count, sent_count, deleted_count, unknown_count, first_at, latest_at)
select merchant_id, store_product_id, count(*) filter (where status = 'active'), count(*) filter (where status = 'sent'),
  count(*) filter (where status = 'deleted'), count(*) filter (where status = 'unknown'), min(created_at), max(created_at)
from restock_requests group by merchant_id, store_product_id;

insert into restock_recounts (merchant_id, due_at)
select distinct merchant_id, now() + interval '55 minutes' from restock_counts;
