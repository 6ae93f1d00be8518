create table sync_runs (
  merchant_id uuid not null,
  id uuid not null,
  status text not null check (status in ('running', 'done', 'failed')),
  error text,
  started_at timestamptz not null,
  finished_at timestamptz,
  primary key (merchant_id, id)
);
create unique index sync_runs_one_running on sync_runs (merchant_id) where status = 'running';

create table sync_steps (
  merchant_id uuid not null,
  sync_run_id uuid not null,
  kind text not null check (kind in ('products', 'customers', 'orders')),
  position int not null,
  status text not null check (status in ('waiting', 'exporting', 'loading', 'done', 'failed')),
  bulk_operation_id text,
  exported_count int not null default 0,
  loaded_count int not null default 0,
  started_at timestamptz,
  finished_at timestamptz,
  primary key (merchant_id, sync_run_id, kind)
);

-- Every webhook as it came, stored before it is answered. Worked in by key, in the order it was triggered.
create table store_webhooks (
  merchant_id uuid not null,
  -- X-Shopify-Event-Id: a redelivery has the same one.
  event_id text not null,
  topic text not null,
  -- What it is about ("customer:123"): one at a time and in order for each.
  subject text not null,
  payload jsonb not null,
  triggered_at timestamptz not null,
  received_at timestamptz not null,
  processed_at timestamptz,
  attempts int not null default 0,
  next_attempt_at timestamptz not null,
  error text,
  primary key (merchant_id, event_id)
);
create index store_webhooks_due on store_webhooks (merchant_id, next_attempt_at) where processed_at is null;
create index store_webhooks_by_subject on store_webhooks (merchant_id, subject, triggered_at) where processed_at is null;
