-- Why the store is not connected any more.
alter table store_connections add column disconnected_reason text check (disconnected_reason in ('uninstalled', 'refused', 'disconnected'));

-- A run copies everything of some kinds (copy), what changed since a moment (repair), or asks which ids still exist (sweep).
alter table sync_runs add column purpose text not null default 'copy' check (purpose in ('copy', 'repair', 'sweep'));
alter table sync_runs add column since timestamptz;
alter table sync_steps drop constraint sync_steps_kind_check;
alter table sync_steps add constraint sync_steps_kind_check
  check (kind in ('products', 'collections', 'customers', 'orders', 'checkouts'));
-- What a run found to differ; counted in the transaction of the batch that repairs it.
alter table sync_steps add column missing_count int not null default 0;
alter table sync_steps add column outdated_count int not null default 0;
alter table sync_steps add column consent_count int not null default 0;
alter table sync_steps add column gone_count int not null default 0;
create index sync_steps_by_kind on sync_steps (merchant_id, kind, finished_at desc);

-- How far each kind was compared with the store, and when it is to be again.
create table store_watches (
  merchant_id uuid not null,
  kind text not null check (kind in ('products', 'collections', 'customers', 'orders', 'checkouts')),
  -- Nothing that changed before this can have been missed.
  compared_until timestamptz,
  next_check_at timestamptz not null,
  next_sweep_at timestamptz not null,
  -- Who compares right now; leases live in real time.
  lease_id uuid,
  lease_expires_at timestamptz,
  primary key (merchant_id, kind)
);
create index store_watches_due on store_watches (next_check_at);

create table store_checks (
  merchant_id uuid not null,
  id uuid not null,
  kind text not null,
  method text not null check (method in ('window', 'sweep', 'copy')),
  from_at timestamptz,
  until_at timestamptz not null,
  status text not null check (status in ('running', 'done', 'failed')),
  -- Where a window's paging stands: whoever goes on after a killed worker begins there.
  cursor text,
  checked_count int not null default 0,
  missing_count int not null default 0,
  outdated_count int not null default 0,
  consent_count int not null default 0,
  gone_count int not null default 0,
  started_at timestamptz not null,
  finished_at timestamptz,
  primary key (merchant_id, id)
);
create index store_checks_newest on store_checks (merchant_id, kind, started_at desc);
create unique index store_checks_one_running on store_checks (merchant_id, kind) where status = 'running' and method = 'window';

-- Vendors, tags and codes that occur, to choose from.
create table store_values (
  merchant_id uuid not null,
  field text not null,
  value text not null,
  search_text text not null,
  primary key (merchant_id, field, value)
);
