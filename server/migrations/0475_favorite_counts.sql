-- What favorites of each product add up to. Written by the work that sums up `favorite_changes` alone, so that no transaction of a person
-- waits for the row of a product that many like.
create table favorite_counts (
  merchant_id uuid not null,
  store_product_id bigint not null,
  active_count int not null,
  removed_count int not null,
  -- Of the active ones: the seconds since 1970 at which they were set, summed.
  set_seconds bigint not null,
  -- Of the removed ones: how many seconds they lasted, summed.
  kept_seconds bigint not null,
  first_at timestamptz not null,
  latest_at timestamptz not null,
  primary key (merchant_id, store_product_id)
);

-- What happened to favorites since. Lists read both.
create table favorite_changes (
  merchant_id uuid not null,
  id uuid not null,
  store_product_id bigint not null,
  active int not null,
  removed int not null,
  set_seconds bigint not null,
  kept_seconds bigint not null,
  -- Null: a favorite was deleted, so the first and the latest have to be looked up.
  first_at timestamptz,
  latest_at timestamptz,
  primary key (merchant_id, id)
);

insert into favorite_counts (merchant_id, store_product_id, active_count, removed_count, set_seconds, kept_seconds, first_at, latest_at)
select merchant_id, store_product_id, count(*) filter (where status = 'active'), count(*) filter (where status = 'removed'),
  coalesce(sum(floor(extract(epoch from created_at))) filter (where status = 'active'), 0),
  coalesce(sum(floor(extract(epoch from removed_at)) - floor(extract(epoch from created_at))) filter (where status = 'removed'), 0),
  min(created_at), max(created_at)
from favorites group by merchant_id, store_product_id;
