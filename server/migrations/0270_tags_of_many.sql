-- Tags added to or removed from many customers at once: a job goes through them, the store's first.
create table customer_tag_changes (
  merchant_id uuid not null,
  -- Made by whoever asked: a request that comes twice finds it.
  id uuid not null,
  add_tags text[] not null,
  remove_tags text[] not null,
  status text not null default 'running' check (status in ('running', 'done', 'failed')),
  total int not null,
  refused_count int not null default 0,
  -- Whom it has not come to yet; emptied as it goes.
  remaining uuid[] not null,
  -- Tries in a row at which the store was not reached.
  tries int not null default 0,
  member_id uuid,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (merchant_id, id)
);
